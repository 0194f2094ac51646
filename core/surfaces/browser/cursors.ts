import { SignalboxError } from '../../contracts/errors.ts';
import type { PageDocument } from './pageDocument.ts';
import type { ListedTarget } from './pageProtocol.ts';

/** Where one frame's list goes on. */
export interface FrameRest {
  readonly document: PageDocument;
  /** The agent's list and the place in it; absent when the agent has given all it had. */
  readonly list?: { readonly id: string; readonly offset: number };
  /** Given by the agent, not yet given on by us. */
  readonly given: readonly ListedTarget[];
}

export interface ListRest {
  readonly main: PageDocument;
  readonly frames: readonly FrameRest[];
}

const KEPT = 64;

/** Lists that can be continued, by their cursor. A cursor may be used more than once. */
export class Cursors {
  readonly #kept = new Map<string, ListRest>();
  #n = 0;

  keep(generation: number, rest: ListRest): string {
    this.#n += 1;
    const cursor = `${generation}.${this.#n}`;
    this.#kept.set(cursor, rest);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return cursor;
  }

  find(generation: number, cursor: string): ListRest {
    const rest = this.#kept.get(cursor);
    const [of] = cursor.split('.');
    if (rest === undefined && /^\d+\.\d+$/.test(cursor) && Number(of) !== generation) {
      throw stale('The surface was started again since that list was made.');
    }
    if (rest === undefined) throw stale('That cursor is not known here (any more).');
    if (Number(of) !== generation) throw stale('The surface was started again since that list was made.');
    if (!rest.main.alive) throw stale('The page was left since that list was made.');
    return rest;
  }
}

const stale = (why: string): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `${why} Call operator.perceive again without a cursor.`);

export const listLost = (): SignalboxError => stale('That list is not kept any more.');
