import type { ApprovalStatus } from '../../contracts/console.ts';
import type { ApprovalTerms, DeferredCheck, PlanStep } from '../../contracts/caopEvents.ts';
import type { DomainEvent, EventPayload } from '../../contracts/events.ts';
import type { PrincipalRef } from '../../contracts/principal.ts';
import type { Vote } from './approvalVotes.ts';
import { withVote } from './approvalVotes.ts';

export type CompactStatus =
  | 'CANDIDATE_PROPOSAL'
  | 'COMMIT_AWAITING_APPROVAL'
  | 'EXECUTE_PENDING'
  | 'EXECUTE_DISPATCHED'
  | 'EXECUTE_EXPIRED'
  | 'EXECUTE_FAILED'
  | 'RECORDED_AWAITING_OUTCOME_VERIFY'
  | 'EXECUTE_COMPLETED'
  | 'CANCELLED';

export interface CompactApproval extends ApprovalTerms {
  readonly status: ApprovalStatus;
  readonly requested_at: string;
  readonly votes: readonly Vote[];
  readonly scope: Readonly<Record<string, unknown>> | null;
  readonly decision: {
    readonly by: PrincipalRef;
    readonly decision: 'approve' | 'steer' | 'reject';
    readonly at: string;
    readonly reason: string | null;
  } | null;
  readonly ended_because: string | null;
}

export interface CompactLease {
  readonly step_index: number;
  readonly invocation_id: string;
  readonly idempotency_key: string;
  readonly nonce_hash: string;
  readonly opened_at: string;
  readonly lease_expires_at: string;
  readonly host: string;
  readonly state: 'open' | 'expired' | 'settled';
  readonly settlement: EventPayload<'compact.settled'> | null;
}

export interface CompactWork {
  readonly work_id: string;
  readonly version: number;
  readonly status: CompactStatus;
  readonly staged: EventPayload<'compact.staged'>;
  readonly staged_at: string;
  readonly updated_at: string;
  /** As they will be performed: what was staged, or what a person made of it. */
  readonly steps: readonly PlanStep[];
  readonly binding_hash: string;
  readonly failed_hooks: EventPayload<'compact.staged'>['failed_hooks'];
  readonly steered: Omit<EventPayload<'compact.steered'>, 'binding_hash'> | null;
  readonly constraints: readonly { readonly text: string; readonly enforced: boolean }[];
  readonly approval: CompactApproval | null;
  readonly check: DeferredCheck | null;
  readonly outcome: {
    readonly status: 'PENDING' | 'PASSED' | 'FAILED';
    readonly check_due_at: string;
    readonly invocation_id: string;
    readonly because: string | null;
    readonly fact_ids: readonly string[];
  } | null;
  /** Every invocation, oldest first; at most the last one is open. */
  readonly leases: readonly CompactLease[];
  readonly confirmed_by: PrincipalRef | null;
  readonly superseded_by: string | null;
  readonly ended_because: string | null;
}

export type CompactEvent = Extract<DomainEvent, { type: `compact.${string}` }>;
export const isCompactEvent = (event: DomainEvent): event is CompactEvent => event.type.startsWith('compact.');

export const openLeaseOf = (work: CompactWork): CompactLease | null =>
  work.leases.find(({ state }) => state !== 'settled') ?? null;

const succeeded = (lease: CompactLease): boolean => lease.settlement !== null && lease.settlement.status !== 'FAILED';

/** Steps with a receipt that says they were done. */
export const doneSteps = (work: CompactWork): ReadonlySet<number> =>
  new Set(work.leases.filter(succeeded).map(({ step_index }) => step_index));

export const nextStep = (work: CompactWork): PlanStep | null => {
  const done = doneSteps(work);
  return work.steps.find(({ step_index }) => !done.has(step_index)) ?? null;
};

const freshApproval = (terms: ApprovalTerms, at: string): CompactApproval => ({
  ...terms,
  status: 'pending',
  requested_at: at,
  votes: [],
  scope: null,
  decision: null,
  ended_because: null,
});

const withApproval = (work: CompactWork, change: Partial<CompactApproval>): Pick<CompactWork, 'approval'> => ({
  approval: work.approval === null ? null : { ...work.approval, ...change },
});

const withLease = (
  work: CompactWork,
  invocationId: string,
  change: Partial<CompactLease>,
): Pick<CompactWork, 'leases'> => ({
  leases: work.leases.map((lease) => (lease.invocation_id === invocationId ? { ...lease, ...change } : lease)),
});

const firstState = (payload: EventPayload<'compact.staged'>, placed: Placed): CompactWork => ({
  work_id: placed.work_id,
  version: placed.version,
  status:
    payload.failed_hooks.length > 0
      ? 'CANDIDATE_PROPOSAL'
      : payload.approval === null
        ? 'EXECUTE_PENDING'
        : 'COMMIT_AWAITING_APPROVAL',
  staged: payload,
  staged_at: placed.at,
  updated_at: placed.at,
  steps: payload.steps,
  binding_hash: payload.binding_hash,
  failed_hooks: payload.failed_hooks,
  steered: null,
  constraints: [],
  approval: payload.approval === null ? null : freshApproval(payload.approval, placed.at),
  check: null,
  outcome: null,
  leases: [],
  confirmed_by: null,
  superseded_by: null,
  ended_because: null,
});

type Settled = EventPayload<'compact.settled'>;

const settledStatus = (work: CompactWork, payload: Settled): CompactStatus => {
  if (payload.status === 'FAILED') return 'EXECUTE_FAILED';
  if (nextStep(work) !== null) return 'EXECUTE_PENDING';
  return payload.check_due_at === null ? 'EXECUTE_COMPLETED' : 'RECORDED_AWAITING_OUTCOME_VERIFY';
};

const settled = (work: CompactWork, payload: Settled): Partial<CompactWork> => {
  const after = { ...work, ...withLease(work, payload.invocation_id, { state: 'settled', settlement: payload }) };
  const status = settledStatus(after, payload);
  const { check_due_at, invocation_id } = payload;
  return {
    leases: after.leases,
    status,
    outcome:
      check_due_at === null
        ? work.outcome
        : { status: 'PENDING', check_due_at, invocation_id, because: null, fact_ids: [] },
    ended_because: payload.status === 'FAILED' ? (payload.error_detail ?? 'The step failed.') : null,
    ...(status === 'EXECUTE_PENDING' ? {} : withApproval(work, { status: 'used' })),
  };
};

const dispatched = (
  work: CompactWork,
  payload: EventPayload<'compact.dispatched'>,
  at: string,
): Partial<CompactWork> => ({
  status: 'EXECUTE_DISPATCHED',
  leases: [...work.leases, { ...payload, opened_at: at, state: 'open', settlement: null }],
});

const decided = (work: CompactWork, event: CompactEvent, at: string): Partial<CompactWork> | null => {
  switch (event.type) {
    case 'compact.approval_requested':
      return {
        status: 'COMMIT_AWAITING_APPROVAL',
        failed_hooks: [],
        approval: freshApproval(event.payload.approval, at),
      };
    case 'compact.voted':
      return withApproval(work, { votes: withVote(work.approval?.votes ?? [], { by: event.payload.by, at }) });
    case 'compact.approved': {
      const { by, decision, note, scope, expires_at } = event.payload;
      const votes = withVote(work.approval?.votes ?? [], { by, at });
      const change = {
        status: 'granted',
        votes,
        scope,
        expires_at,
        decision: { by, decision, at, reason: note },
      } as const;
      return { status: 'EXECUTE_PENDING', failed_hooks: [], ...withApproval(work, change) };
    }
    case 'compact.rejected': {
      const { by, reason } = event.payload;
      const because = reason ?? 'rejected';
      const change = {
        status: 'denied',
        decision: { by, decision: 'reject', at, reason },
        ended_because: because,
      } as const;
      return { status: 'CANCELLED', ended_because: because, ...withApproval(work, change) };
    }
    case 'compact.approval_escalated': {
      const { role, expires_at } = event.payload;
      return withApproval(work, { required_roles: [role], expires_at });
    }
    case 'compact.approval_expired': {
      const because = 'Nobody decided, or it was not dispatched, before the approval expired.';
      return {
        status: 'CANCELLED',
        ended_because: because,
        ...withApproval(work, { status: 'expired', ended_because: because }),
      };
    }
    case 'compact.approval_voided': {
      const { because } = event.payload;
      return { status: 'CANDIDATE_PROPOSAL', ...withApproval(work, { status: 'void', ended_because: because }) };
    }
    case 'compact.withdrawn': {
      const { because } = event.payload;
      const approval = work.approval?.status === 'pending' || work.approval?.status === 'granted';
      return {
        status: 'CANCELLED',
        ended_because: because,
        ...(approval ? withApproval(work, { status: 'withdrawn', ended_because: because }) : {}),
      };
    }
    case 'compact.superseded': {
      const because = `Replaced by ${event.payload.by_work_id}.`;
      const ended = ['EXECUTE_COMPLETED', 'EXECUTE_FAILED', 'CANCELLED', 'RECORDED_AWAITING_OUTCOME_VERIFY'].includes(
        work.status,
      );
      const open = work.approval?.status === 'pending' || work.approval?.status === 'granted';
      return {
        superseded_by: event.payload.by_work_id,
        ...(ended ? {} : { status: 'CANCELLED', ended_because: because }),
        ...(open ? withApproval(work, { status: 'withdrawn', ended_because: because }) : {}),
      };
    }
    default:
      return null;
  }
};

const changeBy = (work: CompactWork, event: CompactEvent, at: string): Partial<CompactWork> => {
  switch (event.type) {
    case 'compact.hooks_failed':
      return {
        status: 'CANDIDATE_PROPOSAL',
        failed_hooks: event.payload.failed_hooks,
        ...withApproval(work, { status: 'void', votes: [], ended_because: 'A check before commitment failed.' }),
      };
    case 'compact.steered': {
      const { binding_hash, ...steered } = event.payload;
      const patched = new Map(steered.after.map((step) => [step.step_index, step.arguments]));
      return {
        binding_hash,
        steered,
        constraints: [...work.constraints, ...steered.constraints],
        steps: work.steps.map((step) => ({ ...step, arguments: patched.get(step.step_index) ?? step.arguments })),
        ...withApproval(work, { votes: [] }),
      };
    }
    case 'compact.check_set':
      return { check: event.payload.check };
    case 'compact.dispatched':
      return dispatched(work, event.payload, at);
    case 'compact.expired':
      return { status: 'EXECUTE_EXPIRED', ...withLease(work, event.payload.invocation_id, { state: 'expired' }) };
    case 'compact.settled':
      return settled(work, event.payload);
    case 'compact.outcome_checked': {
      const { status, because, fact_ids } = event.payload;
      return {
        status: status === 'PASSED' ? 'EXECUTE_COMPLETED' : 'EXECUTE_FAILED',
        outcome: work.outcome === null ? null : { ...work.outcome, status, because, fact_ids },
        ended_because: status === 'PASSED' ? null : because,
      };
    }
    case 'compact.confirmed':
      return { confirmed_by: event.payload.by };
    default:
      return decided(work, event, at) ?? {};
  }
};

interface Placed {
  readonly work_id: string;
  readonly version: number;
  readonly at: string;
}

/** Null before `compact.staged`. */
export const evolveCompact = (work: CompactWork | null, event: CompactEvent, placed: Placed): CompactWork | null => {
  if (event.type === 'compact.staged') return firstState(event.payload, placed);
  if (work === null) return null;
  return { ...work, ...changeBy(work, event, placed.at), version: placed.version, updated_at: placed.at };
};
