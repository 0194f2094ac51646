import type {
  DispatchDirective,
  DispatchWorkInput,
  DispatchWorkResult,
  Phase2DeferredCheck,
  SettlementResult,
} from '../../contracts/caop/compact.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, mayApprove, samePrincipal } from '../../contracts/principal.ts';
import type { CompactLease, CompactWork } from '../../domain/caop/compactState.ts';
import { nextStep, openLeaseOf } from '../../domain/caop/compactState.ts';
import { parsePredicate } from '../../domain/caop/outcomePredicate.ts';
import { sha256Hex } from '../chainHash.ts';
import type { RowChange } from '../eventStore.ts';
import type { WorkApprover } from './approveWork.ts';
import { belowQuorum } from './approveWork.ts';
import { forbidden, invalid, notFound } from './caopErrors.ts';
import { requireActor } from './caopPrincipals.ts';
import type { CapabilityBook } from './capabilityBook.ts';
import { lockedBy } from './compactLedger.ts';
import { hookError } from './planChecks.ts';
import type { ProxiedRunner } from './runProxied.ts';
import type { StageParts } from './stageWork.ts';

export interface DispatchParts extends StageParts {
  readonly capabilities: CapabilityBook;
  readonly approver: WorkApprover;
  readonly runner: ProxiedRunner;
}

type Ready =
  { readonly kind: 'answer'; readonly answer: DispatchWorkResult } | { readonly kind: 'run'; readonly workId: string };

export class WorkDispatcher {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  async dispatch(input: DispatchWorkInput, principal: Principal): Promise<DispatchWorkResult> {
    requireActor(principal);
    const ready = await this.#parts.ledger.exclusive(() => this.#decide(input, principal));
    return ready.kind === 'answer' ? ready.answer : this.#parts.runner.run(ready.workId);
  }

  async #decide(input: DispatchWorkInput, principal: Principal): Promise<Ready> {
    const work = await this.#parts.ledger.visible(input.work_id, principal);
    if (input.decision === 'REJECT_WORK') return { kind: 'answer', answer: await this.#reject(work, input, principal) };
    if (input.decision === 'APPROVE_AND_DISPATCH' && input.steering_delta !== undefined) {
      throw invalid('steering_delta', 'It goes with the decision APPROVE_WITH_STEERING_DELTA.');
    }
    if (input.decision === 'APPROVE_WITH_STEERING_DELTA' && isAgent(principal)) {
      throw forbidden(
        'Agents do not steer. Stage an updated plan with supersedes_work_id, or ask a person to change it.',
      );
    }
    await this.#parts.ledger.refuseLocked(principal, work.work_id);
    const decided = await this.#decided(work, input, principal);
    const checked = await this.#withCheck(decided, input, principal);
    return this.#go(checked, principal);
  }

  async #reject(work: CompactWork, input: DispatchWorkInput, principal: Principal): Promise<SettlementResult> {
    const { ledger, options } = this.#parts;
    const own = samePrincipal(work.staged.principal, principal.ref);
    if (!own && !mayApprove(principal)) throw notFound(`work item ${work.work_id}`);
    const invocation_id = options.ids.id('inv');
    const { decision } = ledger.decide(work, [
      { type: 'reject', by: principal.ref, reason: input.approval_note ?? null, invocation_id },
    ]);
    await ledger.append([decision], work.staged.input.goal_id);
    return {
      work_id: work.work_id,
      invocation_id,
      lifecycle_stage: 'REVIEW',
      attestation: isAgent(principal) ? 'HOST_ASSERTED' : 'USER_CONFIRMED',
      thread_unlocked: (await ledger.blocking(work.staged.principal)) === null,
      review_outcome: 'REPLAN_REQUIRED',
    };
  }

  /** The work with everybody's yes that it needs; refused when it lacks one. */
  async #decided(work: CompactWork, input: DispatchWorkInput, principal: Principal): Promise<CompactWork> {
    const { approver } = this.#parts;
    switch (work.status) {
      case 'CANDIDATE_PROPOSAL':
        if (isAgent(principal)) {
          if (work.failed_hooks.length > 0)
            throw hookError(work.failed_hooks, work.work_id, 'This work is a proposal: its checks failed.');
          throw new SignalboxError(
            'STATE_VERSION_CONFLICT',
            `${work.work_id} lost its approval: ${work.approval?.ended_because ?? 'void'} Stage an updated plan with supersedes_work_id.`,
            { details: { reason: 'APPROVAL_VOID', work_id: work.work_id } },
          );
        }
        return this.#approved(work, input, principal);
      case 'COMMIT_AWAITING_APPROVAL':
        if (isAgent(principal)) throw approvalRequired(work, 'A person must approve this first.');
        return this.#approved(work, input, principal);
      case 'EXECUTE_PENDING': {
        if (input.decision === 'APPROVE_WITH_STEERING_DELTA' && input.steering_delta !== undefined) {
          return approver.steerPending(work, input.steering_delta, principal);
        }
        const stale = await approver.voidIfStale(work);
        if (stale !== null) throw stale;
        return work;
      }
      case 'EXECUTE_DISPATCHED':
        return work;
      case 'EXECUTE_EXPIRED': {
        const lease = openLeaseOf(work);
        const mine = samePrincipal(work.staged.principal, principal.ref) || mayApprove(principal);
        throw lockedBy({
          work_id: work.work_id,
          invocation_id: lease?.invocation_id ?? '',
          nonce: mine ? await this.#parts.ledger.nonceOf(work.work_id) : null,
        });
      }
      default:
        throw new SignalboxError(
          'INVALID_TRANSITION',
          `${work.work_id} is ${work.status}: there is nothing left to dispatch.`,
          { details: { work_id: work.work_id, status: work.status } },
        );
    }
  }

  async #approved(work: CompactWork, input: DispatchWorkInput, principal: Principal): Promise<CompactWork> {
    const delta = input.decision === 'APPROVE_WITH_STEERING_DELTA' ? (input.steering_delta ?? {}) : null;
    const ballot = { note: input.approval_note ?? null, scope: null, expires_at: null, binding_hash: null, delta };
    const after = await this.#parts.approver.approve(work, ballot, principal);
    const short = belowQuorum(after);
    if (short !== null)
      throw approvalRequired(after, `Your vote is recorded: ${short.votes} of ${short.needed}.`, short);
    return after;
  }

  async #withCheck(work: CompactWork, input: DispatchWorkInput, principal: Principal): Promise<CompactWork> {
    const wanted = input.two_phase_verification?.phase_2_deferred;
    if (wanted === undefined || work.status !== 'EXECUTE_PENDING') return work;
    await this.#refuseBadCheck(wanted);
    if (work.check !== null && isAgent(principal)) return work;
    const args = wanted['arguments'];
    const check = {
      check_after_seconds: wanted.check_after_seconds,
      capability_id: wanted.verification_capability_id,
      arguments: typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {},
      success_predicate: wanted.success_predicate,
    };
    const { ledger } = this.#parts;
    const current = (await ledger.find(work.work_id)) ?? work;
    const { decision, after } = ledger.decide(current, [{ type: 'set_check', check, by: principal.ref }]);
    await ledger.append([decision], work.staged.input.goal_id);
    return after;
  }

  async #refuseBadCheck(wanted: Phase2DeferredCheck): Promise<void> {
    const at = 'two_phase_verification.phase_2_deferred';
    const parsed = parsePredicate(wanted.success_predicate);
    if (!parsed.ok) throw invalid(`${at}.success_predicate`, `It does not parse as CEL: ${parsed.message}`);
    if (wanted.check_after_seconds < 0) throw invalid(`${at}.check_after_seconds`, 'Give 0 or more.');
    const capability = await this.#parts.capabilities.find(wanted.verification_capability_id);
    if (capability === null)
      throw invalid(`${at}.verification_capability_id`, `There is no capability ${wanted.verification_capability_id}.`);
    if (capability.execution_locus !== 'KERNEL_PROXIED' || capability.side_effect_level !== 'none') {
      throw invalid(
        `${at}.verification_capability_id`,
        `${capability.capability_id} cannot verify: only a read-only capability that the kernel performs itself can.`,
      );
    }
  }

  async #go(work: CompactWork, principal: Principal): Promise<Ready> {
    const open = openLeaseOf(work);
    if (open !== null) {
      if (work.staged.execution_locus === 'KERNEL_PROXIED') {
        throw new SignalboxError(
          'INVALID_TRANSITION',
          `${work.work_id} is being performed now. Its result is at /v1/executions/${work.work_id}.`,
          { details: { work_id: work.work_id, status: work.status } },
        );
      }
      return { kind: 'answer', answer: this.#directive(work, open, await this.#nonceFor(work, principal)) };
    }
    if (work.staged.execution_locus === 'KERNEL_PROXIED') return { kind: 'run', workId: work.work_id };
    const opened = await this.#open(work);
    return {
      kind: 'answer',
      answer: this.#directive(
        opened.work,
        opened.lease,
        samePrincipal(work.staged.principal, principal.ref) ? opened.nonce : null,
      ),
    };
  }

  /** The lease is the stager's, whoever dispatches. */
  async #nonceFor(work: CompactWork, principal: Principal): Promise<string | null> {
    return samePrincipal(work.staged.principal, principal.ref) ? this.#parts.ledger.nonceOf(work.work_id) : null;
  }

  async #open(
    work: CompactWork,
  ): Promise<{ readonly work: CompactWork; readonly lease: CompactLease; readonly nonce: string }> {
    const { options, ledger } = this.#parts;
    // Somebody else may dispatch for an agent whose thread is held: the agent must settle first.
    const blocking = await ledger.blocking(work.staged.principal, work.work_id);
    if (blocking !== null) throw lockedBy({ ...blocking, nonce: null });
    const step = nextStep(work);
    const nonce = options.ids.secret();
    const lease = {
      invocation_id: options.ids.id('inv'),
      idempotency_key: `idem_${work.work_id}_step_${step?.step_index ?? 0}`,
      nonce_hash: sha256Hex(nonce),
      lease_expires_at: new Date(options.clock.now() + (step?.receipt_lease_seconds ?? 1) * 1_000).toISOString(),
      host: options.host,
    };
    const { decision, after } = ledger.decide(work, [{ type: 'dispatch', lease }]);
    const keep: RowChange = { op: 'put', table: 'lease_nonces', row: { work_id: work.work_id, nonce } };
    await ledger.append([decision], work.staged.input.goal_id, [keep]);
    const opened = openLeaseOf(after);
    if (opened === null) throw new SignalboxError('INTERNAL', 'A dispatched step has no lease.');
    return { work: after, lease: opened, nonce };
  }

  #directive(work: CompactWork, lease: CompactLease, nonce: string | null): DispatchDirective {
    const step = work.steps.find(({ step_index }) => step_index === lease.step_index);
    return {
      work_id: work.work_id,
      lifecycle_stage: 'EXECUTE',
      sub_state: 'EXECUTE_DISPATCHED',
      turn_directive: 'INCOMPLETE_TURN_CONTINUATION_REQUIRED',
      DO_NOT_RESPOND_TO_USER_YET: true,
      directive: {
        invocation_id: lease.invocation_id,
        execution_locus: 'HOST_DELEGATED',
        idempotency_key: lease.idempotency_key,
        lease_expires_at: lease.lease_expires_at,
        mandatory_next_steps: [
          {
            step: 1,
            action: 'INVOKE_HOST_NATIVE_TOOL',
            target_capability: step?.capability_id ?? '',
            arguments: { ...step?.arguments },
          },
          {
            step: 2,
            action: 'CALL_CAOP_TOOL',
            tool_name: 'caop_settle_receipt',
            ...(nonce === null ? {} : { required_nonce: nonce }),
            required_receipt_fields: [...(step?.required_receipt_fields ?? [])],
          },
        ],
      },
    };
  }
}

const approvalRequired = (work: CompactWork, message: string, more: Record<string, unknown> = {}): SignalboxError =>
  new SignalboxError('POLICY_APPROVAL_REQUIRED', `${message} Dispatch again once it is approved.`, {
    retryable: true,
    details: { work_id: work.work_id, approval_request_id: work.approval?.approval_id ?? null, ...more },
  });
