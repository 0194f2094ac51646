import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { frameHeader, wsServerMessage } from '../../core/contracts/console.ts';
import type { WsClientMessage, WsServerMessage } from '../../core/contracts/console.ts';
import { followEvents } from '../support/events.ts';
import type { LoggedEvent } from '../support/events.ts';
import type { Rest } from '../support/rest.ts';
import { Stage } from '../support/stage.ts';

let stage: Stage;
let rest: Rest;

beforeAll(async () => {
  stage = await Stage.open();
  rest = stage.person.rest;
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const pauseTwice = async (): Promise<void> => {
  await rest.call('pause', { body: { paused: true } });
  await rest.call('pause', { body: { paused: false } });
};

const takeEvents = async (
  from: { after?: number; lastEventId?: number },
  enough: (seen: readonly LoggedEvent[]) => boolean,
): Promise<readonly LoggedEvent[]> => {
  const end = new AbortController();
  const seen: LoggedEvent[] = [];
  for await (const event of followEvents(rest, from, AbortSignal.any([end.signal, AbortSignal.timeout(10_000)]))) {
    seen.push(event);
    if (enough(seen)) break;
  }
  end.abort();
  return seen;
};

describe('events over SSE', () => {
  it('gives the whole log, gapless, then goes on live', async () => {
    const head = await rest.head();
    const reading = takeEvents({ after: 0 }, (seen) => seen.length === head + 2);
    await pauseTwice();
    const seen = await reading;
    expect(seen.map((entry) => entry.seq)).toEqual(Array.from({ length: head + 2 }, (_, i) => i + 1));
    expect(new Set(seen.map((entry) => entry.event.event_id)).size).toBe(seen.length);
  });

  it('resumes after Last-Event-ID without losing or repeating one', async () => {
    const head = await rest.head();
    await pauseTwice();
    const missed = await takeEvents({ lastEventId: head }, (seen) => seen.length === 2);
    expect(missed.map((entry) => entry.seq)).toEqual([head + 1, head + 2]);
    const half = await takeEvents({ after: 0, lastEventId: head + 1 }, (seen) => seen.length === 1);
    expect(half.map((entry) => entry.seq)).toEqual([head + 2]);
  });
});

/** The console's socket, its messages held against the contract. */
class Socket {
  readonly messages: WsServerMessage[] = [];
  readonly frames: { header: ReturnType<typeof frameHeader.parse>; bytes: Buffer }[] = [];
  readonly #socket: WebSocket;
  readonly #wake = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, binary) => {
      if (binary) {
        const length = data.readUInt32BE(0);
        const header = frameHeader.parse(JSON.parse(data.subarray(4, 4 + length).toString()));
        this.frames.push({ header, bytes: data.subarray(4 + length) });
      } else this.messages.push(wsServerMessage.parse(JSON.parse(data.toString())));
      for (const wake of this.#wake) wake();
    });
  }

  static async open(origin?: string): Promise<Socket> {
    const url = new URL('/ws', stage.signalbox.url);
    url.protocol = 'ws:';
    const socket = new WebSocket(url, origin === undefined ? {} : { origin });
    const wrapped = new Socket(socket);
    await once(socket, 'open');
    return wrapped;
  }

  send(message: WsClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        this.#wake.delete(check);
        resolve(found);
      };
      const timer = setTimeout(() => {
        reject(new Error(`no ${what} in ${JSON.stringify(this.messages)}`));
      }, 10_000);
      this.#wake.add(check);
      check();
    });
  }

  async closed(): Promise<number> {
    if (this.#socket.readyState === WebSocket.CLOSED) return 0;
    const [code] = (await once(this.#socket, 'close')) as [number];
    return code;
  }

  close(): void {
    this.#socket.close();
  }
}

describe('the socket of the console', () => {
  it('wants the token first and closes on a wrong one', async () => {
    const socket = await Socket.open();
    const closed = socket.closed();
    socket.send({ type: 'hello', token: 'wrong' });
    await socket.until('error', () => socket.messages.find((m) => m.type === 'error'));
    await closed;
    expect(socket.messages.some((m) => m.type === 'ready')).toBe(false);
  });

  it('does not talk to a page of another origin', async () => {
    await expect(Socket.open('http://evil.example')).rejects.toThrow(/403|401/);
  });

  it('does not talk to an agent', async () => {
    const socket = await Socket.open();
    const closed = socket.closed();
    socket.send({ type: 'hello', token: await stage.signalbox.agentToken() });
    await closed;
    expect(socket.messages.some((m) => m.type === 'ready')).toBe(false);
  });

  it('resumes after the position given, each event once and in order', async () => {
    const head = await rest.head();
    await pauseTwice();
    const socket = await Socket.open();
    socket.send({ type: 'hello', token: rest.token ?? '', after: head });
    await socket.until('third event', () => {
      const events = socket.messages.filter((m) => m.type === 'event');
      return events.length >= 2 ? events : undefined;
    });
    await pauseTwice();
    const events = await socket.until('live events', () => {
      const found = socket.messages.filter((m) => m.type === 'event');
      return found.length >= 4 ? found : undefined;
    });
    expect(events.map((m) => m.seq)).toEqual([1, 2, 3, 4].map((n) => head + n));
    socket.close();
  });

  it('shows a surface live, the next frame only after the last was taken', async () => {
    const surface = await stage.person.openBrowser(stage.site.page('animation'));
    const socket = await Socket.open();
    socket.send({ type: 'hello', token: rest.token ?? '' });
    await socket.until('ready', () => socket.messages.find((m) => m.type === 'ready'));
    socket.send({ type: 'watch', surface_id: surface.id, max_width: 640 });
    const first = await socket.until('frame', () => socket.frames[0]);
    expect(first.header.surface_id).toBe(surface.id);
    expect(first.header.width).toBeGreaterThan(300);
    expect([...first.bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    // The page never stands still, so only the missing acknowledgement can hold the second back.
    socket.send({ type: 'ping' });
    await socket.until('pong', () => socket.messages.find((m) => m.type === 'pong'));
    await rest.call('surfaces.targets', { params: { surface_id: surface.id } });
    expect(socket.frames).toHaveLength(1);
    socket.send({ type: 'frame_ack', surface_id: surface.id, frame: first.header.frame });
    const second = await socket.until('next frame', () => socket.frames[1]);
    expect(second.header.frame).toBeGreaterThan(first.header.frame);
    await stage.person.close(surface);
    await socket.until('end of the watch', () =>
      socket.messages.find((m) => m.type === 'watch_ended' && m.surface_id === surface.id),
    );
    socket.close();
  });
});
