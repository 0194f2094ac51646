import type { Effect } from '../../contracts/operatorClass.ts';
import { createListeners } from '../common/listeners.ts';
import type { CdpSession, CdpTarget, DownloadProgress, PopupFound, TargetEnd } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';
import { Dialogs, dialogName } from './dialogs.ts';
import type { OpenDialog } from './dialogs.ts';
import { FrameTree } from './frameTree.ts';
import { HostEffects } from './hostEffects.ts';
import { nextOf, waitOn } from './interruptible.ts';
import type { NetworkGuard } from './networkGuard.ts';
import { WORLD } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import { Requests } from './requests.ts';

export const VIEWPORT = { width: 1280, height: 800 } as const;

const TITLE_MS = 500;
const DOWNLOAD_BEGINS_MS = 3_000;
const NAVIGATION_BEGINS_MS = 1_000;

export interface PageHostOptions {
  readonly guard: NetworkGuard;
  /** Source of the page agent. */
  readonly agentSource: string;
  readonly nextPrefix: () => string;
}

/** One live page: its frames, requests, dialogs and loading state, over all its sessions. */
export class PageHost {
  readonly target: CdpTarget;
  readonly session: CdpSession;
  readonly frames: FrameTree;
  readonly requests = new Requests();
  readonly dialogs = new Dialogs();
  readonly effects = new HostEffects();
  /** Address, title or loading changed. */
  readonly onChange = createListeners<void>();
  readonly onPopup = createListeners<PopupFound>();
  readonly onEnd = createListeners<TargetEnd>();
  end: TargetEnd | null = null;
  title = '';
  url = 'about:blank';
  /** HTTP status of the main document; null when it had none. */
  status: number | null = null;
  /** Why the main document could not be had (`net::ERR_…`): the browser's own error page is shown. */
  failure: string | null = null;
  readonly #options: PageHostOptions;
  readonly #downloads = createListeners<void>();
  #loading = false;
  #requested = false;
  #loads = 0;

  constructor(target: CdpTarget, options: PageHostOptions) {
    this.target = target;
    this.session = target.session;
    this.#options = options;
    this.frames = new FrameTree(target.targetId, options.nextPrefix);
    this.#listen();
  }

  /** Sets up the first document and lets it run. Everything is in place before the page's own code. */
  async start(): Promise<void> {
    const setUp = this.#setUp(this.session, true);
    const resumed = this.target.resume();
    await Promise.all([setUp, resumed]);
  }

  /** A tab that opened by itself is about to go somewhere, though it does not say so yet. */
  expectNavigation(): void {
    this.#requested = true;
    this.#loads += 1;
    const timer = setTimeout(() => {
      if (!this.#requested) return;
      this.#requested = false;
      this.onChange.tell();
    }, NAVIGATION_BEGINS_MS);
    timer.unref();
  }

  /** A navigation was called off before it left the page: nothing tells of that. */
  stay(): void {
    this.#loading = false;
    this.#requested = false;
    this.onChange.tell();
  }

  /** A navigation of the main frame is under way. */
  get loading(): boolean {
    return this.#loading || this.#requested;
  }

  /** Navigations of the main frame begun so far. One that was under way before an act is not its doing. */
  get loads(): number {
    return this.#loads;
  }

  /** The main frame's document, waited for when it is only coming. */
  async mainDocument(ms: number): Promise<PageDocument | null> {
    const until = performance.now() + ms;
    for (;;) {
      const document = this.frames.main?.document ?? null;
      const left = until - performance.now();
      if (document !== null || left <= 0 || this.end !== null) return document;
      const came = nextOf(this.frames.onDocument);
      try {
        await waitOn(this, came.promise, left);
      } finally {
        came[Symbol.dispose]();
      }
    }
  }

  /** The title as the document has it now: the browser tells of it later. */
  async readTitle(): Promise<void> {
    const document = await this.mainDocument(TITLE_MS);
    if (document === null) return;
    const read = document.ready.then(() => document.call('describe'));
    const waited = await waitOn(this, read, TITLE_MS).catch(() => null);
    if (waited?.kind !== 'value' || waited.value.title === this.title) return;
    this.title = waited.value.title;
    this.onChange.tell();
  }

  /** Resolves when the main frame's next navigation has begun or is done, or after a second without one. */
  async nextNavigation(): Promise<void> {
    const { loads, url } = this;
    const begun = nextOf(
      {
        add: (listener) => this.onChange.add(() => (this.#loads > loads || this.url !== url ? listener() : undefined)),
      },
      this.frames.onAddress,
    );
    try {
      await waitOn(this, begun.promise, NAVIGATION_BEGINS_MS);
    } finally {
      begun[Symbol.dispose]();
    }
  }

  /** Resolves when a download has begun, or after a while without one. */
  async nextDownload(): Promise<void> {
    const begun = nextOf(this.#downloads);
    try {
      await waitOn(this, begun.promise, DOWNLOAD_BEGINS_MS);
    } finally {
      begun[Symbol.dispose]();
    }
  }

  /** A download of this page, or of a tab it opened for it. */
  noteDownload(download: DownloadProgress): void {
    this.effects.add(downloadEffect(download), download.guid);
    if (download.state === 'begun') this.requests.open(download.guid);
    else this.requests.close(download.guid);
    this.#downloads.tell();
  }

  #setUp(session: CdpSession, main: boolean): Promise<unknown> {
    this.frames.track(session);
    this.requests.track(session);
    this.dialogs.track(session);
    this.#trackLoading(session);
    return Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.enable'),
      session.send('Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 100_000 }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: this.#options.agentSource,
        worldName: WORLD,
        runImmediately: true,
      }),
      this.#options.guard.protect(session),
      // Draws frames and holds the focus though nobody looks at it.
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      ...(main
        ? [
            session.send('Emulation.setDeviceMetricsOverride', { ...VIEWPORT, deviceScaleFactor: 1, mobile: false }),
            session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
          ]
        : []),
    ]);
  }

  #listen(): void {
    this.target.onFrameSession((session) => {
      void ignoreGone(this.#setUp(session, false));
      void ignoreGone(this.target.resumeSession(session));
    });
    this.target.onInfo(({ title, url }) => {
      if (title === this.title || title === url.replace(/^\w+:\/\//, '')) return;
      this.title = title;
      this.onChange.tell();
    });
    this.target.onPopup((popup) => this.onPopup.tell(popup));
    this.target.onDownload((download) => {
      if (this.frames.owns(download.frameId)) this.noteDownload(download);
    });
    this.target.onEnd((end) => {
      this.end = end;
      this.#loading = false;
      this.#requested = false;
      this.frames.end();
      this.requests.clear();
      this.onEnd.tell(end);
      this.onChange.tell();
    });
    this.dialogs.onChange.add((dialog) => {
      if (dialog !== null) this.effects.add(openedEffect(dialog));
      this.onChange.tell();
    });
    this.frames.onAddress.add(({ url, sameDocument }) => this.#moved(url, sameDocument));
  }

  #moved(url: string, sameDocument: boolean): void {
    this.url = url;
    this.#requested = false;
    if (!sameDocument) this.title = '';
    this.effects.add({ kind: 'navigated', detail: url });
    this.onChange.tell();
  }

  #trackLoading(session: CdpSession): void {
    const main = this.frames.mainId;
    const set = (loading: boolean, requested: boolean): void => {
      if (this.#loading === loading && this.#requested === requested) return;
      if ((requested && !this.#requested) || (loading && !this.#loading && !this.#requested)) this.#loads += 1;
      this.#loading = loading;
      this.#requested = requested;
      this.onChange.tell();
    };
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (disposition !== 'currentTab') return;
      if (frameId === main) set(this.#loading, true);
      else this.requests.open(frameWait(frameId));
    });
    session.on('Page.frameDetached', ({ frameId }) => this.requests.close(frameWait(frameId)));
    session.on('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId === main) set(true, false);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === main) set(false, false);
      else this.requests.close(frameWait(frameId));
    });
    let request: string | null = null;
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId }) => {
      if (frameId !== main || requestId !== loaderId) return;
      request = requestId;
      this.status = null;
      this.failure = null;
    });
    session.on('Network.loadingFailed', ({ requestId, errorText, canceled }) => {
      if (requestId === request && canceled !== true) this.failure = errorText;
    });
    session.on('Network.responseReceived', ({ requestId, loaderId, frameId, type, response }) => {
      // A document's own request carries the id of its loader.
      if (type === 'Document' && requestId === loaderId && frameId === main) this.status = response.status;
    });
    session.on('Page.fileChooserOpened', () =>
      this.effects.add({
        kind: 'dialog',
        detail: 'file chooser: give the file with enter_text on the file field instead',
      }),
    );
  }
}

/** A frame on its way to another document is waited for as a request is. */
const frameWait = (frameId: string): string => `frame ${frameId}`;

const openedEffect = (dialog: OpenDialog): Effect => ({
  kind: 'dialog',
  detail: `${dialog.type}: ${dialogName(dialog)}`,
  ref: dialog.ref,
});

const downloadEffect = ({ name, state, bytes }: DownloadProgress): Effect => ({
  kind: 'download',
  detail: state === 'completed' ? `${name}, ${bytes} bytes` : `${name} (${state === 'begun' ? 'under way' : state})`,
});
