import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { agentNameHeader } from './mcpCaller.ts';

/** Where a running console answers, and as whom. */
export interface ConsoleAddress {
  readonly url: string;
  readonly token: string;
  readonly agent: string | null;
}

export interface LinkCall {
  readonly tool: string;
  readonly args: unknown;
  /** Aborted when the call is to be withdrawn at the console. */
  readonly withdraw: AbortSignal;
  /** Absent when the client asked for no progress. */
  readonly onProgress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** `sent`: whether the console may have begun the call. */
export class LinkFailure extends Error {
  readonly sent: boolean;
  readonly status: number | null;

  constructor(message: string, sent: boolean, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.sent = sent;
    this.status = options.status ?? null;
  }
}

const message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.object({ progress: z.number().optional(), message: z.string().optional() }).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

async function* sseMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<z.infer<typeof message>> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = part
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '') yield message.parse(JSON.parse(data));
    }
  }
}

const protocolVersion = '2025-11-25';

/**
 * Calls of one stdio client, carried to a console's `/mcp` in the older form of the protocol, whose rules
 * are stdio's: a cancelled call is withdrawn, a lost connection only detaches. Plain requests, so that
 * a console that stops is noticed at once.
 */
export class ConsoleLink {
  readonly #address: ConsoleAddress;
  #session: string | null = null;
  #lastId = 0;
  readonly #closing = new AbortController();

  constructor(address: ConsoleAddress) {
    this.#address = address;
  }

  /** Names the client in the console's trace. */
  async open(clientInfo: { name: string; version: string }): Promise<void> {
    const response = await this.#post({
      id: ++this.#lastId,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo },
    });
    await response.body?.cancel();
    this.#session = response.headers.get('mcp-session-id');
  }

  async call({ tool, args, withdraw, onProgress }: LinkCall): Promise<CallToolResult> {
    const id = ++this.#lastId;
    const left = new AbortController();
    const cancel = (): void => void this.#cancel(id).finally(() => left.abort());
    withdraw.addEventListener('abort', cancel, { once: true });
    try {
      const response = await this.#post(
        {
          id,
          method: 'tools/call',
          params: { name: tool, arguments: args, ...(onProgress ? { _meta: { progressToken: id } } : {}) },
        },
        left.signal,
      );
      return await this.#result(response, id, onProgress);
    } finally {
      withdraw.removeEventListener('abort', cancel);
    }
  }

  /** Lets go of running calls without withdrawing them. */
  close(): void {
    this.#closing.abort();
  }

  async #result(response: Response, id: number, onProgress: LinkCall['onProgress']): Promise<CallToolResult> {
    try {
      if (response.body !== null) {
        for await (const { id: answers, params, result, error } of sseMessages(response.body)) {
          if (answers === id && result !== undefined) return result as CallToolResult;
          if (answers === id && error !== undefined) throw new LinkFailure(error.message, true);
          if (params?.progress !== undefined) onProgress?.({ progress: params.progress, message: params.message });
        }
      }
    } catch (cause) {
      if (cause instanceof LinkFailure) throw cause;
      throw new LinkFailure('The console went away during the call.', true, { cause });
    }
    throw new LinkFailure('The console ended the call without an answer.', true);
  }

  async #cancel(requestId: number): Promise<void> {
    const response = await this.#post({ method: 'notifications/cancelled', params: { requestId } }).catch(() => null);
    await response?.body?.cancel();
  }

  async #post(body: object, signal?: AbortSignal): Promise<Response> {
    const { url, token, agent } = this.#address;
    let response: Response;
    try {
      response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': protocolVersion,
          ...(agent === null ? {} : { [agentNameHeader]: agent }),
          ...(this.#session === null ? {} : { 'mcp-session-id': this.#session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
        signal: signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal,
      });
    } catch (cause) {
      throw new LinkFailure(`The console at ${url} does not answer.`, false, { cause });
    }
    if (response.ok) return response;
    const text = await response.text();
    throw new LinkFailure(refusalText(text, response.status), false, { status: response.status });
  }
}

const envelope = z.object({ error: z.object({ message: z.string() }) });
const refusalText = (text: string, status: number): string => {
  try {
    return envelope.parse(JSON.parse(text)).error.message;
  } catch {
    return `The console answered ${status}.`;
  }
};
