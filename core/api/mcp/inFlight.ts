/** `withdraw`: the client took its request back. `detach`: it is merely gone. (`CallContext.signal`) */
export type EndReason = 'withdraw' | 'detach';

export interface InFlightCall extends Disposable {
  readonly signal: AbortSignal;
  end(reason: EndReason): void;
}

const keptEarlyCancels = 200;

/**
 * Calls that run now, by session and request id, so that a cancellation that comes in another HTTP
 * request finds its call.
 */
export class InFlightCalls {
  readonly #calls = new Map<AbortController, string | null>();
  /** Cancellations that overtook their request. */
  readonly #early = new Set<string>();
  #idle: () => void = () => undefined;

  /** `key` null: only its own connection can end it. */
  begin(key: string | null): InFlightCall {
    const controller = new AbortController();
    this.#calls.set(controller, key);
    if (key !== null && this.#early.delete(key)) controller.abort('withdraw');
    return {
      signal: controller.signal,
      end: (reason) => controller.abort(reason),
      [Symbol.dispose]: () => {
        this.#calls.delete(controller);
        if (this.#calls.size === 0) this.#idle();
      },
    };
  }

  /** Withdraws the call of this key. Two of one key (clients that share a token and name no session): neither. */
  cancel(key: string): void {
    const found = [...this.#calls].filter(([, other]) => other === key);
    if (found.length === 1) found[0]?.[0].abort('withdraw');
    if (found.length > 0) return;
    this.#early.add(key);
    const [oldest] = this.#early;
    if (this.#early.size > keptEarlyCancels && oldest !== undefined) this.#early.delete(oldest);
  }

  /** Detaches every call; resolves when all have been answered, or after `patienceMs`. */
  async detachAll(patienceMs: number): Promise<void> {
    for (const controller of this.#calls.keys()) controller.abort('detach');
    if (this.#calls.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      timer = setTimeout(resolve, patienceMs);
    });
    clearTimeout(timer);
  }
}
