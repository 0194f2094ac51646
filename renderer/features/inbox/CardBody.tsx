import type { ReactNode } from 'react';
import { Scroll } from '../../ui/Scroll.tsx';
import { inbox } from './strings.ts';

/** Picture and history left, facts right; scrolls as one when it must. */
export const CardBody = ({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) => (
  <Scroll label={inbox.evidence} className="min-h-0 flex-1">
    <div className="grid grid-cols-[var(--sb-evidence)_minmax(0,1fr)] gap-5 px-4 py-2.5 wide:py-3 wide:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
      <div className="min-w-0 space-y-2 wide:space-y-3">{left}</div>
      <div className="min-w-0 space-y-2.5 wide:space-y-3.5">{right}</div>
    </div>
  </Scroll>
);
