import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bearer, startFakeConsole, type FakeConsole } from '../../../test/support/fakeConsole.ts';

let console_: FakeConsole;
beforeEach(async () => {
  console_ = await startFakeConsole();
});
afterEach(() => console_[Symbol.asyncDispose]());

interface Reader {
  next(count: number): Promise<{ id: number; type: string }[]>;
  close(): void;
  readonly ended: Promise<void>;
}

const open = async (where: string, headers: Record<string, string> = {}): Promise<Reader> => {
  const abort = new AbortController();
  const response = await fetch(console_.api.url + where, {
    headers: { ...bearer(console_.tokens.user), ...headers },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const got: { id: number; type: string }[] = [];
  let waiting: () => void = () => undefined;
  const pump = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const id = /^id: (\d+)$/m.exec(part)?.[1];
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (id && data) got.push({ id: Number(id), type: (JSON.parse(data) as { event_type: string }).event_type });
      }
      waiting();
    }
  };
  const ended = pump().catch(() => undefined);
  return {
    ended,
    close: () => abort.abort(),
    next: async (count) => {
      while (got.length < count) await new Promise<void>((resolve) => (waiting = resolve));
      return got.splice(0, count);
    },
  };
};

describe('GET /x/events', () => {
  it('gives the whole log in order, then what happens, each once', async () => {
    for (let i = 1; i <= 1_200; i += 1) console_.append(`work.staged.${i}`);
    const reader = await open('/x/events');
    console_.append('approval.granted');
    const events = await reader.next(1_201);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 1_201 }, (_, i) => i + 1));
    console_.append('receipt.settled');
    expect(await reader.next(1)).toEqual([{ id: 1_202, type: 'receipt.settled' }]);
    reader.close();
  });

  it('resumes after Last-Event-ID, which wins over ?after', async () => {
    for (let i = 1; i <= 5; i += 1) console_.append(`e${i}`);
    const resumed = await open('/x/events?after=1', { 'last-event-id': '3' });
    expect(await resumed.next(2)).toEqual([
      { id: 4, type: 'e4' },
      { id: 5, type: 'e5' },
    ]);
    resumed.close();
    const after = await open('/x/events?after=4');
    expect(await after.next(1)).toEqual([{ id: 5, type: 'e5' }]);
    after.close();
  });

  it('refuses a position that is no number', async () => {
    const response = await fetch(`${console_.api.url}/x/events`, {
      headers: { ...bearer(console_.tokens.user), 'last-event-id': 'x' },
    });
    expect(response.status).toBe(400);
  });

  it('lets go of its subscription when the reader leaves, and ends when the server stops', async () => {
    const reader = await open('/x/events');
    console_.append('one');
    await reader.next(1);
    expect(console_.subscribers()).toBe(1);
    reader.close();
    await expect.poll(() => console_.subscribers()).toBe(0);
    const second = await open('/x/events');
    await console_.api.close();
    await second.ended;
  });
});
