import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counterEvent, counterSchema, eventStoreContract } from '../../../test/contract/eventStoreContract.ts';
import { openSqliteStore } from './openSqliteStore.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'));
  path = join(folder, 'data', 'signalbox.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

eventStoreContract('SQLite', () => openSqliteStore({ path, schema: counterSchema }));

const three = async (): Promise<void> => {
  const store = await openSqliteStore({ path, schema: counterSchema });
  for (const [version, by] of [1, 2, 3].entries()) {
    const events = [counterEvent('a', 'counter.added', { by })];
    await store.append([{ stream: 'a', expectedVersion: version, events }]);
  }
  await store.close();
};

const tamper = (sql: string, values: unknown[] = []): void => {
  const db = new Database(path);
  db.prepare(sql).run(values);
  db.close();
};

const verify = async (): Promise<unknown> => {
  const store = await openSqliteStore({ path, schema: counterSchema });
  try {
    return await store.verify();
  } finally {
    await store.close();
  }
};

describe('verify', () => {
  it('names the row whose bytes were changed', async () => {
    await three();
    tamper(`UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), '"by":2', '"by":9') AS BLOB) WHERE seq = 2`);
    expect(await verify()).toEqual({ ok: false, seq: 2, fault: expect.stringContaining('hash') as string });
  });
  it('names the row after one that was taken out', async () => {
    await three();
    tamper('DELETE FROM events WHERE seq = 2');
    expect(await verify()).toEqual({ ok: false, seq: 3, fault: 'row 2 is missing' });
  });
  it('names the row whose columns were changed', async () => {
    await three();
    tamper(`UPDATE events SET event_type = 'counter.dropped' WHERE seq = 3`);
    expect(await verify()).toMatchObject({ ok: false, seq: 3 });
  });
});

describe('the file', () => {
  it('is its owner’s only', async () => {
    const store = await openSqliteStore({ path, schema: counterSchema });
    const modes = [join(folder, 'data'), path, `${path}-wal`, `${path}-lock`].map(
      (file) => statSync(file).mode & 0o777,
    );
    await store.close();
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('is refused to a second process, naming the first; and free again when that has ended', async () => {
    const store = await openSqliteStore({ path, schema: counterSchema });
    const second = openSqliteStore({ path, schema: counterSchema });
    await expect(second).rejects.toThrow(new RegExp(`in use by process ${process.pid}.*--data`));
    await store.close();
    const again = await openSqliteStore({ path, schema: counterSchema });
    await again.close();
  });

  it('is free again after its process was killed', async () => {
    await three();
    const script = `
      const Database = require('libsql');
      const db = new Database(${JSON.stringify(`${path}-lock`)});
      db.exec('BEGIN IMMEDIATE');
      process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['-e', script], { cwd: process.cwd() }).signal).toBe('SIGKILL');
    expect(await verify()).toMatchObject({ ok: true, events: 3 });
  });

  it('is refused when a newer version wrote it', async () => {
    const store = await openSqliteStore({ path, schema: counterSchema });
    const event = counterEvent('a', 'counter.added', { by: 1 }, '2');
    await store.append([{ stream: 'a', expectedVersion: 0, events: [event] }]);
    await store.close();
    await expect(openSqliteStore({ path, schema: counterSchema })).rejects.toThrow(
      /newer version.*counter.added version 2/,
    );
  });
});
