import type { PolicyDecision } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import { isAgent, principalKey, samePrincipal } from '../contracts/principal.ts';
import { entersText, maskText } from '../domain/bindCall.ts';
import { canonicalJson } from '../domain/canonicalJson.ts';
import type { WorkState } from '../domain/workState.ts';
import { sha256Hex } from '../kernel/chainHash.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock, Ids } from '../kernel/ports.ts';
import type { Background } from './background.ts';
import type { CallRecord } from './callRecorder.ts';
import type { CallContext, VerbResult } from './gate.ts';
import type { Arguments, GateVerb } from './gateVerbs.ts';
import type { EffectPerformer } from './performEffect.ts';
import type { EffectPreparer, Prepared } from './prepareEffect.ts';
import { heldError } from './surfaceControl.ts';
import type { SurfaceEntry } from './surfaceDirectory.ts';
import type { PictureRef, SurfacePictures } from './surfacePictures.ts';
import { isOver, resultOf } from './workOutcome.ts';
import type { WorkRun, WorkRuns } from './workRuns.ts';

/** An earlier picture still shows the surface as it is, when nothing was performed since and it is this young. */
const PICTURE_AGE_MS = 10_000;

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly preparer: EffectPreparer;
  readonly performer: EffectPerformer;
  readonly runs: WorkRuns;
  readonly pictures: SurfacePictures;
  readonly approvalTtlMs: number;
  readonly waitBudgetMs: number;
  readonly background: Background;
  readonly onError: (error: unknown, doing: string) => void;
}

export interface EffectRequest {
  readonly verb: GateVerb;
  readonly args: Arguments;
  readonly entry: SurfaceEntry | null;
  readonly ctx: CallContext;
  readonly callId: string;
  readonly arrival: number;
  readonly record: CallRecord;
}

type Staged =
  { readonly kind: 'run'; readonly run: WorkRun } | { readonly kind: 'answer'; readonly result: VerbResult };

/** The path of a verb that acts: checks, staging, joining, waiting. */
export class EffectFlow {
  readonly #parts: Parts;
  /** Calls on their way to being staged, so that an identical one waits for them instead of racing. */
  readonly #staging = new Map<string, Promise<unknown>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async call(request: EffectRequest): Promise<VerbResult> {
    await this.#checkThread(request);
    this.#checkSurface(request);
    const staged = await this.#stageOnce(request);
    if (staged.kind === 'answer') return staged.result;
    const { run } = staged;
    request.record.isOf(run.workId);
    const isFirst = run.record === request.record;
    try {
      const waitMs = request.ctx.waitBudgetMs ?? this.#parts.waitBudgetMs;
      return resultOf(await this.#parts.runs.attach(run, request.ctx, waitMs));
    } finally {
      if (isFirst) run.attended = false;
    }
  }

  /** An unknown outcome blocks its agent until a person has said what became of it. Users have no thread. */
  async #checkThread({ ctx }: EffectRequest): Promise<void> {
    if (!isAgent(ctx.principal)) return;
    const blocking = await this.#parts.kernel.blockingLease(ctx.principal.ref);
    if (blocking === null) return;
    const { work, nonce } = blocking;
    throw new SignalboxError(
      'UNSETTLED_LEASE',
      `Nobody knows whether an earlier ${work.staged.verb} happened (work ${work.work_id}). Nothing was sent. A person must say what became of it first; reading goes on.`,
      {
        details: {
          blocking_work_id: work.work_id,
          blocking_invocation_id: work.lease?.invocation_id ?? null,
          required_nonce: nonce,
        },
      },
    );
  }

  #checkSurface({ ctx, entry }: EffectRequest): void {
    if (this.#parts.kernel.isPaused() && isAgent(ctx.principal)) {
      throw new SignalboxError('PAUSED', 'All agents are paused. Nothing was sent; reading goes on. Try again later.');
    }
    if (entry?.holder != null && !samePrincipal(entry.holder.principal, ctx.principal.ref)) throw heldError(entry);
  }

  /** Two identical calls at the same moment stage once. */
  async #stageOnce(request: EffectRequest): Promise<Staged> {
    const { verb, args, ctx } = request;
    const owner = `${principalKey(ctx.principal.ref)} ${verb.name}`;
    const key = args['idempotency_key'];
    const place = typeof key === 'string' ? `${owner} key ${key}` : `${owner} ${canonicalJson(args)}`;
    for (let before = this.#staging.get(place); before !== undefined; before = this.#staging.get(place)) {
      await before.catch(() => undefined);
    }
    const staging = this.#joinOrStage(request);
    this.#staging.set(place, staging);
    try {
      return await staging;
    } finally {
      this.#staging.delete(place);
    }
  }

  async #joinOrStage(request: EffectRequest): Promise<Staged> {
    const key = request.args['idempotency_key'];
    const joined = typeof key === 'string' ? await this.#underKey(request, key) : await this.#identical(request);
    if (joined !== null) return joined;
    const { verb, args, ctx, callId } = request;
    const prepared = await this.#parts.preparer.prepare({
      verb,
      args,
      principal: ctx.principal,
      callId,
      signal: ctx.signal,
    });
    if (prepared.kind === 'blocked') return { kind: 'answer', result: { output: { ...prepared.receipt } } };
    request.record.reads(prepared.call.arguments, prepared.call.target);
    if (ctx.signal.aborted) throw new SignalboxError('CANCELLED', 'Cancelled before anything was asked or sent.');
    return this.#stage(request, prepared);
  }

  /** Recorded arguments differ from those given only where text was masked. */
  #sameArguments(work: WorkState, request: EffectRequest): boolean {
    const { verb, args } = request;
    if (work.staged.arguments_hash === argumentsHash(args)) return true;
    if (!entersText(verb.name, args) || !work.staged.call.sensitive) return false;
    const secret = this.#parts.runs.get(work.work_id)?.secret ?? null;
    const sameText = secret === null ? isOver(work) : secret === args['value'];
    return sameText && work.staged.arguments_hash === argumentsHash(maskText(args));
  }

  async #underKey(request: EffectRequest, key: string): Promise<Staged | null> {
    const { ctx, verb } = request;
    const work = await this.#parts.kernel.underKey(ctx.principal.ref, verb.name, key);
    if (work === null) return null;
    if (!this.#sameArguments(work, request)) {
      const message = `The key ${key} was used for other arguments (work ${work.work_id}). Take a new key for a new action.`;
      throw new SignalboxError('INVALID_REQUEST', message, {
        details: { issues: [{ path: 'idempotency_key', message: 'Used for other arguments.' }], work_id: work.work_id },
      });
    }
    if (!isOver(work)) return { kind: 'run', run: this.#parts.runs.adopt(work) };
    if (work.status !== 'EXECUTE_COMPLETED') return null;
    request.record.isOf(work.work_id);
    request.record.reads(work.staged.call.arguments, work.staged.call.target);
    return { kind: 'answer', result: resultOf(work) };
  }

  /** A retry of what still waits for a person, or for its caller, joins it. What is being performed is another matter. */
  async #identical(request: EffectRequest): Promise<Staged | null> {
    const { ctx, verb, args } = request;
    const hashes = entersText(verb.name, args)
      ? [argumentsHash(args), argumentsHash(maskText(args))]
      : [argumentsHash(args)];
    for (const hash of hashes) {
      const work = await this.#parts.kernel.identicalOpen(ctx.principal.ref, verb.name, hash);
      if (work === null || !this.#sameArguments(work, request)) continue;
      const run = this.#parts.runs.adopt(work);
      request.record.reads(work.staged.call.arguments, work.staged.call.target);
      if (!run.over) return { kind: 'run', run };
    }
    return null;
  }

  async #stage(request: EffectRequest, prepared: Prepared): Promise<Staged> {
    const { kernel, ids, runs, performer, approvalTtlMs } = this.#parts;
    const { verb, ctx, callId, arrival, record, args } = request;
    const { call, policy, entry } = prepared;
    const picture = await this.#before(request, policy, entry);
    const workId = ids.id('work');
    const run = runs.create(workId, arrival, ctx.principal.tokenId);
    run.secret = prepared.secret;
    run.record = record;
    run.attended = true;
    const key = args['idempotency_key'];
    const staged: WorkState['staged'] = {
      principal: ctx.principal.ref,
      token_id: ctx.principal.tokenId,
      scope: ctx.principal.surfaces === null ? null : [...ctx.principal.surfaces],
      client: ctx.client,
      call_id: callId,
      verb: verb.name,
      call,
      arguments_hash: argumentsHash(call.arguments),
      idempotency_key: typeof key === 'string' ? key : null,
      policy,
    };
    try {
      const lease = performer.terms(staged);
      const { work, nonce } = await kernel.stage({
        workId,
        staged,
        approval: { ttlMs: approvalTtlMs, picture },
        lease,
      });
      if (nonce !== null) runs.start(run, () => performer.carryOut(run, work, nonce, false));
      else if (!isOver(work)) await this.#voidIfTaken(workId, call.binding.surface?.epoch ?? null, entry);
    } catch (error) {
      runs.drop(run);
      throw error;
    }
    return { kind: 'run', run };
  }

  /** Somebody took control while it was being staged: it is not left waiting on a surface in their hands. */
  async #voidIfTaken(workId: string, epoch: number | null, entry: SurfaceEntry | null): Promise<void> {
    if (entry === null || entry.epoch === epoch) return;
    const because = 'A person took control of the surface.';
    const command = { type: 'void_approval', code: 'CONTROLLED_BY_HUMAN', because, differences: [because] } as const;
    await this.#parts.kernel
      .command(workId, command)
      .catch((error: unknown) => this.#parts.onError(error, `voiding ${workId}`));
  }

  /** What the card shows is waited for; what only the trace shows is not. */
  async #before(
    request: EffectRequest,
    policy: PolicyDecision,
    entry: SurfaceEntry | null,
  ): Promise<PictureRef | null> {
    const { pictures, background } = this.#parts;
    if (entry === null || policy.effect === 'deny') return null;
    const { record } = request;
    if (policy.effect === 'require_approval') {
      const picture = await pictures.take(entry);
      if (picture !== null) record.hasPicture('before', picture.sha256);
      return picture;
    }
    const recent = pictures.recent(entry, PICTURE_AGE_MS);
    if (recent !== null) {
      record.hasPicture('before', recent.sha256);
      return recent;
    }
    const kept = pictures
      .take(entry)
      .then((picture) => (picture === null ? undefined : record.picture('before', picture.sha256)));
    background.run(kept, 'keeping the picture before an action');
    return null;
  }
}

const argumentsHash = (args: Arguments): string => sha256Hex(canonicalJson(args));
