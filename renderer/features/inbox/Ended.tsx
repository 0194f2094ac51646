import type { ApprovalView } from '../../../core/contracts/console.ts';
import { Signal } from '../../ui/Signal.tsx';
import { ending } from './ending.ts';

export const Ended = ({ approval }: { readonly approval: ApprovalView }) => {
  const { tone, words } = ending(approval);
  return <Signal tone={tone}>{words}</Signal>;
};
