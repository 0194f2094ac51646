import type { Execution, ExecutionState } from '../../contracts/caop/execution.ts';
import type { ApprovalView, LeaseView, Lights, WorkStatus, WorkView } from '../../contracts/console.ts';
import type { CompactStatus, CompactWork } from './compactState.ts';
import { openLeaseOf } from './compactState.ts';

/** Compact work in the forms that the console and the full binding read. */

const states: Readonly<Record<CompactStatus, ExecutionState>> = {
  CANDIDATE_PROPOSAL: 'CREATED',
  COMMIT_AWAITING_APPROVAL: 'WAITING_APPROVAL',
  EXECUTE_PENDING: 'READY',
  EXECUTE_DISPATCHED: 'RUNNING',
  EXECUTE_EXPIRED: 'EXPIRED',
  EXECUTE_FAILED: 'FAILED',
  RECORDED_AWAITING_OUTCOME_VERIFY: 'VERIFYING',
  EXECUTE_COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
};

export const executionView = (work: CompactWork): Execution => ({
  execution_id: work.work_id,
  state: states[work.status],
  state_version: work.version,
  correlation_id: work.staged.input.goal_id,
  updated_at: work.updated_at,
});

/** The verb of a plan: its capability when it has one step. */
const verbOf = (work: CompactWork): string =>
  work.steps.length === 1 ? (work.steps[0]?.capability_id ?? 'plan') : `plan of ${work.steps.length} steps`;

/** Arguments by step, so that a merge patch on them is a patch per step. */
const stepArguments = (
  steps: readonly { readonly step_index: number; readonly arguments: Record<string, unknown> }[],
): Record<string, unknown> => Object.fromEntries(steps.map((step) => [`step_${step.step_index}`, step.arguments]));

const lightsOf = (work: CompactWork): Lights => {
  const { approval } = work;
  const failed = approval !== null && ['denied', 'expired', 'void', 'withdrawn'].includes(approval.status);
  const settled = work.leases.some(({ state }) => state === 'settled');
  return {
    approved: failed || work.status === 'CANDIDATE_PROPOSAL' ? 'failed' : approval?.status === 'pending' ? 'no' : 'yes',
    executed:
      work.status === 'EXECUTE_EXPIRED'
        ? 'unknown'
        : work.status === 'EXECUTE_FAILED' && work.outcome === null
          ? 'failed'
          : settled
            ? 'yes'
            : 'no',
    receipted: settled ? 'yes' : 'no',
    verified:
      work.outcome?.status === 'PASSED' || work.confirmed_by !== null
        ? 'yes'
        : work.outcome?.status === 'FAILED'
          ? 'failed'
          : 'no',
  };
};

const status = (work: CompactWork): WorkStatus =>
  work.status === 'RECORDED_AWAITING_OUTCOME_VERIFY' ? 'EXECUTE_COMPLETED' : work.status;

export const compactWorkView = (work: CompactWork): WorkView => ({
  work_id: work.work_id,
  status: status(work),
  staged_by: work.staged.principal,
  staged_at: work.staged_at,
  updated_at: work.updated_at,
  surface_id: null,
  verb: verbOf(work),
  arguments: stepArguments(work.staged.steps),
  executed_arguments: work.leases.length === 0 ? null : stepArguments(work.steps),
  approval_id: work.approval?.approval_id ?? null,
  receipt_id: work.leases.findLast(({ state }) => state === 'settled')?.invocation_id ?? null,
  ended_because: work.ended_because,
  policy: work.staged.policy,
  lights: lightsOf(work),
});

export const compactApprovalView = (work: CompactWork): ApprovalView | null => {
  const { approval, staged } = work;
  if (approval === null) return null;
  const { title, rationale } = staged.input.commitment;
  return {
    approval_id: approval.approval_id,
    work_id: work.work_id,
    status: approval.status,
    requested_by: staged.principal,
    requested_at: approval.requested_at,
    expires_at: approval.expires_at,
    surface_id: null,
    surface_label: null,
    surface_kind: null,
    address: null,
    verb: verbOf(work),
    arguments: stepArguments(staged.steps),
    steered_arguments: work.steered === null ? null : stepArguments(work.steps),
    target: null,
    policy: staged.policy,
    would: `${title}: ${work.steps.map(({ capability_id }) => capability_id).join(', then ')}. ${rationale}`,
    picture: null,
    recent: [],
    binding_hash: work.binding_hash,
    // Plans wait for their stager's own dispatch; no call hangs on the answer.
    attached: true,
    quorum: { needed: approval.quorum, votes: approval.votes.map(({ by }) => by) },
    decision: approval.decision,
    ended_because: approval.ended_because,
    lights: lightsOf(work),
  };
};

/** The open lease, else the last one. */
export const compactLeaseView = (work: CompactWork, nonce: string | null): LeaseView | null => {
  const lease = openLeaseOf(work) ?? work.leases.at(-1) ?? null;
  if (lease === null) return null;
  const step = work.steps.find(({ step_index }) => step_index === lease.step_index);
  return {
    work_id: work.work_id,
    invocation_id: lease.invocation_id,
    holder: work.staged.principal,
    surface_id: null,
    target: null,
    verb: step?.capability_id ?? '',
    arguments: step?.arguments ?? {},
    state: lease.state,
    opened_at: lease.opened_at,
    expires_at: lease.lease_expires_at,
    required_nonce: nonce,
    sent: [],
    resolution: null,
  };
};
