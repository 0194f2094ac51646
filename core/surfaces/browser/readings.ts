import type { PageReading } from './pageProtocol.ts';

const KEPT = 4_000;

/** What refs stood for when they were given out, also after their document is gone. */
export class Readings {
  readonly #kept = new Map<string, PageReading>();

  keep({
    ref,
    role,
    name,
    row,
  }: {
    ref: string;
    role: string;
    name?: string | undefined;
    row?: string | undefined;
  }): void {
    this.#kept.delete(ref);
    this.#kept.set(ref, { ref, role, ...(name !== undefined && { name }), ...(row !== undefined && { row }) });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  find(ref: string): PageReading | undefined {
    return this.#kept.get(ref);
  }
}
