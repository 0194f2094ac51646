import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from '../../support/processes.ts';

const TICKS_PER_SECOND = 100;

const statFields = (pid: number): readonly string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // It has ended.
  }
};

/** Processor seconds used so far by a process and everything below it. */
export const cpuSeconds = (pid: number): number =>
  [pid, ...descendants(pid).map((child) => child.pid)].reduce((sum, id) => {
    const fields = statFields(id);
    return fields === null ? sum : sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }, 0);

/** Resident memory, MiB: of one process, and of everything below it. */
export const memory = (pid: number): { readonly own: number; readonly below: number } => {
  const of = (id: number): number => {
    const fields = statFields(id);
    return fields === null ? 0 : (Number(fields[21]) * 4096) / 2 ** 20;
  };
  const below = descendants(pid).reduce((sum, child) => sum + of(child.pid), 0);
  return { own: Math.round(of(pid)), below: Math.round(below) };
};

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

export const quantile = (values: readonly number[], at: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN) * 10) / 10;
};
