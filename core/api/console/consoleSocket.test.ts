import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { frameHeader, wsServerMessage, type WsClientMessage, type WsServerMessage } from '../../contracts/console.ts';
import { startFakeConsole, surfaceView, type FakeConsole } from '../../../test/support/fakeConsole.ts';

let console_: FakeConsole;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  console_ = await startFakeConsole();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await console_[Symbol.asyncDispose]();
});

interface Attached {
  readonly socket: WebSocket;
  readonly messages: WsServerMessage[];
  readonly frames: { frame: number; bytes: number[] }[];
  send(message: WsClientMessage): void;
  until<T>(find: () => T | undefined | false): Promise<T>;
  readonly closed: Promise<number>;
}

const attach = async (headers: Record<string, string> = {}): Promise<Attached> => {
  const socket = new WebSocket(`${console_.api.url.replace('http', 'ws')}/ws`, { headers });
  sockets.push(socket);
  const messages: WsServerMessage[] = [];
  const frames: Attached['frames'] = [];
  const wakers = new Set<() => void>();
  socket.on('message', (data: Buffer, binary) => {
    if (binary) {
      const end = 4 + data.readUInt32BE(0);
      const header = frameHeader.parse(JSON.parse(data.subarray(4, end).toString()));
      frames.push({ frame: header.frame, bytes: [...data.subarray(end)] });
    } else messages.push(wsServerMessage.parse(JSON.parse(data.toString())));
    for (const wake of wakers) wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  return {
    socket,
    messages,
    frames,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    until: async (find) => {
      for (;;) {
        const found = find();
        if (found) return found;
        await new Promise<void>((resolve) => wakers.add(resolve));
      }
    },
  };
};

const hello = async (after?: number, token = 'user-token'): Promise<Attached> => {
  const attached = await attach();
  attached.send({ type: 'hello', token, ...(after === undefined ? {} : { after }) });
  await attached.until(() => attached.messages.find(({ type }) => type === 'ready'));
  return attached;
};

const seqs = ({ messages }: Attached): number[] => messages.flatMap((m) => (m.type === 'event' ? [m.seq] : []));
const frame = (byte: number) => ({
  width: 10,
  height: 5,
  at: 1,
  mediaType: 'image/jpeg' as const,
  bytes: Uint8Array.of(byte),
});

describe('hello', () => {
  it.each([
    ['nobody', 4401, 'UNAUTHENTICATED'],
    ['agent-token', 4403, 'FORBIDDEN'],
  ])('with %s is refused by close code %i', async (token, closeCode, code) => {
    const attached = await attach();
    attached.send({ type: 'hello', token });
    expect(await attached.closed).toBe(closeCode);
    expect(attached.messages).toMatchObject([{ type: 'error', code }]);
  });

  it('must come first, and must be a message of the protocol', async () => {
    const early = await attach();
    early.send({ type: 'ping' });
    expect(await early.closed).toBe(4401);
    const broken = await attach();
    broken.socket.send('{');
    expect(await broken.closed).toBe(4400);
    const binary = await attach();
    binary.socket.send(Buffer.of(1));
    expect(await binary.closed).toBe(4400);
  });

  it('is waited for 5 s', async () => {
    const silent = await attach();
    const started = performance.now();
    expect(await silent.closed).toBe(4408);
    expect(performance.now() - started).toBeGreaterThan(4_500);
  }, 8_000);

  it('is not even heard from a foreign page or by a foreign name', async () => {
    await expect(attach({ origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(attach({ host: 'evil.example' })).rejects.toThrow('403');
    const own = await attach({ origin: console_.api.url });
    own.send({ type: 'hello', token: 'user-token' });
    await own.until(() => own.messages.find(({ type }) => type === 'ready'));
  });
});

describe('events', () => {
  it('after the given position come once each and in order, also those that happen meanwhile', async () => {
    for (let i = 0; i < 1_100; i += 1) console_.append('work.staged');
    const attached = await attach();
    attached.send({ type: 'hello', token: 'user-token', after: 40 });
    for (let i = 0; i < 50; i += 1) {
      console_.append('call.ended');
      if (i % 10 === 0) await new Promise(setImmediate);
    }
    await attached.until(() => seqs(attached).includes(1_150));
    expect(seqs(attached)).toEqual(Array.from({ length: 1_110 }, (_, i) => i + 41));
    expect(attached.messages[0]?.type).toBe('ready');
  });

  it('without a position are those from now on', async () => {
    console_.append('old');
    const attached = await hello();
    console_.append('new');
    await attached.until(() => seqs(attached).length > 0);
    expect(seqs(attached)).toEqual([2]);
  });

  it('end when the token is revoked', async () => {
    const attached = await hello(undefined, 'viewer-token');
    console_.revoke('viewer-token');
    console_.append('token.revoked');
    expect(await attached.closed).toBe(4401);
    await expect.poll(() => console_.subscribers()).toBe(0);
  });
});

describe('notes', () => {
  it('about surfaces are gathered: the last word of each', async () => {
    const attached = await hello();
    for (let i = 1; i <= 30; i += 1) console_.note({ type: 'surface', surface: surfaceView('sfc_1', `Page ${i}`) });
    console_.note({ type: 'surface', surface: surfaceView('sfc_2', 'Other') });
    console_.note({ type: 'surface_removed', surface_id: 'sfc_2' });
    await attached.until(() => attached.messages.some(({ type }) => type === 'surface_removed'));
    const notes = attached.messages.filter(({ type }) => type.startsWith('surface'));
    expect(notes).toMatchObject([
      { type: 'surface', surface: { id: 'sfc_1', label: 'Page 30' } },
      { type: 'surface_removed', surface_id: 'sfc_2' },
    ]);
  });
});

describe('live frames', () => {
  it('come one at a time, the newest after each acknowledgement', async () => {
    const attached = await hello();
    attached.send({ type: 'watch', surface_id: 'sfc_1' });
    attached.send({ type: 'ping' });
    await attached.until(() => attached.messages.some(({ type }) => type === 'pong'));
    await console_.frame('sfc_1', frame(1));
    const second = console_.frame('sfc_1', frame(2));
    void console_.frame('sfc_1', frame(3));
    await second;
    await attached.until(() => attached.frames.length === 1);
    attached.send({ type: 'frame_ack', surface_id: 'sfc_1', frame: 99 });
    attached.send({ type: 'frame_ack', surface_id: 'sfc_1', frame: 1 });
    await attached.until(() => attached.frames.length === 2);
    expect(attached.frames).toEqual([
      { frame: 1, bytes: [1] },
      { frame: 2, bytes: [3] },
    ]);
  });

  it('end with a reason when the surface goes or cannot be watched', async () => {
    const attached = await hello();
    attached.send({ type: 'watch', surface_id: 'sfc_9' });
    attached.send({ type: 'watch', surface_id: 'sfc_1' });
    attached.send({ type: 'ping' });
    await attached.until(() => attached.messages.some(({ type }) => type === 'pong'));
    console_.note({ type: 'surface_removed', surface_id: 'sfc_1' });
    await attached.until(() => attached.messages.filter(({ type }) => type === 'watch_ended').length === 2);
    expect(attached.messages.filter(({ type }) => type === 'watch_ended')).toMatchObject([
      { surface_id: 'sfc_9', reason: 'There is no surface sfc_9.' },
      { surface_id: 'sfc_1', reason: 'The surface is gone.' },
    ]);
  });
});

describe('input', () => {
  const key = { type: 'key', action: 'down', key: 'a', code: 'KeyA', modifiers: 0 } as const;

  it('reaches the surface in order; a refusal comes back as an error and ends nothing', async () => {
    const attached = await hello();
    attached.send({ type: 'input', surface_id: 'sfc_1', input: key });
    attached.send({ type: 'input', surface_id: 'sfc_1', input: { type: 'text', text: 'b' } });
    attached.send({ type: 'ping' });
    await attached.until(() => attached.messages.some(({ type }) => type === 'pong'));
    expect(console_.inputs.map(({ type }) => type)).toEqual(['key', 'text']);

    const viewer = await hello(undefined, 'viewer-token');
    viewer.send({ type: 'input', surface_id: 'sfc_1', input: key });
    viewer.send({ type: 'ping' });
    await viewer.until(() => viewer.messages.some(({ type }) => type === 'pong'));
    expect(viewer.messages).toContainEqual({ type: 'error', code: 'FORBIDDEN', message: 'You are not in control.' });
    expect(console_.inputs).toHaveLength(2);
  });
});
