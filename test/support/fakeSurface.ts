import { SignalboxError } from '../../core/contracts/errors.ts';
import type { FacetId, Receipt } from '../../core/contracts/operatorClass.ts';
import type {
  EffectCall,
  InputGuard,
  Picture,
  Preflight,
  Surface,
  SurfaceDescription,
  SurfaceProvider,
} from '../../core/kernel/ports.ts';

/** A control of a fake page. Its `ref` is the page's; its reading is what an approval is bound to. */
export interface FakeTarget {
  role: string;
  name: string;
  value?: string;
  password?: boolean;
  row?: string;
  /** What lies over it. */
  cover?: string;
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

type Hook = (call: EffectCall, guard: InputGuard) => Promise<void>;

/**
 * A page in memory, faithful to the port: reads do not change it, preflight sends nothing, perform
 * asks its guard before each key. `log` is the page's own record of what reached it.
 */
export class FakeSurface implements Surface {
  readonly kind = 'browser';
  readonly facets: readonly FacetId[] = ['operator/browser@1', 'operator/screenshot@1'];
  readonly targets = new Map<string, FakeTarget>();
  readonly log: string[] = [];
  readonly id: string;
  address: string | null = 'http://site.test/form';
  generation = 1;
  state: SurfaceDescription['state'] = 'ready';
  /** Runs inside perform, before its own input. */
  beforeInput: Hook = async () => undefined;
  /** Runs inside perform, after its input went out. */
  afterInput: Hook = async () => undefined;
  readonly #listeners = new Set<() => void>();
  readonly #label: string;
  readonly #opener: string | undefined;

  constructor(id: string, label = 'Browser', opener?: string) {
    this.id = id;
    this.#label = label;
    this.#opener = opener;
    this.targets.set('e1', { role: 'button', name: 'Submit' });
    this.targets.set('e2', { role: 'textbox', name: 'Email', value: '' });
    this.targets.set('e3', { role: 'textbox', name: 'Password', value: '', password: true });
  }

  describe(): SurfaceDescription {
    return {
      id: this.id,
      kind: 'browser',
      label: this.#label,
      ...(this.address === null ? {} : { address: this.address }),
      ...(this.#opener === undefined ? {} : { opener: this.#opener }),
      facets: [...this.facets],
      readiness: 'settled',
      generation: this.generation,
      state: this.state,
      title: 'Fake page',
      badges: [],
      live: true,
    };
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async perceive(): ReturnType<Surface['perceive']> {
    const targets = [...this.targets].map(([ref, { role, name }]) => ({ ref, role, name }));
    return { targets, readiness: 'settled' };
  }
  async settle(): ReturnType<Surface['settle']> {
    return { readiness: 'settled' };
  }
  async capture(): Promise<Picture> {
    return { width: 1, height: 1, bytes: PIXEL, mediaType: 'image/png' };
  }
  snapshot(): Promise<Picture | null> {
    return this.capture();
  }

  #require(): void {
    if (this.state === 'gone') throw new SignalboxError('SURFACE_GONE', `${this.id} is gone.`);
  }

  async preflight(call: EffectCall): Promise<Preflight> {
    this.#require();
    const { address, generation } = this;
    if (call.verb !== 'operator.act') return { kind: 'ready', reading: null, address, generation };
    const target = this.targets.get(call.args.target);
    if (target === undefined) {
      throw new SignalboxError('TARGET_GONE', `${call.args.target} is gone.`, { details: { candidates: [] } });
    }
    if (target.cover !== undefined) {
      return { kind: 'blocked', receipt: { changed: false, readiness: 'settled', blocked_by: target.cover } };
    }
    const { role, name, row, password } = target;
    const reading = {
      ref: call.args.target,
      role,
      name,
      ...(row === undefined ? {} : { row }),
      ...(password === undefined ? {} : { password }),
    };
    return { kind: 'ready', reading, address, generation };
  }

  async perform(call: EffectCall, guard: InputGuard): Promise<Receipt> {
    const preflight = await this.preflight(call);
    if (preflight.kind === 'blocked') return preflight.receipt;
    await this.beforeInput(call, guard);
    if (call.verb === 'operator.act' && call.args.action === 'enter_text') return this.#type(call, guard);
    guard.before();
    const what = call.verb === 'operator.act' ? `press ${call.args.target}` : call.verb;
    this.log.push(what);
    guard.sent(what);
    if (call.verb === 'operator.navigate') this.address = call.args.url;
    await this.afterInput(call, guard);
    this.#require();
    return { changed: true, readiness: 'settled', effects: [{ kind: 'text_appeared', detail: `did ${what}` }] };
  }

  async #type(call: EffectCall & { verb: 'operator.act' }, guard: InputGuard): Promise<Receipt> {
    const target = this.targets.get(call.args.target);
    let typed = '';
    for (const key of call.args.value ?? '') {
      guard.before();
      typed += key;
      if (target !== undefined) target.value = typed;
      guard.sent(target?.password === true ? 'key' : `key ${key}`);
      await this.afterInput(call, guard);
    }
    this.log.push(`type ${call.args.target} ${typed}`);
    return { changed: true, readiness: 'settled', value_after: target?.password === true ? '••••' : typed };
  }

  watch(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }
  async input(): Promise<void> {
    this.log.push('human input');
  }
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
  async close(): Promise<void> {
    this.state = 'gone';
    this.tell();
  }
}

export class FakeProvider implements SurfaceProvider {
  readonly kind = 'browser';
  readonly opened: FakeSurface[] = [];
  readonly #listeners = new Set<(surface: Surface) => void>();
  /** Ids of the surfaces to open, in order; a counter after that. */
  readonly #ids: string[];

  constructor(ids: readonly string[] = []) {
    this.#ids = [...ids];
  }
  async open(input: { label?: string | undefined }): Promise<FakeSurface> {
    const surface = new FakeSurface(this.#ids.shift() ?? `fake_${this.opened.length + 1}`, input.label ?? 'Browser');
    this.opened.push(surface);
    return surface;
  }
  popUp(opener: FakeSurface): FakeSurface {
    const surface = new FakeSurface(`popup_${this.opened.length + 1}`, 'Popup', opener.id);
    this.opened.push(surface);
    for (const listener of this.#listeners) listener(surface);
    return surface;
  }
  onOpened(listener: (surface: Surface) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
  async close(): Promise<void> {
    for (const surface of this.opened) await surface.close();
  }
}
