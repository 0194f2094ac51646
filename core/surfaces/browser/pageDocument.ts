import { CdpError } from './cdpTarget.ts';
import type { CdpSession } from './cdpTarget.ts';
import type { PageAgent } from './pageProtocol.ts';

/** Methods of the page agent whose answers are plain values. */
type ValueMethod = Exclude<
  keyof PageAgent,
  'version' | 'frameSlot' | 'adoptClosedRoot' | 'closedRootHosts' | 'element'
>;
type Answer<M extends ValueMethod> = Awaited<ReturnType<PageAgent[M]>>;

/** The page agent's isolated world. */
export const WORLD = 'signalbox';
const AGENT = 'globalThis.__signalbox';

/** The document went away while it was asked: expected during navigation. */
export class DocumentGone extends Error {
  constructor(cause?: unknown) {
    super('The document went away', { cause });
    this.name = 'DocumentGone';
  }
}

/** One document of one frame, with the page agent inside. Dies with its execution context. */
export class PageDocument {
  readonly frameId: string;
  readonly session: CdpSession;
  readonly contextId: number;
  /** Refs of this document begin with it. Known once `ready` has resolved. */
  prefix: string;
  readonly ready: Promise<void>;
  /** Custom elements known to hold no closed shadow root. */
  plainHosts = 0;
  #alive = true;
  /** Those who wait for an answer that will not come once the document is gone. */
  readonly #waiting = new Set<() => void>();

  constructor(frameId: string, session: CdpSession, contextId: number, prefix: string) {
    this.frameId = frameId;
    this.session = session;
    this.contextId = contextId;
    this.prefix = prefix;
    this.ready = this.#install();
    // Whoever asks the document something sees the failure; nobody may ask.
    this.ready.catch(() => undefined);
  }

  get alive(): boolean {
    return this.#alive;
  }

  end(): void {
    this.#alive = false;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }

  /** One round trip. Throws `DocumentGone` when the document is or goes away. */
  async call<M extends ValueMethod>(method: M, ...args: Parameters<PageAgent[M]>): Promise<Answer<M>> {
    return this.run<Answer<M>>(`(...args) => ${AGENT}.${method}(...args)`, ...args);
  }

  /** Runs a function of ours in the agent's world; `A` is the agent there. */
  async run<T>(body: string, ...args: readonly unknown[]): Promise<T> {
    const { result } = await this.#evaluate(
      body,
      args.map((value) => ({ value })),
      true,
    );
    return result.value as T;
  }

  /** Like `run`, for answers that are elements: a remote object's id, or null. */
  async handle(body: string, ...args: readonly unknown[]): Promise<string | null> {
    const { result } = await this.#evaluate(
      body,
      args.map((value) => ({ value })),
      false,
    );
    return result.objectId ?? null;
  }

  /** Runs a function of ours on a remote object of this world. */
  async runOn<T>(body: string, objectId: string): Promise<T> {
    const { result } = await this.#evaluate(body, [{ objectId }], true);
    return result.value as T;
  }

  async release(objectId: string): Promise<void> {
    try {
      await this.session.send('Runtime.releaseObject', { objectId });
    } catch (error) {
      // Gone with its document.
      if (!(error instanceof CdpError)) throw error;
    }
  }

  async #evaluate(
    body: string,
    args: { value?: unknown; objectId?: string }[],
    returnByValue: boolean,
  ): Promise<{ result: { value?: unknown; objectId?: string } }> {
    if (!this.#alive) throw new DocumentGone();
    let giveUp = (): void => undefined;
    const gone = new Promise<never>((_, reject) => (giveUp = () => reject(new DocumentGone())));
    this.#waiting.add(giveUp);
    try {
      const asked = this.session.send('Runtime.callFunctionOn', {
        functionDeclaration: `(...given) => { const A = ${AGENT}; return (${body})(...given); }`,
        executionContextId: this.contextId,
        arguments: args,
        returnByValue,
        awaitPromise: true,
      });
      const answer = await Promise.race([asked, gone]);
      const thrown = answer.exceptionDetails;
      if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
      return answer;
    } catch (error) {
      if (!this.#alive || (error instanceof CdpError && error.reason === 'gone')) throw new DocumentGone(error);
      throw error;
    } finally {
      this.#waiting.delete(giveUp);
    }
  }

  async #install(): Promise<void> {
    this.prefix = await this.run<string>('(params) => A.install(params)', { prefix: this.prefix });
  }
}
