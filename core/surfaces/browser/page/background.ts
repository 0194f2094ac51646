const WINDOW_MS = 10_000;
/** Changes closer together than this are one. */
const ONE_CHANGE_MS = 40;
/** A regular change is expected again within its interval times this, plus some slack. */
const OVERDUE = 2;
const SLACK_MS = 500;

interface Beat {
  first: number;
  last: number;
  count: number;
}

/**
 * Which elements change by themselves: twice or more in the last ten seconds outside acts, and not
 * long since by their own measure (a page that has just finished loading is no clock).
 */
export class Background {
  readonly #beats = new WeakMap<Element, Beat>();

  note(element: Element, now: number): void {
    const beat = this.#beats.get(element);
    if (!beat || now - beat.last > WINDOW_MS) {
      this.#beats.set(element, { first: now, last: now, count: 1 });
    } else if (now - beat.last > ONE_CHANGE_MS) {
      beat.count++;
      beat.last = now;
    }
  }

  has(element: Element, now: number): boolean {
    const beat = this.#beats.get(element);
    if (!beat || beat.count < 2 || now - beat.last > WINDOW_MS) return false;
    const interval = (beat.last - beat.first) / (beat.count - 1);
    return now - beat.last <= interval * OVERDUE + SLACK_MS;
  }

  /** Changes counted, for saying that a late effect is a clock and no effect. */
  count(element: Element): number {
    return this.#beats.get(element)?.count ?? 0;
  }
}
