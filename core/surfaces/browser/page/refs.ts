import type { PageReading } from '../pageProtocol.ts';
import type { Entry } from './entry.ts';
import { ensureEntry } from './entry.ts';
import { comparable } from './rows.ts';

interface Given {
  readonly element: WeakRef<Element>;
  last: PageReading;
}

/** Refs are given out when first shown, and never again for another element. */
export class Refs {
  #prefix = 'e';
  #next = 1;
  readonly #byRef = new Map<string, Given>();
  readonly #byElement = new WeakMap<Element, string>();

  get prefix(): string {
    return this.#prefix;
  }

  start(prefix: string): void {
    this.#prefix = prefix;
  }

  of(element: Element): string {
    let ref = this.#byElement.get(element);
    if (ref === undefined) {
      ref = `${this.#prefix}${this.#next++}`;
      this.#byElement.set(element, ref);
      this.#byRef.set(ref, { element: new WeakRef(element), last: { ref, role: 'generic' } });
    }
    return ref;
  }

  known(element: Element): string | undefined {
    return this.#byElement.get(element);
  }

  element(ref: string): Element | null {
    const element = this.#byRef.get(ref)?.element.deref();
    return element?.isConnected ? element : null;
  }

  lastReading(ref: string): PageReading | undefined {
    return this.#byRef.get(ref)?.last;
  }

  remember(reading: PageReading): void {
    const given = this.#byRef.get(reading.ref);
    if (given) given.last = reading;
  }

  /** `reading` of this entry has been shown to `reader`. */
  show(entry: Entry, reader: string, reading: PageReading): void {
    (entry.shown ??= new Map()).set(reader, reading);
    this.remember(reading);
  }

  shown(element: Element, reader: string): PageReading | undefined {
    return ensureEntry(element).shown?.get(reader);
  }
}

/** Whether a reading still means the same thing to somebody who was shown `before`. */
export function sameReading(before: PageReading, now: PageReading): boolean {
  if (before.role !== now.role) return false;
  if (comparable(before.name ?? '') !== comparable(now.name ?? '')) return false;
  if (before.row === undefined || now.row === undefined) return true;
  return comparable(before.row) === comparable(now.row);
}
