import type {
  Execution,
  ExecutionAccepted,
  ExecutionCreate,
  ExecutionState,
  ResultSubmission,
  Transition,
  TransitionRequest,
} from '../../contracts/caop/execution.ts';
import type { ApprovalTerms } from '../../contracts/caopEvents.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../../contracts/principal.ts';
import { mayMove, personOnly, transitions } from '../../domain/caop/executionTransitions.ts';
import { executionView } from '../../domain/caop/compactViews.ts';
import { stateOf } from '../storeSchema.ts';
import { forbidden, invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { KERNEL } from './caopParts.ts';
import { maySeeOf, requireActor, requirePerson } from './caopPrincipals.ts';
import type { CapabilityBook } from './capabilityBook.ts';
import { hashOf, type CompactLedger } from './compactLedger.ts';
import { executionOf, planOf, verificationOf, type ExecutionRecord } from './executionRows.ts';
import { derivedId } from './observationLog.ts';
import { DEFAULT_APPROVAL_MS } from './stageWork.ts';

const verbStates: Readonly<Record<string, ExecutionState>> = {
  CANDIDATE_PROPOSAL: 'CREATED',
  COMMIT_AWAITING_APPROVAL: 'WAITING_APPROVAL',
  EXECUTE_PENDING: 'READY',
  EXECUTE_DISPATCHED: 'RUNNING',
  EXECUTE_COMPLETED: 'COMPLETED',
  EXECUTE_EXPIRED: 'EXPIRED',
  EXECUTE_FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
};

const publicExecution = ({
  execution_id,
  plan_id,
  state,
  state_version,
  correlation_id,
  updated_at,
}: ExecutionRecord): Execution => ({
  execution_id,
  plan_id,
  state,
  state_version,
  correlation_id,
  updated_at,
});

/** Bookkeeping of executions that a host carries out itself. Plans carry no arguments, so nothing is invoked here. */
export class ExecutionBook {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #capabilities: CapabilityBook;

  constructor(options: CaopOptions, ledger: CompactLedger, capabilities: CapabilityBook) {
    this.#options = options;
    this.#ledger = ledger;
    this.#capabilities = capabilities;
  }

  async start(input: ExecutionCreate, principal: Principal): Promise<ExecutionAccepted> {
    requireActor(principal);
    const row = await this.#options.store.get('plans', input.plan_id);
    if (row === null || !maySeeOf(principal, planOf(row).principal)) throw notFound(`plan ${input.plan_id}`);
    const as = input.authorization_context.principal_id;
    if (as !== principal.ref.id && as !== principalKey(principal.ref)) {
      throw forbidden(`This token is ${principalKey(principal.ref)}'s and cannot start work as ${as}.`, {
        path: 'authorization_context.principal_id',
      });
    }
    const { plan, constraints, goal_id } = planOf(row);
    const id = derivedId('exec', principalKey(principal.ref), input.plan_id, input.idempotency_key);
    const approval = await this.#approvalFor(
      plan.steps.map(({ capability }) => capability),
      constraints,
    );
    await this.#options.writer.retrying(async () => {
      if ((await this.#options.store.get('executions', id)) !== null) return;
      const started: DomainEvent = {
        type: 'execution.started',
        payload: {
          plan_id: plan.plan_id,
          commitment_id: plan.commitment_id ?? '',
          goal_id,
          principal: principal.ref,
          idempotency_key: input.idempotency_key,
          approval,
        },
      };
      const path: readonly ExecutionState[] =
        approval === null ? ['CREATED', 'READY'] : ['CREATED', 'READY', 'WAITING_APPROVAL'];
      const moves = path
        .slice(1)
        .map((to, index) => this.#moved(id, goal_id, path[index] ?? 'CREATED', to, index + 2, KERNEL, undefined, null));
      await this.#options.writer.append([{ stream: id, version: 0, events: [started, ...moves] }], goal_id);
    });
    return {
      execution_id: id,
      status: 'queued',
      next_action: approval === null ? 'await_execution' : 'await_approval',
    };
  }

  async #approvalFor(
    capabilities: readonly string[],
    constraints: Readonly<Record<string, unknown>>,
  ): Promise<ApprovalTerms | null> {
    if (constraints['require_approval_for_external_actions'] !== true) return null;
    const known = await Promise.all(capabilities.map((id) => this.#capabilities.find(id)));
    if (known.every((capability) => capability?.side_effect_level === 'none')) return null;
    const ms = this.#options.approvalTtlMs ?? DEFAULT_APPROVAL_MS;
    return {
      approval_id: this.#options.ids.id('apr'),
      expires_at: new Date(this.#options.clock.now() + ms).toISOString(),
      round_seconds: Math.ceil(ms / 1_000),
      quorum: 1,
      required_roles: [],
      escalate_to: null,
    };
  }

  async record(executionId: string, principal: Principal): Promise<ExecutionRecord> {
    const row = await this.#options.store.get('executions', executionId);
    if (row === null || !maySeeOf(principal, executionOf(row).principal)) throw notFound(`execution ${executionId}`);
    return executionOf(row);
  }

  /** Compact work, and verbs called by themselves, are readable here under their work_id. */
  async get(executionId: string, principal: Principal): Promise<Execution> {
    const compact = await this.#ledger.find(executionId);
    if (compact !== null && maySeeOf(principal, compact.staged.principal)) return executionView(compact);
    const row = await this.#options.store.get('work', executionId);
    if (row !== null && maySeeOf(principal, stateOf(row).staged.principal)) {
      const work = stateOf(row);
      return {
        execution_id: executionId,
        state: verbStates[work.status] ?? 'CREATED',
        state_version: work.version,
        updated_at: work.updated_at,
      };
    }
    return publicExecution(await this.record(executionId, principal));
  }

  async byApproval(approvalId: string): Promise<ExecutionRecord | null> {
    const [row] = await this.#options.store.query('executions', { where: { approval_id: approvalId }, limit: 1 });
    return row === undefined ? null : executionOf(row);
  }

  async submit(executionId: string, input: ResultSubmission, principal: Principal): Promise<Execution> {
    requireActor(principal);
    await this.#refuseCompact(executionId, principal, 'Its receipts are handed in by caop_settle_receipt.');
    return this.#options.writer.retrying(async () => {
      const execution = await this.record(executionId, principal);
      const body_hash = hashOf(input);
      if (execution.result?.idempotency_key === input.idempotency_key) {
        if (execution.result.body_hash === body_hash) return publicExecution(execution);
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          'This idempotency_key was used with another body. Send the same body, or a new key.',
          { details: { path: 'idempotency_key' } },
        );
      }
      this.#refuseMove(execution, 'VERIFYING');
      const move = this.#moved(
        executionId,
        execution.correlation_id,
        execution.state,
        'VERIFYING',
        execution.state_version + 1,
        principal.ref,
        'result submitted',
        null,
      );
      const payload = {
        output: input.output ?? null,
        evidence_refs: input.evidence_refs,
        idempotency_key: input.idempotency_key,
        body_hash,
        transition: move.payload.transition,
      };
      await this.#options.writer.append(
        [
          {
            stream: executionId,
            version: execution.state_version,
            events: [{ type: 'execution.result_submitted', payload }],
          },
        ],
        execution.correlation_id,
      );
      return publicExecution(await this.record(executionId, principal));
    });
  }

  async transition(executionId: string, input: TransitionRequest, principal: Principal): Promise<Transition> {
    requireActor(principal);
    await this.#refuseCompact(executionId, principal, 'It moves by caop_dispatch_work and caop_settle_receipt.');
    return this.#options.writer.retrying(async () => {
      const execution = await this.record(executionId, principal);
      if (execution.state !== input.expected_state) {
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          `expected_state: the execution is ${execution.state}, not ${input.expected_state}. Read it again, then decide.`,
          {
            details: { state: execution.state, state_version: execution.state_version },
          },
        );
      }
      this.#refuseMove(execution, input.target_state);
      this.#refuseForAgent(execution, input.target_state, principal);
      if (input.target_state === 'COMPLETED') await this.#requireVerification(execution, input.verification_id);
      const event = this.#moved(
        executionId,
        execution.correlation_id,
        execution.state,
        input.target_state,
        execution.state_version + 1,
        principal.ref,
        input.reason,
        input.verification_id ?? null,
      );
      await this.#options.writer.append(
        [{ stream: executionId, version: execution.state_version, events: [event] }],
        execution.correlation_id,
      );
      return event.payload.transition;
    });
  }

  /** A person's decision on an execution that waits for one. */
  async decide(execution: ExecutionRecord, approve: boolean, principal: Principal): Promise<void> {
    requirePerson(principal, 'approve');
    if (samePrincipal(execution.principal, principal.ref))
      throw forbidden(`${principalKey(principal.ref)} started this and cannot approve it; someone else must decide.`);
    if (execution.state !== 'WAITING_APPROVAL') {
      throw new SignalboxError(
        'STATE_VERSION_CONFLICT',
        `This approval is no longer open: the execution is ${execution.state}.`,
        { details: { state: execution.state } },
      );
    }
    if ((execution.approval?.expires_at ?? '') <= this.#options.writer.now()) {
      throw new SignalboxError('STATE_VERSION_CONFLICT', 'This approval has expired. Start the execution again.', {
        details: { status: 'expired' },
      });
    }
    const to = approve ? 'READY' : 'CANCELLED';
    const event = this.#moved(
      execution.execution_id,
      execution.correlation_id,
      execution.state,
      to,
      execution.state_version + 1,
      principal.ref,
      approve ? 'approved' : 'denied',
      null,
    );
    await this.#options.writer.append(
      [{ stream: execution.execution_id, version: execution.state_version, events: [event] }],
      execution.correlation_id,
    );
  }

  #refuseMove(execution: ExecutionRecord, to: ExecutionState): void {
    if (mayMove(execution.state, to)) return;
    const allowed = transitions[execution.state];
    throw new SignalboxError(
      'INVALID_TRANSITION',
      `${execution.state} does not lead to ${to}. ${allowed.length === 0 ? 'It is an end.' : `From here: ${allowed.join(', ')}.`}`,
      { details: { state: execution.state, allowed } },
    );
  }

  #refuseForAgent(execution: ExecutionRecord, to: ExecutionState, principal: Principal): void {
    if (!isAgent(principal) && mayApprove(principal)) {
      if (
        execution.state === 'WAITING_APPROVAL' &&
        to === 'READY' &&
        samePrincipal(execution.principal, principal.ref)
      ) {
        throw forbidden(`${principalKey(principal.ref)} started this and cannot approve it; someone else must decide.`);
      }
      return;
    }
    if (personOnly(execution.state, to)) {
      throw forbidden(`Agents may not move an execution from ${execution.state} to ${to}; a person or a timer does.`);
    }
  }

  async #requireVerification(execution: ExecutionRecord, verificationId: string | undefined): Promise<void> {
    if (verificationId === undefined)
      throw invalid(
        'verification_id',
        'COMPLETED needs the verification that this execution passed. Evaluate one at /v1/verifications.',
      );
    const row = await this.#options.store.get('verifications', verificationId);
    if (row === null || row['execution_id'] !== execution.execution_id)
      throw invalid('verification_id', `${verificationId} is no verification of ${execution.execution_id}.`);
    if (verificationOf(row).verdict !== 'passed')
      throw invalid('verification_id', `${verificationId} did not pass. Mend what failed, then verify again.`);
  }

  async #refuseCompact(id: string, principal: Principal, instead: string): Promise<void> {
    const compact = await this.#ledger.find(id);
    const verb = compact === null ? await this.#options.store.get('work', id) : null;
    const owner = compact?.staged.principal ?? (verb === null ? null : stateOf(verb).staged.principal);
    if (owner === null || !maySeeOf(principal, owner)) return;
    throw new SignalboxError('INVALID_TRANSITION', `${id} is compact work. ${instead}`, { details: { work_id: id } });
  }

  #moved(
    execution_id: string,
    correlation_id: string,
    from_state: ExecutionState,
    to_state: ExecutionState,
    state_version: number,
    actor: PrincipalRef,
    reason: string | undefined,
    verification_id: string | null,
  ): Extract<DomainEvent, { type: 'execution.transitioned' }> {
    const transition: Transition = {
      transition_id: this.#options.ids.id('tr'),
      execution_id,
      from_state,
      to_state,
      state_version,
      actor,
      ...(reason === undefined ? {} : { reason }),
      correlation_id,
      occurred_at: this.#options.writer.now(),
    };
    return { type: 'execution.transitioned', payload: { transition, verification_id } };
  }
}
