import { readdirSync, readFileSync } from 'node:fs';

/** A process, told apart from a later one with the same id by its start time (clock ticks since boot). */
export interface ProcessId {
  readonly pid: number;
  readonly started: string;
  readonly command: string;
}

interface Entry extends ProcessId {
  readonly parent: number;
  readonly zombie: boolean;
}

const read = (pid: number): Entry | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in brackets, may hold spaces: fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(fields[1]), started: fields[19] ?? '', command, zombie: fields[0] === 'Z' };
  } catch {
    return null;
  }
};

const all = (): readonly Entry[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name)))
    .filter((entry) => entry !== null);

/** Every process below `pid`, not `pid` itself. */
export const descendants = (pid: number): readonly ProcessId[] => {
  const entries = all();
  const found: Entry[] = [];
  const walk = (parent: number): void => {
    for (const entry of entries) {
      if (entry.parent !== parent) continue;
      found.push(entry);
      walk(entry.pid);
    }
  };
  walk(pid);
  return found;
};

/** Every process whose environment or command line holds `mark`. */
export const marked = (mark: string): readonly ProcessId[] =>
  all().filter((entry) => {
    if (entry.zombie) return false;
    if (entry.command.includes(mark)) return true;
    try {
      return readFileSync(`/proc/${entry.pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });

const stillThere = (processes: readonly ProcessId[]): readonly ProcessId[] =>
  processes.filter((was) => {
    const now = read(was.pid);
    return now !== null && !now.zombie && now.started === was.started;
  });

/** Polls, because nothing tells us when somebody else's child ends. */
export const allGone = async (processes: readonly ProcessId[], timeoutMs: number): Promise<readonly ProcessId[]> => {
  const end = Date.now() + timeoutMs;
  let left = stillThere(processes);
  while (left.length > 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = stillThere(left);
  }
  return left;
};

/** Resident memory of a process in MiB (Linux). */
export const residentMiB = (pid: number): number => {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 102.4) / 10;
};
