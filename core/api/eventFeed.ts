import type { Gate } from '../gate/gate.ts';
import type { Kernel, StoredEvent } from '../kernel/kernel.ts';

const pageSize = 500;

/**
 * The log after `after`, each event once and in order, then live until `signal` aborts. Notes of the
 * gate only wake the reader: what is given always comes from the log, so nothing can be skipped or
 * doubled, and a slow consumer holds nothing in memory.
 */
export async function* followEvents(
  source: { readonly kernel: Pick<Kernel, 'events'>; readonly gate: Pick<Gate, 'subscribe'> },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void> {
  let newest = 0;
  let wake: () => void = () => undefined;
  const subscription = source.gate.subscribe((note) => {
    if (note.type !== 'event') return;
    newest = Math.max(newest, note.seq);
    wake();
  });
  const stop = (): void => wake();
  signal.addEventListener('abort', stop);
  try {
    let position = after;
    while (!signal.aborted) {
      const page = await source.kernel.events(position, pageSize);
      for (const stored of page) {
        if (signal.aborted) return;
        position = stored.seq;
        yield stored;
      }
      if (page.length === pageSize) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (newest > position || signal.aborted) resolve();
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    subscription[Symbol.dispose]();
  }
}
