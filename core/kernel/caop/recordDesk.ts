import { z } from 'zod';
import { goal } from '../../contracts/caop/base.ts';
import type { RecordCommit, RecordCommitted } from '../../contracts/caop/execution.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import { issuesOf } from '../../contracts/parse.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent } from '../../contracts/principal.ts';
import type { Decision } from '../eventWriter.ts';
import { forbidden, invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { STATE_STREAM } from './caopParts.ts';
import { requireActor, requirePerson } from './caopPrincipals.ts';
import type { CommitmentBook } from './commitmentBook.ts';
import type { CompactLedger } from './compactLedger.ts';
import { executionOf, verificationOf } from './executionRows.ts';
import type { FactPlan } from './factLedger.ts';
import { textColumn } from '../textColumn.ts';

const time = z.iso.datetime({ offset: true });
const factValue = z.strictObject({
  subject: z.string().min(1),
  predicate: z.string().min(1),
  object: z.unknown(),
  depends_on_fact_ids: z.array(z.string()).optional(),
  depends_on_alternatives: z.array(z.array(z.string()).min(1)).optional(),
  valid_from: time.optional(),
  valid_to: time.optional(),
  supersedes_fact_id: z.string().optional(),
});
const supportValue = z.strictObject({ alternative_to: z.string(), fact_id: z.string() });
const commitmentStatus = z.enum(['completed', 'failed', 'cancelled']);
const FACT_ID = /^fct_[A-Za-z0-9_]{1,80}$/;

/** The whole whitelist: entity and operation. */
const operations = ['commitment set_status', 'goal set_status', 'fact record', 'fact add_support'] as const;

type Change = RecordCommit['changes'][number];
interface Gathered {
  readonly decisions: Decision[];
  readonly facts: {
    record: NonNullable<FactPlan['record']>[number][];
    supersede: NonNullable<FactPlan['supersede']>[number][];
    support: NonNullable<FactPlan['support']>[number][];
  };
}

const entityOf = (id: string): string =>
  id.startsWith('com_') ? 'commitment' : id.startsWith('goal_') ? 'goal' : id.startsWith('fct_') ? 'fact' : 'other';

/** Writes verified outcomes into the state: all of a commit, or nothing. */
export class RecordDesk {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #commitments: CommitmentBook;

  constructor(options: CaopOptions, ledger: CompactLedger, commitments: CommitmentBook) {
    this.#options = options;
    this.#ledger = ledger;
    this.#commitments = commitments;
  }

  commit(input: RecordCommit, principal: Principal): Promise<RecordCommitted> {
    requireActor(principal);
    if (input.changes.length === 0) throw invalid('changes', 'Give at least one change.');
    return this.#ledger.queue.run(() => this.#commit(input, principal));
  }

  async #commit(input: RecordCommit, principal: Principal): Promise<RecordCommitted> {
    const { store, ids, writer } = this.#options;
    const current = await store.version(STATE_STREAM);
    if (current !== input.expected_state_version) {
      throw new SignalboxError(
        'STATE_VERSION_CONFLICT',
        `expected_state_version: the state is at ${current}, not ${input.expected_state_version}. Resolve the context again, then commit.`,
        {
          details: { state_version: current },
        },
      );
    }
    const gathered: Gathered = { decisions: [], facts: { record: [], supersede: [], support: [] } };
    const touched = new Set<string>();
    for (const [index, change] of input.changes.entries()) {
      if (touched.has(change.entity_id))
        throw invalid(`changes[${index}].entity_id`, `${change.entity_id} stands twice in this commit.`);
      touched.add(change.entity_id);
      await this.#gather(change, `changes[${index}]`, input, principal, gathered);
    }
    const change = await this.#ledger.facts.prepare(gathered.facts, writer.now());
    const transaction_id = ids.id('txn');
    const event: DomainEvent = {
      type: 'record.committed',
      payload: {
        transaction_id,
        by: principal.ref,
        execution_id: input.execution_id ?? null,
        verification_id: input.verification_id ?? null,
        changes: input.changes.map(({ entity_id, operation, value }) => ({
          entity_id,
          operation,
          value: value ?? null,
        })),
        change,
      },
    };
    await writer.append(
      [{ stream: STATE_STREAM, version: current, events: [event] }, ...gathered.decisions],
      transaction_id,
    );
    return { transaction_id, state_version: current + 1, status: 'committed' };
  }

  async #gather(change: Change, at: string, input: RecordCommit, principal: Principal, into: Gathered): Promise<void> {
    const wanted = `${entityOf(change.entity_id)} ${change.operation}`;
    switch (operations.find((operation) => operation === wanted)) {
      case 'commitment set_status':
        into.decisions.push(await this.#closeCommitment(change, at, input, principal));
        return;
      case 'goal set_status':
        into.decisions.push(await this.#changeGoal(change, at, principal));
        return;
      case 'fact record': {
        const value = parsed(factValue, change.value, `${at}.value`);
        if (!FACT_ID.test(change.entity_id))
          throw invalid(`${at}.entity_id`, 'Name the new fact fct_ and letters, digits or underscores.');
        const { supersedes_fact_id, valid_from, valid_to, depends_on_fact_ids, depends_on_alternatives, ...said } =
          value;
        into.facts.record.push({
          ...said,
          fact_id: change.entity_id,
          ...(depends_on_fact_ids === undefined ? {} : { depends_on_fact_ids }),
          ...(depends_on_alternatives === undefined ? {} : { depends_on_alternatives }),
          ...(valid_from === undefined ? {} : { valid_from }),
          ...(valid_to === undefined ? {} : { valid_to }),
          // An agent's word alone verifies nothing.
          status: isAgent(principal) ? 'CANDIDATE_PROPOSAL' : 'VERIFIED_FACT',
          kind: 'recorded',
          goal_id: null,
          work_id: null,
          principal: principal.ref,
          provenance: {
            work_id: input.execution_id ?? change.entity_id,
            execution_locus: 'HOST_DELEGATED',
            attestation: isAgent(principal) ? 'HOST_ASSERTED' : 'USER_CONFIRMED',
          },
        });
        if (supersedes_fact_id !== undefined) {
          into.facts.supersede.push({
            fact_id: supersedes_fact_id,
            by_fact_id: change.entity_id,
            reason: `Superseded by ${change.entity_id}.`,
          });
        }
        return;
      }
      case 'fact add_support': {
        requirePerson(principal, 'add support to facts');
        const { alternative_to, fact_id } = parsed(supportValue, change.value, `${at}.value`);
        into.facts.support.push({ fact_id: change.entity_id, alternative_to, premise_id: fact_id });
        return;
      }
      case undefined:
        throw invalid(
          `${at}.operation`,
          `${change.operation} on ${change.entity_id} cannot be committed here. What can: ${operations.join(', ')} (com_…, goal_…, fct_…).`,
        );
    }
  }

  async #closeCommitment(change: Change, at: string, input: RecordCommit, principal: Principal): Promise<Decision> {
    const status = parsed(commitmentStatus, change.value, `${at}.value`);
    const row = await this.#commitments.row(change.entity_id, principal);
    if (row['work_id'] !== null) {
      throw forbidden(
        `${change.entity_id} is the commitment of compact work ${textColumn(row, 'work_id')}: it closes with that work's receipts and checks.`,
        { path: `${at}.entity_id` },
      );
    }
    if (row['status'] !== 'open') {
      throw new SignalboxError('INVALID_TRANSITION', `${change.entity_id} is ${textColumn(row, 'status')} already.`, {
        details: { status: row['status'] },
      });
    }
    if (status === 'completed') await this.#requireVerification(change, at, input, principal);
    const version = await this.#options.store.version(change.entity_id);
    const payload = { status, by: principal.ref, verification_id: input.verification_id ?? null };
    return { stream: change.entity_id, version, events: [{ type: 'commitment.closed', payload }] };
  }

  /** A passed verification of an execution of a plan for this very commitment. */
  async #requireVerification(change: Change, at: string, input: RecordCommit, principal: Principal): Promise<void> {
    const { store } = this.#options;
    if (input.verification_id === undefined) {
      throw forbidden('A commitment is completed by a passed verification, not by saying so. Give verification_id.', {
        path: 'verification_id',
      });
    }
    const verification = await store.get('verifications', input.verification_id);
    if (verification === null) throw invalid('verification_id', `There is no verification ${input.verification_id}.`);
    const executionId = textColumn(verification, 'execution_id');
    if (input.execution_id !== undefined && input.execution_id !== executionId) {
      throw invalid('verification_id', `${input.verification_id} is of ${executionId}, not of ${input.execution_id}.`);
    }
    const execution = await store.get('executions', executionId);
    if (execution === null || executionOf(execution).commitment_id !== change.entity_id) {
      throw forbidden(`${input.verification_id} verifies nothing that was done for ${change.entity_id}.`, {
        path: `${at}.entity_id`,
      });
    }
    if (verificationOf(verification).verdict !== 'passed') {
      throw forbidden(`${input.verification_id} did not pass, so ${change.entity_id} stays open.`, {
        path: 'verification_id',
        principal: principal.ref.id,
      });
    }
  }

  async #changeGoal(change: Change, at: string, principal: Principal): Promise<Decision> {
    requirePerson(principal, 'change goals');
    const status = parsed(goal.shape.status, change.value, `${at}.value`);
    if ((await this.#options.store.get('goals', change.entity_id)) === null) throw notFound(`goal ${change.entity_id}`);
    const version = await this.#options.store.version(change.entity_id);
    return {
      stream: change.entity_id,
      version,
      events: [{ type: 'goal.changed', payload: { status, by: principal.ref, because: 'records.commit' } }],
    };
  }
}

const parsed = <S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = issuesOf(result.error)[0];
  throw invalid(
    issue === undefined || issue.path === '' ? at : `${at}.${issue.path}`,
    issue?.message ?? 'It does not fit.',
  );
};
