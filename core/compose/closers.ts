/** What was opened, closed in reverse order; one failing close does not keep the others open. */
export class Closers {
  readonly #steps: { readonly what: string; readonly close: () => Promise<void> | void }[] = [];
  readonly #onError: (error: unknown, what: string) => void;

  constructor(onError: (error: unknown, what: string) => void) {
    this.#onError = onError;
  }

  add(what: string, close: () => Promise<void> | void): void {
    this.#steps.push({ what, close });
  }

  async closeAll(): Promise<void> {
    for (const { what, close } of this.#steps.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        this.#onError(error, what);
      }
    }
  }
}
