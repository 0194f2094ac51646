import { join } from 'node:path';
import type { OpenSurfaceInput } from '../../contracts/ownTools.ts';
import type { Ids, Surface, SurfaceProvider } from '../../kernel/ports.ts';
import { createListeners } from '../common/listeners.ts';
import { BrowserSurface } from './browserSurface.ts';
import type { PopupFound } from './cdpTarget.ts';
import { ChromiumBrowser } from './chromiumBrowser.ts';
import type { BrowserSource } from './chromiumBrowser.ts';
import { ignoreGone } from './chromiumPage.ts';
import { findChromium } from './findChromium.ts';
import { checkedAddress, createNetworkGuard } from './networkGuard.ts';
import { pageAgentSource } from './pageAgent.generated.js';
import { PageHost, VIEWPORT } from './pageHost.ts';
import type { PageHostOptions } from './pageHost.ts';
import { prefixes } from './prefixes.ts';

export interface BrowserProviderOptions {
  readonly ids: Ids;
  /** Finished downloads land here. */
  readonly downloads: string;
  /** Named profiles, a folder each. */
  readonly profiles: string;
  /** Files agents may give to pages; none when omitted. */
  readonly uploads?: string;
  /** Ports of this console: out of reach for every page. Asked for when a browser is started. */
  readonly blockedPorts?: () => readonly number[];
  /** Program to start; found by itself when omitted. */
  readonly executablePath?: string;
  /** http or ws address of a running browser to work in instead of starting one. */
  readonly endpoint?: string;
  /** Default true: no window, and the user's focus is never taken. */
  readonly headless?: boolean;
  /** Failures that no caller waits for. */
  readonly onBackgroundError?: (error: unknown, doing: string) => void;
}

/** A cookie jar: a context of the shared browser, or the whole browser of a named profile. */
interface Jar {
  readonly key: string;
  readonly profile: string | null;
  context: { readonly browser: ChromiumBrowser; readonly id: string | null } | null;
  surfaces: number;
}

const TEMPORARY = '';

class BrowserProvider implements SurfaceProvider {
  readonly kind = 'browser';
  readonly #options: BrowserProviderOptions;
  readonly #opened = createListeners<Surface>();
  readonly #shared = new Map<string, Promise<ChromiumBrowser>>();
  readonly #surfaces = new Map<BrowserSurface, Jar>();
  readonly #pageOptions: PageHostOptions;
  #closed = false;
  #count = 0;

  constructor(options: BrowserProviderOptions) {
    this.#options = options;
    this.#pageOptions = {
      guard: createNetworkGuard(options.blockedPorts ?? (() => [])),
      agentSource: pageAgentSource,
      nextPrefix: prefixes(),
    };
  }

  async open(input: OpenSurfaceInput): Promise<Surface> {
    const address = input.url === undefined ? 'about:blank' : checkedAddress(input.url, this.#pageOptions.guard);
    const profile = input.profile ?? null;
    this.#count += 1;
    const label = input.label ?? (this.#count === 1 ? 'Browser' : `Browser ${this.#count}`);
    const jar: Jar = { key: profile ?? TEMPORARY, profile, context: null, surfaces: 0 };
    return this.#add({ address, label, jar });
  }

  onOpened(listener: (surface: Surface) => void): Disposable {
    return this.#opened.add(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#surfaces.keys()].map((surface) => surface.close()));
    const running = [...this.#shared.values()];
    this.#shared.clear();
    await Promise.all(
      running.map(async (browser) => {
        const started = await browser.catch(() => null);
        await started?.close();
      }),
    );
  }

  #add({ address, label, jar, opener }: { address: string; label: string; jar: Jar; opener?: string }): BrowserSurface {
    jar.surfaces += 1;
    const surface: BrowserSurface = new BrowserSurface({
      id: this.#options.ids.id('browser'),
      label,
      address,
      badges: this.#badges(jar),
      guard: this.#pageOptions.guard,
      uploads: this.#options.uploads ?? null,
      ...(opener !== undefined && { opener }),
      openPage: () => this.#openPage(surface, jar),
      onGone: () => this.#gone(surface, jar),
    });
    this.#surfaces.set(surface, jar);
    return surface;
  }

  #badges({ profile }: Jar): string[] {
    if (this.#options.endpoint !== undefined) return ['Remote browser'];
    return [profile === null ? 'Temporary profile' : `Profile ${profile}`];
  }

  async #openPage(surface: BrowserSurface, jar: Jar): Promise<PageHost> {
    const browser = await this.#browser(jar);
    if (jar.context?.browser !== browser) {
      jar.context = { browser, id: jar.profile === null ? await browser.createContext() : null };
    }
    const target = await browser.createPage(jar.context.id, VIEWPORT);
    const host = new PageHost(target, this.#pageOptions);
    host.onPopup.add((popup) => this.#popup(surface, host, jar, popup));
    await host.start();
    return host;
  }

  /** A tab that a page opened is a surface of its own, in the same cookie jar. */
  #popup(opener: BrowserSurface, openerHost: PageHost, jar: Jar, { target, info }: PopupFound): void {
    const host = new PageHost(target, this.#pageOptions);
    const label = `${opener.describe().label ?? 'Browser'}: new tab`;
    const surface = this.#add({ address: info.url || 'about:blank', label, jar, opener: opener.id });
    host.onPopup.add((popup) => this.#popup(surface, host, jar, popup));
    host.expectNavigation();
    surface.adopt(host);
    followOpened(openerHost, host, surface.id);
    void ignoreGone(host.start());
    this.#opened.tell(surface);
  }

  async #browser(jar: Jar): Promise<ChromiumBrowser> {
    const known = this.#shared.get(jar.key);
    if (known !== undefined) return known;
    const shared = this.#start(jar);
    this.#shared.set(jar.key, shared);
    const forget = (): void => {
      if (this.#shared.get(jar.key) === shared) this.#shared.delete(jar.key);
    };
    try {
      const browser = await shared;
      browser.onGone(forget);
      return browser;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #start({ profile }: Jar): Promise<ChromiumBrowser> {
    return ChromiumBrowser.start({
      source: await this.#source(profile),
      downloads: this.#options.downloads,
      onError: (error) => this.#options.onBackgroundError?.(error, 'following the browser'),
    });
  }

  async #source(profile: string | null): Promise<BrowserSource> {
    const { endpoint, executablePath, headless = true } = this.#options;
    if (endpoint !== undefined) return { kind: 'remote', endpoint };
    return {
      kind: 'launch',
      executablePath: await findChromium(executablePath),
      headless,
      args: this.#pageOptions.guard.switches(),
      ...(profile !== null && { profile: join(this.#options.profiles, profile) }),
    };
  }

  #gone(surface: BrowserSurface, jar: Jar): void {
    this.#surfaces.delete(surface);
    jar.surfaces -= 1;
    if (jar.surfaces > 0 || jar.context === null || this.#closed) return;
    const { browser, id } = jar.context;
    jar.context = null;
    const ending = id === null ? this.#closeUnused(jar.key, browser) : browser.disposeContext(id);
    ending.catch((error: unknown) => this.#options.onBackgroundError?.(error, 'closing a browser context'));
  }

  async #closeUnused(key: string, browser: ChromiumBrowser): Promise<void> {
    if ([...this.#surfaces.values()].some((other) => other.key === key)) return;
    this.#shared.delete(key);
    await browser.close();
  }
}

/** A new tab takes its first address a moment after it opens: the opener's act waits for that. */
const POPUP_MS = 2_000;

const followOpened = (openerHost: PageHost, host: PageHost, id: string): void => {
  const waiting = `popup ${id}`;
  const effect = (): void =>
    openerHost.effects.add({ kind: 'opened_surface', detail: describePopup(host), ref: id }, waiting);
  effect();
  openerHost.requests.open(waiting);
  const settle = (): void => {
    clearTimeout(timer);
    changes[Symbol.dispose]();
    openerHost.requests.close(waiting);
  };
  const timer = setTimeout(settle, POPUP_MS);
  const changes = host.onChange.add(() => {
    effect();
    if (host.end === null && (host.loading || host.url === '' || host.url === 'about:blank')) return;
    void host.readTitle().then(() => {
      effect();
      settle();
    });
  });
  // A tab opened only to download belongs to whoever opened it.
  host.target.onDownload((download) => {
    if (host.frames.owns(download.frameId)) openerHost.noteDownload(download);
  });
};

const describePopup = ({ title, url }: PageHost): string => `new tab ${title === '' ? '' : `"${title}" `}${url}`.trim();

export const createBrowserProvider = (options: BrowserProviderOptions): SurfaceProvider => new BrowserProvider(options);
