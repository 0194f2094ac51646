import type { Ids } from '../../kernel/ports.ts';

const keptSessions = 1_000;

/**
 * Sessions of clients of 2025-11-25 and older. They hold no state that a call needs: the id only ties a
 * later cancellation to its call and names the client program in the trace. An id of an earlier run of
 * the console is as good as any, so a restart breaks no client.
 */
export class McpSessions {
  readonly #clients = new Map<string, string>();
  readonly #ids: Pick<Ids, 'id'>;

  constructor(ids: Pick<Ids, 'id'>) {
    this.#ids = ids;
  }

  open(client: string | null): string {
    const id = this.#ids.id('mcp');
    if (client !== null) this.#clients.set(id, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > keptSessions && oldest !== undefined) this.#clients.delete(oldest);
    return id;
  }

  client(id: string | null): string | null {
    return id === null ? null : (this.#clients.get(id) ?? null);
  }

  close(id: string): void {
    this.#clients.delete(id);
  }
}
