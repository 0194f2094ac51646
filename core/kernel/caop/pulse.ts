import type {
  OpenLease,
  PulseInput,
  PulseResponse,
  StaleCommitment,
  SystemAdvisory,
  UnassignedBlocker,
} from '../../contracts/caop/pulse.ts';
import type { OutcomeVerification } from '../../contracts/caop/compact.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../../contracts/principal.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { openLeaseOf } from '../../domain/caop/compactState.ts';
import type { Action } from '../../domain/caop/rankActions.ts';
import { rankActions } from '../../domain/caop/rankActions.ts';
import { promotionAdvice, windowStart } from '../../domain/caop/promotionAdvice.ts';
import { stateOf } from '../storeSchema.ts';
import type { RowQuery } from '../eventStore.ts';
import type { CaopOptions } from './caopParts.ts';
import { compactOf } from './caopProjection.ts';
import type { CapabilityBook } from './capabilityBook.ts';
import type { CompactLedger } from './compactLedger.ts';
import { outcomeView } from './factResults.ts';
import { factOf } from './factRows.ts';
import { invalid } from './caopErrors.ts';
import type { GoalBook } from './goalBook.ts';
import type { ObservationLog } from './observationLog.ts';
import type { OutcomeChecks } from './outcomeChecks.ts';
import { textColumn } from '../textColumn.ts';

const MOST = 100;

export interface PulseParts {
  readonly options: CaopOptions;
  readonly ledger: CompactLedger;
  readonly goals: GoalBook;
  readonly capabilities: CapabilityBook;
  readonly observations: ObservationLog;
  readonly checks: OutcomeChecks;
}

interface Listed<T> {
  readonly entries: readonly T[];
  readonly actions: readonly Action[];
}

type Where = NonNullable<RowQuery['where']>;

/** OBSERVE + REVIEW: takes in what happened, then says what is open, stale and next. */
export class Pulser {
  readonly #parts: PulseParts;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  async pulse(input: PulseInput, principal: Principal): Promise<PulseResponse> {
    const { observations, checks, goals } = this.#parts;
    for (const goalId of input.scope_goal_ids ?? []) await goals.known(goalId, principal, 'scope_goal_ids[]');
    const hydrated = await this.#hydrate(input.hydrate_capability_ids ?? []);
    await observations.takeIn(input.unobserved_events ?? [], input.scope_goal_ids?.[0] ?? null, principal);
    const checked = await checks.runDue();
    const withSla = await goals.withSla();
    const scope = input.scope_goal_ids ?? withSla;
    await goals.pulsed(withSla.filter((id) => scope.includes(id)));
    return this.#brief(input, principal, hydrated, checked);
  }

  async #brief(
    input: PulseInput,
    principal: Principal,
    hydrated: PulseResponse['hydrated_capabilities'],
    checked: readonly CompactWork[],
  ): Promise<PulseResponse> {
    const where = this.#scope(input, principal);
    const [leases, approvals, stale, outcomes, blockers, advisories, capabilities] = await Promise.all([
      this.#leases(principal, where),
      this.#approvals(principal, where),
      this.#stale(input, where),
      this.#outcomes(
        where,
        checked.filter((work) => isInScope(work, input, principal)),
      ),
      this.#blockers(where),
      this.#advisories(),
      this.#parts.capabilities.list(),
    ]);
    const actions = [leases, approvals, stale, outcomes, blockers].flatMap((listed) => listed.actions);
    return {
      pulse_timestamp: this.#parts.ledger.now(),
      // The caller drives the loop, and host-delegated steps are among what it may plan.
      workspace_stage_profile: 'CAOP-STAGE-1',
      resume_brief: {
        unsettled_leases: [...leases.entries],
        stale_commitments: [...stale.entries],
        unassigned_blockers: [...blockers.entries],
        ranked_next_actions: rankActions(actions, MOST),
        system_advisories: [...advisories],
      },
      capability_stubs: capabilities.map(({ capability_id, summary }) => ({ capability_id, summary })),
      ...(hydrated === undefined || hydrated.length === 0 ? {} : { hydrated_capabilities: hydrated }),
      ...(outcomes.entries.length === 0 ? {} : { outcome_verifications: [...outcomes.entries] }),
    };
  }

  #scope(input: PulseInput, principal: Principal): Where {
    return {
      ...(isAgent(principal) ? { principal: principalKey(principal.ref) } : {}),
      ...(input.scope_goal_ids === undefined ? {} : { goal_id: [...new Set(input.scope_goal_ids)] }),
    };
  }

  async #compact(where: Where, column: string): Promise<readonly CompactWork[]> {
    const past = column.endsWith('_at') ? '' : 0;
    const rows = await this.#parts.options.store.query('compact_work', {
      where,
      order: { column, direction: 'asc' },
      past,
      limit: MOST,
    });
    return rows.map(compactOf);
  }

  async #dependents(works: readonly CompactWork[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#parts.ledger.facts.rows(works.flatMap(({ staged }) => staged.commitment_fact_id ?? []));
    return new Map(
      works.map((work) => [work.work_id, Number(rows.get(work.staged.commitment_fact_id ?? '')?.['dependents'] ?? 0)]),
    );
  }

  async #leases(principal: Principal, where: Where): Promise<Listed<OpenLease>> {
    if (!isAgent(principal) && !mayApprove(principal)) return { entries: [], actions: [] };
    const works = await this.#compact({ ...where, lease_state: ['open', 'expired'] }, 'lease_seq');
    const dependents = await this.#dependents(works);
    const shown = works.filter(
      (work) => openLeaseOf(work)?.state === 'expired' || work.staged.execution_locus === 'HOST_DELEGATED',
    );
    const own = await Promise.all(shown.map((work) => this.#lease(work, dependents.get(work.work_id) ?? 0)));
    const verbs = where['goal_id'] === undefined ? await this.#verbLeases(principal) : [];
    const all = [...own, ...verbs]
      .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
      .slice(0, MOST);
    return { entries: all.map(({ entry }) => entry), actions: all.map(({ action }) => action) };
  }

  async #lease(work: CompactWork, dependents: number): Promise<{ entry: OpenLease; action: Action; since: string }> {
    const lease = openLeaseOf(work);
    const invocation_id = lease?.invocation_id ?? '';
    const since = lease?.opened_at ?? work.updated_at;
    const entry: OpenLease = {
      work_id: work.work_id,
      invocation_id,
      sub_state: lease?.state === 'expired' ? 'EXECUTE_EXPIRED' : 'EXECUTE_DISPATCHED',
      required_nonce: (await this.#parts.ledger.nonceOf(work.work_id)) ?? '',
      ...(lease === null ? {} : { lease_expires_at: lease.lease_expires_at }),
    };
    const prompt =
      lease?.state === 'expired'
        ? `Nobody knows whether "${work.staged.input.commitment.title}" happened. Look, then settle ${invocation_id}.`
        : `Settle ${invocation_id} of "${work.staged.input.commitment.title}" with its receipt.`;
    return { entry, action: { type: 'SETTLE_LEASE', work_id: work.work_id, dependents, prompt, since }, since };
  }

  /** Unknown outcomes of verbs that were called by themselves. */
  async #verbLeases(principal: Principal): Promise<readonly { entry: OpenLease; action: Action; since: string }[]> {
    const where = { lease_state: 'expired', ...(isAgent(principal) ? { principal: principalKey(principal.ref) } : {}) };
    const rows = await this.#parts.options.store.query('work', {
      where,
      order: { column: 'seq', direction: 'asc' },
      limit: MOST,
    });
    return Promise.all(
      rows.map(stateOf).map(async (work) => {
        const since = work.lease?.opened_at ?? work.updated_at;
        const entry: OpenLease = {
          work_id: work.work_id,
          invocation_id: work.lease?.invocation_id ?? '',
          sub_state: 'EXECUTE_EXPIRED',
          required_nonce: (await this.#parts.ledger.nonceOf(work.work_id)) ?? '',
          ...(work.lease === null ? {} : { lease_expires_at: work.lease.expires_at }),
        };
        const prompt = `Nobody knows whether ${work.staged.verb} happened. A person says so in the console.`;
        return { entry, action: { type: 'SETTLE_LEASE', work_id: work.work_id, dependents: 0, prompt, since }, since };
      }),
    );
  }

  async #approvals(principal: Principal, where: Where): Promise<Listed<never>> {
    if (!mayApprove(principal)) return { entries: [], actions: [] };
    const works = (await this.#compact({ ...where, approval_status: 'pending' }, 'approval_seq')).filter(
      (work) => !samePrincipal(work.staged.principal, principal.ref),
    );
    const dependents = await this.#dependents(works);
    const actions = works.map((work): Action => ({
      type: 'DECIDE_APPROVAL',
      work_id: work.work_id,
      dependents: dependents.get(work.work_id) ?? 0,
      prompt: `Approve, steer or reject "${work.staged.input.commitment.title}" (${work.approval?.approval_id ?? ''}).`,
    }));
    return { entries: [], actions };
  }

  async #stale(input: PulseInput, scope: Where): Promise<Listed<StaleCommitment>> {
    const where = {
      ...scope,
      kind: 'commitment',
      freshness: 'STALE_UPSTREAM_PREMISE',
      superseded_at: null,
      epistemic_status: ['RATIFIED_COMMITMENT', 'VERIFIED_FACT'],
    };
    const rows = await this.#parts.options.store.query('facts', {
      where,
      order: { column: 'rank', direction: 'asc' },
      past: '',
      limit: MOST,
    });
    const listed = await Promise.all(
      rows.map(async (row) => {
        const fact = factOf(row);
        const work = await this.#parts.ledger.find(textColumn(row, 'work_id'));
        if (work === null || work.status === 'CANCELLED') return [];
        const by = fact.invalidation_context?.invalidated_by_fact_id;
        const title = work.staged.input.commitment.title;
        const reason = fact.invalidation_context?.reason;
        const entry: StaleCommitment = {
          work_id: work.work_id,
          fact_id: fact.fact_id,
          title,
          epistemic_status: fact.epistemic_status,
          freshness: fact.freshness,
          ...(by === undefined ? {} : { invalidated_by_fact_id: by }),
          ...(reason === undefined ? {} : { summary: `${reason}${lineageText(work, input.compaction_mode)}` }),
        };
        const action: Action = {
          type: 'REPLAN_STALE_COMMITMENT',
          work_id: work.work_id,
          dependents: Number(row['dependents']),
          prompt: `Look at "${title}" again${by === undefined ? '' : ` given ${by}`} and stage an updated commitment (supersedes_work_id: ${work.work_id}).`,
        };
        return [{ entry, action }];
      }),
    );
    return { entries: listed.flat().map(({ entry }) => entry), actions: listed.flat().map(({ action }) => action) };
  }

  async #outcomes(where: Where, checked: readonly CompactWork[]): Promise<Listed<OutcomeVerification>> {
    const now = this.#parts.ledger.now();
    const pending = await this.#compact(where, 'check_due_at');
    const failed = await this.#compact({ ...where, status: 'EXECUTE_FAILED' }, 'seq');
    const open = [...pending, ...failed.filter((work) => work.outcome !== null && work.superseded_by === null)];
    const works = [...new Map([...open, ...checked].map((work) => [work.work_id, work])).values()];
    const dependents = await this.#dependents(works);
    const actions = works
      .filter(
        ({ outcome }) => outcome?.status === 'FAILED' || (outcome?.status === 'PENDING' && outcome.check_due_at <= now),
      )
      .map((work): Action => ({
        type: 'CHECK_OUTCOME',
        work_id: work.work_id,
        dependents: dependents.get(work.work_id) ?? 0,
        prompt:
          work.outcome?.status === 'FAILED'
            ? `"${work.staged.input.commitment.title}" was done and did not have its effect: ${work.outcome.because ?? ''} Replan it.`
            : `The outcome of "${work.staged.input.commitment.title}" is due to be checked and could not be looked at. See that ${work.check?.capability_id ?? 'its check'} works.`,
      }));
    return { entries: works.flatMap((work) => outcomeView(work) ?? []).slice(0, MOST), actions };
  }

  async #blockers(where: Where): Promise<Listed<UnassignedBlocker>> {
    const works = await this.#compact(where, 'blocked_seq');
    const dependents = await this.#dependents(works);
    const entries = works.map((work) => ({
      work_id: work.work_id,
      title: work.staged.input.commitment.title,
      missing_hook: work.failed_hooks[0]?.hook_id ?? 'APPROVAL_VOID',
    }));
    const actions = works.map((work): Action => ({
      type: work.failed_hooks.length > 0 ? 'ASSIGN_PRINCIPAL_OWNER' : 'REPLAN_STALE_COMMITMENT',
      work_id: work.work_id,
      dependents: dependents.get(work.work_id) ?? 0,
      prompt:
        work.failed_hooks[0]?.remediation ??
        `${work.approval?.ended_because ?? ''} Stage an updated plan (supersedes_work_id: ${work.work_id}).`,
    }));
    return { entries, actions };
  }

  async #advisories(): Promise<readonly SystemAdvisory[]> {
    const { options, capabilities } = this.#parts;
    const known = await capabilities.list();
    const advice = await Promise.all(
      known.map(async ({ capability_id, execution_locus, promotion_policy }) => {
        if (execution_locus !== 'HOST_DELEGATED' || promotion_policy === null) return [];
        const rows = await options.store.query('lease_expiries', {
          where: { capability_id },
          order: { column: 'at', direction: 'asc' },
          past: windowStart(promotion_policy, options.clock.now()),
        });
        return promotionAdvice({ capability_id, promotion_policy }, rows.length) ?? [];
      }),
    );
    return advice.flat().slice(0, MOST);
  }

  async #hydrate(ids: readonly string[]): Promise<NonNullable<PulseResponse['hydrated_capabilities']>> {
    return Promise.all(
      [...new Set(ids)].map(async (capability_id) => {
        const found = await this.#parts.capabilities.find(capability_id);
        if (found === null)
          throw invalid(
            'hydrate_capability_ids[]',
            `There is no capability ${capability_id}. capability_stubs lists them.`,
          );
        return { capability_id, input_schema: { ...(found.input_schema ?? { type: 'object' }) } };
      }),
    );
  }
}

const isInScope = (work: CompactWork, input: PulseInput, principal: Principal): boolean =>
  (!isAgent(principal) || samePrincipal(principal.ref, work.staged.principal)) &&
  (input.scope_goal_ids === undefined || input.scope_goal_ids.includes(work.staged.input.goal_id));

/** Pointers alone, or what it rests on, or all that was derived, word for word. */
const lineageText = (work: CompactWork, mode: PulseInput['compaction_mode']): string => {
  const { premise_fact_ids, input } = work.staged;
  switch (mode) {
    case 'FACT_POINTERS_ONLY':
      return '';
    case 'SUMMARY_WITH_LINEAGE':
      return premise_fact_ids.length === 0 ? '' : ` It rests on ${premise_fact_ids.join(', ')}.`;
    case 'FULL_RAW_ARTIFACTS':
      return ` Staged as: ${JSON.stringify(input.understanding)}`;
  }
};
