import { performance } from 'node:perf_hooks';

/** Milliseconds, to a hundredth. `bytes`: size of the answer as JSON text, where there is one. */
export interface Measured {
  readonly name: string;
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly bytes?: number;
  readonly note?: string;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

const round = (ms: number): number => Math.round(ms * 100) / 100;

export const summarize = (
  name: string,
  samples: readonly number[],
  more: Pick<Measured, 'bytes' | 'note'> = {},
): Measured => {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    name,
    runs: sorted.length,
    p50: round(at(sorted, 0.5)),
    p95: round(at(sorted, 0.95)),
    max: round(sorted.at(-1) ?? Number.NaN),
    ...more,
  };
};

export interface RepeatOptions {
  readonly runs: number;
  /** Calls before the first that counts. */
  readonly warmUp?: number;
  /** Not part of the time. */
  readonly before?: () => Promise<void>;
}

/** Times `run`; the size of its last answer is kept. */
export const repeat = async (name: string, options: RepeatOptions, run: () => Promise<unknown>): Promise<Measured> => {
  const samples: number[] = [];
  let bytes: number | undefined;
  for (let i = -(options.warmUp ?? 0); i < options.runs; i += 1) {
    await options.before?.();
    const started = performance.now();
    const answer = await run();
    if (i >= 0) samples.push(performance.now() - started);
    bytes = answer === undefined ? undefined : Buffer.byteLength(JSON.stringify(answer));
  }
  return summarize(name, samples, bytes === undefined ? {} : { bytes });
};
