import type { ClientBase } from 'pg';
import type { PlacedEvent, Row, RowChange, RowReader, StoreSchema } from '../../kernel/eventStore.ts';
import type { PostgresTables } from './postgresTables.ts';

/** Thrown out of a projection that reads a row which is not here yet. */
class RowWanted extends Error {
  readonly table: string;
  readonly key: string;
  constructor(table: string, key: string) {
    super(`Row ${key} of ${table} is wanted`);
    this.table = table;
    this.key = key;
  }
}

/**
 * Projections are pure and read rows synchronously; PostgreSQL answers asynchronously. So a projection
 * that wants a row which is not here yet is run again once the row has been fetched. Rows stay as the
 * transaction has made them, so that later events of it see them.
 */
export class RowCache implements RowReader {
  readonly #tables: PostgresTables;
  readonly #rows = new Map<string, Row | null>();

  constructor(tables: PostgresTables) {
    this.#tables = tables;
  }

  get(table: string, key: string): Row | null {
    const row = this.#rows.get(`${table}\0${key}`);
    if (row === undefined) throw new RowWanted(table, key);
    return row;
  }

  async project(db: ClientBase, schema: StoreSchema, event: PlacedEvent): Promise<readonly RowChange[]> {
    for (;;) {
      try {
        return schema.project(event, this);
      } catch (error) {
        if (!(error instanceof RowWanted)) throw error;
        this.#rows.set(`${error.table}\0${error.key}`, await this.#tables.get(db, error.table, error.key));
      }
    }
  }

  /** Keeps what a change has made of a row that is here. */
  note(change: RowChange): void {
    const table = this.#tables.declaration(change.table);
    const key = change.op === 'put' ? (change.row[table.key] as string) : change.key;
    const place = `${change.table}\0${key}`;
    if (change.op === 'delete') this.#rows.set(place, null);
    else if (change.op === 'put') {
      this.#rows.set(
        place,
        Object.fromEntries(Object.keys(table.columns).map((name) => [name, change.row[name] ?? null])),
      );
    } else {
      const row = this.#rows.get(place);
      if (row !== undefined && row !== null) this.#rows.set(place, { ...row, ...change.set });
    }
  }
}
