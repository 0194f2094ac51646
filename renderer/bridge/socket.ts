import { wsServerMessage } from '../../core/contracts/console.ts';
import type { WsClientMessage, WsServerMessage } from '../../core/contracts/console.ts';
import { EventCursor } from './eventCursor.ts';

/** The part of the browser's WebSocket that is used; tests give their own. */
export interface Wire {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(data: string): void;
  close(): void;
}

export interface SocketHandlers {
  readonly onStatus: (status: 'connecting' | 'live' | 'offline') => void;
  /** Events arrive in order and once each; `ready` and other messages as they come. */
  readonly onMessage: (message: WsServerMessage) => void;
  readonly onFrame: (bytes: ArrayBuffer) => void;
  /** Connected. `fresh`: nothing is known, fetch everything; `resumed`: only volatile state may have changed. */
  readonly onConnected: (how: 'fresh' | 'resumed') => void;
  /** An event is missing: what was derived from events may be wrong. */
  readonly onGap: () => void;
  readonly onRefused: (token: string) => void;
}

export interface SocketOptions {
  readonly open: () => Wire;
  readonly token: string;
  readonly handlers: SocketHandlers;
  /** 0 to 1; spreads reconnects. */
  readonly random?: () => number;
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 8_000;
const PING_EVERY_MS = 15_000;
const SILENCE_MS = 35_000;

export const retryDelay = (attempt: number, random: number): number =>
  Math.round(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt) * (0.75 + random / 2));

/** One connection to `/ws`, kept up: says hello with the last position, retries with back-off, notices silence. */
export class ConsoleSocket {
  readonly #options: SocketOptions;
  readonly #cursor = new EventCursor();
  #wire: Wire | null = null;
  #live = false;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #heartbeat: ReturnType<typeof setInterval> | null = null;
  #lastHeard = 0;
  #stopped = false;

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  get live(): boolean {
    return this.#live;
  }

  /** Connects now, also when a retry is waiting. */
  connect(): void {
    if (this.#stopped || this.#wire !== null) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#options.handlers.onStatus('connecting');
    const wire = this.#options.open();
    this.#wire = wire;
    wire.binaryType = 'arraybuffer';
    wire.onopen = () => this.#hello(wire);
    wire.onmessage = (event) => {
      if (this.#wire === wire) this.#receive(event.data);
    };
    wire.onclose = () => {
      if (this.#wire === wire) this.#lost();
    };
  }

  /** False when not connected: nothing is queued, callers send again when `onConnected` tells them. */
  send(message: WsClientMessage): boolean {
    if (!this.#live || this.#wire === null) return false;
    this.#wire.send(JSON.stringify(message));
    return true;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#drop();
  }

  #hello(wire: Wire): void {
    const after = this.#cursor.position;
    const hello: WsClientMessage = {
      type: 'hello',
      token: this.#options.token,
      ...(after === null ? {} : { after }),
    };
    wire.send(JSON.stringify(hello));
    this.#lastHeard = Date.now();
    this.#heartbeat = setInterval(() => this.#beat(), PING_EVERY_MS);
  }

  #beat(): void {
    if (Date.now() - this.#lastHeard > SILENCE_MS) this.#lost();
    else this.send({ type: 'ping' });
  }

  #receive(data: unknown): void {
    this.#lastHeard = Date.now();
    if (data instanceof ArrayBuffer) return this.#options.handlers.onFrame(data);
    if (typeof data !== 'string') return;
    const parsed = wsServerMessage.safeParse(JSON.parse(data));
    if (!parsed.success) return this.#options.handlers.onGap();
    this.#dispatch(parsed.data);
  }

  #dispatch(message: WsServerMessage): void {
    const { handlers } = this.#options;
    if (message.type === 'ready') {
      const how = this.#cursor.connected(message.head);
      this.#attempt = 0;
      this.#live = true;
      handlers.onStatus('live');
      handlers.onMessage(message);
      handlers.onConnected(how);
      return;
    }
    if (message.type === 'error' && message.code === 'UNAUTHENTICATED') return handlers.onRefused(this.#options.token);
    if (message.type === 'event') {
      const step = this.#cursor.take(message.seq);
      if (step === 'duplicate') return;
      if (step === 'gap') handlers.onGap();
    }
    handlers.onMessage(message);
  }

  #drop(): void {
    const wire = this.#wire;
    this.#wire = null;
    this.#live = false;
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    wire?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#stopped) return;
    this.#options.handlers.onStatus('offline');
    const delay = retryDelay(this.#attempt, (this.#options.random ?? Math.random)());
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.connect(), delay);
  }
}
