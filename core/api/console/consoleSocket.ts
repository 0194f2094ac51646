import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ApiDeps } from '../apiDeps.ts';
import { refuseForeign } from '../loopback.ts';
import { ConsoleConnection } from './consoleConnection.ts';

export interface ConsoleSocket {
  /** For the HTTP server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

const refuse = (socket: Duplex, status: string, message: string): void => {
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
};

/** `/ws`: consoles attach here after the Host and Origin checks; the token comes as their first message. */
export const createConsoleSocket = (deps: ApiDeps, port: () => number): ConsoleSocket => {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_048_576 });
  const connections = new Set<ConsoleConnection>();
  return {
    upgrade: (request, socket, head) => {
      socket.on('error', (err) => deps.log.info({ err }, 'upgrade failed'));
      const foreign = refuseForeign({ host: request.headers.host, origin: request.headers.origin }, port());
      if (foreign !== null) return refuse(socket, '403 Forbidden', foreign);
      if (new URL(request.url ?? '/', 'http://x').pathname !== '/ws') {
        return refuse(socket, '404 Not Found', 'The socket of the console is /ws.');
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new ConsoleConnection(webSocket, deps);
        connections.add(connection);
        webSocket.on('close', () => connections.delete(connection));
      });
    },
    close: () => {
      for (const connection of connections) connection.close();
      server.close();
    },
  };
};
