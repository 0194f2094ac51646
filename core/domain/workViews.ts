import type { ApprovalView, LeaseView, Lights, ReceiptView, WorkView } from '../contracts/console.ts';
import type { WorkState } from './workState.ts';
import { callOf } from './workState.ts';

/** Four separate lights (`console.md`): one never stands for another. */
export const lightsOf = (work: WorkState): Lights => ({
  approved: approvedLight(work),
  executed: executedLight(work),
  receipted: receiptedLight(work),
  verified: 'no',
});

const approvedLight = (work: WorkState): Lights['approved'] => {
  switch (work.approval?.status) {
    case undefined:
      return work.staged.policy.effect === 'allow' ? 'yes' : 'failed';
    case 'granted':
    case 'used':
      return 'yes';
    case 'pending':
      return 'no';
    case 'denied':
    case 'expired':
    case 'void':
    case 'withdrawn':
      return 'failed';
  }
};

/** A void approval was never carried out, though its lease may have been opened to find that out. */
const neverCarriedOut = (work: WorkState): boolean => work.approval?.status === 'void';

const executedLight = (work: WorkState): Lights['executed'] => {
  if (neverCarriedOut(work)) return 'no';
  switch (work.lease?.state) {
    case undefined:
    case 'open':
      return 'no';
    case 'expired':
      return 'unknown';
    case 'settled':
    case 'resolved':
      return work.receipt === null ? 'failed' : 'yes';
  }
};

const receiptedLight = (work: WorkState): Lights['receipted'] => {
  if (work.receipt !== null) return 'yes';
  if (neverCarriedOut(work)) return 'no';
  return work.lease === null || work.lease.state === 'open' ? 'no' : 'failed';
};

export const workView = (work: WorkState): WorkView => {
  const call = callOf(work);
  return {
    work_id: work.work_id,
    status: work.status,
    staged_by: work.staged.principal,
    staged_at: work.staged_at,
    updated_at: work.updated_at,
    surface_id: call.surface?.id ?? null,
    verb: work.staged.verb,
    arguments: work.staged.call.arguments,
    executed_arguments: work.receipt === null ? null : call.arguments,
    approval_id: work.approval?.approval_id ?? null,
    receipt_id: work.receipt?.receipt_id ?? null,
    ended_because: work.ending?.because ?? null,
    policy: work.staged.policy,
    lights: lightsOf(work),
  };
};

/** `recent` and `attached` are not the work's own to know. Null when no approval was asked for. */
export const approvalView = (
  work: WorkState,
  around: { readonly recent: ApprovalView['recent']; readonly attached: boolean },
): ApprovalView | null => {
  const { approval, staged } = work;
  if (approval === null) return null;
  const call = callOf(work);
  return {
    approval_id: approval.approval_id,
    work_id: work.work_id,
    status: approval.status,
    requested_by: staged.principal,
    requested_at: approval.requested_at,
    expires_at: approval.expires_at,
    surface_id: call.surface?.id ?? null,
    surface_label: call.surface?.label ?? null,
    surface_kind: call.surface?.kind ?? null,
    address: call.binding.address,
    verb: staged.verb,
    arguments: staged.call.arguments,
    steered_arguments: work.steered?.arguments ?? null,
    target: call.target,
    policy: staged.policy,
    would: call.would,
    picture: approval.picture,
    recent: around.recent,
    binding_hash: staged.call.binding_hash,
    attached: around.attached,
    quorum: {
      needed: approval.quorum,
      votes: approval.decision === null || approval.decision.decision === 'reject' ? [] : [approval.decision.by],
    },
    decision: approval.decision,
    ended_because: approval.ended_because,
    lights: lightsOf(work),
  };
};

/** `nonce` only when the viewer holds the lease; `sent` from the store while the lease is open. */
export const leaseView = (
  work: WorkState,
  around: { readonly nonce: string | null; readonly sent: readonly string[] },
): LeaseView | null => {
  const { lease } = work;
  if (lease === null) return null;
  const call = callOf(work);
  return {
    work_id: work.work_id,
    invocation_id: lease.invocation_id,
    holder: work.staged.principal,
    surface_id: call.surface?.id ?? null,
    verb: work.staged.verb,
    arguments: call.arguments,
    target: call.target,
    state: lease.state,
    opened_at: lease.opened_at,
    expires_at: lease.expires_at,
    required_nonce: around.nonce,
    sent: [...(lease.state === 'open' ? around.sent : lease.sent)],
    resolution: lease.resolution,
  };
};

export const receiptView = (work: WorkState): ReceiptView | null => {
  const { receipt, staged } = work;
  if (receipt === null) return null;
  const call = callOf(work);
  return {
    receipt_id: receipt.receipt_id,
    work_id: work.work_id,
    call_id: staged.call_id,
    principal: staged.principal,
    surface_id: call.surface?.id ?? null,
    surface_label: call.surface?.label ?? null,
    verb: staged.verb,
    arguments: staged.call.arguments,
    executed_arguments: call.arguments,
    target: call.target,
    receipt: receipt.receipt,
    attestation: receipt.attestation,
    approved_by: work.lease?.approved_by ?? null,
    at: receipt.at,
  };
};
