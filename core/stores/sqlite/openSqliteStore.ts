import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { SignalboxError } from '../../contracts/errors.ts';
import type { EventStore, PlacedEvent, RowChange, StoreSchema } from '../../kernel/eventStore.ts';
import { storeSchema } from '../../kernel/storeSchema.ts';
import { takeProcessLock } from './processLock.ts';
import type { SqliteLog } from './sqliteLog.ts';
import { logSql, sqliteLog } from './sqliteLog.ts';
import type { SqliteTables } from './sqliteTables.ts';
import { createTableSql, sqliteTables } from './sqliteTables.ts';

export interface SqliteStoreOptions {
  /** File of the database; its folder is made when missing. */
  readonly path: string;
  /** The tables and projections; Signalbox's own when omitted. */
  readonly schema?: StoreSchema;
}

/** Layout of the file itself, beside the versions of the events in it. */
const FORMAT = 1;
const REBUILD_PAGE = 1_000;

const newer = (what: string): SignalboxError =>
  new SignalboxError(
    'INTERNAL',
    `This data file was written by a newer version of Signalbox (${what}). Update Signalbox, or start with another data folder (--data).`,
    { kind: 'expected' },
  );

const openConnection = (path: string, synchronous: 'FULL' | 'NORMAL'): Database.Database => {
  const db = new Database(path, { timeout: 5_000 });
  db.pragma('journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${synchronous}`);
  return db;
};

const prepareFile = (db: Database.Database, schema: StoreSchema): void => {
  const [row] = db.pragma('user_version') as { user_version: number }[];
  const format = row?.user_version ?? 0;
  if (format > FORMAT) throw newer(`file format ${format}, this version knows ${FORMAT}`);
  db.transaction(() => {
    for (const sql of [...logSql, ...schema.tables.flatMap(createTableSql)]) db.exec(sql);
    db.exec(`PRAGMA user_version = ${FORMAT}`);
  })();
  const types = db.prepare('SELECT event_type, version FROM event_versions').all([]) as {
    event_type: string;
    version: number;
  }[];
  for (const { event_type, version } of types) {
    const known = schema.versions.get(event_type) ?? 0;
    if (version > known)
      throw newer(`it holds ${event_type} version ${version}, this version knows ${known || 'none'}`);
  }
};

/** Owner only: the folder when we make it, the files always. */
const restrict = (path: string): void => {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
};

class SqliteStore implements EventStore {
  readonly #db: Database.Database;
  /** Unchained rows: the same file without a flush per commit. They outlive the process, not a power cut. */
  readonly #loose: Database.Database;
  readonly #schema: StoreSchema;
  readonly #lock: Disposable;
  readonly #log: SqliteLog;
  readonly #tables: SqliteTables;
  readonly #looseTables: SqliteTables;
  readonly #listeners = new Set<(events: readonly PlacedEvent[]) => void>();

  constructor(db: Database.Database, loose: Database.Database, schema: StoreSchema, lock: Disposable) {
    this.#db = db;
    this.#loose = loose;
    this.#schema = schema;
    this.#lock = lock;
    this.#log = sqliteLog(db);
    this.#tables = sqliteTables(db, schema.tables);
    this.#looseTables = sqliteTables(loose, schema.tables);
  }

  // Everything inside is synchronous, so a transaction is never open across two turns of the loop.
  async append(...[appends, also = []]: Parameters<EventStore['append']>): Promise<readonly PlacedEvent[]> {
    const placed = this.#db.transaction(() => {
      const events = appends.flatMap((append) => this.#log.append(append));
      for (const event of events) this.#project(event);
      for (const change of also) this.#applyUnchained(this.#tables, change);
      return events;
    })();
    for (const listener of this.#listeners) listener(placed);
    return placed;
  }

  #project(event: PlacedEvent): void {
    for (const change of this.#schema.project(event, this.#tables)) {
      if (!this.#tables.declaration(change.table).chained) {
        throw new TypeError(`${change.table} lives beside the log; no event changes it.`);
      }
      this.#tables.apply(change);
    }
  }

  #applyUnchained(tables: SqliteTables, change: RowChange): void {
    if (tables.declaration(change.table).chained) throw new TypeError(`Only events change ${change.table}.`);
    tables.apply(change);
  }

  async stream(stream: string): Promise<readonly PlacedEvent[]> {
    return this.#log.stream(stream);
  }
  async version(stream: string): Promise<number> {
    return this.#log.version(stream);
  }
  async events(after: number, limit: number): Promise<readonly PlacedEvent[]> {
    return this.#log.after(after, limit);
  }
  async head(): Promise<number> {
    return this.#log.head().seq;
  }
  async get(...[table, key]: Parameters<EventStore['get']>): ReturnType<EventStore['get']> {
    return this.#tables.get(table, key);
  }
  async query(...[table, query]: Parameters<EventStore['query']>): ReturnType<EventStore['query']> {
    return this.#tables.query(table, query);
  }
  async count(...[table, where]: Parameters<EventStore['count']>): Promise<number> {
    return this.#tables.count(table, where);
  }

  async write(changes: readonly RowChange[]): Promise<void> {
    this.#loose.transaction(() => {
      for (const change of changes) this.#applyUnchained(this.#looseTables, change);
    })();
  }
  async insert(...[table, row]: Parameters<EventStore['insert']>): Promise<number> {
    return this.#looseTables.insert(table, row);
  }

  subscribe(listener: (events: readonly PlacedEvent[]) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async rebuild(): Promise<{ events: number }> {
    const events = this.#db.transaction(() => {
      for (const table of this.#schema.tables) if (table.chained) this.#tables.clear(table.name);
      let last = 0;
      for (;;) {
        const page = this.#log.after(last, REBUILD_PAGE);
        for (const event of page) this.#project(event);
        last = page.at(-1)?.seq ?? last;
        if (page.length < REBUILD_PAGE) return last;
      }
    })();
    return { events };
  }

  async verify(): ReturnType<EventStore['verify']> {
    return this.#log.verify();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    if (!this.#db.open) return;
    this.#loose.close();
    this.#db.close();
    this.#lock[Symbol.dispose]();
  }
}

export const openSqliteStore = async (options: SqliteStoreOptions): Promise<EventStore> => {
  const schema = options.schema ?? storeSchema;
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(options.path);
  const opened: Database.Database[] = [];
  try {
    const db = openConnection(options.path, 'FULL');
    opened.push(db);
    prepareFile(db, schema);
    const loose = openConnection(options.path, 'NORMAL');
    opened.push(loose);
    restrict(options.path);
    return new SqliteStore(db, loose, schema, lock);
  } catch (error) {
    for (const db of opened) db.close();
    lock[Symbol.dispose]();
    throw error;
  }
};
