import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { vi } from 'vitest';
import WebSocket from 'ws';
import { findChromium } from '../../core/surfaces/browser/findChromium.ts';

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
}

export interface SideTarget {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/**
 * A second, independent view of the browser that the product started: what pages hold, and what
 * Chromium's own trees say. Nothing of the product goes through it.
 */
export class ChromiumSide implements AsyncDisposable {
  readonly executablePath: string;
  readonly #stderr: string;
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  readonly #events = new Set<(event: Answer) => void>();
  #socket: WebSocket | null = null;
  #id = 0;

  private constructor(executablePath: string, stderr: string) {
    this.executablePath = executablePath;
    this.#stderr = stderr;
  }

  /** `executablePath` starts the same Chromium with a second door for us. */
  static async prepare(folder: string): Promise<ChromiumSide> {
    const script = path.join(folder, 'chromium.sh');
    const stderr = path.join(folder, 'chromium.stderr');
    const program = await findChromium();
    await writeFile(script, `#!/bin/sh\nexec "${program}" "$@" --remote-debugging-port=0 2>"${stderr}"\n`);
    await chmod(script, 0o755);
    return new ChromiumSide(script, stderr);
  }

  async targets(): Promise<SideTarget[]> {
    const { targetInfos } = await this.send<{ targetInfos: SideTarget[] }>('Target.getTargets');
    return targetInfos;
  }

  /** A session of its own, ended afterwards. */
  async within<T>(targetId: string, run: (sessionId: string) => Promise<T>): Promise<T> {
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    try {
      return await run(sessionId);
    } finally {
      await this.send('Target.detachFromTarget', { sessionId });
    }
  }

  async evaluate<T>(targetId: string, expression: string): Promise<T> {
    return this.within(targetId, async (sessionId) => {
      const params = { expression, returnByValue: true, awaitPromise: true };
      const answer = await this.send<{ result: { value: T }; exceptionDetails?: unknown }>(
        'Runtime.evaluate',
        params,
        sessionId,
      );
      if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer.exceptionDetails));
      return answer.result.value;
    });
  }

  on(listener: (event: Answer) => void): Disposable {
    this.#events.add(listener);
    return { [Symbol.dispose]: () => void this.#events.delete(listener) };
  }

  async send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const socket = await this.#open();
    this.#id += 1;
    const id = this.#id;
    const answered = new Promise<T>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    return answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.readyState === WebSocket.CLOSED) return;
    const closed = once(socket, 'close');
    socket.terminate();
    await closed;
  }

  async #open(): Promise<WebSocket> {
    if (this.#socket !== null) return this.#socket;
    const url = await vi.waitFor(async () => {
      const found = /DevTools listening on (ws:\S+)/.exec(await readFile(this.#stderr, 'utf8'))?.[1];
      if (found === undefined) throw new Error('Chromium has not said yet where it listens');
      return found;
    });
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Answer));
    this.#socket = socket;
    return socket;
  }

  #take(answer: Answer): void {
    if (answer.id === undefined) {
      for (const listener of this.#events) listener(answer);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer.result as never);
    else waiting?.reject(new Error(answer.error.message));
  }
}
