import type { HumanInput } from '../../contracts/console.ts';
import type {
  Effect,
  FacetId,
  PerceiveInput,
  PerceiveOutput,
  Readiness,
  Receipt,
  SettleInput,
  SettleOutput,
} from '../../contracts/operatorClass.ts';
import { principalKey } from '../../contracts/principal.ts';
import type {
  EffectCall,
  InputGuard,
  LiveFrame,
  Picture,
  Preflight,
  Surface,
  SurfaceContext,
  SurfaceDescription,
} from '../../kernel/ports.ts';
import { createListeners } from '../common/listeners.ts';
import { planAct } from './actPlan.ts';
import type { ActPlan } from './actPlan.ts';
import type { Blocked } from './aim.ts';
import { HumanHand } from './humanInput.ts';
import { waitOn } from './interruptible.ts';
import { LiveView } from './liveView.ts';
import { takeLateEffects } from './measure.ts';
import type { Measure } from './measure.ts';
import { navigatePage } from './navigatePage.ts';
import { checkedAddress } from './networkGuard.ts';
import type { NetworkGuard } from './networkGuard.ts';
import type { PageDocument } from './pageDocument.ts';
import { VIEWPORT } from './pageHost.ts';
import type { PageHost } from './pageHost.ts';
import { PageReader, whileAlive } from './pageReader.ts';
import { takePicture, takeSnapshot } from './pictures.ts';
import { Readings } from './readings.ts';
import { blockedReceipt } from './receipts.ts';
import { blockedByDialog, runInput } from './runInput.ts';
import type { InputOutcome } from './runInput.ts';
import { settlePage } from './settlePage.ts';
import { noApplications, surfaceClosed, surfaceGone } from './surfaceErrors.ts';

const INPUT_MS = 2_000;
/** Navigations wait longer for the document than acts do. */
const NAVIGATE_LIMITS = { quietMs: 8_000, loadMs: 8_000 };
/** For a server to send its first bytes. */
const COMMIT_MS = 15_000;

export interface BrowserSurfaceOptions {
  readonly id: string;
  readonly label: string;
  readonly opener?: string;
  readonly badges: readonly string[];
  readonly guard: NetworkGuard;
  readonly uploads: string | null;
  /** First address; also where a page that crashed is opened again. */
  readonly address: string;
  /** Makes a live page, for first use and after a crash. */
  readonly openPage: () => Promise<PageHost>;
  /** The surface is over: its context may go. */
  readonly onGone: () => void;
}

/** One tab, worked by agents and watched by people. Its browser starts when it is first used. */
export class BrowserSurface implements Surface {
  readonly id: string;
  readonly kind = 'browser';
  readonly facets: readonly FacetId[] = ['operator/browser@1', 'operator/screenshot@1'];
  readonly #options: BrowserSurfaceOptions;
  readonly #changes = createListeners<void>();
  readonly #live = new LiveView();
  readonly #readings = new Readings();
  readonly #reader = new PageReader(this.#readings);
  readonly #hand = new HumanHand();
  #host: PageHost | null = null;
  #opening: Promise<PageHost> | null = null;
  #state: SurfaceDescription['state'] = 'idle';
  #generation = 1;
  #address: string;
  #title: string | null = null;
  #acting = 0;
  #heldUp: Measure | null = null;
  #changeQueued = false;

  constructor(options: BrowserSurfaceOptions) {
    this.id = options.id;
    this.#options = options;
    this.#address = options.address;
  }

  // ---- what it says of itself -------------------------------------------------------------------

  describe(): SurfaceDescription {
    const { label, opener, badges } = this.#options;
    return {
      id: this.id,
      kind: 'browser',
      label,
      address: this.#address,
      facets: [...this.facets],
      readiness: this.#readiness(),
      generation: this.#generation,
      size: { ...VIEWPORT },
      state: this.#state,
      ...(this.#title !== null && { title: this.#title }),
      ...(opener !== undefined && { opener }),
      badges: [...badges],
      live: this.#state === 'ready',
    };
  }

  onChange(listener: () => void): Disposable {
    return this.#changes.add(listener);
  }

  #readiness(): Readiness {
    return this.#acting > 0 && this.#host?.loading !== true ? 'changing' : this.#restingReadiness();
  }

  /** As far as nothing is being done to it. */
  #restingReadiness(): Readiness {
    if (this.#host?.loading === true) return 'loading';
    return this.#host?.dialogs.open == null ? 'settled' : 'changing';
  }

  /** Many changes of one moment are told once. */
  #changed(): void {
    if (this.#changeQueued) return;
    this.#changeQueued = true;
    setImmediate(() => {
      this.#changeQueued = false;
      this.#changes.tell();
    });
  }

  // ---- life -------------------------------------------------------------------------------------

  /** Takes over a page that opened by itself. */
  adopt(host: PageHost): void {
    this.#host = host;
    this.#state = 'ready';
    host.onChange.add(() => this.#follow(host));
    host.onEnd.add((end) => this.#pageEnded(host, end));
    this.#live.show(host);
    this.#follow(host);
  }

  /** The live page, started when there is none. */
  async #page(): Promise<PageHost> {
    if (this.#state === 'gone') {
      throw surfaceClosed(this.id);
    }
    if (this.#host !== null) return this.#host;
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<PageHost> {
    this.#state = 'launching';
    this.#changed();
    try {
      const host = await this.#options.openPage();
      if ((this.#state as SurfaceDescription['state']) === 'gone') {
        await host.target.close();
        throw surfaceGone();
      }
      const address = this.#address;
      this.adopt(host);
      if (address !== 'about:blank') await this.#goTo(host, address);
      await host.readTitle();
      host.effects.take();
      return host;
    } catch (error) {
      if (this.#state === 'launching') this.#state = 'failed';
      throw error;
    } finally {
      this.#opening = null;
      this.#changed();
    }
  }

  /** The first address, or the one before a crash. That it fails is seen on the page. */
  async #goTo(host: PageHost, address: string): Promise<void> {
    await waitOn(host, host.session.send('Page.navigate', { url: address }), COMMIT_MS);
    const mark = { requests: host.requests.mark(), loads: host.loads - 1 };
    try {
      await settlePage(host, mark, () => mainDocuments(host), NAVIGATE_LIMITS);
    } finally {
      host.requests.release();
    }
  }

  #follow(host: PageHost): void {
    if (this.#host !== host) return;
    if (host.url !== '') this.#address = host.url;
    this.#title = host.title === '' ? null : host.title;
    this.#changed();
  }

  #pageEnded(host: PageHost, end: 'closed' | 'crashed' | 'browser_gone'): void {
    if (this.#host !== host) return;
    this.#host = null;
    this.#heldUp = null;
    this.#reader.forget();
    this.#live.show(null);
    if (end === 'closed') {
      this.#end();
      return;
    }
    // A dead page is opened again, as a new generation, when it is next used.
    this.#generation += 1;
    this.#state = 'idle';
    if (end === 'crashed') void host.target.close();
    this.#changed();
    if (this.#live.watched) void this.#page().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#state === 'gone') return;
    const host = this.#host;
    this.#host = null;
    this.#live.show(null);
    this.#end();
    await host?.target.close();
  }

  #end(): void {
    this.#state = 'gone';
    this.#options.onGone();
    this.#changed();
  }

  // ---- reading ----------------------------------------------------------------------------------

  async perceive(input: PerceiveInput, ctx: SurfaceContext): Promise<PerceiveOutput> {
    const host = await this.#page();
    const reader = principalKey(ctx.principal);
    return this.#reader.perceive(host, input, reader, this.#generation, () => this.#readiness());
  }

  async settle(input: SettleInput): Promise<SettleOutput> {
    const host = await this.#page();
    // Everything counts: nothing was begun by an act here.
    const mark = { requests: host.requests.mark(), loads: -1 };
    const limits = { quietMs: input.wait_ms, loadMs: input.wait_ms };
    let readiness: Readiness;
    try {
      readiness = await settlePage(host, mark, () => mainDocuments(host), limits);
    } finally {
      host.requests.release();
    }
    const late =
      host.dialogs.open === null && host.end === null ? await whileAlive(host, () => takeLateEffects(host)) : [];
    const effects = late === 'dialog' ? [] : late;
    return { readiness, ...(effects.length > 0 && { late_effects: effects }) };
  }

  async capture(): Promise<Picture> {
    const host = await this.#page();
    return takePicture(host);
  }

  async snapshot(): Promise<Picture | null> {
    if (this.#host === null) return null;
    const { last } = this.#live;
    if (last !== null) return { bytes: last.bytes, mediaType: last.mediaType, width: last.width, height: last.height };
    return takeSnapshot(this.#host);
  }

  watch(onFrame: (frame: LiveFrame, done: () => void) => void): Disposable {
    const watching = this.#live.watch(onFrame);
    // Whoever watches sees by the state that it could not be started.
    if (this.#state !== 'gone') void this.#page().catch(() => undefined);
    return watching;
  }

  async input(input: HumanInput): Promise<void> {
    const host = await this.#page();
    await waitOn(host, this.#hand.send(host, input), INPUT_MS);
  }

  // ---- effects ----------------------------------------------------------------------------------

  async preflight(call: EffectCall, ctx: SurfaceContext): Promise<Preflight> {
    if (call.verb === 'operator.navigate') {
      checkedAddress(call.args.url, this.#options.guard);
      await this.#page();
      return { kind: 'ready', reading: null, address: this.#address, generation: this.#generation };
    }
    if (call.verb === 'operator.focus_app') throw noApplications();
    const host = await this.#page();
    const plan = await this.#plan(host, call, ctx);
    if (plan.kind === 'blocked')
      return { kind: 'blocked', receipt: blockedReceipt(plan.blockedBy, this.#restingReadiness()) };
    if (plan.reading !== null) this.#readings.keep(plan.reading);
    return { kind: 'ready', reading: plan.reading, address: this.#address, generation: this.#generation };
  }

  async perform(call: EffectCall, guard: InputGuard, ctx: SurfaceContext): Promise<Receipt> {
    if (call.verb === 'operator.focus_app') throw noApplications();
    const url = call.verb === 'operator.navigate' ? checkedAddress(call.args.url, this.#options.guard) : null;
    const host = await this.#page();
    this.#acting += 1;
    try {
      if (call.verb === 'operator.navigate') return await this.#navigate(host, url ?? '', guard, ctx);
      return await this.#act(host, call, guard, ctx);
    } finally {
      this.#acting -= 1;
      this.#changed();
    }
  }

  async #plan(
    host: PageHost,
    call: Extract<EffectCall, { verb: 'operator.act' }>,
    ctx: SurfaceContext,
  ): Promise<ActPlan | Blocked> {
    const context = {
      host,
      reader: principalKey(ctx.principal),
      uploads: this.#options.uploads,
      readings: this.#readings,
    };
    const plan = (): Promise<ActPlan | Blocked> => planAct(context, call.args);
    // With a dialog open nothing is asked of the page.
    if (host.dialogs.open !== null) return plan();
    const planned = await whileAlive(host, plan);
    return planned === 'dialog' ? plan() : planned;
  }

  async #act(
    host: PageHost,
    call: Extract<EffectCall, { verb: 'operator.act' }>,
    guard: InputGuard,
    ctx: SurfaceContext,
  ): Promise<Receipt> {
    const plan = await this.#plan(host, call, ctx);
    if (plan.kind === 'blocked') return blockedReceipt(plan.blockedBy, this.#restingReadiness());
    const resumed = plan.toDialog ? this.#heldUp : null;
    const outcome = await runInput({
      host,
      guard,
      ctx,
      reader: principalKey(ctx.principal),
      target: plan.target,
      withValue: plan.withValue,
      run: plan.run,
      answering: plan.toDialog,
      ...(plan.afterwards !== undefined && { afterwards: plan.afterwards }),
      ...(resumed !== null && { resumed }),
    });
    return this.#keep(outcome);
  }

  async #navigate(host: PageHost, url: string, guard: InputGuard, ctx: SurfaceContext): Promise<Receipt> {
    if (host.dialogs.open !== null) return blockedByDialog(host);
    const outcome = await runInput({
      host,
      guard,
      ctx,
      reader: principalKey(ctx.principal),
      target: null,
      limits: NAVIGATE_LIMITS,
      takenMs: COMMIT_MS,
      run: (sender) => navigatePage(host, url, sender),
    });
    return this.#keep(outcome);
  }

  #keep({ receipt, reading, heldUp }: InputOutcome): Receipt {
    this.#heldUp = heldUp ?? null;
    if (reading !== undefined) this.#readings.keep(reading);
    return receipt;
  }

  /** Something that happened to this surface from outside, e.g. a tab it opened. */
  note(effect: Effect): void {
    this.#host?.effects.add(effect);
  }
}

const mainDocuments = (host: PageHost): PageDocument[] => {
  const document = host.frames.main?.document ?? null;
  return document === null ? [] : [document];
};
