import { createListeners } from '../common/listeners.ts';
import type { Listeners } from '../common/listeners.ts';
import { CdpError } from './cdpTarget.ts';
import type { CdpEvents, CdpSend, CdpSession } from './cdpTarget.ts';
import type { CdpTransport } from './cdpTransport.ts';

interface Pending {
  readonly method: string;
  readonly session: FlatSession;
  resolve(value: unknown): void;
  reject(error: CdpError): void;
}

interface Incoming {
  readonly id?: number;
  readonly method?: keyof CdpEvents;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** A document or target that went away while the command ran. */
const GONE =
  /context was destroyed|Cannot find context|context with specified id|target closed|Session with given id not found|Inspected target|frame was detached|No frame/i;

/** One flat session. Listeners are told in the order events come, before later answers resolve. */
class FlatSession implements CdpSession {
  readonly sessionId: string;
  readonly #connection: CdpConnection;
  readonly #events = new Map<string, Listeners<never>>();
  readonly #onClosed = createListeners<void>();
  closed = false;

  constructor(connection: CdpConnection, sessionId: string) {
    this.#connection = connection;
    this.sessionId = sessionId;
  }

  // The generic of `CdpSend` cannot be met by a function that does not know the protocol's types.
  readonly send = ((method: string, params?: object) => this.#connection.send(this, method, params)) as CdpSend;

  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E]) => void): Disposable {
    let listeners = this.#events.get(event) as Listeners<CdpEvents[E]> | undefined;
    if (listeners === undefined) {
      listeners = createListeners<CdpEvents[E]>();
      this.#events.set(event, listeners as unknown as Listeners<never>);
    }
    return listeners.add(listener);
  }

  onClosed(listener: () => void): Disposable {
    return this.#onClosed.add(listener);
  }

  tell(event: string, params: unknown): void {
    this.#events.get(event)?.tell(params as never);
  }

  tellClosed(): void {
    this.#onClosed.tell();
  }
}

/** A browser-level connection with flat sessions. */
export class CdpConnection {
  readonly root: CdpSession;
  readonly #transport: CdpTransport;
  readonly #sessions = new Map<string, FlatSession>();
  readonly #pending = new Map<number, Pending>();
  readonly #onError: (error: unknown) => void;
  #id = 0;

  /** `onError` is told of failures inside listeners: nobody else would see them. */
  constructor(transport: CdpTransport, onError: (error: unknown) => void) {
    this.#transport = transport;
    this.#onError = onError;
    this.root = this.#session('');
    transport.onMessage = (message) => this.#receive(JSON.parse(message) as Incoming);
    transport.onClose = () => this.#ended();
  }

  session(sessionId: string): CdpSession {
    return this.#session(sessionId);
  }

  close(): void {
    this.#transport.close();
  }

  send(session: FlatSession, method: string, params: object | undefined): Promise<unknown> {
    if (session.closed) return Promise.reject(new CdpError(method, 'the session is closed', 'gone'));
    this.#id += 1;
    const id = this.#id;
    const message = { id, method, params: params ?? {}, ...(session.sessionId && { sessionId: session.sessionId }) };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, session, resolve, reject });
      this.#transport.send(JSON.stringify(message));
    });
  }

  #session(sessionId: string): FlatSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const made = new FlatSession(this, sessionId);
    this.#sessions.set(sessionId, made);
    return made;
  }

  #receive(message: Incoming): void {
    if (message.id !== undefined) {
      this.#answer(message.id, message);
      return;
    }
    if (message.method === undefined) return;
    // A session must exist before its first event is looked up, and end after its last.
    if (message.method === 'Target.attachedToTarget') {
      this.#session((message.params as CdpEvents['Target.attachedToTarget']).sessionId);
    }
    try {
      this.#sessions.get(message.sessionId ?? '')?.tell(message.method, message.params);
    } catch (error) {
      this.#onError(error);
    }
    if (message.method === 'Target.detachedFromTarget') {
      this.#endSession((message.params as CdpEvents['Target.detachedFromTarget']).sessionId);
    }
  }

  #answer(id: number, message: Incoming): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (message.error === undefined) {
      pending.resolve(message.result);
      return;
    }
    const text = message.error.message;
    pending.reject(new CdpError(pending.method, text, GONE.test(text) ? 'gone' : 'refused'));
  }

  #endSession(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    session.closed = true;
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session) continue;
      this.#pending.delete(id);
      pending.reject(new CdpError(pending.method, 'the session ended before the answer came', 'gone'));
    }
    try {
      session.tellClosed();
    } catch (error) {
      this.#onError(error);
    }
  }

  #ended(): void {
    for (const sessionId of [...this.#sessions.keys()].reverse()) this.#endSession(sessionId);
  }
}
