import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignalboxError } from '../../core/contracts/errors.ts';
import type { ActInput, PerceiveOutput, Receipt, TargetObject } from '../../core/contracts/operatorClass.ts';
import type {
  EffectCall,
  InputGuard,
  Preflight,
  Surface,
  SurfaceContext,
  SurfaceProvider,
} from '../../core/kernel/ports.ts';
import { randomIds } from '../../core/stores/files/randomIds.ts';
import { createBrowserProvider } from '../../core/surfaces/browser/browserProvider.ts';
import type { BrowserProviderOptions } from '../../core/surfaces/browser/browserProvider.ts';

/** What a page received, as the page itself tells. */
export interface PageEvent {
  readonly type: string;
  readonly on: string;
  readonly trusted: boolean;
  readonly page: string;
  readonly data?: unknown;
  /** Milliseconds since the epoch, by the page's clock: beacons arrive in any order. */
  readonly at: number;
}

type Answer = string | ((req: IncomingMessage, res: ServerResponse) => void);

const logger = `<script>
  const tell = (type, event, data) => navigator.sendBeacon('/log', JSON.stringify({
    type, page: location.pathname, on: event?.composedPath?.()[0]?.id ?? '', trusted: event?.isTrusted ?? false, data,
    at: performance.timeOrigin + performance.now() }));
  window.did = (what, data) => tell(what, null, data);
  for (const type of ['mousedown','mouseup','click','dblclick','contextmenu','keydown','input','change','wheel','dragstart','drop'])
    addEventListener(type, (e) => tell(type, e, type === 'keydown' ? e.key : type === 'input' || type === 'change'
      ? e.composedPath()[0].value : 'clientX' in e ? [e.clientX, e.clientY] : undefined), { capture: true, passive: true });
</script>`;

/** Pages given by a test, on 127.0.0.1 and on localhost (two ports: two origins), with a log of what they received. */
export class PageServer implements AsyncDisposable {
  readonly events: PageEvent[] = [];
  readonly requests: string[] = [];
  readonly pages = new Map<string, Answer>();
  readonly #servers: readonly Server[];
  readonly #waiting = new Set<() => void>();

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
    for (const server of servers) server.on('request', (req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<PageServer> {
    const servers = [createServer(), createServer()];
    servers[0]!.listen(0, '127.0.0.1');
    servers[1]!.listen(0, 'localhost');
    await Promise.all(servers.map((server) => once(server, 'listening')));
    return new PageServer(servers);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get otherUrl(): string {
    return `http://localhost:${(this.#servers[1]!.address() as AddressInfo).port}`;
  }

  get port(): number {
    return (this.#servers[0]!.address() as AddressInfo).port;
  }

  /** Serves `body` at `where` and gives its address. */
  page(where: string, body: string): string {
    this.pages.set(where, `<!doctype html><meta charset=utf-8><title>${where.slice(1)}</title>${logger}<body>${body}`);
    return this.url + where;
  }

  of(type: string, on?: string): PageEvent[] {
    return this.events.filter((event) => event.type === type && (on === undefined || event.on === on));
  }

  /** Resolves as soon as the condition holds; looked at whenever something reaches the server. */
  async until(condition: () => boolean, what: string): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), 5_000);
      const look = (): void => {
        if (!condition()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', this.url);
    if (pathname === '/log') {
      let body = '';
      for await (const chunk of req) body += String(chunk);
      this.events.push(JSON.parse(body) as PageEvent);
      this.events.sort((a, b) => a.at - b.at);
      res.writeHead(204).end();
    } else {
      this.requests.push(req.url ?? '/');
      const answer = this.pages.get(pathname);
      if (typeof answer === 'function') answer(req, res);
      else if (answer === undefined)
        res.writeHead(404, { 'content-type': 'text/html' }).end('<title>Missing</title>not here');
      else res.writeHead(200, { 'content-type': 'text/html' }).end(answer);
    }
    for (const look of [...this.#waiting]) look();
  }
}

/** A guard that notes what was sent and can be told to stop before the n-th input (counted from 0). */
class TestGuard implements InputGuard {
  readonly sentInputs: string[] = [];
  stopAt = Infinity;
  stopCode: 'CONTROLLED_BY_HUMAN' | 'PAUSED' = 'CONTROLLED_BY_HUMAN';
  onSent: (n: number) => void = () => undefined;

  before(): void {
    if (this.sentInputs.length >= this.stopAt) throw new SignalboxError(this.stopCode, 'stopped by the test');
  }

  sent(what: string): void {
    this.sentInputs.push(what);
    this.onSent(this.sentInputs.length);
  }
}

const agent = { type: 'agent', id: 'tester' } as const;

/** A surface in short words. */
export class Worked {
  readonly surface: Surface;
  guard = new TestGuard();
  signal: AbortSignal = new AbortController().signal;

  constructor(surface: Surface) {
    this.surface = surface;
  }

  get ctx(): SurfaceContext {
    return { signal: this.signal, principal: agent, callId: 'call_test' };
  }

  perceive(
    input: { query?: string; limit?: number; cursor?: string; text_limit?: number } = {},
  ): Promise<PerceiveOutput> {
    return this.surface.perceive({ surface_id: this.surface.id, limit: 50, ...input }, this.ctx);
  }

  /** The one target a query means. */
  async find(query: string): Promise<TargetObject> {
    const { targets } = await this.perceive({ query });
    if (targets.length === 0) throw new Error(`nothing found for ${query}`);
    return targets[0]!;
  }

  async ref(query: string): Promise<string> {
    return (await this.find(query)).ref;
  }

  actCall(target: string, action: ActInput['action'], value?: string): EffectCall {
    const args = { surface_id: this.surface.id, target, action, ...(value !== undefined && { value }) };
    return { verb: 'operator.act', args };
  }

  preflight(target: string, action: ActInput['action'] = 'press', value?: string): Promise<Preflight> {
    return this.surface.preflight(this.actCall(target, action, value), this.ctx);
  }

  act(target: string, action: ActInput['action'], value?: string): Promise<Receipt> {
    return this.surface.perform(this.actCall(target, action, value), this.guard, this.ctx);
  }

  press(target: string, value?: string): Promise<Receipt> {
    return this.act(target, 'press', value);
  }

  enter(target: string, value: string): Promise<Receipt> {
    return this.act(target, 'enter_text', value);
  }

  navigate(url: string): Promise<Receipt> {
    return this.surface.perform(
      { verb: 'operator.navigate', args: { surface_id: this.surface.id, url } },
      this.guard,
      this.ctx,
    );
  }
}

/** A browser provider with a folder of its own, and pages to work on. */
export class BrowserBench implements AsyncDisposable {
  readonly server: PageServer;
  readonly provider: SurfaceProvider;
  readonly folder: string;
  readonly backgroundErrors: unknown[] = [];
  readonly opened: Surface[] = [];

  private constructor(server: PageServer, folder: string, options: Partial<BrowserProviderOptions>) {
    this.server = server;
    this.folder = folder;
    this.provider = createBrowserProvider({
      ids: randomIds(),
      downloads: path.join(folder, 'downloads'),
      profiles: path.join(folder, 'profiles'),
      uploads: folder,
      onBackgroundError: (error) => this.backgroundErrors.push(error),
      ...options,
    });
    this.provider.onOpened((surface) => this.opened.push(surface));
  }

  static async start(
    options: (server: PageServer) => Partial<BrowserProviderOptions> = () => ({}),
  ): Promise<BrowserBench> {
    const server = await PageServer.start();
    const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-test-'));
    return new BrowserBench(server, folder, options(server));
  }

  async open(url?: string, input: { profile?: string } = {}): Promise<Worked> {
    return new Worked(await this.provider.open({ kind: 'browser', ...input, ...(url !== undefined && { url }) }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider.close();
    await this.server[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
