import { Client, Pool, types } from 'pg';
import type { ClientBase, CustomTypesConfig, PoolClient } from 'pg';
import { SignalboxError } from '../../contracts/errors.ts';
import type { EventStore, PlacedEvent, RowChange, StoreSchema, StreamAppend } from '../../kernel/eventStore.ts';
import { storeSchema } from '../../kernel/storeSchema.ts';
import { EventRelay } from './eventRelay.ts';
import {
  appendEvents,
  logSql,
  noteType,
  readAfter,
  readHead,
  readStream,
  readVersion,
  verifyLog,
  writeHead,
} from './postgresLog.ts';
import { createTableSql, PostgresTables } from './postgresTables.ts';
import { RowCache } from './rowCache.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema the tables live in; made when missing. */
  readonly namespace?: string;
  /** The tables and projections; Signalbox's own when omitted. */
  readonly schema?: StoreSchema;
}

/** Layout of the database itself, beside the versions of the events in it. */
const FORMAT = 1;
const REBUILD_PAGE = 1_000;
/** Any number of our own: serialises two consoles that set up the same database at once. */
const SETUP_LOCK = 7_382_001;

/** Positions and counts stay far below 2^53. */
const numbers: CustomTypesConfig = {
  getTypeParser: ((oid: Parameters<typeof types.getTypeParser>[0], format?: 'text') =>
    oid === types.builtins.INT8
      ? (text: string): number => Number(text)
      : (types.getTypeParser(oid, format) as unknown)) as CustomTypesConfig['getTypeParser'],
};

const newer = (what: string): SignalboxError =>
  new SignalboxError(
    'INTERNAL',
    `This database was written by a newer version of Signalbox (${what}). Update Signalbox, or use another database.`,
    { kind: 'expected' },
  );

const unreachable = (cause: unknown): SignalboxError =>
  new SignalboxError(
    'INTERNAL',
    `PostgreSQL cannot be reached with the given --database: ${cause instanceof Error ? cause.message : String(cause)}. Check that it runs, and the host, user, password and database name.`,
    { kind: 'expected', cause },
  );

const prepare = async (db: ClientBase, namespace: string, schema: StoreSchema): Promise<void> => {
  await db.query('BEGIN');
  await db.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK]);
  await db.query(`CREATE SCHEMA IF NOT EXISTS ${namespace}`);
  for (const sql of [...logSql, ...schema.tables.flatMap(createTableSql)]) await db.query(sql);
  await db.query('INSERT INTO store_format VALUES (TRUE, $1) ON CONFLICT DO NOTHING', [FORMAT]);
  await db.query('COMMIT');
  const { rows } = await db.query('SELECT format FROM store_format');
  const { format } = rows[0] as { format: number };
  if (format > FORMAT) throw newer(`format ${format}, this version knows ${FORMAT}`);
  const versions = (await db.query('SELECT event_type, version FROM event_versions')).rows;
  for (const { event_type, version } of versions as { event_type: string; version: number }[]) {
    const known = schema.versions.get(event_type) ?? 0;
    if (version > known)
      throw newer(`it holds ${event_type} version ${version}, this version knows ${known || 'none'}`);
  }
};

class PostgresStore implements EventStore {
  readonly #pool: Pool;
  readonly #schema: StoreSchema;
  readonly #tables: PostgresTables;
  readonly #relay: EventRelay;
  readonly #knownTypes = new Set<string>();
  #closed = false;

  constructor(pool: Pool, listener: Client, schema: StoreSchema, head: number, channel: string) {
    this.#pool = pool;
    this.#schema = schema;
    this.#tables = new PostgresTables(schema.tables);
    this.#relay = new EventRelay(listener, channel, head, (after, limit) => this.events(after, limit));
  }

  async append(appends: readonly StreamAppend[], also: readonly RowChange[] = []): Promise<readonly PlacedEvent[]> {
    const placed = await this.#transaction(async (db) => {
      const events = await this.#place(db, appends);
      const cache = new RowCache(this.#tables);
      for (const event of events) await this.#project(db, cache, event);
      for (const change of also) await this.#applyUnchained(db, change);
      await this.#relay.notify(db, events.at(-1)?.seq ?? 0);
      return events;
    });
    await this.#relay.deliver(placed);
    return placed;
  }

  async #place(db: ClientBase, appends: readonly StreamAppend[]): Promise<readonly PlacedEvent[]> {
    let head = await readHead(db, true);
    const all: PlacedEvent[] = [];
    for (const append of appends) {
      const step = await appendEvents(db, head, append);
      head = step.head;
      all.push(...step.placed);
    }
    await writeHead(db, head);
    for (const { event } of all) {
      const key = `${event.event_type} ${event.schema_version}`;
      if (this.#knownTypes.has(key)) continue;
      await noteType(db, event);
      this.#knownTypes.add(key);
    }
    return all;
  }

  async #project(db: ClientBase, cache: RowCache, event: PlacedEvent): Promise<void> {
    for (const change of await cache.project(db, this.#schema, event)) {
      if (!this.#tables.declaration(change.table).chained) {
        throw new TypeError(`${change.table} lives beside the log; no event changes it.`);
      }
      await this.#tables.apply(db, change);
      cache.note(change);
    }
  }

  async #applyUnchained(db: ClientBase, change: RowChange): Promise<void> {
    if (this.#tables.declaration(change.table).chained) throw new TypeError(`Only events change ${change.table}.`);
    await this.#tables.apply(db, change);
  }

  async stream(stream: string): Promise<readonly PlacedEvent[]> {
    return await this.#with((db) => readStream(db, stream));
  }
  async version(stream: string): Promise<number> {
    return await this.#with((db) => readVersion(db, stream));
  }
  async events(after: number, limit: number): Promise<readonly PlacedEvent[]> {
    return await this.#with((db) => readAfter(db, after, limit));
  }
  async head(): Promise<number> {
    return await this.#with(async (db) => (await readHead(db, false)).seq);
  }
  async get(...[table, key]: Parameters<EventStore['get']>): ReturnType<EventStore['get']> {
    return await this.#with((db) => this.#tables.get(db, table, key));
  }
  async query(...[table, query]: Parameters<EventStore['query']>): ReturnType<EventStore['query']> {
    return await this.#with((db) => this.#tables.query(db, table, query));
  }
  async count(...[table, where]: Parameters<EventStore['count']>): Promise<number> {
    return await this.#with((db) => this.#tables.count(db, table, where));
  }

  async write(changes: readonly RowChange[]): Promise<void> {
    await this.#transaction(async (db) => {
      await db.query('SET LOCAL synchronous_commit = off');
      for (const change of changes) await this.#applyUnchained(db, change);
    });
  }
  async insert(...[table, row]: Parameters<EventStore['insert']>): Promise<number> {
    return await this.#transaction(async (db) => {
      await db.query('SET LOCAL synchronous_commit = off');
      return await this.#tables.insert(db, table, row);
    });
  }

  subscribe(listener: (events: readonly PlacedEvent[]) => void): Disposable {
    return this.#relay.subscribe(listener);
  }

  async rebuild(): Promise<{ events: number }> {
    return await this.#transaction(async (db) => {
      await readHead(db, true);
      for (const table of this.#schema.tables) if (table.chained) await this.#tables.clear(db, table.name);
      const cache = new RowCache(this.#tables);
      let last = 0;
      for (;;) {
        const page = await readAfter(db, last, REBUILD_PAGE);
        for (const event of page) await this.#project(db, cache, event);
        last = page.at(-1)?.seq ?? last;
        if (page.length < REBUILD_PAGE) return { events: last };
      }
    });
  }

  async verify(): ReturnType<EventStore['verify']> {
    return await this.#with(verifyLog);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#relay.close();
    await this.#pool.end();
  }

  async #with<T>(run: (db: PoolClient) => Promise<T>): Promise<T> {
    const db = await this.#pool.connect();
    try {
      return await run(db);
    } finally {
      db.release();
    }
  }

  async #transaction<T>(run: (db: PoolClient) => Promise<T>): Promise<T> {
    return await this.#with(async (db) => {
      await db.query('BEGIN');
      try {
        const result = await run(db);
        await db.query('COMMIT');
        return result;
      } catch (error) {
        await db.query('ROLLBACK');
        throw error;
      }
    });
  }
}

/** Opens (and sets up, when new) the state of a team in PostgreSQL 13 or newer. */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<EventStore> => {
  const schema = options.schema ?? storeSchema;
  const namespace = options.namespace ?? 'signalbox';
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(namespace)) {
    throw new SignalboxError('INVALID_REQUEST', `${namespace} is no name for a PostgreSQL schema: use a-z, 0-9 and _.`);
  }
  const config = { connectionString: options.url, types: numbers, options: `-c search_path=${namespace}` };
  const listener = new Client(config);
  const pool = new Pool({ ...config, max: 8 });
  // A lost idle connection is replaced by the pool; the next query tells whether the server is gone.
  pool.on('error', () => undefined);
  try {
    await listener.connect().catch((error: unknown) => {
      throw unreachable(error);
    });
    await prepare(listener, namespace, schema);
    const { seq } = await readHead(listener, false);
    const channel = `${namespace}_events`;
    await listener.query(`LISTEN ${channel}`);
    return new PostgresStore(pool, listener, schema, seq, channel);
  } catch (error) {
    await listener.end();
    await pool.end();
    throw error;
  }
};
