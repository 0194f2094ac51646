import type { EventPayload } from '../../contracts/events.ts';
import { isSignalboxError } from '../../contracts/errors.ts';
import type { Principal } from '../../contracts/principal.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { parsePredicate } from '../../domain/caop/outcomePredicate.ts';
import type { CaopOptions } from './caopParts.ts';
import { KERNEL } from './caopParts.ts';
import type { CompactLedger } from './compactLedger.ts';
import { ownFacts } from './factResults.ts';
import type { FactPlan, NewFact } from './factLedger.ts';

/** Checks that one pulse may run; the rest wait for the next. */
const AT_ONCE = 20;

/** Phase 2: looks whether what was done had the effect it was done for. */
export class OutcomeChecks {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;

  constructor(options: CaopOptions, ledger: CompactLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  async due(): Promise<readonly CompactWork[]> {
    const rows = await this.#ledger.query({}, 'check_due_at', AT_ONCE, '');
    const now = this.#ledger.now();
    return rows.filter((work) => work.outcome?.status === 'PENDING' && work.outcome.check_due_at <= now);
  }

  /** Answers the works that were looked at, as they stand after it. */
  async runDue(): Promise<readonly CompactWork[]> {
    const due = await this.due();
    for (const work of due) await this.#run(work);
    return (await Promise.all(due.map(({ work_id }) => this.#ledger.find(work_id)))).flatMap((work) => work ?? []);
  }

  async #run(work: CompactWork): Promise<void> {
    const result = await this.#look(work);
    if (result === null) return;
    await this.#ledger.exclusive(() => this.#record(work.work_id, result));
  }

  /** Null when the capability itself failed: nothing is known, so the next pulse looks again. */
  async #look(
    work: CompactWork,
  ): Promise<{ readonly passed: boolean; readonly output: unknown; readonly because: string } | null> {
    const { check } = work;
    if (check === null) return null;
    const parsed = parsePredicate(check.success_predicate);
    if (!parsed.ok) return { passed: false, output: null, because: `The predicate does not parse: ${parsed.message}` };
    const { principal, roles, surfaces, token_id } = work.staged;
    const stager: Principal = { ref: principal, roles, surfaces, tokenId: token_id };
    let output: Readonly<Record<string, unknown>>;
    try {
      output = await this.#options.proxied.run({
        capability_id: check.capability_id,
        arguments: check.arguments,
        principal: stager,
      });
    } catch (error) {
      if (!isSignalboxError(error)) throw error;
      this.#options.onBackgroundError(error, `checking the outcome of ${work.work_id}`);
      return null;
    }
    try {
      return parsed.predicate(output)
        ? { passed: true, output, because: `${check.success_predicate} holds.` }
        : { passed: false, output, because: `${check.success_predicate} does not hold.` };
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      return {
        passed: false,
        output,
        because: `${check.success_predicate} could not be evaluated on the output: ${why}`,
      };
    }
  }

  async #record(
    workId: string,
    looked: { readonly passed: boolean; readonly output: unknown; readonly because: string },
  ): Promise<void> {
    const work = await this.#ledger.find(workId);
    if (work?.outcome?.status !== 'PENDING' || work.check === null) return;
    const fact_id = this.#options.ids.id('fct');
    const payload: EventPayload<'compact.outcome_checked'> = {
      status: looked.passed ? 'PASSED' : 'FAILED',
      output: looked.output,
      because: looked.because,
      fact_ids: [fact_id],
    };
    const fact: NewFact = {
      fact_id,
      subject: `work/${workId}`,
      predicate: 'outcome',
      object: {
        status: payload.status,
        success_predicate: work.check.success_predicate,
        output: looked.output ?? null,
      },
      status: 'VERIFIED_FACT',
      kind: 'outcome',
      goal_id: work.staged.input.goal_id,
      work_id: workId,
      principal: work.staged.principal,
      provenance: {
        work_id: workId,
        invocation_id: work.outcome.invocation_id,
        execution_locus: 'KERNEL_PROXIED',
        attestation: 'KERNEL_ATTESTED',
      },
    };
    const verified = looked.passed && !work.staged.hold_record;
    const plan: FactPlan = {
      record: [fact],
      promote: verified ? ownFacts(work).map((id) => ({ fact_id: id, status: 'VERIFIED_FACT' })) : [],
    };
    const { decision } = this.#ledger.decide(work, [{ type: 'check_outcome', result: payload }]);
    const change = await this.#ledger.factDecision(plan, `checked the outcome of ${workId}`, KERNEL);
    await this.#ledger.append([decision, ...change], work.staged.input.goal_id);
  }
}
