import type { CallView } from '../../../core/contracts/console.ts';

/** Filters that the server does not know: applied to what is loaded. */
export interface LocalFilter {
  readonly outcome: CallView['outcome'] | null;
  readonly text: string;
}

const haystack = (call: CallView): string =>
  `${call.verb} ${call.summary} ${call.code ?? ''} ${call.principal.id} ${call.client ?? ''} ${JSON.stringify(call.arguments)}`.toLowerCase();

/** All words have to occur, in any order. */
export const matchesLocal = (call: CallView, filter: LocalFilter): boolean => {
  if (filter.outcome !== null && call.outcome !== filter.outcome) return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const all = haystack(call);
  return words.every((word) => all.includes(word));
};

/** Calls up to the newest number that was on top when the list left its top, so that rows do not run away. */
export const heldBack = (
  calls: readonly CallView[],
  newest: number | null,
): { readonly shown: readonly CallView[]; readonly waiting: number } => {
  if (newest === null) return { shown: calls, waiting: 0 };
  const from = calls.findIndex((call) => call.n <= newest);
  return from <= 0 ? { shown: calls, waiting: 0 } : { shown: calls.slice(from), waiting: from };
};
