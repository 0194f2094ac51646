import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SignalboxError } from '../contracts/errors.ts';
import type { EventStore } from '../kernel/eventStore.ts';
import { readSqliteFile } from '../stores/sqlite/readSqliteFile.ts';
import { makeAnchor, readAnchor } from './auditAnchor.ts';
import { readRunFile } from './dataFolder.ts';
import { databaseFile, openStore } from './openStore.ts';

/** What the command line does with a store. Reading goes on beside a running console; writing needs it stopped. */

export interface StorePlace {
  readonly dataFolder: string;
  readonly database: string | undefined;
}

const withStore = async <T>(
  { dataFolder, database }: StorePlace,
  run: (store: EventStore) => Promise<T>,
): Promise<T> => {
  if (database === undefined && !existsSync(databaseFile(dataFolder))) {
    throw new SignalboxError('NOT_FOUND', `There is no data file in ${dataFolder}. Give the data folder with --data.`);
  }
  const store = await openStore(dataFolder, database);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
};

export const rebuildStore = (place: StorePlace): Promise<{ events: number }> =>
  withStore(place, (store) => store.rebuild());

interface Head {
  readonly seq: number;
  readonly hash: string | null;
}

const hashAt = async (store: EventStore, seq: number): Promise<string | null> =>
  seq === 0 ? null : ((await store.events(seq - 1, 1))[0]?.hash ?? null);

const readLog = async <T>(
  place: StorePlace,
  ofFile: (file: ReturnType<typeof readSqliteFile>) => T,
  ofStore: (store: EventStore) => Promise<T>,
): Promise<T> => {
  if (place.database !== undefined) return withStore(place, ofStore);
  using file = readSqliteFile(databaseFile(place.dataFolder));
  return ofFile(file);
};

export interface Audit {
  readonly events: number;
  readonly head: string | null;
  /** Position of the anchor that the log was held against. */
  readonly anchored: number | null;
}

/** Throws, naming the first row that is wrong, or the anchor that the log does not reach. */
export const verifyStore = async (place: StorePlace, anchorFile: string | undefined): Promise<Audit> => {
  const verified = await readLog(
    place,
    (file) => file.verify(),
    (store) => store.verify(),
  );
  if (!verified.ok) {
    throw new SignalboxError(
      'VERIFICATION_FAILED',
      `Row ${verified.seq} of the log is wrong: ${verified.fault}. Restore a backup; keep this file as evidence.`,
    );
  }
  if (anchorFile === undefined) return { events: verified.events, head: verified.head, anchored: null };
  const anchor = readAnchor(anchorFile);
  const found = await readLog(
    place,
    (file) => file.hashAt(anchor.seq),
    (store) => hashAt(store, anchor.seq),
  );
  if (found !== anchor.hash) {
    const what =
      found === null
        ? `the log ends at ${verified.events}, before row ${anchor.seq} of the anchor`
        : `row ${anchor.seq} is another one than was anchored`;
    throw new SignalboxError(
      'VERIFICATION_FAILED',
      `The log does not fit the anchor of ${anchor.at}: ${what}. Rows were removed or replaced.`,
    );
  }
  return { events: verified.events, head: verified.head, anchored: anchor.seq };
};

export const anchorStore = async (place: StorePlace, out: string): Promise<Head> => {
  const head = await readLog<Head>(
    place,
    (file) => file.head(),
    async (store) => {
      const seq = await store.head();
      return { seq, hash: await hashAt(store, seq) };
    },
  );
  const anchor = makeAnchor(place.dataFolder, head, new Date().toISOString());
  writeFileSync(out, `${JSON.stringify(anchor, null, 2)}\n`, { mode: 0o600 });
  return head;
};

const sqliteOnly = ({ database }: StorePlace): void => {
  if (database === undefined) return;
  throw new SignalboxError(
    'INVALID_REQUEST',
    'A PostgreSQL state is backed up and restored with pg_dump and pg_restore (schema signalbox).',
  );
};

/** A whole copy of the data file, while the console may be running. Artifacts are files of their own beside it. */
export const backupStore = async (place: StorePlace, out: string): Promise<{ events: number }> => {
  sqliteOnly(place);
  using file = readSqliteFile(databaseFile(place.dataFolder));
  file.copyTo(out);
  using copy = readSqliteFile(out);
  const verified = copy.verify();
  if (verified.ok) return { events: verified.events };
  rmSync(out, { force: true });
  throw new SignalboxError(
    'VERIFICATION_FAILED',
    `The copy does not verify at row ${verified.seq}: ${verified.fault}. Nothing was kept.`,
  );
};

/** Puts a verified backup in the place of the data file; the file that was there is kept beside it. */
export const restoreStore = async (
  place: StorePlace,
  backup: string,
): Promise<{ events: number; kept: string | null }> => {
  sqliteOnly(place);
  const run = await readRunFile(place.dataFolder);
  if (run !== null)
    throw new SignalboxError(
      'INVALID_REQUEST',
      `A console runs on ${place.dataFolder} (process ${run.pid}). Stop it, then restore.`,
    );
  const events = ((): number => {
    using file = readSqliteFile(backup);
    const verified = file.verify();
    if (!verified.ok)
      throw new SignalboxError(
        'VERIFICATION_FAILED',
        `${backup} does not verify at row ${verified.seq}: ${verified.fault}. Nothing was restored.`,
      );
    return verified.events;
  })();
  const target = databaseFile(place.dataFolder);
  mkdirSync(place.dataFolder, { recursive: true, mode: 0o700 });
  // Whoever holds the file holds its lock: this refuses while another process has it open.
  if (existsSync(target)) await withStore(place, async () => undefined);
  const partial = `${target}.restoring`;
  copyFileSync(backup, partial);
  const kept = existsSync(target) ? `${target}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  for (const suffix of ['', '-wal', '-shm']) {
    if (kept !== null && existsSync(target + suffix)) renameSync(target + suffix, kept + suffix);
  }
  renameSync(partial, target);
  return { events, kept: kept === null ? null : path.basename(kept) };
};
