import type { EventPayload } from '../../contracts/events.ts';
import type { ErrorCode, ErrorDetails } from '../../contracts/errors.ts';
import { assertNever } from '../../contracts/errors.ts';
import type { ApprovalTerms, DeferredCheck } from '../../contracts/caopEvents.ts';
import type { PrincipalRef } from '../../contracts/principal.ts';
import { samePrincipal } from '../../contracts/principal.ts';
import { mayNotVote, onTimeout, quorumReached, withVote, type Voter } from './approvalVotes.ts';
import type { CompactApproval, CompactEvent, CompactWork } from './compactState.ts';
import { nextStep, openLeaseOf } from './compactState.ts';

/** The rules of compact work: pure. Ids, nonces, hashes and times come in with the command. */

export type CompactCommand =
  | {
      readonly type: 'vote';
      readonly voter: Voter;
      readonly decision: 'approve' | 'steer';
      readonly note: string | null;
      readonly scope: Record<string, unknown> | null;
      readonly expires_at: string | null;
      readonly binding_hash: string | null;
    }
  | {
      readonly type: 'reject';
      readonly by: PrincipalRef;
      readonly reason: string | null;
      readonly invocation_id: string;
    }
  | {
      readonly type: 'deny';
      readonly voter: Voter;
      readonly reason: string | null;
      readonly invocation_id: string;
      readonly binding_hash: string | null;
    }
  | { readonly type: 'steer'; readonly steered: EventPayload<'compact.steered'> }
  | {
      readonly type: 'fail_hooks';
      readonly by: PrincipalRef;
      readonly failed_hooks: EventPayload<'compact.hooks_failed'>['failed_hooks'];
    }
  | { readonly type: 'request_approval'; readonly approval: ApprovalTerms }
  | { readonly type: 'set_check'; readonly check: DeferredCheck; readonly by: PrincipalRef }
  | { readonly type: 'time_out_approval' }
  | { readonly type: 'void_approval'; readonly because: string; readonly fact_ids: readonly string[] }
  | { readonly type: 'withdraw'; readonly because: string }
  | { readonly type: 'supersede'; readonly by_work_id: string }
  | { readonly type: 'dispatch'; readonly lease: Omit<EventPayload<'compact.dispatched'>, 'step_index'> }
  | { readonly type: 'expire_lease'; readonly invocation_id: string; readonly because: string }
  | {
      readonly type: 'settle';
      readonly nonce_hash: string;
      readonly idempotency_key: string;
      readonly settlement: EventPayload<'compact.settled'>;
    }
  | { readonly type: 'check_outcome'; readonly result: EventPayload<'compact.outcome_checked'> }
  | {
      readonly type: 'confirm';
      readonly by: PrincipalRef;
      readonly note: string;
      readonly fact_ids: readonly string[];
    };

export interface CompactRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}
export type CompactDecided =
  | { readonly ok: true; readonly events: readonly CompactEvent[] }
  | { readonly ok: false; readonly refusal: CompactRefusal };

const accept = (...events: readonly CompactEvent[]): CompactDecided => ({ ok: true, events });
const refuse = (code: ErrorCode, message: string, details: ErrorDetails = {}): CompactDecided => ({
  ok: false,
  refusal: { code, message, details },
});
type Command<T extends CompactCommand['type']> = Extract<CompactCommand, { type: T }>;

const wrongState = (work: CompactWork, what: string): CompactDecided =>
  refuse('INVALID_TRANSITION', `${work.work_id} is ${work.status}: ${what}`, {
    work_id: work.work_id,
    status: work.status,
  });

/** Why nobody may decide on this now; null when it is open. First decision wins, the second is told of it. */
export const notOpen = (work: CompactWork, bindingHash: string | null, now: string): CompactRefusal | null => {
  const { approval } = work;
  const conflict = (message: string): CompactRefusal => ({
    code: 'STATE_VERSION_CONFLICT',
    message,
    details: {
      status: approval?.status ?? null,
      decision: approval?.decision ?? null,
      binding_hash: work.binding_hash,
    },
  });
  if (approval === null) return { code: 'NOT_FOUND', message: `${work.work_id} asks for no approval.`, details: {} };
  if (approval.status !== 'pending') return conflict(`This approval is no longer open: it is ${approval.status}.`);
  if (approval.expires_at <= now) return conflict('This approval has expired. The work must be staged again.');
  if (bindingHash !== null && bindingHash !== work.binding_hash) {
    return conflict('What you saw is not what is asked now. Look at it again, then decide.');
  }
  return null;
};

const refusedVoter = (work: CompactWork, approval: CompactApproval, voter: Voter): CompactRefusal | null => {
  const message = mayNotVote(approval, voter, work.staged.principal);
  return message === null ? null : { code: 'FORBIDDEN', message, details: {} };
};

const vote = (work: CompactWork, command: Command<'vote'>, now: string): CompactDecided => {
  const { approval } = work;
  const closed = notOpen(work, command.binding_hash, now);
  if (closed !== null || approval === null)
    return closed === null ? wrongState(work, 'nothing to decide.') : { ok: false, refusal: closed };
  const refusal = refusedVoter(work, approval, command.voter);
  if (refusal !== null) return { ok: false, refusal };
  const { note, scope } = command;
  const by = command.voter.ref;
  if (!quorumReached(approval, withVote(approval.votes, { by, at: now }))) {
    if (approval.votes.some((earlier) => samePrincipal(earlier.by, by))) return accept();
    return accept({ type: 'compact.voted', payload: { by, note, scope } });
  }
  const expires_at = command.expires_at ?? approval.expires_at;
  return accept({ type: 'compact.approved', payload: { by, decision: command.decision, note, scope, expires_at } });
};

const rejectable = new Set(['CANDIDATE_PROPOSAL', 'COMMIT_AWAITING_APPROVAL', 'EXECUTE_PENDING']);

const reject = (work: CompactWork, command: Command<'reject'>): CompactDecided => {
  if (!rejectable.has(work.status)) return wrongState(work, 'only work that nothing runs of can be rejected.');
  const { by, reason, invocation_id } = command;
  return accept({ type: 'compact.rejected', payload: { by, reason, invocation_id } });
};

const deny = (work: CompactWork, command: Command<'deny'>, now: string): CompactDecided => {
  const closed = notOpen(work, command.binding_hash, now);
  if (closed !== null || work.approval === null)
    return closed === null ? wrongState(work, 'nothing to decide.') : { ok: false, refusal: closed };
  const refusal = refusedVoter(work, work.approval, command.voter);
  if (refusal !== null) return { ok: false, refusal };
  const { reason, invocation_id } = command;
  return accept({ type: 'compact.rejected', payload: { by: command.voter.ref, reason, invocation_id } });
};

const isOpen = (approval: CompactApproval | null): approval is CompactApproval =>
  approval !== null && (approval.status === 'pending' || approval.status === 'granted');

const timeOut = (work: CompactWork, now: string): CompactDecided => {
  const { approval } = work;
  if (!isOpen(approval) || openLeaseOf(work) !== null) return wrongState(work, 'its approval is not open.');
  if (approval.expires_at > now) return wrongState(work, 'its approval has not expired yet.');
  const escalated = approval.status === 'pending' ? onTimeout(approval, Date.parse(now)) : null;
  return accept(
    escalated === null
      ? { type: 'compact.approval_expired', payload: {} }
      : { type: 'compact.approval_escalated', payload: escalated },
  );
};

const dispatch = (work: CompactWork, command: Command<'dispatch'>, now: string): CompactDecided => {
  const step = nextStep(work);
  if (work.status !== 'EXECUTE_PENDING' || step === null || openLeaseOf(work) !== null) {
    return wrongState(work, 'only EXECUTE_PENDING work is dispatched, one step at a time.');
  }
  if (work.approval !== null && work.approval.expires_at <= now) {
    return refuse('STATE_VERSION_CONFLICT', 'The approval expired before this was dispatched. Stage it again.', {
      status: 'expired',
    });
  }
  return accept({ type: 'compact.dispatched', payload: { ...command.lease, step_index: step.step_index } });
};

const mismatch = (work: CompactWork, message: string, details: ErrorDetails = {}): CompactDecided =>
  refuse('CAOP_422_VERIFY_ARTIFACT_MISMATCH', message, { work_id: work.work_id, ...details });

/** Nonce, invocation and key must be those of the lease, and serve once. A late receipt still settles. */
const settle = (work: CompactWork, command: Command<'settle'>): CompactDecided => {
  const { settlement } = command;
  const details = { invocation_id: settlement.invocation_id };
  const lease = work.leases.find(({ invocation_id }) => invocation_id === settlement.invocation_id);
  if (lease === undefined)
    return mismatch(work, `${work.work_id} has no invocation ${settlement.invocation_id}.`, details);
  if (lease.nonce_hash !== command.nonce_hash) {
    return mismatch(
      work,
      'The nonce is not the required_nonce of this invocation. Dispatch the work again to read it.',
      details,
    );
  }
  if (lease.idempotency_key !== command.idempotency_key) {
    return mismatch(work, 'The idempotency_key is not that of this invocation. Take it from the directive.', details);
  }
  if (lease.state === 'settled') {
    return mismatch(work, 'This invocation is settled already, with another body; a nonce serves once.', details);
  }
  return accept({ type: 'compact.settled', payload: { ...settlement, late: lease.state === 'expired' } });
};

const checkable = (work: CompactWork): boolean =>
  work.status === 'RECORDED_AWAITING_OUTCOME_VERIFY' && work.outcome?.status === 'PENDING';

const confirm = (work: CompactWork, command: Command<'confirm'>): CompactDecided => {
  if (!work.staged.hold_record) return wrongState(work, 'no policy asks for a confirmation.');
  if (work.confirmed_by !== null) return wrongState(work, 'it is confirmed already.');
  if (work.status !== 'EXECUTE_COMPLETED') return wrongState(work, 'only completed work is confirmed.');
  const { by, note } = command;
  return accept({ type: 'compact.confirmed', payload: { by, note, fact_ids: [...command.fact_ids] } });
};

const expire = (work: CompactWork, command: Command<'expire_lease'>): CompactDecided => {
  const lease = openLeaseOf(work);
  if (lease?.state !== 'open' || lease.invocation_id !== command.invocation_id) {
    return wrongState(work, 'this lease is not open.');
  }
  const capability_id = work.steps.find(({ step_index }) => step_index === lease.step_index)?.capability_id ?? '';
  const { invocation_id, because } = command;
  return accept({ type: 'compact.expired', payload: { invocation_id, because, capability_id } });
};

export const decideCompact = (work: CompactWork, command: CompactCommand, now: string): CompactDecided => {
  switch (command.type) {
    case 'vote':
      return vote(work, command, now);
    case 'reject':
      return reject(work, command);
    case 'deny':
      return deny(work, command, now);
    case 'steer':
      return work.status === 'COMMIT_AWAITING_APPROVAL' ||
        work.status === 'CANDIDATE_PROPOSAL' ||
        work.status === 'EXECUTE_PENDING'
        ? accept({ type: 'compact.steered', payload: command.steered })
        : wrongState(work, 'only work that nothing runs of can be steered.');
    case 'fail_hooks':
      return accept({ type: 'compact.hooks_failed', payload: { failed_hooks: command.failed_hooks, by: command.by } });
    case 'request_approval':
      return work.status === 'CANDIDATE_PROPOSAL'
        ? accept({ type: 'compact.approval_requested', payload: { approval: command.approval } })
        : wrongState(work, 'it does not ask for approval again.');
    case 'set_check':
      return work.outcome === null
        ? accept({ type: 'compact.check_set', payload: { check: command.check, by: command.by } })
        : wrongState(work, 'its outcome check is set already.');
    case 'time_out_approval':
      return timeOut(work, now);
    case 'void_approval':
      return isOpen(work.approval) && openLeaseOf(work) === null
        ? accept({
            type: 'compact.approval_voided',
            payload: { because: command.because, fact_ids: [...command.fact_ids] },
          })
        : wrongState(work, 'its approval is not open.');
    case 'withdraw':
      return rejectable.has(work.status)
        ? accept({ type: 'compact.withdrawn', payload: { because: command.because } })
        : wrongState(work, 'only work that nothing runs of is withdrawn.');
    case 'supersede':
      return openLeaseOf(work) === null && work.superseded_by === null
        ? accept({ type: 'compact.superseded', payload: { by_work_id: command.by_work_id } })
        : wrongState(
            work,
            openLeaseOf(work) === null
              ? `it was replaced by ${work.superseded_by ?? ''} already.`
              : 'settle its open lease first.',
          );
    case 'dispatch':
      return dispatch(work, command, now);
    case 'expire_lease':
      return expire(work, command);
    case 'settle':
      return settle(work, command);
    case 'check_outcome':
      return checkable(work)
        ? accept({ type: 'compact.outcome_checked', payload: command.result })
        : wrongState(work, 'it awaits no outcome check.');
    case 'confirm':
      return confirm(work, command);
    default:
      return assertNever(command, 'compact command');
  }
};
