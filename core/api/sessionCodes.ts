import { SignalboxError } from '../contracts/errors.ts';
import type { Clock, Ids } from '../kernel/ports.ts';

const lifetimeMs = 60_000;

/** Single-use codes of opener URLs: each is good once, for 60 s, and never written down. */
export class SessionCodes {
  readonly #expires = new Map<string, number>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'secret'>;

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'secret'>) {
    this.#clock = clock;
    this.#ids = ids;
  }

  mint(): string {
    const now = this.#clock.now();
    for (const [code, at] of this.#expires) if (at <= now) this.#expires.delete(code);
    const code = this.#ids.secret();
    this.#expires.set(code, now + lifetimeMs);
    return code;
  }

  /** Throws UNAUTHENTICATED unless the code is fresh; it is spent either way. */
  spend(code: string): void {
    const at = this.#expires.get(code);
    this.#expires.delete(code);
    if (at === undefined || at <= this.#clock.now()) {
      throw new SignalboxError(
        'UNAUTHENTICATED',
        'This opening link was used before or is older than a minute. Start the console again for a new one.',
      );
    }
  }
}
