/**
 * Where in the log this console is. Guarantees that each event is applied once and that a hole never
 * goes unnoticed, whatever the server repeats or leaves out after a disconnect.
 */
export type Step = 'apply' | 'duplicate' | 'gap';

export class EventCursor {
  #seq: number | null = null;

  /** Position to resume after; null before the first connection. */
  get position(): number | null {
    return this.#seq;
  }

  /**
   * The server's head at (re)connection. `fresh`: nothing is known from before, or the server's log is
   * shorter than what we saw (another data folder): everything has to be fetched again.
   */
  connected(head: number): 'fresh' | 'resumed' {
    if (this.#seq !== null && head >= this.#seq) return 'resumed';
    this.#seq = head;
    return 'fresh';
  }

  take(seq: number): Step {
    if (this.#seq !== null && seq <= this.#seq) return 'duplicate';
    const step: Step = this.#seq === null || seq === this.#seq + 1 ? 'apply' : 'gap';
    this.#seq = seq;
    return step;
  }
}
