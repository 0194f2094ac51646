import type { WsServerMessage } from '../../contracts/console.ts';
import type { GateNote } from '../../gate/gate.ts';

export type VolatileNote = Exclude<GateNote, { type: 'event' }>;

/** Surfaces change many times a second; a console wants the last word about 20 times a second. */
const gatherMs = 50;
/** A socket that far behind gets no call notes (they are in the trace) and only the newest of each surface. */
const congested = 4 * 1_048_576;

export class VolatileNotes {
  readonly #send: (message: WsServerMessage) => void;
  readonly #unsent: () => number;
  readonly #surfaces = new Map<string, VolatileNote>();
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (message: WsServerMessage) => void, unsentBytes: () => number) {
    this.#send = send;
    this.#unsent = unsentBytes;
  }

  add(note: VolatileNote): void {
    if (note.type === 'call') {
      if (this.#unsent() < congested) this.#send(note);
      return;
    }
    const id = note.type === 'surface' ? note.surface.id : note.surface_id;
    this.#surfaces.set(id, note);
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#unsent() >= congested) {
      this.#timer = setTimeout(() => this.#flush(), gatherMs);
      return;
    }
    for (const note of this.#surfaces.values()) this.#send(note);
    this.#surfaces.clear();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#surfaces.clear();
  }
}
