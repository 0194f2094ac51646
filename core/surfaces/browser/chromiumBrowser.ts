import { mkdir } from 'node:fs/promises';
import { SignalboxError } from '../../contracts/errors.ts';
import { createListeners } from '../common/listeners.ts';
import { CdpConnection } from './cdpConnection.ts';
import type { CdpSession, TargetInfo } from './cdpTarget.ts';
import { connectWebSocketTransport } from './cdpTransport.ts';
import type { CdpTransport } from './cdpTransport.ts';
import { ChromiumPage, ignoreGone } from './chromiumPage.ts';
import { createDownloads } from './downloads.ts';
import type { Downloads } from './downloads.ts';
import { launchChromium } from './launchChromium.ts';
import type { LaunchOptions } from './launchChromium.ts';

export type BrowserSource =
  | ({ readonly kind: 'launch' } & LaunchOptions)
  /** http or ws address of a running browser or grid. */
  | { readonly kind: 'remote'; readonly endpoint: string };

export interface ChromiumBrowserOptions {
  readonly source: BrowserSource;
  readonly downloads: string;
  /** Failures that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** What pages ask for by a prompt (names of the Permissions API). */
const DENIED = ['notifications', 'geolocation', 'camera', 'microphone', 'midi', 'idle-detection', 'local-fonts'];
const LEFT_KEPT = 8;
const PAGES_ONLY = [{ type: 'page' }, { exclude: true }];

/** One browser: launched by us or remote. Gives out pages; those that open by themselves go to their opener. */
export class ChromiumBrowser {
  readonly #connection: CdpConnection;
  readonly #root: CdpSession;
  readonly #end: () => Promise<void>;
  readonly #options: ChromiumBrowserOptions;
  readonly #pages = new Map<string, ChromiumPage>();
  readonly #bySession = new Map<string, ChromiumPage>();
  /** Pages closed lately: a tab opened only to download is closed before the download is told of. */
  readonly #left: ChromiumPage[] = [];
  readonly #contexts = new Set<string>();
  readonly #downloads: Downloads;
  readonly #gone = createListeners<void>();
  #closed = false;

  private constructor(options: ChromiumBrowserOptions, transport: CdpTransport, end: () => Promise<void>) {
    this.#options = options;
    this.#end = end;
    this.#connection = new CdpConnection(transport, options.onError);
    this.#root = this.#connection.root;
    this.#downloads = createDownloads(options.downloads, (download) => {
      for (const page of [...this.#pages.values(), ...this.#left]) page.tellDownload(download);
    });
    this.#listen();
  }

  static async start(options: ChromiumBrowserOptions): Promise<ChromiumBrowser> {
    const { source } = options;
    await mkdir(options.downloads, { recursive: true, mode: 0o700 });
    let browser: ChromiumBrowser;
    if (source.kind === 'launch') {
      const launched = await launchChromium(source);
      browser = new ChromiumBrowser(options, launched.transport, () => launched.close());
    } else {
      const transport = await connectWebSocketTransport(source.endpoint);
      browser = new ChromiumBrowser(options, transport, async () => transport.close());
    }
    await browser.#begin();
    return browser;
  }

  get closed(): boolean {
    return this.#closed;
  }

  onGone(listener: () => void): Disposable {
    return this.#gone.add(listener);
  }

  /** A context of its own: no cookies or storage shared with others. */
  async createContext(): Promise<string> {
    const { browserContextId } = await this.#root.send('Target.createBrowserContext', { disposeOnDetach: true });
    this.#contexts.add(browserContextId);
    await Promise.all([this.#allowDownloads(browserContextId), this.#denyPermissions(browserContextId)]);
    return browserContextId;
  }

  async disposeContext(browserContextId: string): Promise<void> {
    if (!this.#contexts.delete(browserContextId) || this.#closed) return;
    await ignoreGone(this.#root.send('Target.disposeBrowserContext', { browserContextId }));
  }

  /** A new page, paused at its empty first document. */
  async createPage(context: string | null, size: { width: number; height: number }): Promise<ChromiumPage> {
    const { targetId } = await this.#root.send('Target.createTarget', {
      url: 'about:blank',
      ...size,
      // Never in front of what the user does.
      background: true,
      ...(context !== null && { browserContextId: context }),
    });
    const page = this.#pages.get(targetId);
    if (page === undefined) {
      throw new SignalboxError('SURFACE_GONE', 'The browser closed the new page before it could be used. Try again.');
    }
    return page;
  }

  async close(): Promise<void> {
    await this.#end();
    this.#ended();
  }

  async #begin(): Promise<void> {
    const { source } = this.#options;
    const commands: Promise<unknown>[] = [
      this.#root.send('Target.setDiscoverTargets', { discover: true, filter: PAGES_ONLY }),
      this.#root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: PAGES_ONLY,
      }),
    ];
    if (source.kind === 'launch') commands.push(this.#allowDownloads(null), this.#denyPermissions(null));
    try {
      await Promise.all(commands);
    } catch (error) {
      await this.#end();
      throw new SignalboxError('SURFACE_GONE', 'The browser ended while it started. Try again.', { cause: error });
    }
  }

  /** Nobody is there to answer a prompt: a page that asks is told no, instead of waiting for ever. */
  async #denyPermissions(browserContextId: string | null): Promise<void> {
    const context = browserContextId === null ? {} : { browserContextId };
    const denied = DENIED.map((name) =>
      ignoreGone(this.#root.send('Browser.setPermission', { permission: { name }, setting: 'denied', ...context })),
    );
    await Promise.all(denied);
  }

  async #allowDownloads(browserContextId: string | null): Promise<void> {
    await this.#root.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      downloadPath: this.#options.downloads,
      eventsEnabled: true,
      ...(browserContextId !== null && { browserContextId }),
    });
  }

  #listen(): void {
    this.#root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => this.#attached(sessionId, targetInfo));
    this.#root.on('Target.targetInfoChanged', ({ targetInfo }) =>
      this.#pages.get(targetInfo.targetId)?.tellInfo(targetInfo),
    );
    this.#root.on('Target.targetCrashed', ({ targetId }) => this.#pages.get(targetId)?.end('crashed'));
    this.#root.on('Target.detachedFromTarget', ({ sessionId }) => {
      const page = this.#bySession.get(sessionId);
      if (page === undefined) return;
      this.#bySession.delete(sessionId);
      this.#pages.delete(page.targetId);
      this.#left.push(page);
      if (this.#left.length > LEFT_KEPT) this.#left.shift();
      page.end('closed');
    });
    this.#root.on('Browser.downloadWillBegin', (event) => this.#downloads.begun(event));
    this.#root.on('Browser.downloadProgress', (event) => {
      this.#downloads.progress(event).catch(this.#options.onError);
    });
    this.#root.onClosed(() => this.#ended());
  }

  #attached(sessionId: string, info: TargetInfo): void {
    const session = this.#connection.session(sessionId);
    if (!this.#isOurs(info)) {
      // Somebody's own tab in a shared browser: not ours to hold up.
      void ignoreGone(session.send('Runtime.runIfWaitingForDebugger'));
      void ignoreGone(this.#root.send('Target.detachFromTarget', { sessionId }));
      return;
    }
    const page = new ChromiumPage(this.#connection, session, info);
    this.#pages.set(info.targetId, page);
    this.#bySession.set(sessionId, page);
    if (info.openerId === undefined) return;
    const wanted = this.#pages.get(info.openerId)?.tellPopup({ target: page, info }) ?? false;
    if (!wanted) void page.close();
  }

  #isOurs(info: TargetInfo): boolean {
    if (this.#options.source.kind === 'launch') return true;
    return info.browserContextId !== undefined && this.#contexts.has(info.browserContextId);
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const page of [...this.#pages.values()]) page.end('browser_gone');
    this.#pages.clear();
    this.#bySession.clear();
    this.#gone.tell();
  }
}
