import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createReadStream, existsSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { wsClientMessage } from '../../core/contracts/console.ts';
import type { WsClientMessage, WsServerMessage } from '../../core/contracts/console.ts';
import { routes } from '../../core/contracts/routes.ts';
import type { Route, RouteName } from '../../core/contracts/routes.ts';
import { FakeFault, FakeState } from './fakeConsoleState.ts';

/**
 * Stands in for the core in tests of the renderer alone: the built console, the REST routes and the
 * socket of the contracts, over state that a test scripts. Every answer is checked against its route's
 * schema, so that it cannot drift from what the real server may say.
 */
export const FAKE_TOKEN = 'fake-person-token';

const dist = path.resolve(process.env['RENDERER_DIST'] ?? 'dist/renderer');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Match {
  readonly name: RouteName;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const table = (Object.entries(routes) as [RouteName, Route][]).map(([name, route]) => ({
  name,
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const matchRoute = (method: string, pathname: string): Match | null => {
  for (const { name, route, pattern } of table) {
    const found = pattern.exec(pathname);
    if (found === null || route.method !== method.toLowerCase()) continue;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]),
    );
    return { name, route, params };
  }
  return null;
};

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks).toString('utf8');
  return bytes === '' ? undefined : JSON.parse(bytes);
};

export class FakeConsoleServer implements AsyncDisposable {
  readonly state = new FakeState();
  /** Every message the console sent, in order, without `hello`'s token. */
  readonly received: WsClientMessage[] = [];
  /** `after` of every hello. */
  readonly hellos: (number | null)[] = [];
  /** Requests that changed something: route and body. */
  readonly changes: { readonly route: RouteName; readonly params: Record<string, string>; readonly body: unknown }[] =
    [];
  readonly code = 'opener-code';
  #codeUsed = false;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #live = new Set<WebSocket>();
  #refuseSockets = false;

  private constructor() {
    this.#http = createServer((request, response) => void this.#handle(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      if (this.#refuseSockets) return socket.destroy();
      this.#sockets.handleUpgrade(request, socket, head, (ws) => this.#accept(ws));
    });
    this.state.onMessage = (message) => this.broadcast(message);
  }

  static async start(): Promise<FakeConsoleServer> {
    const server = new FakeConsoleServer();
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  broadcast(message: WsServerMessage): void {
    for (const ws of this.#live) ws.send(JSON.stringify(message));
  }

  sendFrame(surfaceId: string): void {
    const bytes = this.state.frameBytes(surfaceId);
    for (const ws of this.#live) ws.send(bytes);
  }

  /** Cuts every connection; `stayDown` refuses new ones until `comeBack`. */
  dropConnections(stayDown = false): void {
    this.#refuseSockets = stayDown;
    for (const ws of this.#live) ws.terminate();
  }

  comeBack(): void {
    this.#refuseSockets = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ws of this.#live) ws.terminate();
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  #accept(ws: WebSocket): void {
    ws.on('message', (data) => this.#receive(ws, wsClientMessage.parse(JSON.parse((data as Buffer).toString('utf8')))));
    ws.on('close', () => this.#live.delete(ws));
  }

  #receive(ws: WebSocket, message: WsClientMessage): void {
    if (message.type === 'hello') return this.#hello(ws, message);
    this.received.push(message);
    if (message.type === 'ping') ws.send(JSON.stringify({ type: 'pong', now: new Date().toISOString() }));
    if (message.type === 'watch' && this.state.hasFrame(message.surface_id)) {
      ws.send(this.state.frameBytes(message.surface_id));
    }
  }

  #hello(ws: WebSocket, message: Extract<WsClientMessage, { type: 'hello' }>): void {
    if (message.token !== FAKE_TOKEN) {
      ws.send(JSON.stringify({ type: 'error', code: 'UNAUTHENTICATED', message: 'Unknown token.' }));
      return ws.close();
    }
    this.hellos.push(message.after ?? null);
    const { me, head, events } = this.state;
    ws.send(JSON.stringify({ type: 'ready', principal: me.principal, head, now: new Date().toISOString() }));
    if (message.after !== undefined) {
      for (const each of events.filter((event) => event.seq > (message.after ?? 0))) ws.send(JSON.stringify(each));
    }
    this.#live.add(ws);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!url.pathname.startsWith('/x/')) return this.#file(url.pathname, response);
    try {
      await this.#rest(request, response, url);
    } catch (error) {
      const fault = error instanceof FakeFault ? error : new FakeFault(500, 'INTERNAL', String(error));
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          error: { code: fault.code, message: fault.message, retryable: false },
          trace_id: 'trc_fake',
        }),
      );
    }
  }

  async #rest(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const match = matchRoute(request.method ?? 'GET', url.pathname);
    if (match === null) throw new FakeFault(404, 'NOT_FOUND', 'No such path.');
    const { name, route, params } = match;
    if (route.access !== 'open' && request.headers.authorization !== `Bearer ${FAKE_TOKEN}`) {
      throw new FakeFault(401, 'UNAUTHENTICATED', 'This token is not known.');
    }
    const query = route.query?.parse(Object.fromEntries(url.searchParams)) ?? {};
    const body = route.body?.parse(await readBody(request));
    if (route.method !== 'get') this.changes.push({ route: name, params: { ...params }, body });
    if (name === 'session') return this.#session(response, body as { code: string });
    const answer = this.state.answer(name, params, query, body);
    if (answer instanceof Uint8Array) {
      response.writeHead(200, { 'content-type': this.state.pictureType });
      response.end(answer);
      return;
    }
    response.writeHead(route.status, { 'content-type': 'application/json' });
    response.end(route.response === undefined ? '' : JSON.stringify(route.response.parse(answer)));
  }

  #session(response: ServerResponse, body: { code: string }): void {
    if (this.#codeUsed || body.code !== this.code) throw new FakeFault(401, 'UNAUTHENTICATED', 'Used or unknown code.');
    this.#codeUsed = true;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: FAKE_TOKEN, ...this.state.me }));
  }

  #file(pathname: string, response: ServerResponse): void {
    const asked = path.join(dist, path.normalize(pathname));
    const found = existsSync(asked) && statSync(asked).isFile() ? asked : path.join(dist, 'index.html');
    response.writeHead(200, {
      'content-type': types[path.extname(found)] ?? 'application/octet-stream',
      'content-security-policy': CSP,
    });
    createReadStream(found).pipe(response);
  }
}
