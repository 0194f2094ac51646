import type { ApprovalDecisionInput, ApprovalStatus, ApprovalView } from '../contracts/console.ts';
import { SignalboxError, isSignalboxError } from '../contracts/errors.ts';
import type { BoundCall } from '../contracts/events.ts';
import { parseOrThrow } from '../contracts/parse.ts';
import type { Principal } from '../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../contracts/principal.ts';
import { performedArguments } from '../domain/bindCall.ts';
import { decideWork } from '../domain/decideWork.ts';
import { mergePatch } from '../domain/mergePatch.ts';
import type { WorkState } from '../domain/workState.ts';
import { approvalView } from '../domain/workViews.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock } from '../kernel/ports.ts';
import { gateVerb, parseArguments } from './gateVerbs.ts';
import { stagerOf } from './performEffect.ts';
import type { EffectPreparer, Prepared } from './prepareEffect.ts';
import { heldError } from './surfaceControl.ts';
import type { WorkRuns } from './workRuns.ts';

const RECENT = 5;

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly preparer: EffectPreparer;
  readonly runs: WorkRuns;
}

const invalid = (path: string, message: string): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `${path}: ${message}`, { details: { issues: [{ path, message }] } });

/** The steer does not fit; the approval stays as it is. */
const unfit = (message: string, details: SignalboxError['details']): SignalboxError =>
  new SignalboxError('CAOP_422_PRECOMMIT_HOOK_FAILED', `The changed arguments cannot be performed: ${message}`, {
    details: { issues: [{ path: 'steering_delta', message }], ...details },
  });

/** What a person sees of an approval, and what happens when they decide. */
export class ApprovalDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(principal: Principal, status: ApprovalStatus | 'all', limit: number): Promise<readonly ApprovalView[]> {
    const work = await this.#parts.kernel.approvalWork(status === 'all' ? 'all' : [status], limit);
    return Promise.all(work.filter((one) => this.#maySee(one, principal)).map((one) => this.view(one)));
  }

  async one(approvalId: string, principal: Principal): Promise<ApprovalView> {
    return this.view(await this.#find(approvalId, principal));
  }

  #maySee(work: WorkState, principal: Principal): boolean {
    return !isAgent(principal) || samePrincipal(work.staged.principal, principal.ref);
  }

  async #find(approvalId: string, principal: Principal): Promise<WorkState> {
    const work = await this.#parts.kernel.workOfApproval(approvalId);
    if (work === null || !this.#maySee(work, principal)) {
      throw new SignalboxError('NOT_FOUND', `There is no approval ${approvalId}.`);
    }
    return work;
  }

  async view(work: WorkState): Promise<ApprovalView> {
    const calls = await this.#parts.kernel.recentCalls(work.staged.principal, work.staged.call_id, RECENT);
    const recent = calls.map(({ call_id, at, verb, summary, outcome }) => ({ call_id, at, verb, summary, outcome }));
    const view = approvalView(work, { recent, attached: this.#parts.runs.isAttached(work.work_id) });
    if (view === null) throw new SignalboxError('NOT_FOUND', `${work.work_id} never asked for approval.`);
    return view;
  }

  async decide(approvalId: string, input: ApprovalDecisionInput, principal: Principal): Promise<ApprovalView> {
    if (!mayApprove(principal)) {
      const key = principalKey(principal.ref);
      throw new SignalboxError(
        'FORBIDDEN',
        `${key} may not decide approvals: that takes a person with the approver role.`,
      );
    }
    const work = await this.#find(approvalId, principal);
    this.#checkInput(input);
    this.#checkOpen(work, input, principal);
    const decided = await this.#decide(work, input, principal);
    return this.view(decided);
  }

  #checkInput(input: ApprovalDecisionInput): void {
    const reason = input.reason?.trim() ?? '';
    if (input.decision === 'reject' && reason === '') throw invalid('reason', 'Say why; the agent is told.');
    if (input.decision === 'steer' && reason === '') throw invalid('reason', 'A steer needs its rationale.');
    if (input.decision === 'steer' && input.steering_delta === undefined) {
      throw invalid('steering_delta', 'Give the arguments to change (RFC 7396 merge patch).');
    }
    const now = new Date(this.#parts.clock.now()).toISOString();
    if (input.expires_at !== undefined && input.expires_at <= now)
      throw invalid('expires_at', 'Must be in the future.');
  }

  /** Refuses what is decided, expired, stale or one's own before anything is looked at again. */
  #checkOpen(work: WorkState, input: ApprovalDecisionInput, principal: Principal): void {
    const now = new Date(this.#parts.clock.now()).toISOString();
    const { binding_hash } = input;
    const trial = {
      type: 'approve',
      by: principal.ref,
      binding_hash,
      reason: null,
      expires_at: null,
      steered: null,
    } as const;
    const outcome = decideWork(work, trial, now);
    if (!outcome.ok) {
      const { code, message, details } = outcome.refusal;
      throw new SignalboxError(code, message, { details, retryable: false });
    }
  }

  async #decide(work: WorkState, input: ApprovalDecisionInput, principal: Principal): Promise<WorkState> {
    const { kernel } = this.#parts;
    const { binding_hash } = input;
    const by = principal.ref;
    const reason = input.reason?.trim() ?? '';
    switch (input.decision) {
      case 'reject':
        return kernel.command(work.work_id, { type: 'reject', by, binding_hash, reason });
      case 'approve':
        return kernel.command(work.work_id, {
          type: 'approve',
          by,
          binding_hash,
          reason: reason === '' ? null : reason,
          expires_at: input.expires_at ?? null,
          steered: null,
        });
      case 'steer': {
        const steered = await this.#steer(work, input.steering_delta ?? {});
        return kernel.command(work.work_id, {
          type: 'steer',
          by,
          binding_hash,
          reason,
          expires_at: input.expires_at ?? null,
          steered,
        });
      }
    }
  }

  async #steer(work: WorkState, delta: Readonly<Record<string, unknown>>): Promise<BoundCall> {
    const run = this.#parts.runs.adopt(work);
    const verb = gateVerb(work.staged.verb);
    const proposed = performedArguments(work.staged.call, run.secret);
    const merged = mergePatch(proposed, delta);
    if ('idempotency_key' in delta) throw unfit('idempotency_key is the agent’s and cannot be changed.', {});
    const args = this.#parsed(verb, merged);
    const prepared = await this.#prepared(work, verb, args);
    run.steeredSecret = prepared.secret;
    return prepared.call;
  }

  #parsed(verb: ReturnType<typeof gateVerb>, merged: unknown): Readonly<Record<string, unknown>> {
    try {
      // Unknown keys are dropped for agents; a person who mistypes one must hear of it.
      parseOrThrow(verb.input.strict(), merged, `arguments of ${verb.name}`);
      return parseArguments(verb, merged);
    } catch (error) {
      if (!isSignalboxError(error)) throw error;
      throw unfit(error.message, error.details);
    }
  }

  async #prepared(
    work: WorkState,
    verb: ReturnType<typeof gateVerb>,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Prepared> {
    const signal = AbortSignal.any([]);
    const effect = { verb, args, principal: stagerOf(work), callId: work.staged.call_id, signal };
    const prepared = await this.#parts.preparer.prepare(effect).catch((error: unknown) => {
      if (!isSignalboxError(error)) throw error;
      throw unfit(error.message, { ...error.details, code: error.code });
    });
    if (prepared.kind === 'blocked') throw unfit(`it is blocked by ${prepared.receipt.blocked_by ?? 'something'}.`, {});
    const entry = prepared.entry;
    if (entry !== null && entry.holder !== null) throw unfit(heldError(entry).message, {});
    if (prepared.policy.effect === 'deny') throw unfit(prepared.policy.because, { policy: prepared.policy });
    return prepared;
  }
}
