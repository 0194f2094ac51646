import type { ApprovalStatus, ApprovalView, LeaseView, WorkStatus } from '../contracts/console.ts';
import type { BoundCall, DomainEvent, EventPayload } from '../contracts/events.ts';
import type { Receipt } from '../contracts/operatorClass.ts';
import type { PrincipalRef } from '../contracts/principal.ts';

export type Attestation = EventPayload<'lease.opened'>['attestation'];

export interface ApprovalState {
  readonly approval_id: string;
  readonly status: ApprovalStatus;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly picture: ApprovalView['picture'];
  readonly quorum: number;
  readonly decision: ApprovalView['decision'];
  readonly ended_because: string | null;
}

export interface LeaseState {
  readonly invocation_id: string;
  readonly nonce_hash: string;
  readonly host: string;
  readonly state: LeaseView['state'];
  readonly opened_at: string;
  readonly expires_at: string;
  readonly approved_by: PrincipalRef | null;
  readonly attestation: Attestation;
  /** Known only once the lease has ended; until then the store's own table has it. */
  readonly sent: readonly string[];
  readonly resolution: LeaseView['resolution'];
}

export interface ReceiptState {
  readonly receipt_id: string;
  readonly receipt: Receipt;
  readonly attestation: Attestation;
  readonly at: string;
  readonly late: boolean;
  readonly interrupted: string | null;
}

/** How a work item ended without a receipt. */
export interface Ending {
  readonly code: string;
  readonly because: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One work item: a call of a verb from its staging to its receipt, and the whole of its stream. */
export interface WorkState {
  readonly work_id: string;
  readonly version: number;
  readonly status: WorkStatus;
  readonly staged: EventPayload<'work.staged'>;
  readonly staged_at: string;
  readonly updated_at: string;
  /** What was steered instead of `staged.call`. */
  readonly steered: BoundCall | null;
  readonly approval: ApprovalState | null;
  readonly lease: LeaseState | null;
  readonly receipt: ReceiptState | null;
  readonly ending: Ending | null;
}

/** The call as it will be or was performed. */
export const callOf = (work: WorkState): BoundCall => work.steered ?? work.staged.call;

export const isWorkEvent = (type: string): boolean => /^(work|approval|lease|receipt)\./.test(type);

const endApproval = (work: WorkState, status: ApprovalStatus, because: string | null): ApprovalState | null =>
  work.approval === null ? null : { ...work.approval, status, ended_because: because };

const cancelled = (work: WorkState, status: ApprovalStatus, ending: Ending): Partial<WorkState> => ({
  status: 'CANCELLED',
  approval: endApproval(work, status, ending.because),
  ending,
});

type WorkEvent = Extract<DomainEvent, { type: `${'work' | 'approval' | 'lease' | 'receipt'}.${string}` }>;
type Ended = Extract<
  WorkEvent,
  { type: 'approval.denied' | 'approval.expired' | 'approval.voided' | 'approval.withdrawn' }
>;

const endedWithoutLease = (work: WorkState, event: Ended): Partial<WorkState> => {
  switch (event.type) {
    case 'approval.denied':
      return cancelled(work, 'denied', { code: 'APPROVAL_DENIED', because: event.payload.reason, details: {} });
    case 'approval.expired':
      return cancelled(work, 'expired', {
        code: 'APPROVAL_EXPIRED',
        because: 'Nobody decided, or nobody waited for it, before it expired.',
        details: {},
      });
    case 'approval.voided': {
      const { code, because, differences } = event.payload;
      return cancelled(work, 'void', { code, because, details: { differences } });
    }
    case 'approval.withdrawn':
      return cancelled(work, 'withdrawn', { code: 'CANCELLED', because: event.payload.because, details: {} });
  }
};

const withLease = (work: WorkState, change: Partial<LeaseState>): Pick<WorkState, 'lease'> => ({
  lease: work.lease === null ? null : { ...work.lease, ...change },
});

const resolved = (work: WorkState, payload: EventPayload<'lease.resolved'>, at: string): Partial<WorkState> => {
  const { outcome, by, note, receipt_id } = payload;
  const lease = withLease(work, { state: 'resolved', resolution: { outcome, by, at, note } });
  if (outcome !== 'happened' || receipt_id === null) {
    const ending = {
      code: 'OUTCOME_UNKNOWN',
      because: `${outcome.replaceAll('_', ' ')}: ${note}`,
      details: { outcome },
    };
    return { ...lease, status: 'EXECUTE_FAILED', ending };
  }
  const receipt: Receipt = {
    changed: true,
    readiness: 'settled',
    receipt_id,
    effects: [{ kind: 'command', detail: `a person confirmed that it happened: ${note}` }],
  };
  const state = { receipt_id, receipt, attestation: 'USER_CONFIRMED', at, late: true, interrupted: null } as const;
  return { ...lease, status: 'EXECUTE_COMPLETED', receipt: state, ending: null };
};

const changeBy = (work: WorkState, event: WorkEvent, at: string): Partial<WorkState> => {
  switch (event.type) {
    case 'work.staged':
      return {};
    case 'work.refused':
      return { status: 'CANCELLED', ending: { ...event.payload, details: {} } };
    case 'approval.requested': {
      const { approval_id, expires_at, picture, quorum } = event.payload;
      const approval = { approval_id, expires_at, picture, quorum, requested_at: at };
      return {
        status: 'COMMIT_AWAITING_APPROVAL',
        approval: { ...approval, status: 'pending', decision: null, ended_because: null },
      };
    }
    case 'approval.granted': {
      const { by, decision, reason, expires_at, steered } = event.payload;
      const approval = endApproval(work, 'granted', null);
      return {
        status: 'EXECUTE_PENDING',
        steered,
        approval: approval === null ? null : { ...approval, expires_at, decision: { by, decision, reason, at } },
      };
    }
    case 'approval.denied': {
      const ended = endedWithoutLease(work, event);
      const { by, reason } = event.payload;
      const approval = ended.approval ?? null;
      const decision = { by, decision: 'reject', reason, at } as const;
      return { ...ended, approval: approval === null ? null : { ...approval, decision } };
    }
    case 'approval.expired':
    case 'approval.voided':
    case 'approval.withdrawn':
      return endedWithoutLease(work, event);
    case 'lease.opened': {
      const lease = { ...event.payload, state: 'open', opened_at: at, sent: [], resolution: null } as const;
      return { status: 'EXECUTE_DISPATCHED', approval: endApproval(work, 'used', null), lease };
    }
    case 'receipt.settled': {
      const { receipt_id, receipt, late, interrupted, sent } = event.payload;
      const attestation = work.lease?.attestation ?? 'KERNEL_ATTESTED';
      return {
        ...withLease(work, { state: 'settled', sent }),
        status: 'EXECUTE_COMPLETED',
        receipt: { receipt_id, receipt, attestation, at, late, interrupted },
        ending: null,
      };
    }
    case 'lease.failed': {
      const { code, because, details } = event.payload;
      return {
        ...withLease(work, { state: 'settled' }),
        status: 'EXECUTE_FAILED',
        ending: { code, because, details },
      };
    }
    case 'lease.expired': {
      const { because, sent } = event.payload;
      return {
        ...withLease(work, { state: 'expired', sent, expires_at: at }),
        status: 'EXECUTE_EXPIRED',
        ending: { code: 'OUTCOME_UNKNOWN', because, details: { sent } },
      };
    }
    case 'lease.resolved':
      return resolved(work, event.payload, at);
  }
};

/** Null before `work.staged`. `version` is the event's place in the stream, `at` its time. */
export const evolveWork = (
  work: WorkState | null,
  event: DomainEvent,
  placed: { readonly work_id: string; readonly version: number; readonly at: string },
): WorkState | null => {
  if (!isWorkEvent(event.type)) return work;
  if (event.type === 'work.staged') {
    return {
      work_id: placed.work_id,
      version: placed.version,
      status: 'EXECUTE_PENDING',
      staged: event.payload,
      staged_at: placed.at,
      updated_at: placed.at,
      steered: null,
      approval: null,
      lease: null,
      receipt: null,
      ending: null,
    };
  }
  if (work === null) return null;
  const change = changeBy(work, event as WorkEvent, placed.at);
  return { ...work, ...change, version: placed.version, updated_at: placed.at };
};
