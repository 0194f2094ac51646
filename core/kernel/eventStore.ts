import type { EventEnvelope } from '../contracts/caop.ts';

/**
 * The log and its read models. Every adapter passes `eventStoreContract`.
 *
 * An append is durable when its promise resolves. Read models change in the transaction of the
 * events they come from, by the pure projection of the store's schema, so that `rebuild` can make
 * every row again from the log. Tables marked `chained: false` live beside the log: no event stands
 * for their rows and a rebuild leaves them alone.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Row = Readonly<Record<string, Json>>;

export type ColumnType = 'text' | 'integer' | 'json';

export interface TableDeclaration {
  readonly name: string;
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly indexes: readonly (readonly string[])[];
  readonly chained: boolean;
  /** Integer column the store numbers by itself, from 1, never reusing one. Unchained tables only. */
  readonly sequence?: string;
}

export type RowChange =
  | { readonly op: 'put'; readonly table: string; readonly row: Row }
  | { readonly op: 'patch'; readonly table: string; readonly key: string; readonly set: Row }
  | { readonly op: 'delete'; readonly table: string; readonly key: string };

/** Rows as they stand before the event that is being projected. */
export interface RowReader {
  get(table: string, key: string): Row | null;
}

export interface PlacedEvent {
  /** Position in the log, from 1, without gaps. */
  readonly seq: number;
  /** Position in its stream, from 1. The stream is the envelope's `subject_id`. */
  readonly version: number;
  readonly event: EventEnvelope;
  /** Hex SHA-256 of domain tag, previous hash and the RFC 8785 bytes of the envelope. */
  readonly hash: string;
}

export interface StoreSchema {
  readonly tables: readonly TableDeclaration[];
  /** Newest version this build knows of each event type; a log with newer ones is refused. */
  readonly versions: ReadonlyMap<string, number>;
  project(placed: PlacedEvent, read: RowReader): readonly RowChange[];
}

export interface StreamAppend {
  readonly stream: string;
  /** Version of the last event the decision was taken on; 0 for a new stream. */
  readonly expectedVersion: number;
  readonly events: readonly EventEnvelope[];
}

export interface RowQuery {
  readonly where?: Readonly<Record<string, Json | readonly Json[]>>;
  readonly order?: { readonly column: string; readonly direction: 'asc' | 'desc' };
  /** Only rows past this value of the order column, in the order's direction. */
  readonly past?: number | string;
  readonly limit?: number;
}

export type Verification =
  | { readonly ok: true; readonly events: number; readonly head: string | null }
  | { readonly ok: false; readonly seq: number; readonly fault: string };

export interface EventStore {
  /** All or nothing. A stream that has moved on throws STATE_VERSION_CONFLICT and writes nothing. */
  append(appends: readonly StreamAppend[], also?: readonly RowChange[]): Promise<readonly PlacedEvent[]>;
  stream(stream: string): Promise<readonly PlacedEvent[]>;
  /** Version of the last event of a stream; 0 when it has none. */
  version(stream: string): Promise<number>;
  /** Events after `seq`, oldest first. */
  events(after: number, limit: number): Promise<readonly PlacedEvent[]>;
  /** Position of the newest event; 0 when there is none. */
  head(): Promise<number>;
  get(table: string, key: string): Promise<Row | null>;
  query(table: string, query: RowQuery): Promise<readonly Row[]>;
  count(table: string, where: RowQuery['where']): Promise<number>;
  /** Changes unchained tables; survives the end of the process, and a power cut within seconds. */
  write(changes: readonly RowChange[]): Promise<void>;
  /** Adds a row to an unchained table that has a sequence; answers its number. */
  insert(table: string, row: Row): Promise<number>;
  /** Told after each append, in order. */
  subscribe(listener: (events: readonly PlacedEvent[]) => void): Disposable;
  /** Recomputes every chained table from the log. */
  rebuild(): Promise<{ events: number }>;
  /** Checks every hash and column of the log; names the first row that is wrong. */
  verify(): Promise<Verification>;
  close(): Promise<void>;
}
