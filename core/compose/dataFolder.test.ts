import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { prepareDataFolder, readConfig, readRunFile, removeRunFile, writeRunFile } from './dataFolder.ts';

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'signalbox-data-')), 'data');
  await prepareDataFolder(folder);
});

const mode = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

describe('the data folder', () => {
  it('is private to its user', async () => {
    expect(await mode(folder)).toBe(0o700);
    expect(await mode(path.join(folder, 'logs'))).toBe(0o700);
  });

  it('cannot be a file, and says what to do', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(prepareDataFolder(path.join(file, 'x'))).rejects.toThrow(/cannot be used \(ENOTDIR\).*--data DIR/);
  });
});

describe('config.json', () => {
  it('is optional', async () => {
    expect(await readConfig(folder)).toEqual({});
  });

  it('is read', async () => {
    await writeFile(path.join(folder, 'config.json'), '{"port":9000,"gate":{"wait_budget_ms":100}}');
    expect(await readConfig(folder)).toEqual({ port: 9000, gate: { wait_budget_ms: 100 } });
  });

  it.each([
    ['{"gate":{"wait_budget":1},"colour":"red"}', ['gate.wait_budget', 'colour']],
    ['{"port":"high"}', ['port']],
    ['{', ['not valid JSON']],
  ])('%s is refused by name', async (text, named) => {
    await writeFile(path.join(folder, 'config.json'), text);
    const refusal = await readConfig(folder).catch((error: unknown) => String(error));
    for (const name of named) expect(refusal).toContain(name);
    expect(refusal).toContain(path.join(folder, 'config.json'));
  });
});

describe('run.json', () => {
  const run = { url: 'http://127.0.0.1:1', pid: process.pid, agentToken: 'agent' };

  it('is readable by its user only, and gone after removal', async () => {
    await writeRunFile(folder, run);
    expect(await mode(path.join(folder, 'run.json'))).toBe(0o600);
    expect(await readRunFile(folder)).toEqual(run);
    await removeRunFile(folder);
    expect(await readRunFile(folder)).toBeNull();
  });

  it('of a process that is gone is not believed', async () => {
    // Above the largest process id of Linux.
    await writeRunFile(folder, { ...run, pid: 4_194_305 });
    expect(await readRunFile(folder)).toBeNull();
  });

  it('of another process that runs is left alone', async () => {
    await writeRunFile(folder, { ...run, pid: process.ppid });
    await removeRunFile(folder);
    expect(await readRunFile(folder)).toMatchObject({ pid: process.ppid });
  });
});
