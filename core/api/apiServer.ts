import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { SignalboxError } from '../contracts/errors.ts';
import type { ApiDeps } from './apiDeps.ts';
import { createConsoleSocket } from './console/consoleSocket.ts';
import { createMcpEndpoint } from './mcp/mcpEndpoint.ts';
import { createRestApp } from './rest/restApp.ts';
import { SessionCodes } from './sessionCodes.ts';

export interface ApiServer {
  readonly url: string;
  readonly port: number;
  /** Address that signs a person in: once, within a minute. */
  openerUrl(): string;
  /** Waiting calls are detached, streams and sockets end. */
  close(): Promise<void>;
}

const loopback = '127.0.0.1';

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return reject(error);
      const why = error.code === 'EACCES' ? 'may not be used without more rights' : 'is in use by another program';
      reject(
        new SignalboxError('INVALID_REQUEST', `Port ${port} ${why}. Stop that program, or give another: --port 0.`, {
          cause: error,
          details: { reason: 'port_taken' },
        }),
      );
    });
    server.listen(port, loopback, () => resolve((server.address() as AddressInfo).port));
  });

/** The one HTTP server: REST, MCP, the console's files and its socket, on loopback only. */
export const startApiServer = async (deps: ApiDeps, wantedPort: number): Promise<ApiServer> => {
  const sessions = new SessionCodes(deps.clock, deps.ids);
  const stopping = new AbortController();
  const mcp = createMcpEndpoint(deps);
  let port = wantedPort;
  const url = (): string => `http://${loopback}:${port}`;
  const app = createRestApp({
    ...deps,
    sessions,
    url,
    port: () => port,
    stopping: stopping.signal,
    mcp: (request) => mcp.fetch(request),
  });
  const socket = createConsoleSocket(deps, () => port);
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'missing.invalid' });
  const server = createServer((request, response) => void handle(request, response));
  server.on('upgrade', (request, duplex, head) => socket.upgrade(request, duplex, head));
  port = await listen(server, wantedPort);

  return {
    url: url(),
    port,
    openerUrl: () => `${url()}/#code=${sessions.mint()}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await mcp.close();
      stopping.abort();
      socket.close();
      server.closeIdleConnections();
      // Answers under way get a moment to be sent; then their connections end.
      const force = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(force);
    },
  };
};
