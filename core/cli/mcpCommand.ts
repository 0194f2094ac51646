import { setTimeout as delay } from 'node:timers/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { Composed } from '../compose.ts';
import { defaultDataFolder, readRunFile } from '../compose/dataFolder.ts';
import { productVersion } from '../compose/product.ts';
import { parseListing, startStdioBridge, type ConsoleAddress } from '../compose/stdio.ts';
import { healthView } from '../contracts/console.ts';
import { isSignalboxError } from '../contracts/errors.ts';
import { usageError } from './options.ts';
import { closeWhenStopped, stopSignal } from './stopping.ts';

interface McpOptions {
  readonly url?: string;
  readonly token?: string;
  readonly data?: string;
  readonly agent?: string;
  readonly tools?: string;
  readonly toolNames?: string;
}

/** Another process that starts on the same folder at the same moment gets this long to say where it is. */
const otherStarterMs = 5_000;
const lookAgainMs = 100;
const healthWithinMs = 2_000;

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/x/health`, { signal: AbortSignal.timeout(healthWithinMs) });
    return healthView.safeParse(await response.json()).success;
  } catch {
    return false;
  }
};

/**
 * What an MCP client's log may hold: never the opener, whose code makes an approver of whoever reads it
 * within a minute, an agent too. On a terminal a person reads.
 */
const ownConsoleNotice = (own: Composed): string =>
  process.stderr.isTTY
    ? `No console was running; this one ends with the agent: ${own.openerUrl()}`
    : `No console was running, so the agent started one at ${own.url} that ends with it and that nobody can sign in to. Start Signalbox before the agent to decide what it asks.`;

/** The console of a data folder: the one that runs, else one of our own that ends with us. */
class ConsoleFinder {
  readonly #folder: string;
  readonly #agent: string | null;
  #own: Promise<Composed> | null = null;

  constructor(folder: string, agent: string | null) {
    this.#folder = folder;
    this.#agent = agent;
  }

  async find(): Promise<ConsoleAddress> {
    const running = await this.#running();
    if (running !== null) return running;
    try {
      this.#own ??= this.#start();
      const own = await this.#own;
      return { url: own.url, token: own.agentToken, agent: this.#agent };
    } catch (error) {
      this.#own = null;
      return this.#waitForOther(error);
    }
  }

  async #start(): Promise<Composed> {
    const { compose } = await import('../compose.ts');
    const own = await compose({ dataFolder: this.#folder });
    console.error(ownConsoleNotice(own));
    return own;
  }

  /** Two that start at once: one gets the folder, the other joins it. */
  async #waitForOther(error: unknown): Promise<ConsoleAddress> {
    if (!isSignalboxError(error)) throw error;
    for (const end = Date.now() + otherStarterMs; Date.now() < end; await delay(lookAgainMs)) {
      const running = await this.#running();
      if (running !== null) return running;
    }
    throw error;
  }

  /** A run file of a killed console may name a process id that another program has by now: ask. */
  async #running(): Promise<ConsoleAddress | null> {
    const run = await readRunFile(this.#folder);
    if (run === null || !(await answers(run.url))) return null;
    return { url: run.url, token: run.agentToken, agent: this.#agent };
  }

  async close(): Promise<void> {
    const own = await this.#own?.catch(() => null);
    await own?.close();
  }
}

const listingOf = (options: McpOptions): ReturnType<typeof parseListing> => {
  const query = new URLSearchParams();
  if (options.tools !== undefined) query.set('tools', options.tools);
  if (options.toolNames !== undefined) query.set('names', options.toolNames);
  try {
    return parseListing(query);
  } catch (error) {
    throw isSignalboxError(error) ? usageError(error.message) : error;
  }
};

const mcp = async (options: McpOptions): Promise<void> => {
  const listing = listingOf(options);
  if ((options.url === undefined) !== (options.token === undefined)) {
    throw usageError('Give --url and --token together, or neither to join the console of the data folder.');
  }
  const agent = options.agent ?? null;
  const finder = new ConsoleFinder(path.resolve(options.data ?? defaultDataFolder()), agent);
  const given =
    options.url === undefined || options.token === undefined
      ? null
      : { url: options.url.replace(/\/(mcp)?\/?$/, ''), token: options.token, agent };
  const findConsole = given === null ? () => finder.find() : () => Promise.resolve(given);
  const bridge = startStdioBridge({
    version: productVersion,
    listing,
    findConsole,
    stdin: process.stdin,
    stdout: process.stdout,
    onError: (error) => console.error(`signalbox mcp: ${error instanceof Error ? error.message : String(error)}`),
  });
  // With a client on the line the console may as well start now: the first call then finds it ready.
  findConsole().catch((error: unknown) => {
    console.error(`signalbox mcp: ${error instanceof Error ? error.message : String(error)}`);
  });
  await closeWhenStopped(Promise.race([stopSignal(), bridge.ended]), async () => {
    await bridge.close();
    await finder.close();
  });
};

export const addMcpCommand = (program: Command): void => {
  program
    .command('mcp')
    .description('MCP on standard input and output, joined to the running console or to one of its own.')
    .option('--url <url>', 'console to join, with --token')
    .option('--token <token>', "that console's token for this agent")
    .option('--data <dir>', 'data folder whose console to join or start')
    .option('--agent <name>', 'act as agent:<name>')
    .option('--tools <sets>', 'sets of tools to list: operator, signalbox')
    .option('--tool-names <form>', 'dotted or underscore')
    .action(mcp);
};
