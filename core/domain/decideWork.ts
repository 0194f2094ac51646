import type { ErrorCode, ErrorDetails } from '../contracts/errors.ts';
import { assertNever } from '../contracts/errors.ts';
import type { BoundCall, DomainEvent, EventPayload } from '../contracts/events.ts';
import type { Receipt } from '../contracts/operatorClass.ts';
import type { PrincipalRef } from '../contracts/principal.ts';
import { principalKey, samePrincipal } from '../contracts/principal.ts';
import type { WorkState } from './workState.ts';

type Requested = Omit<EventPayload<'approval.requested'>, never>;
type Opened = EventPayload<'lease.opened'>;

export type WorkCommand =
  | {
      readonly type: 'stage';
      readonly staged: EventPayload<'work.staged'>;
      /** Present when the policy asks. */
      readonly approval: Requested | null;
      /** Present when it may run at once. */
      readonly lease: Opened | null;
    }
  | {
      readonly type: 'approve' | 'steer';
      readonly by: PrincipalRef;
      readonly binding_hash: string;
      readonly reason: string | null;
      readonly expires_at: string | null;
      readonly steered: BoundCall | null;
    }
  | { readonly type: 'reject'; readonly by: PrincipalRef; readonly binding_hash: string; readonly reason: string }
  | { readonly type: 'expire_approval' }
  | {
      readonly type: 'void_approval';
      readonly code: string;
      readonly because: string;
      readonly differences: readonly string[];
    }
  | { readonly type: 'withdraw'; readonly because: string }
  | { readonly type: 'open_lease'; readonly lease: Opened }
  | {
      readonly type: 'settle';
      readonly nonce_hash: string;
      readonly receipt_id: string;
      readonly receipt: Receipt;
      readonly sent: readonly string[];
      readonly interrupted: string | null;
    }
  | {
      readonly type: 'fail_lease';
      readonly nonce_hash: string;
      readonly code: string;
      readonly because: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'expire_lease'; readonly because: string; readonly sent: readonly string[] }
  | {
      readonly type: 'resolve_lease';
      readonly outcome: EventPayload<'lease.resolved'>['outcome'];
      readonly by: PrincipalRef;
      readonly note: string;
      readonly receipt_id: string;
    };

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type Decided =
  { readonly ok: true; readonly events: readonly DomainEvent[] } | { readonly ok: false; readonly refusal: Refusal };

const accept = (...events: readonly DomainEvent[]): Decided => ({ ok: true, events });
const refuse = (code: ErrorCode, message: string, details: ErrorDetails = {}): Decided => ({
  ok: false,
  refusal: { code, message, details },
});

type Command<T extends WorkCommand['type']> = Extract<WorkCommand, { type: T }>;

const stage = ({ staged, approval, lease }: Command<'stage'>): Decided => {
  const first: DomainEvent = { type: 'work.staged', payload: staged };
  switch (staged.policy.effect) {
    case 'deny':
      return accept(first, {
        type: 'work.refused',
        payload: { code: 'POLICY_DENIED', because: staged.policy.because },
      });
    case 'require_approval':
      return approval === null
        ? refuse('INTERNAL', 'Work that a policy asks about was staged without an approval.')
        : accept(first, { type: 'approval.requested', payload: approval });
    case 'allow':
      return lease === null ? accept(first) : accept(first, { type: 'lease.opened', payload: lease });
  }
};

/** First decision wins; the second is told of it. */
const mayDecide = (work: WorkState, by: PrincipalRef, bindingHash: string, now: string): Refusal | null => {
  const approval = work.approval;
  if (approval === null) {
    return { code: 'NOT_FOUND', message: 'This work never asked for approval.', details: {} };
  }
  if (samePrincipal(by, work.staged.principal)) {
    return {
      code: 'FORBIDDEN',
      message: `${principalKey(by)} staged this and cannot approve it; someone else must decide.`,
      details: {},
    };
  }
  if (approval.status !== 'pending') {
    const decided = approval.decision;
    const who = decided === null ? approval.status : `${decided.decision} by ${principalKey(decided.by)}`;
    return {
      code: 'STATE_VERSION_CONFLICT',
      message: `This approval is no longer open (${who}). Nothing was changed by your decision.`,
      details: { status: approval.status, decision: decided },
    };
  }
  if (approval.expires_at <= now) {
    return {
      code: 'STATE_VERSION_CONFLICT',
      message: 'This approval has expired. The agent must ask again.',
      details: { status: 'expired', decision: null },
    };
  }
  if (bindingHash !== work.staged.call.binding_hash) {
    return {
      code: 'STATE_VERSION_CONFLICT',
      message: 'What you saw is not what is asked now. Look at the approval again, then decide.',
      details: { status: approval.status, binding_hash: work.staged.call.binding_hash, decision: null },
    };
  }
  return null;
};

const grant = (work: WorkState, command: Command<'approve' | 'steer'>, now: string): Decided => {
  const refusal = mayDecide(work, command.by, command.binding_hash, now);
  if (refusal !== null || work.approval === null) return refusal === null ? missing() : { ok: false, refusal };
  const { approval_id, expires_at } = work.approval;
  return accept({
    type: 'approval.granted',
    payload: {
      approval_id,
      by: command.by,
      decision: command.type,
      reason: command.reason,
      expires_at: command.expires_at ?? expires_at,
      steered: command.steered,
    },
  });
};

const missing = (): Decided => refuse('NOT_FOUND', 'There is no such work item.');

const reject = (work: WorkState, command: Command<'reject'>, now: string): Decided => {
  const refusal = mayDecide(work, command.by, command.binding_hash, now);
  if (refusal !== null || work.approval === null) return refusal === null ? missing() : { ok: false, refusal };
  const { approval_id } = work.approval;
  return accept({ type: 'approval.denied', payload: { approval_id, by: command.by, reason: command.reason } });
};

/** Ends an approval that is pending, or granted and not yet used. */
const endApproval = (work: WorkState, event: (approvalId: string) => DomainEvent): Decided => {
  const approval = work.approval;
  if (approval === null || (approval.status !== 'pending' && approval.status !== 'granted')) {
    return refuse('INVALID_TRANSITION', `The approval of ${work.work_id} is no longer open.`);
  }
  return accept(event(approval.approval_id));
};

const openLease = (work: WorkState, { lease }: Command<'open_lease'>, now: string): Decided => {
  if (work.status !== 'EXECUTE_PENDING' || work.lease !== null) {
    return refuse(
      'INVALID_TRANSITION',
      `${work.work_id} is ${work.status}; only EXECUTE_PENDING work is dispatched, once.`,
    );
  }
  if (work.approval !== null && work.approval.expires_at <= now) {
    return refuse('APPROVAL_EXPIRED', 'The approval expired before the action was performed. Ask again.');
  }
  return accept({ type: 'lease.opened', payload: lease });
};

/** A settlement names its lease by the nonce; each lease is settled once. A late receipt still counts. */
const unsettled = (work: WorkState, nonceHash: string): Refusal | null => {
  const lease = work.lease;
  if (lease === null || lease.nonce_hash !== nonceHash) {
    return {
      code: 'CAOP_422_VERIFY_ARTIFACT_MISMATCH',
      message: 'The nonce is not that of the open lease.',
      details: {},
    };
  }
  if (lease.state !== 'open' && lease.state !== 'expired') {
    return {
      code: 'CAOP_422_VERIFY_ARTIFACT_MISMATCH',
      message: `The lease is ${lease.state} already; a nonce serves once.`,
      details: {},
    };
  }
  return null;
};

const settle = (work: WorkState, command: Command<'settle'>): Decided => {
  const refusal = unsettled(work, command.nonce_hash);
  if (refusal !== null || work.lease === null) return refusal === null ? missing() : { ok: false, refusal };
  return accept({
    type: 'receipt.settled',
    payload: {
      receipt_id: command.receipt_id,
      invocation_id: work.lease.invocation_id,
      receipt: command.receipt,
      sent: [...command.sent],
      late: work.lease.state === 'expired',
      interrupted: command.interrupted,
    },
  });
};

const failLease = (work: WorkState, command: Command<'fail_lease'>): Decided => {
  const refusal = unsettled(work, command.nonce_hash);
  if (refusal !== null || work.lease === null) return refusal === null ? missing() : { ok: false, refusal };
  const { code, because, details } = command;
  const failed: DomainEvent = {
    type: 'lease.failed',
    payload: { invocation_id: work.lease.invocation_id, code, because, details: { ...details } },
  };
  if (code !== 'APPROVAL_VOID' || work.approval === null) return accept(failed);
  const differences = Array.isArray(details['differences']) ? details['differences'].map(String) : [because];
  const { approval_id } = work.approval;
  return accept(failed, { type: 'approval.voided', payload: { approval_id, code, because, differences } });
};

const expireLease = (work: WorkState, command: Command<'expire_lease'>): Decided => {
  if (work.lease?.state !== 'open') return refuse('INVALID_TRANSITION', `The lease of ${work.work_id} is not open.`);
  const { invocation_id } = work.lease;
  return accept({
    type: 'lease.expired',
    payload: { invocation_id, because: command.because, sent: [...command.sent] },
  });
};

const resolveLease = (work: WorkState, command: Command<'resolve_lease'>): Decided => {
  if (work.lease?.state !== 'expired') {
    return refuse(
      'STATE_VERSION_CONFLICT',
      work.lease?.state === 'resolved'
        ? 'Somebody has already said what became of this.'
        : 'Only an expired lease, whose outcome is unknown, is resolved by a person.',
      { resolution: work.lease?.resolution ?? null },
    );
  }
  return accept({
    type: 'lease.resolved',
    payload: {
      invocation_id: work.lease.invocation_id,
      outcome: command.outcome,
      by: command.by,
      note: command.note,
      receipt_id: command.outcome === 'happened' ? command.receipt_id : null,
    },
  });
};

/** The rules of one work item. Ids, nonces and times come in with the command. */
export const decideWork = (work: WorkState | null, command: WorkCommand, now: string): Decided => {
  if (command.type === 'stage') {
    return work === null ? stage(command) : refuse('INVALID_TRANSITION', `${work.work_id} is staged already.`);
  }
  if (work === null) return missing();
  switch (command.type) {
    case 'approve':
    case 'steer':
      return grant(work, command, now);
    case 'reject':
      return reject(work, command, now);
    case 'expire_approval':
      return endApproval(work, (approval_id) => ({ type: 'approval.expired', payload: { approval_id } }));
    case 'void_approval': {
      const { code, because, differences } = command;
      return endApproval(work, (approval_id) => ({
        type: 'approval.voided',
        payload: { approval_id, code, because, differences: [...differences] },
      }));
    }
    case 'withdraw':
      return endApproval(work, (approval_id) => ({
        type: 'approval.withdrawn',
        payload: { approval_id, because: command.because },
      }));
    case 'open_lease':
      return openLease(work, command, now);
    case 'settle':
      return settle(work, command);
    case 'fail_lease':
      return failLease(work, command);
    case 'expire_lease':
      return expireLease(work, command);
    case 'resolve_lease':
      return resolveLease(work, command);
    default:
      return assertNever(command, 'work command');
  }
};
