import { createListeners } from '../common/listeners.ts';
import type { CdpSession, RequestInfo } from './cdpTarget.ts';

/** A point in the stream of requests: what ran then, and what the page asks for again and again. */
export interface RequestMark {
  readonly after: number;
  readonly background: ReadonlySet<string>;
}

interface OpenRequest {
  readonly n: number;
  readonly key: string;
}

/** How far back a request counts as something the page does by itself. */
const BACKGROUND_WINDOW_MS = 10_000;
const REPEATED = 2;
const KEPT_BEGINS = 400;

/** Kinds that never end, or that nothing on the page waits for (`Other`: icons). */
const NEVER_WAITED = new Set([
  'EventSource',
  'Other',
  'WebSocket',
  'Media',
  'Ping',
  'Prefetch',
  'Manifest',
  'CSPViolationReport',
]);
/** Documents are followed as navigations of their frame. */
const NAVIGATION = 'Document';

/** Method, origin and path: a poll asks the same with another query. */
const keyOf = ({ request, type }: RequestInfo): string => {
  const end = request.url.search(/[?#]/);
  return `${type ?? ''} ${request.method} ${end < 0 ? request.url : request.url.slice(0, end)}`;
};

/** Requests of one page, over all its sessions. */
export class Requests {
  readonly onEnd = createListeners<void>();
  readonly #open = new Map<string, OpenRequest>();
  readonly #begins: { readonly key: string; readonly at: number }[] = [];
  #n = 0;
  #acting = 0;

  track(session: CdpSession): void {
    const own = (requestId: string): string => `${session.sessionId}/${requestId}`;
    session.on('Network.requestWillBeSent', (info) => this.#begun(own(info.requestId), info));
    session.on('Network.loadingFinished', ({ requestId }) => this.#ended(own(requestId)));
    session.on('Network.loadingFailed', ({ requestId }) => this.#ended(own(requestId)));
    session.on('Network.responseReceived', ({ requestId, response }) => {
      // Answered, and goes on for ever by design.
      if (response.mimeType === 'text/event-stream') this.#ended(own(requestId));
    });
    session.onClosed(() => {
      for (const id of [...this.#open.keys()]) if (id.startsWith(`${session.sessionId}/`)) this.#ended(id);
    });
  }

  /** Requests from here on are this act's, unless they are what the page does anyhow. */
  mark(): RequestMark {
    const since = Date.now() - BACKGROUND_WINDOW_MS;
    const counts = new Map<string, number>();
    for (const { key, at } of this.#begins) if (at >= since) counts.set(key, (counts.get(key) ?? 0) + 1);
    const background = new Set([...this.#open.values()].map(({ key }) => key));
    for (const [key, count] of counts) if (count >= REPEATED) background.add(key);
    this.#acting += 1;
    return { after: this.#n, background };
  }

  /** The act of a mark is over: what begins now is the page's own doing. */
  release(): void {
    this.#acting -= 1;
  }

  /** Requests begun since the mark that are still open. */
  pending(mark: RequestMark): number {
    let count = 0;
    for (const { n, key } of this.#open.values()) if (n > mark.after && !mark.background.has(key)) count += 1;
    return count;
  }

  /** Something else to wait for like a request of the act: a download, a new tab. */
  open(id: string): void {
    this.#n += 1;
    this.#open.set(id, { n: this.#n, key: id });
  }

  close(id: string): void {
    this.#ended(id);
  }

  /** The page is over, or its document was left. */
  clear(): void {
    this.#open.clear();
    this.onEnd.tell();
  }

  #begun(id: string, info: RequestInfo): void {
    if (info.type === NAVIGATION || NEVER_WAITED.has(info.type ?? '')) return;
    if (!/^https?:/.test(info.request.url)) return;
    // A worker's script: its end is told to the worker only.
    if (info.loaderId === '') return;
    const key = keyOf(info);
    this.#n += 1;
    if (this.#acting === 0) this.#begins.push({ key, at: Date.now() });
    if (this.#begins.length > KEPT_BEGINS) this.#begins.splice(0, KEPT_BEGINS / 2);
    this.#open.set(id, { n: this.#n, key });
  }

  #ended(id: string): void {
    if (this.#open.delete(id)) this.onEnd.tell();
  }
}
