import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WsServerMessage } from '../../core/contracts/console.ts';
import { ConsoleSocket, retryDelay } from './socket.ts';
import type { Wire } from './socket.ts';

class FakeWire implements Wire {
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: Record<string, unknown>[] = [];
  closed = false;
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.();
  }
  say(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const NOW = '2026-01-01T00:00:00.000Z';
const ready = (head: number) => ({ type: 'ready', principal: { type: 'user', id: 'local' }, head, now: NOW });
const event = (seq: number) => ({
  type: 'event',
  seq,
  event: {
    event_id: `evt_${seq}`,
    event_type: 'work.staged',
    schema_version: '1',
    occurred_at: NOW,
    workspace_id: 'personal',
    subject_id: 'wrk_1',
    correlation_id: 'c',
    payload: {},
  },
});

const setup = () => {
  const wires: FakeWire[] = [];
  const seen: number[] = [];
  const log: string[] = [];
  const socket = new ConsoleSocket({
    token: 't0ken',
    random: () => 0.5,
    open: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    handlers: {
      onStatus: (status) => log.push(status),
      onMessage: (message: WsServerMessage) => {
        if (message.type === 'event') seen.push(message.seq);
      },
      onFrame: (bytes) => log.push(`frame ${bytes.byteLength}`),
      onConnected: (how) => log.push(how),
      onGap: () => log.push('gap'),
      onRefused: (token) => log.push(`refused ${token}`),
    },
  });
  const wire = (n: number): FakeWire => wires[n] ?? new FakeWire();
  return { socket, wires, wire, seen, log };
};

describe('ConsoleSocket', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says hello without a position first, and with the last one after a disconnect', () => {
    const { socket, wire, seen, log } = setup();
    socket.connect();
    wire(0).open();
    expect(wire(0).sent).toEqual([{ type: 'hello', token: 't0ken' }]);
    wire(0).say(ready(5));
    wire(0).say(event(6));
    wire(0).onclose?.();
    expect(log).toEqual(['connecting', 'live', 'fresh', 'offline']);

    vi.advanceTimersByTime(250);
    wire(1).open();
    expect(wire(1).sent).toEqual([{ type: 'hello', token: 't0ken', after: 6 }]);
    wire(1).say(ready(8));
    wire(1).say(event(6));
    wire(1).say(event(7));
    wire(1).say(event(8));
    wire(1).say(event(9));
    expect(seen).toEqual([6, 7, 8, 9]);
    expect(log.slice(4)).toEqual(['connecting', 'live', 'resumed']);
    socket.stop();
  });

  it('reports a gap before it hands over the event after it', () => {
    const { socket, wire, seen, log } = setup();
    socket.connect();
    wire(0).open();
    wire(0).say(ready(1));
    wire(0).say(event(4));
    expect(log.at(-1)).toBe('gap');
    expect(seen).toEqual([4]);
    socket.stop();
  });

  it('waits longer after each failure and starts over once it was live', () => {
    expect([0, 1, 2, 3, 10].map((n) => retryDelay(n, 0.5))).toEqual([250, 500, 1_000, 2_000, 8_000]);
    const { socket, wires, wire } = setup();
    socket.connect();
    wire(0).onclose?.();
    vi.advanceTimersByTime(250);
    wire(1).onclose?.();
    vi.advanceTimersByTime(499);
    expect(wires.length).toBe(2);
    vi.advanceTimersByTime(1);
    expect(wires.length).toBe(3);
    wire(2).open();
    wire(2).say(ready(0));
    wire(2).onclose?.();
    vi.advanceTimersByTime(250);
    expect(wires.length).toBe(4);
    socket.stop();
  });

  it('takes a silent connection for a lost one', () => {
    const { socket, wire, wires, log } = setup();
    socket.connect();
    wire(0).open();
    wire(0).say(ready(0));
    vi.advanceTimersByTime(15_000);
    expect(wire(0).sent.at(-1)).toEqual({ type: 'ping' });
    vi.advanceTimersByTime(30_000);
    expect(wire(0).closed).toBe(true);
    expect(log.includes('offline')).toBe(true);
    vi.advanceTimersByTime(250);
    expect(wires.length).toBe(2);
    socket.stop();
  });

  it('tells a refused token and sends nothing while not live', () => {
    const { socket, wire, log } = setup();
    socket.connect();
    expect(socket.send({ type: 'ping' })).toBe(false);
    wire(0).open();
    wire(0).say({ type: 'error', code: 'UNAUTHENTICATED', message: 'no' });
    expect(log.at(-1)).toBe('refused t0ken');
    socket.stop();
  });

  it('leaves nothing behind when stopped', () => {
    const { socket, wire, wires } = setup();
    socket.connect();
    wire(0).open();
    socket.stop();
    vi.advanceTimersByTime(60_000);
    expect(wires.length).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
