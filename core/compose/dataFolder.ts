import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { SignalboxError } from '../contracts/errors.ts';
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

const ms = (most: number) => z.number().int().min(1).max(most);

/** `config.json`. Unknown keys are refused: a typing error must not pass for a setting. */
export const configSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).optional(),
  gate: z
    .strictObject({
      /** How long a call waits for a person before APPROVAL_PENDING. */
      wait_budget_ms: ms(600_000).optional(),
      /** How long a person has to decide. */
      approval_ttl_ms: ms(86_400_000).optional(),
      /** How long a verb may take once its lease is open. */
      lease_ttl_ms: ms(3_600_000).optional(),
      /** How long a request may stand with nobody attached. */
      absent_ttl_ms: ms(86_400_000).optional(),
    })
    .optional(),
  browser: z
    .strictObject({
      /** Path of the Chromium to start; found by itself when omitted. */
      executable: z.string().min(1).optional(),
      headless: z.boolean().optional(),
    })
    .optional(),
});
export type Config = z.infer<typeof configSchema>;

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

/** `run.json`: where the running console is, for `signalbox mcp`. Holds the agent's token only. */
export const runFileSchema = z.object({ url: z.string(), pid: z.number().int(), agentToken: z.string() });
export type RunFile = z.infer<typeof runFileSchema>;

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
