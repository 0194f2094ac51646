/** What was opened, closed in reverse order; one failing close does not keep the others open. */
export class Closers {
  readonly #steps: (() => Promise<void> | void)[] = [];
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(close: () => Promise<void> | void): void {
    this.#steps.push(close);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#steps.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
