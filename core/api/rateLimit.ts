import { SignalboxError } from '../contracts/errors.ts';
import type { Clock } from '../kernel/ports.ts';

export interface RateLimit {
  /** Requests that may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

const defaultRateLimit: RateLimit = { burst: 4_000, perSecond: 2_000 };

interface Bucket {
  left: number;
  at: number;
}

/** A token bucket per bearer token: one runaway agent does not take the console from the others. */
export class RateLimiter {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Pick<Clock, 'now'>, limit: RateLimit = defaultRateLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  take(tokenId: string): void {
    const now = this.#clock.now();
    const before = this.#buckets.get(tokenId) ?? { left: this.#limit.burst, at: now };
    const left = Math.min(this.#limit.burst, before.left + ((now - before.at) / 1_000) * this.#limit.perSecond);
    if (left < 1) {
      const seconds = Math.max(1, Math.ceil((1 - left) / this.#limit.perSecond));
      this.#buckets.set(tokenId, { left, at: now });
      throw new SignalboxError(
        'RATE_LIMITED',
        `Too many requests with this token. Come back in ${seconds} s, and send fewer at once.`,
        {
          retryable: true,
          details: { retry_after_seconds: seconds },
        },
      );
    }
    this.#buckets.set(tokenId, { left: left - 1, at: now });
  }
}
