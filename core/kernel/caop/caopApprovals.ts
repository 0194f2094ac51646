import type { Approval, ApprovalDecision } from '../../contracts/caop/execution.ts';
import type { ApprovalDecisionInput, ApprovalStatus, ApprovalView } from '../../contracts/console.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, principalKey } from '../../contracts/principal.ts';
import { compactApprovalView } from '../../domain/caop/compactViews.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import type { Row } from '../eventStore.ts';
import type { WorkApprover } from './approveWork.ts';
import { belowQuorum } from './approveWork.ts';
import { invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { maySeeOf, requirePerson } from './caopPrincipals.ts';
import { compactOf } from './caopProjection.ts';
import type { CompactLedger } from './compactLedger.ts';
import type { ExecutionBook } from './executionBook.ts';
import type { ExecutionRecord } from './executionRows.ts';
import { executionOf } from './executionRows.ts';

export type Ballots =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | { readonly kind: 'counting'; readonly votes: number; readonly needed: number };

const stepOf = (key: string): number => {
  const index = /^step_(-?\d+)$/.exec(key)?.[1];
  if (index === undefined)
    throw invalid(`steering_delta.${key}`, 'Name the steps as the approval does: step_1, step_2, …');
  return Number(index);
};

/** Approvals of plans and executions, beside those of single verbs, which are the gate's. */
export class CaopApprovals {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #approver: WorkApprover;
  readonly #executions: ExecutionBook;

  constructor(options: CaopOptions, ledger: CompactLedger, approver: WorkApprover, executions: ExecutionBook) {
    this.#options = options;
    this.#ledger = ledger;
    this.#approver = approver;
    this.#executions = executions;
  }

  async list(viewer: Principal, status: ApprovalStatus | 'all', limit: number): Promise<readonly ApprovalView[]> {
    const own = isAgent(viewer) ? { principal: principalKey(viewer.ref) } : {};
    const where = { ...own, ...(status === 'all' ? {} : { approval_status: status }) };
    const past = Number.MAX_SAFE_INTEGER;
    const [works, executions] = await Promise.all([
      this.#options.store.query('compact_work', {
        where,
        order: { column: 'approval_seq', direction: 'desc' },
        past,
        limit,
      }),
      this.#options.store.query('executions', { where, order: { column: 'seq', direction: 'desc' }, past, limit }),
    ]);
    return [
      ...works.flatMap((row) => compactApprovalView(compactOf(row)) ?? []),
      ...executions.flatMap((row) => executionApprovalView(row) ?? []),
    ]
      .toSorted((a, b) => (a.requested_at < b.requested_at ? 1 : -1))
      .slice(0, limit);
  }

  /** Null: not one of these. */
  async get(approvalId: string, viewer: Principal): Promise<ApprovalView | null> {
    const work = await this.#ledger.byApproval(approvalId);
    if (work !== null) {
      if (!maySeeOf(viewer, work.staged.principal)) throw notFound(`approval ${approvalId}`);
      return compactApprovalView(work);
    }
    const [row] = await this.#options.store.query('executions', { where: { approval_id: approvalId }, limit: 1 });
    if (row === undefined) return null;
    if (!maySeeOf(viewer, executionOf(row).principal)) throw notFound(`approval ${approvalId}`);
    return executionApprovalView(row);
  }

  /** As CAOP has it. Null: not one of these. */
  async decide(approvalId: string, input: ApprovalDecision, principal: Principal): Promise<Ballots | null> {
    const work = await this.#ledger.byApproval(approvalId);
    const execution = work === null ? await this.#executions.byApproval(approvalId) : null;
    if (work === null && execution === null) return null;
    requirePerson(principal, 'approve');
    if (Date.parse(input.expires_at) <= this.#options.clock.now())
      throw invalid('expires_at', 'Give a time in the future.');
    const decided: Ballots = {
      kind: 'decided',
      approval: {
        approval_id: this.#options.ids.id('appr'),
        approval_request_id: approvalId,
        decision: input.decision,
        ...(input.scope === undefined ? {} : { scope: input.scope }),
        approved_by: principal.ref,
        expires_at: input.expires_at,
      },
    };
    if (execution !== null) {
      await this.#executions.decide(execution, input.decision === 'approve', principal);
      return decided;
    }
    const expires_at = new Date(input.expires_at).toISOString();
    const after = await this.#vote(approvalId, (current) =>
      input.decision === 'deny'
        ? this.#approver.deny(current, null, null, principal)
        : this.#approver.approve(
            current,
            { note: null, scope: input.scope ?? null, expires_at, binding_hash: null, delta: null },
            principal,
          ),
    );
    const short = belowQuorum(after);
    return short === null ? decided : { kind: 'counting', ...short };
  }

  /** As the console has it: bound to what was seen. Null: not one of these. */
  async decideView(
    approvalId: string,
    input: ApprovalDecisionInput,
    principal: Principal,
  ): Promise<ApprovalView | null> {
    const work = await this.#ledger.byApproval(approvalId);
    if (work === null) return this.#decideExecution(approvalId, input, principal);
    if (input.decision === 'reject' && (input.reason ?? '').trim() === '')
      throw invalid('reason', 'Say why, so that the agent can do better.');
    if (input.decision === 'steer' && input.steering_delta === undefined)
      throw invalid('steering_delta', 'Say what to change: {"step_1": {…}}.');
    const delta =
      input.decision === 'steer'
        ? {
            patched_step_arguments: Object.entries(input.steering_delta ?? {}).map(([key, overrides]) => ({
              step_index: stepOf(key),
              argument_overrides: objectOr(overrides, key),
            })),
            ...(input.reason === undefined ? {} : { rationale: input.reason }),
          }
        : null;
    const after = await this.#vote(approvalId, (current) =>
      input.decision === 'reject'
        ? this.#approver.deny(current, input.reason ?? null, input.binding_hash, principal)
        : this.#approver.approve(
            current,
            {
              note: input.reason ?? null,
              scope: null,
              expires_at: input.expires_at ?? null,
              binding_hash: input.binding_hash,
              delta,
            },
            principal,
          ),
    );
    return compactApprovalView(after);
  }

  async #decideExecution(
    approvalId: string,
    input: ApprovalDecisionInput,
    principal: Principal,
  ): Promise<ApprovalView | null> {
    const execution = await this.#executions.byApproval(approvalId);
    if (execution === null) return null;
    if (input.decision === 'steer')
      throw invalid('decision', 'An execution has no arguments to change: approve or reject it.');
    if (input.binding_hash !== execution.plan_id)
      throw invalid('binding_hash', 'It is not that of this approval. Look at it again.');
    await this.#executions.decide(execution, input.decision === 'approve', principal);
    return this.get(approvalId, principal);
  }

  #vote(approvalId: string, decide: (work: CompactWork) => Promise<CompactWork>): Promise<CompactWork> {
    return this.#ledger.exclusive(async () => {
      const work = await this.#ledger.byApproval(approvalId);
      if (work === null) throw notFound(`approval ${approvalId}`);
      return decide(work);
    });
  }
}

const objectOr = (value: unknown, key: string): Record<string, unknown> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(`steering_delta.${key}`, 'Give an object with the arguments to change.');
};

/** An execution carries no arguments: what is approved is its plan. */
const executionApprovalView = (row: Row): ApprovalView | null => {
  const execution: ExecutionRecord = executionOf(row);
  const { approval } = execution;
  if (approval === null) return null;
  const status = (row['approval_status'] ?? 'pending') as ApprovalStatus;
  return {
    approval_id: approval.approval_id,
    work_id: execution.execution_id,
    status,
    requested_by: execution.principal,
    requested_at: execution.updated_at,
    expires_at: approval.expires_at,
    surface_id: null,
    surface_label: null,
    surface_kind: null,
    address: null,
    verb: 'execution',
    arguments: { plan_id: execution.plan_id, commitment_id: execution.commitment_id },
    steered_arguments: null,
    target: null,
    policy: {
      effect: 'require_approval',
      policy_id: null,
      policy_version: null,
      because: 'Its plan asks for a yes before external actions.',
      values: {},
      matched: [],
    },
    would: `Carry out plan ${execution.plan_id}.`,
    picture: null,
    recent: [],
    binding_hash: execution.plan_id,
    attached: true,
    quorum: { needed: 1, votes: [] },
    decision: null,
    ended_because: null,
    lights: {
      approved: status === 'granted' ? 'yes' : status === 'pending' ? 'no' : 'failed',
      executed: 'no',
      receipted: 'no',
      verified: 'no',
    },
  };
};
