import { SignalboxError } from '../../contracts/errors.ts';
import type { PageReading } from './pageProtocol.ts';

/** `button "Delete" in Invoice Alpha` */
export const readingText = ({ role, name, row }: PageReading): string =>
  `${role}${name === undefined ? '' : ` "${name}"`}${row === undefined ? '' : ` in ${row}`}`;

export const targetGone = (
  ref: string,
  was: PageReading | undefined,
  candidates: readonly PageReading[],
): SignalboxError => {
  const what = was === undefined ? `${ref} is not a target of this surface` : `${ref} (${readingText(was)}) is gone`;
  const next =
    candidates.length === 0
      ? 'Call operator.perceive for what is there now.'
      : `Did you mean ${candidates.map((one) => `${one.ref} (${readingText(one)})`).join(' or ')}?`;
  return new SignalboxError('TARGET_GONE', `${what}. Nothing was sent. ${next}`, {
    details: { ref, ...(was !== undefined && { was }), candidates },
  });
};

export const targetChanged = (ref: string, shown: PageReading, now: PageReading): SignalboxError =>
  new SignalboxError(
    'TARGET_CHANGED',
    `${ref} was ${readingText(shown)} when you saw it and is ${readingText(now)} now. Nothing was sent. ` +
      'Call operator.perceive and choose again.',
    { details: { ref, shown, now } },
  );
