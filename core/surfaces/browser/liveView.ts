import type { LiveFrame } from '../../kernel/ports.ts';
import type { CdpEvents } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';
import { VIEWPORT } from './pageHost.ts';
import type { PageHost } from './pageHost.ts';

type OnFrame = (frame: LiveFrame, done: () => void) => void;

interface Watcher {
  readonly onFrame: OnFrame;
  busy: boolean;
  /** The newest frame that came while it was busy. */
  next: LiveFrame | null;
}

/**
 * The screencast: runs while somebody watches, from whichever page the surface has. The browser is
 * told to go on when the first watcher is done with a frame, so the fastest sets the pace and the
 * others get the newest.
 */
export class LiveView {
  readonly #watchers = new Set<Watcher>();
  #host: PageHost | null = null;
  #subscriptions: Disposable[] = [];
  #last: LiveFrame | null = null;
  #owed: number | null = null;

  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  get last(): LiveFrame | null {
    return this.#last;
  }

  watch(onFrame: OnFrame): Disposable {
    const watcher: Watcher = { onFrame, busy: false, next: null };
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#start();
    else if (this.#last !== null) this.#give(watcher, this.#last);
    return {
      [Symbol.dispose]: () => {
        if (!this.#watchers.delete(watcher)) return;
        if (this.#watchers.size === 0) this.#stop();
        else this.#acknowledge();
      },
    };
  }

  /** The surface has got a page, another one, or none. */
  show(host: PageHost | null): void {
    this.#stop();
    this.#host = host;
    this.#last = null;
    if (this.watched) this.#start();
  }

  #start(): void {
    const host = this.#host;
    if (host === null || host.end !== null || this.#subscriptions.length > 0) return;
    this.#subscriptions = [host.session.on('Page.screencastFrame', (event) => this.#came(event))];
    void ignoreGone(
      host.session.send('Page.startScreencast', {
        format: 'jpeg',
        quality: 70,
        maxWidth: VIEWPORT.width,
        maxHeight: VIEWPORT.height,
        everyNthFrame: 1,
      }),
    );
  }

  #stop(): void {
    if (this.#subscriptions.length === 0) return;
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#subscriptions = [];
    this.#owed = null;
    this.#last = null;
    const host = this.#host;
    if (host !== null && host.end === null) void ignoreGone(host.session.send('Page.stopScreencast'));
  }

  #came({ data, sessionId, metadata }: CdpEvents['Page.screencastFrame']): void {
    const at = metadata.timestamp === undefined ? Date.now() : Math.round(metadata.timestamp * 1_000);
    const frame: LiveFrame = { ...VIEWPORT, at, mediaType: 'image/jpeg', bytes: Buffer.from(data, 'base64') };
    this.#owed = sessionId;
    this.#last = frame;
    for (const watcher of this.#watchers) this.#give(watcher, frame);
  }

  #give(watcher: Watcher, frame: LiveFrame): void {
    if (watcher.busy) {
      watcher.next = frame;
      return;
    }
    watcher.busy = true;
    let consumed = false;
    watcher.onFrame(frame, () => {
      if (consumed) return;
      consumed = true;
      watcher.busy = false;
      const { next } = watcher;
      watcher.next = null;
      if (next !== null && this.#watchers.has(watcher)) this.#give(watcher, next);
      this.#acknowledge();
    });
  }

  #acknowledge(): void {
    const { host, owed } = { host: this.#host, owed: this.#owed };
    if (host === null || owed === null || this.#subscriptions.length === 0) return;
    this.#owed = null;
    void ignoreGone(host.session.send('Page.screencastFrameAck', { sessionId: owed }));
  }
}
