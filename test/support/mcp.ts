import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { command } from './signalbox.ts';
import type { Signalbox } from './signalbox.ts';

/** SDK 1.x speaks the protocol of 2025, SDK 2.x here that of 2026-07-28 and nothing else. */
export type Sdk = '1.x' | '2.x';
export type Transport = 'http' | 'stdio';
export const combinations: readonly { readonly sdk: Sdk; readonly transport: Transport }[] = [
  { sdk: '1.x', transport: 'http' },
  { sdk: '1.x', transport: 'stdio' },
  { sdk: '2.x', transport: 'http' },
  { sdk: '2.x', transport: 'stdio' },
];

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: Record<string, unknown>;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly structured: Record<string, unknown> | undefined;
  readonly content: readonly Record<string, unknown>[];
  readonly meta: Record<string, unknown> | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
  readonly timeoutMs?: number;
}

export interface ToolInfo {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown> | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
}

/** What the two SDKs have in common, as far as tests use it. */
interface AnyClient {
  readonly listTools: () => Promise<unknown>;
  readonly callTool: (name: string, args: Record<string, unknown>, options: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
  readonly pid: () => number | null;
}

/** A tool call that answered `isError`. */
class ToolFailure extends Error {
  readonly error: ToolError;

  constructor(tool: string, error: ToolError) {
    super(`${tool}: ${error.code}: ${error.message}`);
    this.error = error;
  }
}

export class McpAgent {
  readonly sdk: Sdk;
  readonly #client: AnyClient;

  constructor(sdk: Sdk, client: AnyClient) {
    this.sdk = sdk;
    this.#client = client;
  }

  async tools(): Promise<readonly ToolInfo[]> {
    return ((await this.#client.listTools()) as { tools: ToolInfo[] }).tools;
  }

  /** The result as it came, errors too. */
  async raw(tool: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ToolResult> {
    const { timeoutMs = 60_000, ...rest } = options;
    const result = (await this.#client.callTool(tool, args, { ...rest, timeout: timeoutMs })) as {
      isError?: boolean;
      structuredContent?: Record<string, unknown>;
      content: Record<string, unknown>[];
      _meta?: Record<string, unknown>;
    };
    return {
      isError: result.isError === true,
      structured: result.structuredContent,
      content: result.content,
      meta: result._meta,
    };
  }

  /** The structured result; a `ToolFailure` when the tool answered with an error. */
  async call<T = Record<string, unknown>>(
    tool: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<T> {
    const result = await this.raw(tool, args, options);
    if (result.isError) throw new ToolFailure(tool, errorOf(result));
    return result.structured as T;
  }

  /** The structured error of a call that must not succeed. */
  async refused(tool: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ToolError> {
    const result = await this.raw(tool, args, options);
    if (!result.isError)
      throw new Error(`${tool} was expected to fail and answered ${JSON.stringify(result.structured)}`);
    return errorOf(result);
  }

  /** Process id of a stdio server. */
  get pid(): number | null {
    return this.#client.pid();
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Both places of the error say the same, and there is no structured result beside it. */
const errorOf = (result: ToolResult): ToolError => {
  const [first] = result.content;
  if (first?.['type'] !== 'text') throw new Error(`An error without text: ${JSON.stringify(result)}`);
  const error = JSON.parse(String(first['text'])) as ToolError;
  const inMeta = JSON.stringify(result.meta?.['signalbox/error']);
  if (inMeta !== JSON.stringify(error))
    throw new Error(`_meta["signalbox/error"] is ${inMeta}, the text ${String(first['text'])}`);
  if (result.structured !== undefined) throw new Error('An error must not have structuredContent');
  return error;
};

export interface AgentOptions {
  readonly sdk?: Sdk;
  readonly transport?: Transport;
  /** `agent:<name>`; the default agent when omitted. */
  readonly agent?: string;
  /** Query of `/mcp`. */
  readonly query?: string;
  /** Another token than the agent's own. */
  readonly token?: string;
  /** SDK 2.x: the protocol it insists on, `2026-07-28` when omitted. */
  readonly mode?: 'legacy' | 'auto' | { readonly pin: string };
}

interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: 'ignore';
}

/** `signalbox mcp`, joined to the running console by its data folder. */
const stdioCommand = (signalbox: Pick<Signalbox, 'data'>, agent?: string): StdioCommand => {
  const [program = '', ...first] = command;
  return {
    command: program,
    args: [...first, 'mcp', '--data', signalbox.data, ...(agent === undefined ? [] : ['--agent', agent])],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    stderr: 'ignore',
  };
};

const info = { name: 'acceptance', version: '1.0.0' };

const connectLegacy = async (transport: LegacyHttp | LegacyStdio): Promise<AnyClient> => {
  const client = new LegacyClient(info);
  await client.connect(transport);
  return {
    listTools: async () => await client.listTools(),
    callTool: async (name, args, options) => await client.callTool({ name, arguments: args }, undefined, options),
    close: async () => {
      await client.close();
    },
    pid: () => (transport instanceof LegacyStdio ? transport.pid : null),
  };
};

const connectModern = async (
  transport: ModernHttp | ModernStdio,
  mode: NonNullable<AgentOptions['mode']>,
): Promise<AnyClient> => {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    listTools: async () => await client.listTools(),
    callTool: async (name, args, options) => await client.callTool({ name, arguments: args }, options),
    close: async () => {
      await client.close();
    },
    pid: () => (transport instanceof ModernStdio ? transport.pid : null),
  };
};

/** Connects an agent's MCP client to a running console. */
export const connectAgent = async (signalbox: Signalbox, options: AgentOptions = {}): Promise<McpAgent> => {
  const { sdk = '2.x', transport = 'http', agent, mode = { pin: '2026-07-28' } } = options;
  if (transport === 'stdio') {
    const server = stdioCommand(signalbox, agent);
    return new McpAgent(
      sdk,
      sdk === '1.x' ? await connectLegacy(new LegacyStdio(server)) : await connectModern(new ModernStdio(server), mode),
    );
  }
  const token = options.token ?? (await signalbox.agentToken(agent));
  const url = new URL(`/mcp${options.query ?? ''}`, signalbox.url);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return new McpAgent(
    sdk,
    sdk === '1.x'
      ? await connectLegacy(new LegacyHttp(url, { requestInit }))
      : await connectModern(new ModernHttp(url, { requestInit }), mode),
  );
};
