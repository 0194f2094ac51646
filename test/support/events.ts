import { eventEnvelope } from '../../core/contracts/caop.ts';
import type { EventEnvelope } from '../../core/contracts/caop.ts';
import type { Rest } from './rest.ts';

export interface LoggedEvent {
  readonly seq: number;
  readonly event: EventEnvelope;
}

/** The event log over Server-Sent Events, from `after` on, until `signal` aborts or the server ends. */
export async function* followEvents(
  rest: Rest,
  from: { readonly after?: number; readonly lastEventId?: number },
  signal: AbortSignal,
): AsyncGenerator<LoggedEvent> {
  const response = await rest.raw(`/x/events${from.after === undefined ? '' : `?after=${from.after}`}`, {
    headers: from.lastEventId === undefined ? {} : { 'last-event-id': String(from.lastEventId) },
    signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`/x/events answered ${response.status}`);
  let text = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    if (done || value === undefined) return;
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const id = /^id: ?(\d+)$/m.exec(block);
      const data = /^data: ?(.*)$/m.exec(block);
      if (id !== null && data !== null)
        yield { seq: Number(id[1]), event: eventEnvelope.parse(JSON.parse(data[1] ?? '')) };
    }
  }
}

/** Resolves with the first answer of `look` that is not undefined; looks again at every event of the log. */
export const eventually = async <T>(
  rest: Rest,
  what: string,
  look: () => Promise<T | undefined>,
  timeoutMs = 15_000,
): Promise<T> => {
  const end = new AbortController();
  const timer = setTimeout(() => {
    end.abort();
  }, timeoutMs);
  try {
    const after = await rest.head();
    const first = await look();
    if (first !== undefined) return first;
    for await (const _ of followEvents(rest, { after }, end.signal)) {
      const found = await look();
      if (found !== undefined) return found;
    }
    throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
  } finally {
    clearTimeout(timer);
    end.abort();
  }
};
