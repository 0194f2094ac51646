import { create } from 'zustand';

/** The short confirmation shown after a decision, until the next one. */
export interface Done {
  readonly id: string;
  readonly words: string;
  readonly what: string;
  readonly href: string;
}

export const useLastDecision = create<{ readonly done: Done | null }>(() => ({ done: null }));

export const tellDecision = (done: Done): void => useLastDecision.setState({ done });
export const clearDecision = (): void => useLastDecision.setState({ done: null });
