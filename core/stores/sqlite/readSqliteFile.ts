import { existsSync } from 'node:fs';
import Database from 'libsql';
import { SignalboxError } from '../../contracts/errors.ts';
import type { Verification } from '../../kernel/eventStore.ts';
import { sqliteLog } from './sqliteLog.ts';

/** A data file read beside the process that writes it: WAL lets both go on. */
export interface SqliteFile extends Disposable {
  verify(): Verification;
  head(): { readonly seq: number; readonly hash: string | null };
  /** The hash of one row; null when the log does not reach it. */
  hashAt(seq: number): string | null;
  /** A whole copy as of now, into a file that does not exist yet. */
  copyTo(file: string): void;
}

export const readSqliteFile = (path: string): SqliteFile => {
  if (!existsSync(path)) {
    throw new SignalboxError('NOT_FOUND', `There is no data file ${path}. Give the data folder with --data.`);
  }
  const db = new Database(path, { timeout: 5_000 });
  try {
    db.exec('PRAGMA query_only = ON');
    const log = sqliteLog(db);
    const hashSql = db.prepare('SELECT hash FROM events WHERE seq = ?');
    return {
      verify: () => log.verify(),
      head: () => log.head(),
      hashAt: (seq) => (hashSql.get([seq]) as { hash: string } | undefined)?.hash ?? null,
      copyTo(file) {
        if (existsSync(file)) throw new SignalboxError('INVALID_REQUEST', `${file} exists already. Give another name.`);
        db.exec('PRAGMA query_only = OFF');
        db.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
        db.exec('PRAGMA query_only = ON');
      },
      [Symbol.dispose]: () => void db.close(),
    };
  } catch (cause) {
    db.close();
    throw new SignalboxError('INVALID_REQUEST', `${path} is no data file of Signalbox, or it is damaged.`, { cause });
  }
};
