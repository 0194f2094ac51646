import type { EventEnvelope } from '../contracts/caop.ts';
import { chainHash } from './chainHash.ts';

/** One row of a stored log: what was hashed, and the columns it is found by. */
export interface LogRow {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Position and hash of a row; `hash: null` before the first. */
export interface LogHead {
  readonly seq: number;
  readonly hash: string | null;
}

/** What is wrong with one row, given the row before it in the log and in its stream; null when sound. */
export const logFault = (row: LogRow, previous: LogHead, version: number): string | null => {
  if (row.seq !== previous.seq + 1) return `row ${previous.seq + 1} is missing`;
  if (chainHash(previous.hash, row.bytes) !== row.hash) {
    return 'the stored hash is not that of the bytes and the row before';
  }
  const event = JSON.parse(row.bytes.toString('utf8')) as EventEnvelope;
  if (event.event_id !== row.event_id || event.event_type !== row.event_type || event.subject_id !== row.stream) {
    return 'the columns do not say what the bytes say';
  }
  if (row.version !== version + 1) return `version ${version + 1} of stream ${row.stream} is missing`;
  return null;
};
