import { SignalboxError } from '../contracts/errors.ts';
import type { Clock } from '../kernel/ports.ts';

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (error: unknown) => void;
}

/** One action at a time, in arrival order. */
export class SurfaceTurns {
  readonly #clock: Clock;
  readonly #waiters: Waiter[] = [];
  #taken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get free(): boolean {
    return !this.#taken;
  }

  /** Disposing the turn lets the next one in. Refused with SURFACE_BUSY after `patienceMs`. */
  async take(patienceMs: number, signal: AbortSignal): Promise<Disposable> {
    if (this.#taken) await this.#wait(patienceMs, signal);
    this.#taken = true;
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        const next = this.#waiters.shift();
        if (next === undefined) this.#taken = false;
        else next.grant();
      },
    };
  }

  /** Those who wait are told at once; the one whose turn it is is not. */
  refuseWaiting(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(error);
  }

  #wait(patienceMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = this.#waiters.indexOf(waiter);
        if (place !== -1) this.#waiters.splice(place, 1);
        timer[Symbol.dispose]();
        signal.removeEventListener('abort', aborted);
      };
      const waiter: Waiter = {
        grant: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const aborted = (): void =>
        waiter.refuse(new SignalboxError('CANCELLED', 'Cancelled while it waited for its turn. Nothing was sent.'));
      const timer = this.#clock.schedule(this.#clock.now() + patienceMs, () =>
        waiter.refuse(
          new SignalboxError(
            'SURFACE_BUSY',
            'The surface was busy with other actions for too long. Nothing was sent; try again.',
          ),
        ),
      );
      signal.addEventListener('abort', aborted, { once: true });
      this.#waiters.push(waiter);
    });
  }
}
