import type {
  ApprovalDecisionInput,
  ApprovalStatus,
  ApprovalView,
  ControlInput,
  HumanInput,
  LeaseResolutionInput,
  LeaseView,
  SurfaceView,
} from '../contracts/console.ts';
import { SignalboxError, internalError, isSignalboxError } from '../contracts/errors.ts';
import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import { awaitWorkInput } from '../contracts/ownTools.ts';
import { parseOrThrow } from '../contracts/parse.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import { mayApprove, principalKey, samePrincipal } from '../contracts/principal.ts';
import type { WorkState } from '../domain/workState.ts';
import { callOf } from '../domain/workState.ts';
import { leaseView } from '../domain/workViews.ts';
import type { PlacedEvent } from '../kernel/eventStore.ts';
import type { LiveFrame, Picture, Surface } from '../kernel/ports.ts';
import { ApprovalDesk } from './approvalDesk.ts';
import { Background } from './background.ts';
import { CallRecord, systemViewer } from './callRecorder.ts';
import type { GateOptions } from './createGate.ts';
import { EffectFlow } from './effectFlow.ts';
import type { CallContext, Gate, GateNote, VerbResult } from './gate.ts';
import type { Arguments, GateVerb } from './gateVerbs.ts';
import { gateVerb, parseArguments, requireFacet } from './gateVerbs.ts';
import { PendingCounts } from './pendingCounts.ts';
import { EffectPerformer } from './performEffect.ts';
import { EffectPreparer } from './prepareEffect.ts';
import { ReadVerbs, refusePrivate } from './readVerbs.ts';
import { SurfaceControl } from './surfaceControl.ts';
import type { SurfaceEntry } from './surfaceDirectory.ts';
import { SurfaceDirectory } from './surfaceDirectory.ts';
import { SurfacePictures } from './surfacePictures.ts';
import { isOver, resultOf } from './workOutcome.ts';
import type { WorkRun } from './workRuns.ts';
import { WorkRuns } from './workRuns.ts';

type Settings = Required<Omit<GateOptions, 'initialSurfaces' | 'onBackgroundError'>> & {
  readonly onError: (error: unknown, doing: string) => void;
};

const AWAIT_WORK: Pick<GateVerb, 'name' | 'readOnly'> = { name: 'signalbox.await_work', readOnly: true };

/** The parts put together; every method is short, the rules are in the parts. */
export class SignalGate implements Gate {
  readonly #settings: Settings;
  readonly #listeners = new Set<(note: GateNote) => void>();
  readonly #subscriptions: Disposable[] = [];
  readonly #background: Background;
  readonly #pending: PendingCounts;
  readonly #directory: SurfaceDirectory;
  readonly #control: SurfaceControl;
  readonly #pictures: SurfacePictures;
  readonly #runs: WorkRuns;
  readonly #flow: EffectFlow;
  readonly #reads: ReadVerbs;
  readonly #desk: ApprovalDesk;
  readonly #emit = (note: GateNote): void => {
    for (const listener of this.#listeners) listener(note);
  };

  constructor(settings: Settings) {
    this.#settings = settings;
    const { kernel, clock, ids, artifacts, providers, onError, leaseTtlMs, absentTtlMs } = settings;
    const emit = this.#emit;
    this.#pending = new PendingCounts();
    const pendingOn = (surfaceId: string): number => this.#pending.on(surfaceId);
    const background = new Background(onError);
    this.#background = background;
    const directory = new SurfaceDirectory({ kernel, clock, emit, pendingOn, background });
    this.#directory = directory;
    this.#control = new SurfaceControl({ kernel, clock, directory });
    this.#pictures = new SurfacePictures({ artifacts, clock, onError });
    const preparer = new EffectPreparer(kernel, directory, new Set(providers.map(({ kind }) => kind)));
    const performer = new EffectPerformer({
      kernel,
      clock,
      ids,
      directory,
      preparer,
      leaseTtlMs,
      onError,
      openSurface: (input, by) => this.#open(input, by),
      onPerformed: (run, entry) => this.#pictureAfter(run, entry),
    });
    this.#runs = new WorkRuns({
      kernel,
      clock,
      absentTtlMs,
      background,
      onError,
      perform: (run) => performer.performApproved(run),
      onUnattendedEnd: (run, work) => this.#writeUnattended(run, work),
    });
    const { approvalTtlMs, waitBudgetMs } = settings;
    const shared = {
      kernel,
      clock,
      ids,
      preparer,
      performer,
      runs: this.#runs,
      pictures: this.#pictures,
      background,
      onError,
    };
    this.#flow = new EffectFlow({ ...shared, approvalTtlMs, waitBudgetMs });
    this.#reads = new ReadVerbs({ kernel, directory });
    this.#desk = new ApprovalDesk({ kernel, clock, preparer, runs: this.#runs });
  }

  async start(initialSurfaces: readonly OpenSurfaceInput[]): Promise<void> {
    const { kernel, providers, onError } = this.#settings;
    for (const work of await kernel.openApprovals()) {
      this.#runs.adopt(work);
      this.#pending.load(work);
    }
    this.#subscriptions.push(kernel.subscribe((placed) => this.#see(placed)));
    for (const provider of providers) {
      this.#subscriptions.push(
        provider.onOpened((surface) => {
          this.#background.run(this.#directory.add(surface, null), `listing ${surface.id}`);
        }),
      );
    }
    for (const input of initialSurfaces) {
      await this.#open(input, null).catch((error: unknown) =>
        onError(error, `opening the first ${input.kind} surface`),
      );
    }
  }

  #see(placed: PlacedEvent): void {
    const { event, seq } = placed;
    const surfaceId = this.#pending.see(event);
    this.#runs.see(event);
    if (event.event_type === 'token.revoked') this.#runs.seeRevocation(event);
    this.#emit({ type: 'event', seq, event });
    if (surfaceId !== null) this.#directory.tellOf(surfaceId);
  }

  async #open(input: OpenSurfaceInput, by: PrincipalRef | null): Promise<SurfaceEntry> {
    const provider = this.#settings.providers.find(({ kind }) => kind === input.kind);
    if (provider === undefined) {
      throw new SignalboxError('NOT_SUPPORTED', `No ${input.kind} surface can be opened here.`);
    }
    const surface: Surface = await provider.open(input);
    return this.#directory.add(surface, by);
  }

  // ---- verbs ------------------------------------------------------------------------------------

  async call(name: string, args: unknown, ctx: CallContext): Promise<VerbResult> {
    const { kernel, clock, ids } = this.#settings;
    const arrival = clock.now();
    const verb = gateVerb(name);
    const parsed = parseArguments(verb, args);
    const entry = this.#entryOf(verb, parsed, ctx.principal);
    if (entry !== null) requireFacet(verb, entry.surface);
    const callId = ids.id('call');
    const record = await CallRecord.start({ kernel, clock, emit: this.#emit }, { callId, verb, args: parsed, ctx });
    const request = { verb, args: parsed, entry, ctx, callId };
    return this.#recorded(record, async () => {
      if (verb.readOnly) return this.#reads.call(request);
      if (entry !== null) this.#directory.noteAgent(entry, ctx.principal);
      return this.#asDeclared(verb, await this.#flow.call({ ...request, arrival, record }), ctx.principal);
    });
  }

  async look(args: unknown, ctx: CallContext): Promise<VerbResult> {
    const verb = gateVerb('operator.perceive');
    const parsed = parseArguments(verb, args);
    const entry = this.#entryOf(verb, parsed, ctx.principal);
    return this.#reads.call({ verb, args: parsed, entry, ctx, callId: this.#settings.ids.id('call') });
  }

  #entryOf(verb: GateVerb, args: Arguments, principal: Principal): SurfaceEntry | null {
    const surfaceId = args['surface_id'];
    return 'surface_id' in verb.input.shape && typeof surfaceId === 'string'
      ? this.#directory.find(surfaceId, principal)
      : null;
  }

  /** Ours answer in their own form; on the record they have receipts like every effect. */
  #asDeclared(verb: GateVerb, result: VerbResult, principal: Principal): VerbResult {
    if (result.output['blocked_by'] !== undefined) return result;
    if (verb.name === 'signalbox.close_surface') return { output: { closed: true } };
    if (verb.name !== 'signalbox.open_surface') return result;
    const effects = result.output['effects'] as readonly { readonly ref?: string }[] | undefined;
    const entry = this.#directory.find(String(effects?.[0]?.ref), { ...principal, surfaces: null });
    return { output: { surface: this.#directory.object(entry, principal) } };
  }

  async #recorded(record: CallRecord, work: () => Promise<VerbResult>): Promise<VerbResult> {
    try {
      const result = await work();
      await record.succeeded(result);
      return result;
    } catch (thrown) {
      const error = isSignalboxError(thrown) ? thrown : internalError(thrown);
      if (error.code === 'INTERNAL') this.#settings.onError(error.cause ?? error, `answering ${record.view.verb}`);
      await record.failed(error);
      throw error;
    }
  }

  async awaitWork(args: unknown, ctx: CallContext): Promise<VerbResult> {
    const { kernel, clock, ids } = this.#settings;
    const { work_id, wait_ms } = parseOrThrow(awaitWorkInput, args ?? {}, 'arguments of signalbox.await_work');
    const work = await kernel.findWork(work_id);
    if (work === null || !samePrincipal(work.staged.principal, ctx.principal.ref)) {
      const issues = [{ path: 'work_id', message: 'No work of yours has this id.' }];
      throw new SignalboxError('INVALID_REQUEST', `You have no work ${work_id}.`, { details: { issues } });
    }
    const parts = { kernel, clock, emit: this.#emit };
    const callId = ids.id('call');
    const record = await CallRecord.start(parts, { callId, verb: AWAIT_WORK, args: { work_id, wait_ms }, ctx });
    record.isOf(work_id);
    return this.#recorded(record, async () => {
      if (isOver(work)) return resultOf(work);
      return resultOf(await this.#runs.attach(this.#runs.adopt(work), ctx, ctx.waitBudgetMs ?? wait_ms));
    });
  }

  /** The line of a call whose caller left before its end. */
  async #recordOf(run: WorkRun, callId: string): Promise<CallRecord> {
    const { kernel, clock } = this.#settings;
    run.record ??= CallRecord.resume({ kernel, clock, emit: this.#emit }, await kernel.call(callId, systemViewer));
    return run.record;
  }

  async #writeUnattended(run: WorkRun, work: WorkState): Promise<void> {
    const record = await this.#recordOf(run, work.staged.call_id);
    const call = callOf(work);
    record.reads(call.arguments, call.target);
    try {
      await record.succeeded(resultOf(work));
    } catch (error) {
      if (!isSignalboxError(error)) throw error;
      await record.failed(error);
    }
  }

  #pictureAfter(run: WorkRun, entry: SurfaceEntry): void {
    if (entry.gone) return;
    const { kernel } = this.#settings;
    const keep = async (): Promise<void> => {
      const picture = await this.#pictures.take(entry);
      const work = picture === null ? null : await kernel.findWork(run.workId);
      if (picture === null || work === null) return;
      await (await this.#recordOf(run, work.staged.call_id)).picture('after', picture.sha256);
    };
    this.#background.run(keep(), `keeping the picture after ${run.workId}`);
  }

  // ---- surfaces ---------------------------------------------------------------------------------

  surfaces(principal: Principal): readonly SurfaceView[] {
    return this.#directory.visible(principal).map((entry) => this.#directory.view(entry, principal));
  }

  surface(surfaceId: string, principal: Principal): SurfaceView {
    return this.#directory.view(this.#directory.find(surfaceId, principal), principal);
  }

  async openSurface(input: OpenSurfaceInput, principal: Principal): Promise<SurfaceView> {
    const { output } = await this.call('signalbox.open_surface', input, byHand(principal));
    return this.surface((output['surface'] as { id: string }).id, principal);
  }

  async closeSurface(surfaceId: string, principal: Principal): Promise<void> {
    await this.call('signalbox.close_surface', { surface_id: surfaceId }, byHand(principal));
  }

  async control(surfaceId: string, input: ControlInput, principal: Principal): Promise<SurfaceView> {
    const entry = this.#directory.find(surfaceId, principal);
    await this.#control.apply(entry, input, principal);
    return this.#directory.view(entry, principal);
  }

  async input(surfaceId: string, input: HumanInput, principal: Principal): Promise<void> {
    const entry = this.#directory.find(surfaceId, principal);
    if (entry.holder === null || !samePrincipal(entry.holder.principal, principal.ref)) {
      throw new SignalboxError(
        'FORBIDDEN',
        `${principalKey(principal.ref)} does not have control of ${surfaceId}: take it first.`,
      );
    }
    await entry.surface.input(input);
  }

  async picture(surfaceId: string, principal: Principal): Promise<Picture> {
    const entry = this.#directory.find(surfaceId, principal);
    refusePrivate(entry, principal);
    const callId = this.#settings.ids.id('call');
    const ctx = { signal: new AbortController().signal, principal: principal.ref, callId };
    const picture = await entry.surface.capture(ctx);
    refusePrivate(entry, principal);
    return picture;
  }

  watch(surfaceId: string, principal: Principal, onFrame: (frame: LiveFrame, done: () => void) => void): Disposable {
    const entry = this.#directory.find(surfaceId, principal);
    refusePrivate(entry, principal);
    return entry.surface.watch((frame, done) => {
      // Somebody may go private while others watch: their frames stop, the stream does not.
      if (SurfaceDirectory.hides(entry, principal)) done();
      else onFrame(frame, done);
    });
  }

  // ---- people -----------------------------------------------------------------------------------

  approvals(principal: Principal, status: ApprovalStatus | 'all', limit: number): Promise<readonly ApprovalView[]> {
    return this.#desk.list(principal, status, limit);
  }

  approval(approvalId: string, principal: Principal): Promise<ApprovalView> {
    return this.#desk.one(approvalId, principal);
  }

  decide(approvalId: string, input: ApprovalDecisionInput, principal: Principal): Promise<ApprovalView> {
    return this.#desk.decide(approvalId, input, principal);
  }

  async resolveLease(workId: string, input: LeaseResolutionInput, principal: Principal): Promise<LeaseView> {
    if (!mayApprove(principal)) {
      throw new SignalboxError(
        'FORBIDDEN',
        `${principalKey(principal.ref)} may not resolve outcomes: that takes the approver role.`,
      );
    }
    const { kernel } = this.#settings;
    if ((await kernel.findWork(workId))?.lease == null)
      throw new SignalboxError('NOT_FOUND', `There is no lease of work ${workId}.`);
    const work = await kernel.resolveLease(workId, { ...input, by: principal.ref });
    const view = leaseView(work, { nonce: null, sent: [] });
    if (view === null) throw new SignalboxError('NOT_FOUND', `There is no lease of work ${workId}.`);
    return view;
  }

  subscribe(listener: (note: GateNote) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async close(): Promise<void> {
    await this.#runs.stop();
    await this.#background.idle();
    for (const subscription of this.#subscriptions.splice(0)) subscription[Symbol.dispose]();
    this.#runs.close();
    this.#directory.close();
    this.#listeners.clear();
  }
}

/** A person's own call through the console: no client program, nobody to cancel it. */
const byHand = (principal: Principal): CallContext => ({
  principal,
  client: 'console',
  signal: new AbortController().signal,
});
