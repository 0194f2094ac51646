import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { SignalboxError } from '../../contracts/errors.ts';

/** Carries whole protocol messages. `onClose` is told once, whoever closed. */
export interface CdpTransport {
  send(message: string): void;
  onMessage: ((message: string) => void) | null;
  onClose: (() => void) | null;
  close(): void;
}

const NUL = 0;

/**
 * `--remote-debugging-pipe`: messages end with a zero byte. Preferred to a port for a browser of our
 * own: no other process can join it, and the browser ends by itself when this process does, even on
 * SIGKILL.
 */
export const createPipeTransport = (input: Writable, output: Readable): CdpTransport => {
  let rest: Buffer[] = [];
  let open = true;
  const transport: CdpTransport = {
    onMessage: null,
    onClose: null,
    send(message) {
      if (!open) return;
      input.write(message);
      input.write('\0');
    },
    close: () => ended(),
  };
  const ended = (): void => {
    if (!open) return;
    open = false;
    input.destroy();
    output.destroy();
    transport.onClose?.();
  };
  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(NUL, from); end >= 0; end = chunk.indexOf(NUL, from)) {
      const piece = chunk.subarray(from, end);
      const message = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      from = end + 1;
      transport.onMessage?.(message.toString('utf8'));
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  });
  output.on('close', ended);
  output.on('error', ended);
  input.on('error', ended);
  return transport;
};

const CONNECT_TIMEOUT_MS = 15_000;

const unreachable = (endpoint: string, cause: unknown): SignalboxError =>
  new SignalboxError(
    'SURFACE_GONE',
    `No browser answers at ${endpoint}. Check that it is running with remote debugging on, and the address.`,
    { cause },
  );

/** `http://host:port` of a browser → its browser-level WebSocket address. */
const browserSocketUrl = async (endpoint: string): Promise<string> => {
  const url = new URL(endpoint);
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return endpoint;
  try {
    const response = await fetch(new URL('/json/version', url), { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    const version = (await response.json()) as { webSocketDebuggerUrl?: string };
    if (typeof version.webSocketDebuggerUrl === 'string') return version.webSocketDebuggerUrl;
  } catch (error) {
    throw unreachable(endpoint, error);
  }
  throw unreachable(endpoint, undefined);
};

/** A remote browser or grid, by its http or ws address. */
export const connectWebSocketTransport = async (endpoint: string): Promise<CdpTransport> => {
  const socket = new WebSocket(await browserSocketUrl(endpoint), {
    perMessageDeflate: false,
    maxPayload: 256 * 1024 * 1024,
    handshakeTimeout: CONNECT_TIMEOUT_MS,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', (error) => reject(unreachable(endpoint, error)));
  });
  const transport: CdpTransport = {
    onMessage: null,
    onClose: null,
    send: (message) => socket.send(message),
    close: () => socket.close(),
  };
  socket.on('message', (data: Buffer) => transport.onMessage?.(data.toString('utf8')));
  // An error is always followed by `close`.
  socket.on('error', () => socket.close());
  socket.once('close', () => transport.onClose?.());
  return transport;
};
