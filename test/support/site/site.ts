import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * The pages of the situations tests and benches need, on two origins (`127.0.0.1` and `localhost`).
 * A page opened with `?s=<session>` reports the events it received; `log(session)` reads them back.
 */
export interface SiteEntry {
  readonly type: string;
  readonly page: string;
  readonly at: number;
  /** The document that tells it, as long as that lives. */
  readonly doc: string;
  readonly target?: string;
  readonly trusted?: boolean;
  readonly x?: number;
  readonly y?: number;
  readonly key?: string;
  readonly value?: unknown;
  /** For `type: 'app'`: what the page did, e.g. `order`. */
  readonly what?: string;
  readonly data?: unknown;
}

export interface SiteHit {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly at: number;
}

interface Command {
  readonly id: number;
  readonly name: string;
  readonly data: unknown;
  readonly done: () => void;
}

const pagesDir = fileURLToPath(new URL('./pages/', import.meta.url));
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
const INPUT = new Set([
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'contextmenu',
  'keydown',
  'input',
  'change',
  'submit',
  'wheel',
]);

export class Site implements AsyncDisposable {
  readonly url: string;
  /** The same pages on another origin. */
  readonly otherUrl: string;
  readonly hits: SiteHit[] = [];
  readonly #servers: readonly Server[];
  readonly #logs = new Map<string, SiteEntry[]>();
  readonly #commands = new Map<string, Command[]>();
  readonly #polls = new Map<string, Set<() => void>>();
  readonly #hanging = new Set<ServerResponse>();
  readonly #changed = new Set<() => void>();
  #commandId = 0;

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
    const [first, second] = servers.map((server) => (server.address() as AddressInfo).port);
    this.url = `http://127.0.0.1:${String(first)}`;
    this.otherUrl = `http://localhost:${String(second)}`;
    for (const server of servers) server.on('request', (req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<Site> {
    const servers = [createServer(), createServer()];
    servers[0]?.listen(0, '127.0.0.1');
    // `localhost` may mean either loopback family to a browser.
    servers[1]?.listen(0, 'localhost');
    await Promise.all(servers.map((server) => once(server, 'listening')));
    return new Site(servers);
  }

  /** Address of a page; `session` names the log it writes. */
  page(name: string, session?: string, query: Record<string, string | number> = {}): string {
    const url = new URL(`/${name}.html`, this.url);
    if (session !== undefined) url.searchParams.set('s', session);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
    return url.href;
  }

  log(session: string): readonly SiteEntry[] {
    return this.#logs.get(session) ?? [];
  }

  /** Only what a mouse or a keyboard can cause. */
  inputs(session: string): readonly SiteEntry[] {
    return this.log(session).filter((entry) => INPUT.has(entry.type));
  }

  /** What the page's own code did: orders sent, records deleted. */
  did(session: string, what?: string): readonly SiteEntry[] {
    return this.log(session).filter((entry) => entry.type === 'app' && (what === undefined || entry.what === what));
  }

  hitsOf(path: string): readonly SiteHit[] {
    return this.hits.filter((hit) => hit.path === path);
  }

  /** Resolves as soon as `condition` holds; it is looked at whenever something reaches the site. */
  async until(condition: () => boolean, what: string, timeoutMs = 10_000): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (condition()) finish(resolve);
      };
      const finish = (end: () => void): void => {
        clearTimeout(timer);
        this.#changed.delete(look);
        end();
      };
      const timer = setTimeout(() => {
        finish(() => {
          reject(new Error(`The site waited ${timeoutMs} ms in vain for ${what}`));
        });
      }, timeoutMs);
      this.#changed.add(look);
    });
  }

  /** Runs a page's `onCommand` handler and resolves when it has run. */
  async tell(session: string, name: string, data: unknown = null): Promise<void> {
    await new Promise<void>((done) => {
      this.#commandId += 1;
      const queue = this.#commands.get(session) ?? [];
      queue.push({ id: this.#commandId, name, data, done });
      this.#commands.set(session, queue);
      for (const wake of this.#polls.get(session) ?? []) wake();
    });
  }

  /** Lets every request to `/hang` go. */
  release(): void {
    for (const res of this.#hanging) res.end('released');
    this.#hanging.clear();
  }

  forget(): void {
    this.hits.length = 0;
    this.#logs.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await Promise.all(
      this.#servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  #notify(): void {
    this.#changed.forEach((look) => {
      look();
    });
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const [, first = '', second = '', third = ''] = url.pathname.split('/').map(decodeURIComponent);
    if (first === 'log') {
      await this.#keepLog(req, res, second);
      return;
    }
    if (first === 'command') {
      this.#command(req, res, second, third);
      return;
    }
    this.hits.push({ method: req.method ?? 'GET', path: url.pathname, query: url.search, at: Date.now() });
    this.#notify();
    const ms = Number(url.searchParams.get('ms') ?? 0);
    switch (first) {
      case 'wait':
      case 'order':
      case 'late-page':
        this.#after(res, ms, () => {
          res.setHeader('content-type', first === 'late-page' ? 'text/html' : 'text/plain');
          res.end(first === 'late-page' ? '<!doctype html><title>Late</title><h1>Late page</h1>' : `after ${ms}`);
        });
        return;
      case 'hang':
        this.#hanging.add(res);
        res.on('close', () => this.#hanging.delete(res));
        return;
      case 'stream':
        this.#stream(res);
        return;
      case 'redirect':
        res.writeHead(302, { location: url.searchParams.get('to') ?? '/form.html' }).end();
        return;
      case 'download':
        res.setHeader('content-disposition', 'attachment; filename="report.csv"').end('a,b\n1,2\n');
        return;
      case 'auth':
        res.writeHead(401, { 'www-authenticate': 'Basic realm="Vault"', 'content-type': 'text/html' });
        res.end('<!doctype html><title>Locked</title><h1>Not for you</h1>');
        return;
      default:
        this.#file(res, first === 'traps' ? `traps/${second}` : first, url.searchParams.get('s') ?? 'default');
    }
  }

  async #keepLog(req: IncomingMessage, res: ServerResponse, session: string): Promise<void> {
    if (req.method === 'GET') {
      res.setHeader('content-type', 'application/json').end(JSON.stringify(this.log(session)));
      return;
    }
    let body = '';
    for await (const chunk of req) body += String(chunk);
    const entries = this.#logs.get(session) ?? [];
    entries.push(JSON.parse(body) as SiteEntry);
    this.#logs.set(session, entries);
    res.writeHead(204).end();
    this.#notify();
  }

  #command(req: IncomingMessage, res: ServerResponse, session: string, id: string): void {
    const queue = this.#commands.get(session) ?? [];
    if (req.method === 'POST') {
      const index = queue.findIndex((command) => String(command.id) === id);
      const [command] = index < 0 ? [] : queue.splice(index, 1);
      res.writeHead(204).end();
      command?.done();
      for (const wake of this.#polls.get(session) ?? []) wake();
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    let given = 0;
    const give = (): void => {
      const command = this.#commands.get(session)?.[0];
      if (command === undefined || command.id === given) return;
      given = command.id;
      res.write(`data: ${JSON.stringify({ id: command.id, name: command.name, data: command.data })}\n\n`);
    };
    const waiting = this.#polls.get(session) ?? new Set();
    waiting.add(give);
    this.#polls.set(session, waiting);
    res.on('close', () => waiting.delete(give));
    give();
  }

  #after(res: ServerResponse, ms: number, run: () => void): void {
    const timer = setTimeout(run, ms);
    res.on('close', () => {
      clearTimeout(timer);
    });
  }

  #stream(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    let tick = 0;
    const timer = setInterval(() => {
      tick += 1;
      res.write(`data: ${tick}\n\n`);
    }, 150);
    res.on('close', () => {
      clearInterval(timer);
    });
  }

  #file(res: ServerResponse, name: string, session: string): void {
    const file = /^(?:traps\/)?[a-z0-9-]+\.(html|js|css)$/.exec(name);
    try {
      if (file === null) throw new Error('no such page');
      const text = readFileSync(`${pagesDir}${name}`, 'utf8')
        .replaceAll('{{other}}', this.otherUrl)
        .replaceAll('{{s}}', encodeURIComponent(session));
      res.writeHead(200, {
        'content-type': `${types[file[1] ?? ''] ?? 'text/plain'}; charset=utf-8`,
        'cache-control': 'no-store',
      });
      res.end(text);
    } catch (error) {
      res.writeHead(404, { 'content-type': 'text/plain' }).end(String(error));
    }
  }
}
