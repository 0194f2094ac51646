import type { Client, ClientBase } from 'pg';
import type { PlacedEvent } from '../../kernel/eventStore.ts';

const PAGE = 500;

/**
 * Tells subscribers of every event once and in order, whichever console wrote it. A notification
 * carries only a position: what was missed is read from the log, so a lost notification delays but
 * never loses an event.
 */
export class EventRelay {
  readonly #client: Client;
  readonly #channel: string;
  readonly #read: (after: number, limit: number) => Promise<readonly PlacedEvent[]>;
  readonly #listeners = new Set<(events: readonly PlacedEvent[]) => void>();
  #delivered: number;
  #known: number;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    client: Client,
    channel: string,
    head: number,
    read: (after: number, limit: number) => Promise<readonly PlacedEvent[]>,
  ) {
    this.#client = client;
    this.#channel = channel;
    this.#delivered = head;
    this.#known = head;
    this.#read = read;
    client.on('notification', ({ payload }) => {
      this.#known = Math.max(this.#known, Number(payload));
      void this.#inTurn(() => this.#catchUp());
    });
    client.on('error', () => undefined);
  }

  subscribe(listener: (events: readonly PlacedEvent[]) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Inside the transaction: others hear of it when it commits. */
  async notify(db: ClientBase, seq: number): Promise<void> {
    await db.query('SELECT pg_notify($1, $2)', [this.#channel, String(seq)]);
  }

  /** Own events, right after the commit: subscribers have heard of them when the append resolves. */
  async deliver(placed: readonly PlacedEvent[]): Promise<void> {
    const last = placed.at(-1)?.seq ?? 0;
    this.#known = Math.max(this.#known, last);
    await this.#inTurn(async () => {
      if (placed[0]?.seq === this.#delivered + 1) this.#tell(placed);
      else await this.#catchUp();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    await this.#turn;
    await this.#client.end();
  }

  async #inTurn(run: () => Promise<void>): Promise<void> {
    const mine = this.#turn.then(run);
    // A failed read is tried again at the next notification; nobody waits for this turn's error.
    this.#turn = mine.catch(() => undefined);
    await this.#turn;
  }

  async #catchUp(): Promise<void> {
    while (!this.#closed && this.#delivered < this.#known) {
      const page = await this.#read(this.#delivered, PAGE);
      if (page.length === 0) return;
      this.#tell(page);
    }
  }

  #tell(events: readonly PlacedEvent[]): void {
    this.#delivered = events.at(-1)?.seq ?? this.#delivered;
    for (const listener of this.#listeners) listener(events);
  }
}
