import {
  CLIENT_INFO_META_KEY,
  SdkError,
  SdkErrorCode,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { SignalboxError, type ErrorCode } from '../../contracts/errors.ts';
import { ConsoleLink, LinkFailure, type ConsoleAddress, type LinkCall } from './consoleLink.ts';
import { createMcpServer } from './mcpServer.ts';
import { toolFailure } from './toolResult.ts';
import type { ToolDeclaration, ToolListing } from './tools.ts';

export interface StdioBridgeOptions {
  readonly version: string;
  readonly listing: ToolListing;
  /** Finds a running console or starts one; asked again when the last one is gone. */
  readonly findConsole: () => Promise<ConsoleAddress>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onError: (error: unknown) => void;
}

export interface StdioBridge {
  /** Resolves when the client has closed its end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

interface ClientInfo {
  readonly name: string;
  readonly version: string;
}
const clientInfo = z.object({ name: z.string(), version: z.string() });
const unknownClient: ClientInfo = { name: 'stdio client', version: '0' };

/** The SDK aborts a call by the client's own words, or with this when the connection is over. */
const connectionEnded = (reason: unknown): boolean =>
  reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;

/** A call that never reached a console may be sent to the next one. */
const mayTryAgain = (failure: unknown): boolean =>
  failure instanceof LinkFailure && !failure.sent && (failure.status === null || failure.status === 401);

const failureResult = (thrown: unknown, tool: ToolDeclaration): CallToolResult => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!(thrown instanceof LinkFailure) || !thrown.sent) {
    const code: ErrorCode = thrown instanceof LinkFailure && thrown.status !== null ? 'POLICY_DENIED' : 'TIMEOUT';
    return toolFailure(new SignalboxError(code, message), 'none');
  }
  if (tool.readOnly) return toolFailure(new SignalboxError('TIMEOUT', `${message} Call again.`), 'none');
  const advice = 'Look at the surface before doing it again.';
  return toolFailure(new SignalboxError('OUTCOME_UNKNOWN', `${message} ${advice}`), 'none');
};

/** Keeps one link to a console and finds another when it is gone. */
class Links {
  readonly #find: StdioBridgeOptions['findConsole'];
  #current: Promise<ConsoleLink> | null = null;

  constructor(find: StdioBridgeOptions['findConsole']) {
    this.#find = find;
  }

  async call(call: LinkCall, info: ClientInfo): Promise<CallToolResult> {
    const first = await this.#link(info);
    try {
      return await first.call(call);
    } catch (failure) {
      if (!mayTryAgain(failure) || call.withdraw.aborted) throw failure;
      this.#current = null;
      return await (await this.#link(info)).call(call);
    }
  }

  async #link(info: ClientInfo): Promise<ConsoleLink> {
    this.#current ??= this.#open(info);
    try {
      return await this.#current;
    } catch (failure) {
      this.#current = null;
      throw failure;
    }
  }

  async #open(info: ClientInfo): Promise<ConsoleLink> {
    const link = new ConsoleLink(await this.#find());
    await link.open(info);
    return link;
  }

  async close(): Promise<void> {
    const current = await this.#current?.catch(() => null);
    current?.close();
  }
}

/** `signalbox mcp`: the same tools on stdio, each call carried to the console. */
export const startStdioBridge = (options: StdioBridgeOptions): StdioBridge => {
  const links = new Links(options.findConsole);
  const transport = new StdioServerTransport(options.stdin, options.stdout);
  let gone = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      gone = true;
      resolve();
    };
    options.stdin.once('end', end);
    options.stdin.once('close', end);
    options.stdout.once('close', end);
  });

  const handle = serveStdio(
    () => {
      const call = async (tool: ToolDeclaration, args: unknown, context: ServerContext): Promise<CallToolResult> => {
        const withdraw = new AbortController();
        // The end of stdio aborts too: then the console must only see the connection go.
        context.mcpReq.signal.addEventListener('abort', () => {
          if (!gone && !connectionEnded(context.mcpReq.signal.reason)) withdraw.abort();
        });
        try {
          return await links.call(
            { tool: tool.name, args, withdraw: withdraw.signal, ...progressOf(context, options.onError) },
            infoOf(context, server.getClientVersion()),
          );
        } catch (thrown) {
          options.onError(thrown);
          return failureResult(thrown, tool);
        }
      };
      const server = createMcpServer({ version: options.version, listing: options.listing, call });
      return server;
    },
    { transport, onerror: options.onError },
  );

  return {
    ended,
    close: async () => {
      gone = true;
      await links.close();
      await handle.close();
    },
  };
};

const infoOf = (context: ServerContext, initialized: unknown): ClientInfo => {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const parsed = clientInfo.safeParse(envelope[CLIENT_INFO_META_KEY] ?? initialized);
  return parsed.success ? parsed.data : unknownClient;
};

const progressOf = (context: ServerContext, onError: (error: unknown) => void): Pick<LinkCall, 'onProgress'> => {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return {};
  return {
    onProgress: ({ progress, message }) => {
      context.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, ...(message === undefined ? {} : { message }) },
        })
        .catch(onError);
    },
  };
};
