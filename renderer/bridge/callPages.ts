import type { CallView } from '../../core/contracts/console.ts';

/** The trace as loaded so far: newest first, no number twice. */
export interface CallPages {
  readonly calls: readonly CallView[];
  /** Continues with older calls; null when all are loaded. */
  readonly older: string | null;
}

export interface CallFilter {
  readonly surface_id?: string;
  /** Printed as `type:id`. */
  readonly principal?: string;
  readonly verb?: string;
}

/** Index of the call with number `n`, or where it belongs, in a list newest first. */
const placeOf = (calls: readonly CallView[], n: number): number => {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((calls[middle]?.n ?? -1) > n) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Puts calls in, replacing those of the same number; the order stays newest first. */
export const mergeCalls = (known: readonly CallView[], incoming: readonly CallView[]): readonly CallView[] => {
  const oldest = known.at(-1)?.n;
  if (incoming.length > 0 && (oldest === undefined || incoming.every((call) => call.n < oldest))) {
    return [...known, ...incoming];
  }
  const merged = [...known];
  for (const call of incoming) {
    const at = placeOf(merged, call.n);
    const had = merged[at];
    if (had?.n !== call.n) merged.splice(at, 0, call);
    // A late "running" must not undo an end that has already been seen.
    else if (had.outcome === 'running' || call.outcome !== 'running') merged[at] = call;
  }
  return merged;
};

export const matchesFilter = (call: CallView, filter: CallFilter): boolean =>
  (filter.surface_id === undefined || call.surface_id === filter.surface_id) &&
  (filter.principal === undefined || `${call.principal.type}:${call.principal.id}` === filter.principal) &&
  (filter.verb === undefined || call.verb === filter.verb);

/** Whether a page fetched from the top reaches calls already known, so that nothing in between is missing. */
export const reachesKnown = (known: readonly CallView[], page: readonly CallView[]): boolean => {
  const newestKnown = known.find((call) => call.outcome !== 'running')?.n;
  const oldestFetched = page.at(-1)?.n;
  return newestKnown === undefined || oldestFetched === undefined || oldestFetched <= newestKnown;
};
