import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** Debian keeps the server's programs off PATH, by version. */
const binFolder = (): string => {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(base, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (found === undefined) throw new Error('PostgreSQL is not installed: run node scripts/systemPackages.mjs');
  return found;
};

/** The server refuses to run as root; Debian's package brings the account `postgres`. */
const account = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** A PostgreSQL server of its own, on a socket in a temporary folder; ends with the test run. */
export class PostgresServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #child: ChildProcess;
  #databases = 0;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<PostgresServer> {
    const bin = binFolder();
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-pg-'));
    const owner = account();
    if (owner !== null) chownSync(folder, owner.uid, owner.gid);
    const as = owner ?? {};
    const data = join(folder, 'data');
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'signalbox', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
      { ...as, stdio: 'ignore' },
    );
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = new PostgresServer(folder, child);
    await server.#ready();
    return server;
  }

  async #ready(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      let text = '';
      this.#child.once('exit', () => reject(new Error(`PostgreSQL ended while starting: ${text}`)));
      this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('ready to accept connections')) resolve();
      });
    });
    this.#child.stderr?.removeAllListeners('data').resume();
  }

  url(database: string): string {
    return `postgres://signalbox@/${database}?host=${encodeURIComponent(this.#folder)}`;
  }

  /** A new, empty database. */
  async database(): Promise<string> {
    const name = `test_${(this.#databases += 1)}`;
    const client = new Client({ connectionString: this.url('postgres') });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return this.url(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    // Immediate shutdown: the data is thrown away.
    this.#child.kill('SIGQUIT');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
