import type { ApprovalView } from '../../../core/contracts/console.ts';
import type { Tone } from '../../ui/Signal.tsx';
import { inbox } from './strings.ts';

/** How an approval stands, in words and shape. That it was used says nothing about what came of it: the lights do. */
export const ending = (
  approval: Pick<ApprovalView, 'status' | 'lights'>,
): { readonly tone: Tone; readonly words: string } => {
  switch (approval.status) {
    case 'pending':
      return { tone: 'neutral', words: inbox.ended.pending };
    case 'denied':
      return { tone: 'danger', words: inbox.ended.denied };
    case 'expired':
      return { tone: 'caution', words: inbox.ended.expired };
    case 'void':
      return { tone: 'caution', words: inbox.ended.void };
    case 'withdrawn':
      return { tone: 'neutral', words: inbox.ended.withdrawn };
    case 'granted':
    case 'used':
      return performed[approval.lights.executed];
  }
};

const performed: Readonly<Record<ApprovalView['lights']['executed'], { readonly tone: Tone; readonly words: string }>> =
  {
    no: { tone: 'active', words: inbox.ended.notPerformed },
    yes: { tone: 'clear', words: inbox.ended.performed },
    failed: { tone: 'danger', words: inbox.ended.failed },
    unknown: { tone: 'unknown', words: inbox.ended.unknown },
  };
