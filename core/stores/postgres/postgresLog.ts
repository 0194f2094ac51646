import type { ClientBase } from 'pg';
import type { EventEnvelope } from '../../contracts/caop.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import { chainHash, envelopeBytes } from '../../kernel/chainHash.ts';
import type { PlacedEvent, StreamAppend, Verification } from '../../kernel/eventStore.ts';
import { logFault } from '../../kernel/logFault.ts';
import type { LogHead, LogRow } from '../../kernel/logFault.ts';

/**
 * The `events` table: what was hashed, byte for byte, and the columns it is found by. Positions are
 * given under a lock on the one row of `chain_head`, so that a reader who has seen position n has
 * seen every position before it.
 */

export const logSql: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS events (
    seq BIGINT PRIMARY KEY,
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    event_type TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (stream, version)
  )`,
  'CREATE TABLE IF NOT EXISTS event_versions (event_type TEXT PRIMARY KEY, version BIGINT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS chain_head (one BOOLEAN PRIMARY KEY CHECK (one), seq BIGINT NOT NULL, hash TEXT)',
  'INSERT INTO chain_head VALUES (TRUE, 0, NULL) ON CONFLICT DO NOTHING',
  'CREATE TABLE IF NOT EXISTS store_format (one BOOLEAN PRIMARY KEY CHECK (one), format BIGINT NOT NULL)',
];

const PAGE = 1_000;

const placedOf = (row: LogRow): PlacedEvent => ({
  seq: row.seq,
  version: row.version,
  event: JSON.parse(row.bytes.toString('utf8')) as EventEnvelope,
  hash: row.hash,
});

const conflict = (stream: string, current: number, expected: number): SignalboxError =>
  new SignalboxError(
    'STATE_VERSION_CONFLICT',
    `${stream} has moved on (version ${current}, expected ${expected}). Read it again, then decide.`,
    { retryable: true },
  );

export const readHead = async (db: ClientBase, lock: boolean): Promise<LogHead> => {
  const { rows } = await db.query(`SELECT seq, hash FROM chain_head${lock ? ' FOR UPDATE' : ''}`);
  return rows[0] as LogHead;
};

export const readVersion = async (db: ClientBase, stream: string): Promise<number> => {
  const { rows } = await db.query('SELECT max(version) AS version FROM events WHERE stream = $1', [stream]);
  return (rows[0] as { version: number | null }).version ?? 0;
};

export const readStream = async (db: ClientBase, stream: string): Promise<readonly PlacedEvent[]> => {
  const { rows } = await db.query('SELECT * FROM events WHERE stream = $1 ORDER BY version', [stream]);
  return (rows as LogRow[]).map(placedOf);
};

const rowsAfter = async (db: ClientBase, seq: number, limit: number): Promise<readonly LogRow[]> =>
  (await db.query('SELECT * FROM events WHERE seq > $1 ORDER BY seq LIMIT $2', [seq, limit])).rows as LogRow[];

export const readAfter = async (db: ClientBase, seq: number, limit: number): Promise<readonly PlacedEvent[]> =>
  (await rowsAfter(db, seq, limit)).map(placedOf);

/** Inside a transaction that holds the lock on the head. Answers the events and the new head. */
export const appendEvents = async (
  db: ClientBase,
  head: LogHead,
  { stream, expectedVersion, events }: StreamAppend,
): Promise<{ readonly placed: readonly PlacedEvent[]; readonly head: LogHead }> => {
  const current = await readVersion(db, stream);
  if (current !== expectedVersion) throw conflict(stream, current, expectedVersion);
  let { seq, hash } = head;
  const placed: PlacedEvent[] = [];
  for (const [index, event] of events.entries()) {
    const bytes = envelopeBytes(event);
    hash = chainHash(hash, bytes);
    seq += 1;
    const version = expectedVersion + index + 1;
    await db.query({
      name: 'append-event',
      text: 'INSERT INTO events (seq, stream, version, event_id, event_type, bytes, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      values: [seq, stream, version, event.event_id, event.event_type, bytes, hash],
    });
    placed.push({ seq, version, event, hash });
  }
  return { placed, head: { seq, hash } };
};

export const writeHead = async (db: ClientBase, head: LogHead): Promise<void> => {
  await db.query('UPDATE chain_head SET seq = $1, hash = $2', [head.seq, head.hash]);
};

export const noteType = async (db: ClientBase, event: EventEnvelope): Promise<void> => {
  await db.query(
    `INSERT INTO event_versions VALUES ($1, $2)
     ON CONFLICT (event_type) DO UPDATE SET version = EXCLUDED.version WHERE EXCLUDED.version > event_versions.version`,
    [event.event_type, Number(event.schema_version)],
  );
};

export const verifyLog = async (db: ClientBase): Promise<Verification> => {
  let previous: LogHead = { seq: 0, hash: null };
  const versions = new Map<string, number>();
  for (;;) {
    const rows = await rowsAfter(db, previous.seq, PAGE);
    for (const row of rows) {
      const fault = logFault(row, previous, versions.get(row.stream) ?? 0);
      if (fault !== null) return { ok: false, seq: row.seq, fault };
      versions.set(row.stream, row.version);
      previous = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < PAGE) break;
  }
  const head = await readHead(db, false);
  if (head.seq !== previous.seq || head.hash !== previous.hash) {
    return { ok: false, seq: previous.seq + 1, fault: `the newest rows are missing: the head is at ${head.seq}` };
  }
  return { ok: true, events: previous.seq, head: previous.hash };
};
