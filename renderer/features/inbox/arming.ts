/**
 * Approving by keyboard takes two separate presses of A on evidence that has been on screen for half a
 * second. Anything else in between disarms.
 */
const ARM_AFTER_MS = 500;

export interface Arming {
  /** What is on screen: changes with the item and with its binding hash. */
  readonly card: string;
  /** When it was shown, in the clock of `keyDown`'s `now`. */
  readonly shownAt: number;
  readonly armed: boolean;
}

export const shown = (card: string, now: number): Arming => ({ card, shownAt: now, armed: false });

export const settledOnScreen = (arming: Arming, now: number): boolean => now - arming.shownAt >= ARM_AFTER_MS;

export interface KeyPress {
  readonly key: string;
  /** A held key repeats: that is one press, not two. */
  readonly repeat: boolean;
  readonly now: number;
}

export const keyDown = (arming: Arming, press: KeyPress): { readonly arming: Arming; readonly approve: boolean } => {
  const isA = press.key.toLowerCase() === 'a';
  if (isA && press.repeat) return { arming, approve: false };
  if (!isA) return { arming: { ...arming, armed: false }, approve: false };
  if (!settledOnScreen(arming, press.now)) return { arming: { ...arming, armed: false }, approve: false };
  return arming.armed
    ? { arming: { ...arming, armed: false }, approve: true }
    : { arming: { ...arming, armed: true }, approve: false };
};
