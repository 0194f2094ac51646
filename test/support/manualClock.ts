import type { Clock } from '../../core/kernel/ports.ts';

/** Time that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  constructor(now = Date.parse('2026-01-01T00:00:00.000Z')) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  schedule(at: number, run: () => void): Disposable {
    const timer = { at, run };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }
  get waiting(): number {
    return this.#timers.size;
  }
  /** Runs what falls due, in order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settled();
    }
    this.#now = until;
    await settled();
  }
}

/** Every promise that can settle without time or input has settled. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
