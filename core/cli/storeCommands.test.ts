import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../stores/sqlite/openSqliteStore.ts';
import type { EventStore } from '../kernel/eventStore.ts';
import { startCaopStage } from '../../test/support/caopStage.ts';
import { setGoal } from '../../test/support/paymentLedger.ts';

const main = path.join(import.meta.dirname, 'main.ts');
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', main, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

let folder: string;
let file: string;
const openFile = (): Promise<EventStore> => openSqliteStore({ path: file });
/** A console that set one goal, then stopped. */
const live = async (): Promise<void> => {
  const stage = await startCaopStage(openFile);
  await setGoal(stage);
  await stage[Symbol.asyncDispose]();
};
const goals = async (): Promise<number> => {
  const store = await openFile();
  const count = await store.count('goals', undefined);
  await store.close();
  return count;
};
const tamper = (sql: string): void => {
  const db = new Database(file);
  db.exec(sql);
  db.close();
};

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'signalbox-store-'));
  file = path.join(folder, 'signalbox.db');
  await live();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('commands on a store', { timeout: 120_000 }, () => {
  it('rebuild makes the tables again; a store in use is left alone', async () => {
    tamper('DELETE FROM goals');
    expect(await goals()).toBe(0);
    expect(await run('store', 'rebuild', '--data', folder)).toMatchObject({
      code: 0,
      stdout: 'Rebuilt every table from 2 events.\n',
    });
    expect(await goals()).toBe(1);
    const store = await openFile();
    const refused = await run('store', 'rebuild', '--data', folder);
    await store.close();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/in use by process \d+/);
  });

  it('verify names the first row that is wrong, also beside a running console', async () => {
    const store = await openFile();
    expect(await run('audit', 'verify', '--data', folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 events verify; head [0-9a-f]{64}\.\n$/) as string,
    });
    await store.close();
    tamper(`UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), 'payment', 'pavment') AS BLOB) WHERE seq = 2`);
    const found = await run('audit', 'verify', '--data', folder);
    expect(found.code).toBe(1);
    expect(found.stderr).toMatch(/Row 2 of the log is wrong/);
  });

  it('an anchor shows that the newest rows were cut off, and a forged one is refused', async () => {
    const anchor = path.join(folder, 'anchor.json');
    expect(await run('audit', 'anchor', '--data', folder, '--out', anchor)).toMatchObject({ code: 0 });
    expect((await run('audit', 'verify', '--data', folder, '--anchor', anchor)).stdout).toMatch(
      /holds the anchor at row 2/,
    );
    tamper('DELETE FROM events WHERE seq = 2');
    expect((await run('audit', 'verify', '--data', folder)).code).toBe(0);
    const cut = await run('audit', 'verify', '--data', folder, '--anchor', anchor);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/the log ends at 1, before row 2/);
    const forged = { ...(JSON.parse(readFileSync(anchor, 'utf8')) as object), seq: 1 };
    writeFileSync(anchor, JSON.stringify(forged));
    expect((await run('audit', 'verify', '--data', folder, '--anchor', anchor)).stderr).toMatch(
      /signature does not fit/,
    );
  });

  it('backup copies a store in use; restore puts it back and keeps what was there', async () => {
    const copy = path.join(folder, 'copy.db');
    const store = await openFile();
    expect(await run('backup', '--data', folder, '--out', copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/verified 2 events/) as string,
    });
    expect((await run('restore', '--data', folder, '--from', copy)).stderr).toMatch(/in use by process/);
    await store.close();
    tamper('DELETE FROM events');
    const restored = await run('restore', '--data', folder, '--from', copy);
    expect(restored).toMatchObject({ code: 0 });
    expect(await goals()).toBe(1);
    const kept = /kept as (\S+)\.\n/.exec(restored.stdout)?.[1] ?? '';
    expect(existsSync(path.join(folder, kept))).toBe(true);
    expect((await run('restore', '--data', folder, '--from', path.join(folder, 'none.db'))).stderr).toMatch(
      /There is no data file/,
    );
  });
});
