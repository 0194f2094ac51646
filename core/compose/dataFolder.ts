import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import { SignalboxError } from '../contracts/errors.ts';
import { configSchema, runFileSchema, type Config, type RunFile } from '../contracts/hostFiles.ts';
import { issuesOf } from '../contracts/parse.ts';

export const defaultDataFolder = (): string => envPaths('signalbox', { suffix: '' }).data;

/** Makes the folder private to its user (0700); everything in it is made under umask 077. */
export const prepareDataFolder = async (folder: string): Promise<void> => {
  process.umask(0o077);
  try {
    await mkdir(path.join(folder, 'logs'), { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SignalboxError(
      'INVALID_REQUEST',
      `The data folder ${folder} cannot be used (${code ?? 'unknown fault'}). Give another: --data DIR.`,
      { cause },
    );
  }
};

const readIfThere = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

export const readConfig = async (folder: string): Promise<Config> => {
  const file = path.join(folder, 'config.json');
  const text = await readIfThere(file);
  if (text === null) return {};
  const refuse = (why: string, cause?: unknown): SignalboxError =>
    new SignalboxError('INVALID_REQUEST', `${file} is wrong: ${why} Mend it, or remove the file.`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse('it is not valid JSON.', cause);
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(
    issuesOf(parsed.error)
      .map((issue) => `${issue.path}: ${issue.message.replace(/\.?$/, '.')}`)
      .join(' '),
    parsed.error,
  );
};

const runPath = (folder: string): string => path.join(folder, 'run.json');

export const writeRunFile = async (folder: string, run: RunFile): Promise<void> => {
  const partial = `${runPath(folder)}.${process.pid}`;
  await writeFile(partial, JSON.stringify(run), { mode: 0o600 });
  await rename(partial, runPath(folder));
};

/** Null when no console runs on this folder; a file left by a killed one is not believed. */
export const readRunFile = async (folder: string): Promise<RunFile | null> => {
  const text = await readIfThere(runPath(folder));
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = runFileSchema.safeParse(value);
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : null;
};

export const removeRunFile = async (folder: string): Promise<void> => {
  const run = await readRunFile(folder);
  if (run === null || run.pid === process.pid) await rm(runPath(folder), { force: true });
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
