import { Ban, CircleCheck, CircleDashed, CircleDot, CircleHelp, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** State is never colour alone: each tone has a shape, and there is always a word beside it. */
export type Tone = 'clear' | 'caution' | 'danger' | 'unknown' | 'neutral' | 'active';

const shapes: Readonly<Record<Tone, LucideIcon>> = {
  clear: CircleCheck,
  caution: TriangleAlert,
  danger: Ban,
  unknown: CircleHelp,
  neutral: CircleDashed,
  active: CircleDot,
};

const colours: Readonly<Record<Tone, string>> = {
  clear: 'text-clear',
  caution: 'text-caution',
  danger: 'text-danger',
  unknown: 'text-caution',
  neutral: 'text-text-3',
  active: 'text-accent',
};

export const ToneIcon = ({ tone, size = 14 }: { readonly tone: Tone; readonly size?: number }) => {
  const Shape = shapes[tone];
  return <Shape aria-hidden size={size} className={cx('shrink-0', colours[tone])} />;
};

export const Signal = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={cx('inline-flex items-center gap-1 align-middle text-xs whitespace-nowrap', colours[tone])}>
    <ToneIcon tone={tone} />
    {children}
  </span>
);

/** A small framed word for facts that are not states. */
export const Tag = ({ children, title }: { readonly children: ReactNode; readonly title?: string }) => (
  <span
    title={title}
    className="inline-flex h-5 max-w-full items-center truncate rounded-sm border border-line px-1.5 text-2xs text-text-2"
  >
    {children}
  </span>
);
