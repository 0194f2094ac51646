import { withoutCommon } from './textPieces.ts';

/** Attributes that say something to a reader; class is told apart, style and data only move things. */
export const toldAttributes: Readonly<Record<string, (before: string | null, after: string | null) => string>> = {
  'aria-expanded': (_, after) => (after === 'true' ? 'expanded' : 'collapsed'),
  'aria-checked': (_, after) => (after === 'true' ? 'checked' : after === 'mixed' ? 'mixed' : 'not checked'),
  'aria-selected': (_, after) => (after === 'true' ? 'selected' : 'not selected'),
  'aria-pressed': (_, after) => (after === 'true' ? 'pressed' : 'not pressed'),
  'aria-disabled': (_, after) => (after === 'true' ? 'disabled' : 'enabled'),
  disabled: (_, after) => (after === null ? 'enabled' : 'disabled'),
  'aria-invalid': (_, after) => (after === null || after === 'false' ? 'valid' : 'invalid'),
  'aria-current': (_, after) => (after === null || after === 'false' ? 'not current' : 'current'),
  'aria-busy': (_, after) => (after === 'true' ? 'busy' : 'not busy'),
  open: (_, after) => (after === null ? 'closed' : 'open'),
  readonly: (_, after) => (after === null ? 'editable' : 'read-only'),
  'aria-valuenow': (before, after) => `${before ?? 'none'} → ${after ?? 'none'}`,
  'aria-valuetext': (before, after) => `${before ?? 'none'} → ${after ?? 'none'}`,
  value: (before, after) => `${before ?? 'none'} → ${after ?? 'none'}`,
  'aria-label': (before, after) => `${before ?? 'none'} → ${after ?? 'none'}`,
  placeholder: (before, after) => `placeholder ${before ?? 'none'} → ${after ?? 'none'}`,
  alt: (before, after) => `${before ?? 'none'} → ${after ?? 'none'}`,
  href: (before, after) => `leads to ${before ?? 'nothing'} → ${after ?? 'nothing'}`,
  src: () => 'another picture or page in it',
};

/** Class words that come and go with pointer, focus and animation. */
const passingClass = /focus|hover|active|press|ripple|touch|visited|anim|transition|enter|leave|click/i;

export function isLasting(word: string): boolean {
  return word !== '' && !passingClass.test(word);
}

const opposite: Readonly<Record<string, string>> = {
  checked: 'not checked',
  disabled: 'enabled',
  readonly: 'editable',
  required: 'optional',
};

/** States before and after as words: `checked, no longer focused`. */
export function stateChange(before: string, now: string): string {
  const [gone, added] = withoutCommon(before.split(','), now.split(','));
  const lost = gone.filter((state) => state !== '').map((state) => opposite[state] ?? `no longer ${state}`);
  return [...added.filter((state) => state !== ''), ...lost].join(', ');
}
