import type { CallView } from '../../../core/contracts/console.ts';
import { Signal } from '../../ui/Signal.tsx';
import type { Tone } from '../../ui/Signal.tsx';
import { timelineText as t } from './strings.ts';

const tones: Readonly<Record<CallView['outcome'], Tone>> = {
  ok: 'clear',
  blocked: 'caution',
  pending: 'active',
  refused: 'danger',
  error: 'danger',
  unknown: 'unknown',
  running: 'active',
};

export const Outcome = ({ call }: { readonly call: CallView }) => (
  <Signal tone={tones[call.outcome]}>{call.code ?? t.outcome[call.outcome]}</Signal>
);
