import type { ErrorCode } from '../contracts/errors.ts';
import { SignalboxError, internalError, isSignalboxError } from '../contracts/errors.ts';
import type { BoundCall } from '../contracts/events.ts';
import type { Receipt } from '../contracts/operatorClass.ts';
import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import { isAgent, samePrincipal } from '../contracts/principal.ts';
import { bindingDifferences, performedArguments } from '../domain/bindCall.ts';
import { AUTO_APPROVE } from '../kernel/policyBook.ts';
import type { WorkState } from '../domain/workState.ts';
import { callOf } from '../domain/workState.ts';
import type { GateKernel, LeaseTerms } from '../kernel/gateKernel.ts';
import type { Clock, Ids } from '../kernel/ports.ts';
import { EffectGuard } from './effectGuard.ts';
import { gateVerb } from './gateVerbs.ts';
import type { Effect, EffectPreparer } from './prepareEffect.ts';
import { effectCallOf } from './prepareEffect.ts';
import { heldError } from './surfaceControl.ts';
import type { SurfaceDirectory, SurfaceEntry } from './surfaceDirectory.ts';
import { BLOCKED } from './workOutcome.ts';
import type { WorkRun } from './workRuns.ts';

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly directory: SurfaceDirectory;
  readonly preparer: EffectPreparer;
  readonly leaseTtlMs: number;
  readonly openSurface: (input: OpenSurfaceInput, by: PrincipalRef) => Promise<SurfaceEntry>;
  /** The effect has been performed: time for a picture. */
  readonly onPerformed: (run: WorkRun, entry: SurfaceEntry) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** It failed and nothing was sent: the lease ends with it. */
class KnownFailure extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, because: string, details: Readonly<Record<string, unknown>>) {
    super(because);
    this.code = code;
    this.details = details;
  }
}

/** Codes by which a surface says that it looked and sent nothing. */
const sentNothing: ReadonlySet<ErrorCode> = new Set([
  'TARGET_GONE',
  'TARGET_CHANGED',
  'TARGET_AMBIGUOUS',
  'NOT_SUPPORTED',
  'INVALID_REQUEST',
  'POLICY_DENIED',
]);

export const stagerOf = (work: WorkState): Principal => ({
  ref: work.staged.principal,
  roles: [],
  surfaces: work.staged.scope,
  tokenId: work.staged.token_id,
});

const approvedBy = (work: {
  readonly policy: WorkState['staged']['policy'];
  readonly principal: PrincipalRef;
}): PrincipalRef | null => {
  const { policy, principal } = work;
  if (policy.policy_id === AUTO_APPROVE) return { type: 'service', id: AUTO_APPROVE };
  if (policy.policy_id !== null) return { type: 'service', id: `policy:${policy.policy_id}` };
  return principal.type === 'agent' ? null : principal;
};

/** Carries out one work item: lease, turn, second look, input, receipt. */
export class EffectPerformer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Terms of the lease of work that a policy, or its sender, allows. */
  terms(staged: Pick<WorkState['staged'], 'policy' | 'principal'>): LeaseTerms {
    const attestation = staged.principal.type === 'agent' ? 'KERNEL_ATTESTED' : 'USER_CONFIRMED';
    return { ttlMs: this.#parts.leaseTtlMs, approvedBy: approvedBy(staged), attestation };
  }

  /** Approved work: its lease is opened now, or it throws because it cannot be tried now. */
  async performApproved(run: WorkRun): Promise<void> {
    const { kernel } = this.#parts;
    const work = await kernel.findWork(run.workId);
    if (work === null || work.status !== 'EXECUTE_PENDING') return;
    const stager = stagerOf(work);
    if (kernel.isPaused() && isAgent(stager)) throw this.#paused(work);
    const fault = this.#faultBeforeLease(run, work, stager);
    if (fault !== null) {
      await kernel.command(run.workId, {
        type: 'void_approval',
        code: 'APPROVAL_VOID',
        because: fault,
        differences: [fault],
      });
      return;
    }
    const by = work.approval?.decision?.by ?? null;
    const terms: LeaseTerms = { ttlMs: this.#parts.leaseTtlMs, approvedBy: by, attestation: 'KERNEL_ATTESTED' };
    const opened = await kernel.openLease(run.workId, terms);
    await this.carryOut(run, opened.work, opened.nonce, true);
  }

  #paused(work: WorkState): SignalboxError {
    return new SignalboxError(
      'PAUSED',
      `All agents are paused. Nothing was sent; call signalbox.await_work with work_id ${work.work_id} after the pause.`,
      { details: { work_id: work.work_id } },
    );
  }

  #faultBeforeLease(run: WorkRun, work: WorkState, stager: Principal): string | null {
    const call = callOf(work);
    if (call.sensitive && this.#secretOf(run, work) === null) {
      return 'The text for the password field was kept in memory only and went with the restart.';
    }
    if (call.surface === null || work.staged.verb === 'signalbox.open_surface') return null;
    const entry = this.#parts.directory.visible(stager).find(({ surface }) => surface.id === call.surface?.id);
    return entry === undefined ? 'The surface is gone.' : null;
  }

  #secretOf(run: WorkRun, work: WorkState): string | null {
    return work.steered === null ? run.secret : run.steeredSecret;
  }

  /** From the open lease to its settlement. Resolves when the end is written down, whatever it is. */
  async carryOut(run: WorkRun, work: WorkState, nonce: string, lookAgain: boolean): Promise<void> {
    const call = callOf(work);
    const effect: Effect = {
      verb: gateVerb(work.staged.verb),
      args: performedArguments(call, this.#secretOf(run, work)),
      principal: stagerOf(work),
      callId: work.staged.call_id,
      signal: run.abort.signal,
    };
    let entry: SurfaceEntry | null = null;
    let guard: EffectGuard | null = null;
    let turn: Disposable | null = null;
    try {
      entry = this.#parts.preparer.entryOf(effect);
      const waits = entry !== null && !entry.turns.free;
      turn = (await entry?.turns.take(this.#parts.leaseTtlMs / 2, run.abort.signal)) ?? null;
      if (entry !== null) this.#begin(entry, work);
      guard = this.#guard(run, effect, call, entry);
      if (lookAgain) await this.#claimStillHolds(effect, call);
      else if (waits) await this.#stillAllowed(effect);
      const settle = this.#settlement(run, work, nonce, guard, entry);
      const receipt = await this.#perform(run, effect, entry, guard, settle);
      if (entry !== null) entry.actions += 1;
      await settle(receipt);
      if (entry !== null) this.#parts.onPerformed(run, entry);
    } catch (error) {
      await this.#writeFailure(run, work, nonce, guard, error);
    } finally {
      turn?.[Symbol.dispose]();
      if (entry !== null && turn !== null) this.#end(entry);
    }
  }

  #begin(entry: SurfaceEntry, work: WorkState): void {
    const since = new Date(this.#parts.clock.now()).toISOString();
    entry.busy = { principal: work.staged.principal, verb: work.staged.verb, since };
    this.#parts.directory.tell(entry);
  }

  #end(entry: SurfaceEntry): void {
    if (entry.turns.free) entry.busy = null;
    this.#parts.directory.tell(entry);
  }

  #guard(run: WorkRun, effect: Effect, call: BoundCall, entry: SurfaceEntry | null): EffectGuard {
    const { kernel, onError } = this.#parts;
    const agent = isAgent(effect.principal);
    const stop = (): SignalboxError | null => {
      if (run.abort.signal.aborted) {
        return new SignalboxError('CANCELLED', String(run.abort.signal.reason), { details: { work_id: run.workId } });
      }
      const holder = entry?.holder ?? null;
      const byHolder = holder !== null && samePrincipal(holder.principal, effect.principal.ref);
      const epochChanged =
        entry !== null && call.binding.surface !== null && entry.epoch !== call.binding.surface.epoch;
      if (entry !== null && (epochChanged || (holder !== null && !byHolder))) return heldError(entry);
      return kernel.isPaused() && agent ? new SignalboxError('PAUSED', 'All agents are paused.') : null;
    };
    return new EffectGuard({ kernel, workId: run.workId, stop, onError });
  }

  /** An approval is a claim about what was seen: anything of it changed, or nothing is sent. */
  async #claimStillHolds(effect: Effect, call: BoundCall): Promise<void> {
    const now = await this.#parts.preparer.prepare(effect).catch((error: unknown) => {
      if (!isSignalboxError(error) || error.code === 'CANCELLED') throw error;
      const { code, message, details } = error;
      throw new KnownFailure('APPROVAL_VOID', message, { differences: [message], cause: { code, message, details } });
    });
    if (now.kind === 'blocked') throw this.#blocked(now.receipt);
    const differences = bindingDifferences(call.binding, now.call.binding);
    if (differences.length === 0) return;
    throw new KnownFailure('APPROVAL_VOID', `Since it was asked, ${differences.join('; ')}.`, { differences });
  }

  /** It waited for its turn behind other actions: what allowed it may no longer. */
  async #stillAllowed(effect: Effect): Promise<void> {
    const now = await this.#parts.preparer.prepare(effect);
    if (now.kind === 'blocked') throw this.#blocked(now.receipt);
    if (isAgent(effect.principal) && now.policy.effect !== 'allow') {
      throw new KnownFailure(
        'SURFACE_BUSY',
        'What came before it changed the surface, and no policy allows it there now. Look again and call again.',
        {},
      );
    }
  }

  #blocked(receipt: Receipt): KnownFailure {
    return new KnownFailure(BLOCKED, `blocked by ${receipt.blocked_by ?? 'something'}`, { receipt });
  }

  #settlement(
    run: WorkRun,
    work: WorkState,
    nonce: string,
    guard: EffectGuard,
    entry: SurfaceEntry | null,
  ): (receipt: Receipt) => Promise<unknown> {
    const began = this.#parts.clock.now();
    return (measured) => {
      const receipt = this.#whole(run, work, measured, began, entry);
      const interrupted = guard.stoppedBy?.code ?? null;
      const { receipt_id } = receipt;
      return this.#parts.kernel.settle(run.workId, { nonce, receipt_id, receipt, sent: guard.sentInputs, interrupted });
    };
  }

  /** Ends with the effect, or with its lease. A receipt that comes after all still settles it, late. */
  async #perform(
    run: WorkRun,
    effect: Effect,
    entry: SurfaceEntry | null,
    guard: EffectGuard,
    settleLate: (receipt: Receipt) => Promise<unknown>,
  ): Promise<Receipt> {
    const performed = this.#send(effect, entry, guard);
    let ended = false;
    const leaseOver = run.done.promise.then((work): never => {
      if (ended) throw new KnownFailure('LEASE_OVER', 'It ended by itself.', {});
      run.abort.abort('The lease expired.');
      performed
        .then(settleLate)
        .catch((error: unknown) => this.#parts.onError(error, `ending ${run.workId} after its lease`));
      throw new KnownFailure('LEASE_OVER', work.ending?.because ?? 'The lease ended first.', {});
    });
    leaseOver.catch(() => undefined);
    const receipt = await Promise.race([performed, leaseOver]).finally(() => {
      ended = true;
    });
    if (receipt.blocked_by !== undefined && guard.sentInputs.length === 0) throw this.#blocked(receipt);
    return receipt;
  }

  async #send(effect: Effect, entry: SurfaceEntry | null, guard: EffectGuard): Promise<Receipt> {
    const { verb, args, principal, callId, signal } = effect;
    const call = effectCallOf(verb.name, args);
    if (entry !== null && call !== null) {
      return entry.surface.perform(call, guard, { signal, principal: principal.ref, callId });
    }
    const stop = guard.stopNow();
    if (stop !== null) throw stop;
    if (entry !== null) {
      await entry.surface.close();
      return {
        changed: true,
        readiness: 'settled',
        effects: [{ kind: 'closed_surface', detail: entry.surface.id, ref: entry.surface.id }],
      };
    }
    const opened = await this.#parts.openSurface(args as unknown as OpenSurfaceInput, principal.ref);
    const { id, label } = opened.surface.describe();
    return { changed: true, readiness: 'settled', effects: [{ kind: 'opened_surface', detail: label ?? id, ref: id }] };
  }

  /** The receipt with what only the gate knows. */
  #whole(
    run: WorkRun,
    work: WorkState,
    receipt: Receipt,
    began: number,
    entry: SurfaceEntry | null,
  ): Receipt & { receipt_id: string } {
    const since = (at: string | undefined): number | undefined =>
      at === undefined ? undefined : Math.max(0, Date.parse(at) - run.arrival);
    const approved = since(work.approval?.decision?.at);
    const offset = began - run.arrival;
    const { acted, settled } = receipt.timing ?? {};
    const note = entry === null ? null : this.#parts.directory.takeNote(entry, stagerOf(work));
    const rationale = work.approval?.decision?.reason ?? null;
    return {
      ...receipt,
      receipt_id: this.#parts.ids.id('rcp'),
      ...(note === null ? {} : { note }),
      timing: {
        queued: since(work.staged_at) ?? 0,
        ...(approved === undefined ? {} : { approved }),
        ...(acted === undefined ? {} : { acted: Math.round(offset + acted) }),
        settled: Math.round(offset + (settled ?? this.#parts.clock.now() - began)),
      },
      ...(work.steered === null
        ? {}
        : {
            steered: {
              proposed: work.staged.call.arguments,
              executed: work.steered.arguments,
              ...(rationale === null ? {} : { rationale }),
            },
          }),
    };
  }

  async #writeFailure(
    run: WorkRun,
    work: WorkState,
    nonce: string,
    guard: EffectGuard | null,
    error: unknown,
  ): Promise<void> {
    const { kernel, ids } = this.#parts;
    const sent = guard?.sentInputs ?? [];
    if (error instanceof KnownFailure && error.code === 'LEASE_OVER') return;
    if (guard?.stoppedBy != null && sent.length > 0) {
      const receipt_id = ids.id('rcp');
      const effects = sent.slice(-5).map((what) => ({ kind: 'command', detail: `sent: ${what}` }) as const);
      const receipt: Receipt = { changed: true, readiness: 'changing', receipt_id, effects };
      await kernel.settle(run.workId, { nonce, receipt_id, receipt, sent, interrupted: guard.stoppedBy.code });
      return;
    }
    const known = error instanceof KnownFailure || (isSignalboxError(error) && sentNothing.has(error.code));
    const unknown = isSignalboxError(error) && error.code === 'OUTCOME_UNKNOWN';
    const settledDoubt = guard === null || !guard.inDoubt || known || guard.stoppedBy !== null;
    const nothingSent = sent.length === 0 && settledDoubt && !unknown;
    if (!nothingSent) {
      const why = isSignalboxError(error) ? error.message : 'Something failed inside Signalbox.';
      if (!isSignalboxError(error)) this.#parts.onError(error, `performing ${run.workId}`);
      await kernel.expireLease(run.workId, `The input was sent, then: ${why}`);
      return;
    }
    const failure = error instanceof KnownFailure || isSignalboxError(error) ? error : internalError(error);
    if (!(error instanceof KnownFailure) && !isSignalboxError(error))
      this.#parts.onError(error, `performing ${run.workId}`);
    await kernel.failLease(run.workId, {
      nonce,
      code: failure.code,
      because: failure.message,
      details: jsonDetails(failure.details),
    });
  }
}

/** Details as they can be written down: an error may carry what JSON cannot. */
const jsonDetails = (details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
