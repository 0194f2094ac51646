import { chmodSync, existsSync } from 'node:fs';
import { hostname } from 'node:os';
import Database from 'libsql';
import { SignalboxError } from '../../contracts/errors.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

const readHolder = (db: Database.Database): Holder | null => {
  try {
    const row = db.prepare('SELECT holder FROM lock_holder').all()[0] as { holder: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.holder) as Holder);
  } catch {
    // The other process is between creating its file and writing its name.
    return null;
  }
};

const heldBy = (path: string, holder: Holder | null): SignalboxError => {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new SignalboxError(
    'INTERNAL',
    `The data file ${path} is in use by ${who}. Use that console, stop that process, or start with another data folder (--data).`,
    { kind: 'expected', details: { holder } },
  );
};

/**
 * One process per data file. The lock is a write transaction held open on a small file beside it, so
 * that the operating system lets go of it when the process ends, however it ends.
 */
export const takeProcessLock = (path: string): Disposable => {
  const file = `${path}-lock`;
  const fresh = !existsSync(file);
  const db = new Database(file, { timeout: 0 });
  if (fresh) chmodSync(file, 0o600);
  try {
    db.exec('CREATE TABLE IF NOT EXISTS lock_holder (holder TEXT NOT NULL)');
    db.exec('BEGIN IMMEDIATE');
    const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    db.exec('DELETE FROM lock_holder');
    db.prepare('INSERT INTO lock_holder VALUES (?)').run([JSON.stringify(holder)]);
    db.exec('COMMIT');
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const refusal = isBusy(error) ? heldBy(path, readHolder(db)) : error;
    db.close();
    throw refusal;
  }
  return {
    [Symbol.dispose]() {
      // The driver closes a connection only when its statements are collected; the lock must go now.
      db.exec('ROLLBACK');
      db.close();
    },
  };
};
