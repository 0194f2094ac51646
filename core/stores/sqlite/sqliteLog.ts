import type Database from 'libsql';
import type { EventEnvelope } from '../../contracts/caop.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import { chainHash, envelopeBytes } from '../../kernel/chainHash.ts';
import type { PlacedEvent, StreamAppend, Verification } from '../../kernel/eventStore.ts';
import { logFault } from '../../kernel/logFault.ts';

/** The `events` table: what was hashed, byte for byte, and the columns it is found by. */

interface EventRow {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly bytes: ArrayBuffer | Uint8Array;
  readonly hash: string;
}

export const logSql: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    event_type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (stream, version)
  )`,
  `CREATE TABLE IF NOT EXISTS event_versions (event_type TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`,
];

const PAGE = 1_000;

const bytesOf = (row: EventRow): Buffer => Buffer.from(row.bytes as ArrayBuffer);

const placedOf = (row: EventRow): PlacedEvent => ({
  seq: row.seq,
  version: row.version,
  event: JSON.parse(bytesOf(row).toString('utf8')) as EventEnvelope,
  hash: row.hash,
});

export interface SqliteLog {
  head(): { readonly seq: number; readonly hash: string | null };
  version(stream: string): number;
  /** Inside a transaction of the caller's. */
  append(append: StreamAppend): readonly PlacedEvent[];
  stream(stream: string): readonly PlacedEvent[];
  after(seq: number, limit: number): readonly PlacedEvent[];
  verify(): Verification;
}

export const sqliteLog = (db: Database.Database): SqliteLog => {
  const headSql = db.prepare('SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1');
  const versionSql = db.prepare('SELECT max(version) AS version FROM events WHERE stream = ?');
  const insertSql = db.prepare(
    'INSERT INTO events (seq, stream, version, event_id, event_type, bytes, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const typeSql = db.prepare(
    `INSERT INTO event_versions VALUES (?, ?)
     ON CONFLICT (event_type) DO UPDATE SET version = excluded.version WHERE excluded.version > version`,
  );
  const streamSql = db.prepare('SELECT * FROM events WHERE stream = ? ORDER BY version');
  const afterSql = db.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
  const knownTypes = new Set<string>();

  const head: SqliteLog['head'] = () => {
    const row = headSql.get([]) as { seq: number; hash: string } | undefined;
    return row === undefined ? { seq: 0, hash: null } : { seq: row.seq, hash: row.hash };
  };
  const version = (stream: string): number =>
    (versionSql.get([stream]) as { version: number | null } | undefined)?.version ?? 0;

  const noteType = (event: EventEnvelope): void => {
    const key = `${event.event_type} ${event.schema_version}`;
    if (knownTypes.has(key)) return;
    typeSql.run([event.event_type, Number(event.schema_version)]);
    knownTypes.add(key);
  };

  return {
    head,
    version,
    append({ stream, expectedVersion, events }) {
      const current = version(stream);
      if (current !== expectedVersion) {
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          `${stream} has moved on (version ${current}, expected ${expectedVersion}). Read it again, then decide.`,
          { retryable: true },
        );
      }
      let { seq, hash } = head();
      return events.map((event, index): PlacedEvent => {
        const bytes = envelopeBytes(event);
        hash = chainHash(hash, bytes);
        seq += 1;
        const placed = { seq, version: expectedVersion + index + 1, event, hash };
        insertSql.run([seq, stream, placed.version, event.event_id, event.event_type, bytes, hash]);
        noteType(event);
        return placed;
      });
    },
    stream: (stream) => (streamSql.all([stream]) as EventRow[]).map(placedOf),
    after: (seq, limit) => (afterSql.all([seq, limit]) as EventRow[]).map(placedOf),
    verify() {
      let previous: { seq: number; hash: string | null } = { seq: 0, hash: null };
      const versions = new Map<string, number>();
      for (;;) {
        const rows = afterSql.all([previous.seq, PAGE]) as EventRow[];
        for (const row of rows) {
          const fault = logFault({ ...row, bytes: bytesOf(row) }, previous, versions.get(row.stream) ?? 0);
          if (fault !== null) return { ok: false, seq: row.seq, fault };
          versions.set(row.stream, row.version);
          previous = { seq: row.seq, hash: row.hash };
        }
        if (rows.length < PAGE) return { ok: true, events: previous.seq, head: previous.hash };
      }
    },
  };
};
