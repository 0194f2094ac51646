import type { Verification, VerificationRequest } from '../../contracts/caop/execution.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { nextStep } from '../../domain/caop/compactState.ts';
import type { Row } from '../eventStore.ts';
import { invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { maySeeOf, requireActor, requirePerson } from './caopPrincipals.ts';
import type { CompactLedger } from './compactLedger.ts';
import type { ExecutionBook } from './executionBook.ts';
import { derivedId } from './observationLog.ts';
import { textColumn } from '../textColumn.ts';

const deterministic = [
  'all_required_steps_completed',
  'result_has_supporting_evidence',
  'no_policy_violations',
] as const;
const HUMAN = 'human:';

type Check = Verification['checks'][number];

/** What a check looks at, of either binding. */
interface Evidence {
  readonly completed: boolean;
  readonly evidence_refs: readonly string[];
  readonly violations: boolean;
}

export interface QuestionView {
  readonly question_id: string;
  readonly execution_id: string;
  readonly question: string;
  readonly asked_by: PrincipalRef;
  readonly asked_at: string;
  readonly answer: 'open' | 'yes' | 'no';
  readonly answered_by: PrincipalRef | null;
  readonly note: string | null;
}

const questionView = (row: Row): QuestionView => {
  const question = row['question'] as unknown as {
    question: string;
    principal: PrincipalRef;
    asked_at: string;
    by?: PrincipalRef;
    note?: string | null;
  };
  return {
    question_id: textColumn(row, 'question_id'),
    execution_id: textColumn(row, 'execution_id'),
    question: question.question,
    asked_by: question.principal,
    asked_at: question.asked_at,
    answer: row['answer'] as QuestionView['answer'],
    answered_by: question.by ?? null,
    note: question.note ?? null,
  };
};

/** Verdicts on executions; questions to people wait in the inbox. */
export class VerificationDesk {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #executions: ExecutionBook;

  constructor(options: CaopOptions, ledger: CompactLedger, executions: ExecutionBook) {
    this.#options = options;
    this.#ledger = ledger;
    this.#executions = executions;
  }

  async evaluate(input: VerificationRequest, principal: Principal): Promise<Verification> {
    requireActor(principal);
    if (input.criteria.length === 0)
      throw invalid('criteria', `Name at least one of ${deterministic.join(', ')} or ${HUMAN}<question>.`);
    for (const [index, name] of input.criteria.entries()) {
      const known =
        deterministic.some((criterion) => criterion === name) ||
        (name.startsWith(HUMAN) && name.slice(HUMAN.length).trim() !== '');
      if (!known)
        throw invalid(
          `criteria[${index}]`,
          `There is no criterion ${name}. Criteria: ${deterministic.join(', ')}, ${HUMAN}<question>.`,
        );
    }
    const evidence = await this.#evidence(input.execution_id, principal);
    const answers = await this.#answers(input, principal);
    const checks = input.criteria.map((name): Check => this.#check(name, evidence, answers));
    const verification: Verification = {
      verification_id: this.#options.ids.id('ver'),
      verdict: checks.every(({ result }) => result === 'pass') ? 'passed' : 'failed',
      evidence_refs: [...evidence.evidence_refs],
      checks,
    };
    const payload = { verification, execution_id: input.execution_id, principal: principal.ref };
    await this.#options.writer.append(
      [{ stream: verification.verification_id, version: 0, events: [{ type: 'verification.evaluated', payload }] }],
      input.execution_id,
    );
    return verification;
  }

  #check(name: string, evidence: Evidence, answers: ReadonlyMap<string, 'yes' | 'no'>): Check {
    const result = (passed: boolean): Check['result'] => (passed ? 'pass' : 'fail');
    switch (name) {
      case 'all_required_steps_completed':
        return { name, kind: 'deterministic', result: result(evidence.completed) };
      case 'result_has_supporting_evidence':
        return { name, kind: 'deterministic', result: result(evidence.evidence_refs.length > 0) };
      case 'no_policy_violations':
        return { name, kind: 'deterministic', result: result(!evidence.violations) };
      default:
        return { name, kind: 'human', result: result(answers.get(name) === 'yes') };
    }
  }

  async #evidence(executionId: string, principal: Principal): Promise<Evidence> {
    const compact = await this.#ledger.find(executionId);
    if (compact !== null && maySeeOf(principal, compact.staged.principal)) return compactEvidence(compact);
    const execution = await this.#executions.record(executionId, principal);
    const evidence_refs = execution.result?.evidence_refs ?? [];
    return { completed: execution.result !== null && evidence_refs.length > 0, evidence_refs, violations: false };
  }

  /** Answers by criterion. Questions without one are asked, and the verdict waits for them. */
  async #answers(input: VerificationRequest, principal: Principal): Promise<ReadonlyMap<string, 'yes' | 'no'>> {
    const answers = new Map<string, 'yes' | 'no'>();
    const waiting: string[] = [];
    for (const name of input.criteria.filter((criterion) => criterion.startsWith(HUMAN))) {
      const id = derivedId('qst', input.execution_id, name);
      const row = await this.#options.store.get('questions', id);
      const answer = row?.['answer'];
      if (answer === 'yes' || answer === 'no') answers.set(name, answer);
      else waiting.push(id);
      if (row === null) await this.#ask(id, input.execution_id, name.slice(HUMAN.length).trim(), principal);
    }
    if (waiting.length === 0) return answers;
    throw new SignalboxError(
      'VERIFICATION_FAILED',
      'A person must answer first; verify again once they have. The questions are in the inbox of the console.',
      {
        retryable: true,
        details: { waiting_on: waiting },
      },
    );
  }

  async #ask(id: string, execution_id: string, question: string, principal: Principal): Promise<void> {
    const payload = { execution_id, question, principal: principal.ref };
    await this.#options.writer.retrying(async () => {
      if ((await this.#options.store.get('questions', id)) !== null) return;
      await this.#options.writer.append(
        [{ stream: id, version: 0, events: [{ type: 'question.asked', payload }] }],
        execution_id,
      );
    });
  }

  async questions(answer: 'open' | 'all', limit: number): Promise<readonly QuestionView[]> {
    const where = answer === 'open' ? { answer: 'open' } : {};
    const rows = await this.#options.store.query('questions', {
      where,
      order: { column: 'seq', direction: 'desc' },
      limit,
    });
    return rows.map(questionView);
  }

  async answer(
    questionId: string,
    answer: 'yes' | 'no',
    note: string | null,
    principal: Principal,
  ): Promise<QuestionView> {
    requirePerson(principal, 'answer questions');
    await this.#options.writer.retrying(async () => {
      const row = await this.#options.store.get('questions', questionId);
      if (row === null) throw notFound(`question ${questionId}`);
      if (row['answer'] !== 'open') {
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          `This question was answered already: ${textColumn(row, 'answer')}.`,
          { details: { answer: row['answer'] } },
        );
      }
      await this.#options.writer.append(
        [
          {
            stream: questionId,
            version: 1,
            events: [{ type: 'question.answered', payload: { answer, note, by: principal.ref } }],
          },
        ],
        questionId,
      );
    });
    const row = await this.#options.store.get('questions', questionId);
    if (row === null) throw notFound(`question ${questionId}`);
    return questionView(row);
  }
}

const compactEvidence = (work: CompactWork): Evidence => ({
  completed: nextStep(work) === null,
  evidence_refs: work.leases.flatMap(({ settlement }) => settlement?.fact_ids ?? []),
  violations: work.failed_hooks.length > 0 || work.approval?.status === 'denied' || work.approval?.status === 'void',
});
