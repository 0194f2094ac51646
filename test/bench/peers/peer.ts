import { performance } from 'node:perf_hooks';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** One MCP call as its client saw it. `bytes`: everything that would go to a model. */
export interface Answer {
  readonly ms: number;
  readonly bytes: number;
  readonly text: string;
  readonly isError: boolean;
}

/** A job that may need several calls. */
export interface Job {
  readonly ms: number;
  readonly calls: number;
  readonly bytes: number;
  /** False when the peer could not do it; `ms` is then the time until it said so. */
  readonly done: boolean;
  readonly note?: string;
}

export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'select' | 'checkbox';
  readonly value: string;
}

/**
 * One tool that works a browser over MCP. A control is named as a person would name it; a peer turns
 * that into its own reference by its last reading, as an agent does.
 */
export interface Peer {
  readonly name: string;
  /** Milliseconds from the start of the process to the answer of tools/list, and that answer's size. */
  readonly tools: { readonly ms: number; readonly bytes: number };
  open(url: string): Promise<void>;
  look(): Promise<Answer>;
  /** Finds one control by its name, without a full reading where the peer has a way. */
  find(name: string): Promise<Answer>;
  /** Presses a control of the last reading and goes on until `outcome` has been seen in an answer. */
  press(name: string, outcome: string): Promise<Job>;
  type(name: string, text: string): Promise<Answer>;
  /** Fills the fields, presses `submit`, goes on until `outcome` is seen; from no reading at all. */
  form(fields: readonly FormField[], submit: string, outcome: string): Promise<Job>;
  picture(): Promise<Answer>;
  /** Resident memory of the server process without its browser, MiB. */
  memory(): number;
  close(): Promise<void>;
}

export const rssMiB = (pid: number): number => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
};

/** An MCP client over stdio that measures each call. */
export class MeasuredClient {
  readonly tools: { readonly ms: number; readonly bytes: number };
  readonly #client: Client;
  readonly #transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport, tools: { ms: number; bytes: number }) {
    this.#client = client;
    this.#transport = transport;
    this.tools = tools;
  }

  static async start(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<MeasuredClient> {
    const from = performance.now();
    const client = new Client({ name: 'signalbox-bench', version: '1.0.0' });
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...inherited, ...env },
      stderr: 'ignore',
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    return new MeasuredClient(client, transport, {
      ms: performance.now() - from,
      bytes: Buffer.byteLength(JSON.stringify(tools)),
    });
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  async call(name: string, args: Record<string, unknown>, timeout = 120_000): Promise<Answer> {
    const from = performance.now();
    const result = await this.#client.callTool({ name, arguments: args }, { timeout });
    const ms = performance.now() - from;
    const blocks = result.content as readonly { type: string; text?: string; data?: string }[];
    const text = blocks.map((block) => block.text ?? '').join('\n');
    const pictures = blocks.reduce((sum, block) => sum + (block.data?.length ?? 0), 0);
    return { ms, bytes: Buffer.byteLength(text) + pictures, text, isError: result.isError === true };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Adds up the calls of one job. */
export class JobSheet {
  #ms = 0;
  #calls = 0;
  #bytes = 0;

  add(answer: Answer): Answer {
    this.#ms += answer.ms;
    this.#calls += 1;
    this.#bytes += answer.bytes;
    return answer;
  }

  end(done: boolean, note?: string): Job {
    return {
      ms: this.#ms,
      calls: this.#calls,
      bytes: this.#bytes,
      done,
      ...(note === undefined ? {} : { note: note.slice(0, 200) }),
    };
  }
}
