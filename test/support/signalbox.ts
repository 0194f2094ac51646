import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { allGone, descendants, marked } from './processes.ts';
import type { ProcessId } from './processes.ts';
import { Rest } from './rest.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** How the product is started: as users do, or from its sources (`SIGNALBOX_FROM=source`, no build needed). */
export const command: readonly string[] =
  process.env['SIGNALBOX_FROM'] === 'source'
    ? [process.execPath, '--import', 'tsx', join(root, 'core/cli/main.ts')]
    : [process.execPath, join(root, 'bin/signalbox.mjs')];

export interface StartOptions {
  /** Kept data folder of an earlier start; a new temporary one when omitted. */
  readonly data?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly port?: number;
}

/** What `serve --json` prints as its first line on standard output. */
const serveLine = z.looseObject({
  url: z.url(),
  opener_url: z.string(),
  /** The person's. */
  token: z.string(),
  agentToken: z.string(),
});
type ServeLine = z.infer<typeof serveLine>;

/** One running console on a data folder of its own. */
export class Signalbox {
  readonly data: string;
  readonly url: string;
  /** Signs a person in, once. */
  readonly opener: string;
  readonly pid: number;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #mark: string;
  readonly #stderr: string[];
  readonly #exit: Promise<number | null>;
  readonly #line: ServeLine;

  private constructor(
    child: ChildProcessByStdio<null, Readable, Readable>,
    line: ServeLine,
    data: string,
    mark: string,
    stderr: string[],
  ) {
    this.#child = child;
    this.#mark = mark;
    this.#stderr = stderr;
    this.#line = line;
    this.data = data;
    this.url = line.url.replace(/\/$/, '');
    this.opener = line.opener_url;
    this.pid = child.pid ?? 0;
    this.#exit = once(child, 'exit').then(([code]) => code as number | null);
  }

  static async start(options: StartOptions = {}): Promise<Signalbox> {
    const data = options.data ?? (await mkdtemp(join(tmpdir(), 'signalbox-test-')));
    if (options.config !== undefined)
      await writeFile(join(data, 'config.json'), JSON.stringify(options.config), { mode: 0o600 });
    const [program = '', ...first] = command;
    const mark = `SIGNALBOX_TEST_RUN_${randomUUID()}`;
    const child = spawn(
      program,
      [...first, 'serve', '--json', '--port', String(options.port ?? 0), '--data', data, ...(options.args ?? [])],
      { cwd: root, env: { ...process.env, [mark]: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const stderr: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    const line = await Signalbox.#firstLine(child, stderr);
    return new Signalbox(child, line, data, mark, stderr);
  }

  static async #firstLine(child: ChildProcessByStdio<null, Readable, Readable>, stderr: string[]): Promise<ServeLine> {
    const lines = createInterface({ input: child.stdout });
    return await new Promise<ServeLine>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`serve printed nothing in 30 s. ${stderr.join('')}`));
      }, 30_000);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`serve ended with ${String(code)} before it was up. ${stderr.join('')}`));
      });
      lines.once('line', (text) => {
        clearTimeout(timer);
        try {
          resolve(serveLine.parse(JSON.parse(text)));
        } catch (error) {
          child.kill('SIGKILL');
          reject(error);
        }
      });
    });
  }

  /** What it wrote to standard error. */
  get log(): string {
    return this.#stderr.join('');
  }

  /** `user:local`, who may do everything. */
  get person(): Rest {
    return new Rest(this.url, this.#line.token);
  }

  /** A token of `agent:<id>`, the default agent's when no id is given. */
  async agentToken(id?: string): Promise<string> {
    if (id === undefined) return this.#line.agentToken;
    return (await this.person.call('tokens.create', { body: { principal: { type: 'agent', id } } })).token;
  }

  async agent(id?: string): Promise<Rest> {
    return new Rest(this.url, await this.agentToken(id));
  }

  /** The browser surface of the first start. */
  async browserId(): Promise<string> {
    const { surfaces } = await this.person.call('surfaces.list');
    const browser = surfaces.find((surface) => surface.kind === 'browser');
    if (browser === undefined) throw new Error('There is no browser surface');
    return browser.id;
  }

  /** Ends it as an operating system does; it must end cleanly and leave no process behind. */
  async stop(options: { keepData?: boolean } = {}): Promise<void> {
    const children = descendants(this.pid);
    this.#child.kill('SIGTERM');
    const code = await this.#exitWithin(15_000);
    await this.#assertNothingLeft(children);
    if (code !== 0) throw new Error(`serve ended with ${String(code)} after SIGTERM. ${this.log}`);
    if (options.keepData !== true) await rm(this.data, { recursive: true, force: true });
  }

  /** The power cut: no handler runs. */
  async kill9(): Promise<readonly ProcessId[]> {
    const children = descendants(this.pid);
    this.#child.kill('SIGKILL');
    await this.#exitWithin(5_000);
    return children;
  }

  /** Starts again on the same data. */
  async restart(options: Omit<StartOptions, 'data'> = {}): Promise<Signalbox> {
    return await Signalbox.start({ ...options, data: this.data });
  }

  async #exitWithin(ms: number): Promise<number | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#child.kill('SIGKILL');
        reject(new Error(`serve did not end in ${ms} ms. ${this.log}`));
      }, ms);
    });
    try {
      return await Promise.race([this.#exit, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #assertNothingLeft(children: readonly ProcessId[]): Promise<void> {
    const left = await allGone([...children, ...marked(this.#mark)], 3_000);
    for (const orphan of left) process.kill(orphan.pid, 'SIGKILL');
    if (left.length > 0)
      throw new Error(
        `serve left processes behind: ${left.map((p) => `${p.pid} ${p.command.slice(0, 80)}`).join('; ')}`,
      );
  }
}
