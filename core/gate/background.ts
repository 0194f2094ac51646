/** Work that no caller waits for: its failures are told, and closing waits for its end. */
export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #onError: (error: unknown, doing: string) => void;

  constructor(onError: (error: unknown, doing: string) => void) {
    this.#onError = onError;
  }

  run(work: Promise<unknown>, doing: string): void {
    const watched = work
      .then(
        () => undefined,
        (error: unknown) => this.#onError(error, doing),
      )
      .finally(() => this.#running.delete(watched));
    this.#running.add(watched);
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
