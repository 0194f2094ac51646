import type { WebSocket } from 'ws';
import { wsClientMessage, type WsClientMessage, type WsServerMessage } from '../../contracts/console.ts';
import { assertNever, isSignalboxError, SignalboxError } from '../../contracts/errors.ts';
import { parseOrThrow } from '../../contracts/parse.ts';
import type { Principal } from '../../contracts/principal.ts';
import type { ApiDeps } from '../apiDeps.ts';
import { authenticate, authorize } from '../auth.ts';
import { followEvents } from '../eventFeed.ts';
import { SurfaceWatch } from './surfaceWatch.ts';
import { VolatileNotes, type VolatileNote } from './volatileNotes.ts';

const helloWithinMs = 5_000;
const recheckTokenMs = 30_000;
/** Events wait for the socket above this many unsent bytes. */
const highWater = 1_048_576;

const closeCodes = {
  goingAway: 1001,
  badMessage: 4400,
  unauthenticated: 4401,
  forbidden: 4403,
  helloLate: 4408,
};

/** A token for some surfaces hears of those only. */
const inScope = (note: VolatileNote, { surfaces }: Principal): boolean => {
  if (surfaces === null) return true;
  const id = note.type === 'surface' ? note.surface.id : note.type === 'call' ? note.call.surface_id : note.surface_id;
  return id !== null && surfaces.includes(id);
};

interface Watching {
  readonly watch: SurfaceWatch;
  readonly source: Disposable;
}

/** One console attached by `/ws` (protocol: `core/contracts/console.ts`). */
export class ConsoleConnection {
  readonly #socket: WebSocket;
  readonly #deps: ApiDeps;
  readonly #ended = new AbortController();
  readonly #watching = new Map<string, Watching>();
  readonly #helloTimer: NodeJS.Timeout;
  #principal: Principal | null = null;
  #token = '';
  #tokenTimer: NodeJS.Timeout | undefined;
  /** Messages are taken one after the other, in the order they came. */
  #inbox: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, deps: ApiDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#helloTimer = setTimeout(() => {
      this.#fail(closeCodes.helloLate, 'UNAUTHENTICATED', 'Say hello with a token within 5 s.');
    }, helloWithinMs);
    socket.on('message', (data, binary) => {
      this.#inbox = this.#inbox.then(() => this.#receive(binary ? null : String(data as Buffer)));
    });
    socket.on('error', (err) => deps.log.info({ err }, 'console socket failed'));
    socket.on('close', () => this.#end());
  }

  close(): void {
    this.#socket.close(closeCodes.goingAway, 'The console is stopping.');
    this.#end();
  }

  async #receive(text: string | null): Promise<void> {
    if (this.#ended.signal.aborted) return;
    try {
      const message = parseOrThrow(wsClientMessage, text === null ? null : JSON.parse(text), 'message');
      if (this.#principal !== null) await this.#handle(message, this.#principal);
      else if (message.type === 'hello') await this.#hello(message);
      else throw new SignalboxError('UNAUTHENTICATED', 'The first message is hello, with a token.');
    } catch (thrown) {
      this.#report(thrown);
    }
  }

  #report(thrown: unknown): void {
    if (thrown instanceof SyntaxError) {
      this.#fail(closeCodes.badMessage, 'INVALID_REQUEST', 'A message is JSON text.');
    } else if (!isSignalboxError(thrown) || thrown.code === 'INTERNAL') {
      this.#deps.log.error({ err: thrown }, 'console message failed');
      this.#send({ type: 'error', code: 'INTERNAL', message: 'Something failed inside Signalbox. The log has it.' });
    } else if (this.#principal !== null) {
      this.#send({ type: 'error', code: thrown.code, message: thrown.message });
    } else {
      const code = thrown.code === 'FORBIDDEN' ? closeCodes.forbidden : closeCodes.unauthenticated;
      this.#fail(thrown.code === 'INVALID_REQUEST' ? closeCodes.badMessage : code, thrown.code, thrown.message);
    }
  }

  async #hello({ token, after }: Extract<WsClientMessage, { type: 'hello' }>): Promise<void> {
    const principal = await authenticate(this.#deps.kernel, token);
    authorize(principal, 'person');
    if (this.#ended.signal.aborted) return;
    clearTimeout(this.#helloTimer);
    this.#principal = principal;
    this.#token = token;
    this.#tokenTimer = setInterval(() => void this.#recheckToken(), recheckTokenMs).unref();
    // Notes first, so that nothing that happens from here on is missed.
    const notes = new VolatileNotes(
      (message) => this.#send(message),
      () => this.#socket.bufferedAmount,
    );
    const subscription = this.#deps.gate.subscribe((note) => {
      if (note.type === 'surface_removed') this.#unwatch(note.surface_id, 'The surface is gone.');
      if (note.type !== 'event' && inScope(note, principal)) notes.add(note);
    });
    this.#ended.signal.addEventListener('abort', () => {
      subscription[Symbol.dispose]();
      notes[Symbol.dispose]();
    });
    const head = await this.#deps.kernel.head();
    this.#send({ type: 'ready', principal: principal.ref, head, now: this.#now() });
    void this.#follow(after ?? head);
  }

  async #follow(after: number): Promise<void> {
    try {
      for await (const { seq, event } of followEvents(this.#deps, after, this.#ended.signal)) {
        this.#send({ type: 'event', seq, event });
        if (event.event_type.startsWith('token.')) await this.#recheckToken();
        while (this.#socket.bufferedAmount > highWater && !this.#ended.signal.aborted) await this.#flushed();
      }
    } catch (err) {
      this.#deps.log.error({ err }, 'console event feed failed');
      this.#fail(1011, 'INTERNAL', 'The event feed failed. Connect again.');
    }
  }

  /** A frame is written only after those before it: its callback says that the buffer has moved on. */
  #flushed(): Promise<void> {
    return new Promise((resolve) => this.#socket.ping(undefined, undefined, () => resolve()));
  }

  async #recheckToken(): Promise<void> {
    try {
      if ((await this.#deps.kernel.authenticate(this.#token)) !== null) return;
    } catch (err) {
      this.#deps.log.error({ err }, 'console token could not be checked');
      return;
    }
    this.#fail(closeCodes.unauthenticated, 'UNAUTHENTICATED', 'This token was revoked or has expired.');
  }

  async #handle(message: WsClientMessage, principal: Principal): Promise<void> {
    switch (message.type) {
      case 'hello':
        throw new SignalboxError('INVALID_REQUEST', 'hello was said already.');
      case 'ping':
        return this.#send({ type: 'pong', now: this.#now() });
      case 'watch':
        return this.#watch(message.surface_id, principal);
      case 'unwatch':
        return this.#unwatch(message.surface_id, null);
      case 'frame_ack':
        return this.#watching.get(message.surface_id)?.watch.acknowledge(message.frame);
      case 'input':
        return this.#deps.gate.input(message.surface_id, message.input, principal);
      default:
        return assertNever(message, 'console message');
    }
  }

  #watch(surfaceId: string, principal: Principal): void {
    if (this.#watching.has(surfaceId)) return;
    const watch = new SurfaceWatch(surfaceId, (bytes) => {
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(bytes);
    });
    try {
      const source = this.#deps.gate.watch(surfaceId, principal, (frame, done) => watch.offer(frame, done));
      this.#watching.set(surfaceId, { watch, source });
    } catch (thrown) {
      if (!isSignalboxError(thrown)) throw thrown;
      this.#send({ type: 'watch_ended', surface_id: surfaceId, reason: thrown.message });
    }
  }

  #unwatch(surfaceId: string, reason: string | null): void {
    const watching = this.#watching.get(surfaceId);
    if (watching === undefined) return;
    this.#watching.delete(surfaceId);
    watching.source[Symbol.dispose]();
    if (reason !== null) this.#send({ type: 'watch_ended', surface_id: surfaceId, reason });
  }

  #send(message: WsServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #fail(closeCode: number, code: string, message: string): void {
    this.#send({ type: 'error', code, message });
    this.#socket.close(closeCode, code);
    this.#end();
  }

  #end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    clearTimeout(this.#helloTimer);
    clearInterval(this.#tokenTimer);
    for (const { source } of this.#watching.values()) source[Symbol.dispose]();
    this.#watching.clear();
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}
