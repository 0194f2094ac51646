import { useState } from 'react';
import type { ApprovalDecisionInput, ApprovalView } from '../../../core/contracts/console.ts';
import { useConnection } from '../../bridge/connection.ts';
import { useDecide } from '../../bridge/queries.ts';
import { isRestError } from '../../bridge/restError.ts';
import { visibleLine } from '../../ui/visibleText.ts';
import { verbPhrase } from '../../ui/verbPhrase.ts';
import { tellDecision } from './lastDecision.ts';
import { inbox } from './strings.ts';

export interface Deciding {
  /** A decision is on its way, or none can be sent: what is shown may be out of date. */
  readonly busy: boolean;
  /** What went wrong with the last decision on this item, in plain words. */
  readonly notice: string | null;
  readonly decide: (decision: Omit<ApprovalDecisionInput, 'binding_hash'>) => void;
}

const inWords = (approval: ApprovalView): string => {
  const { does, kind, object } = verbPhrase(approval.verb, approval.arguments, approval.target);
  return visibleLine([does, kind, object].filter((part) => part !== null).join(' ')).slice(0, 160);
};

/** A refused decision says why; a stale one also shows the item as it stands now (it is fetched again). */
const noticeFor = (error: Error): string =>
  isRestError(error) && error.status === 409 ? `${inbox.refused} ${error.message} ${inbox.asItStands}` : error.message;

/** Sends a decision on exactly what was shown, then leaves the item. */
export const useDeciding = (approval: ApprovalView | null, onDone: (approvalId: string) => void): Deciding => {
  const mutation = useDecide();
  const [notice, setNotice] = useState<{ readonly id: string; readonly words: string } | null>(null);
  const connected = useConnection((state) => state.status === 'live');
  const id = approval?.approval_id ?? '';
  return {
    busy: mutation.isPending || !connected,
    notice: notice !== null && notice.id === id ? notice.words : null,
    decide: (decision) => {
      if (approval === null || mutation.isPending || !connected) return;
      setNotice(null);
      mutation.mutate(
        { approvalId: id, decision: { ...decision, binding_hash: approval.binding_hash } },
        {
          onSuccess: () => {
            tellDecision({
              id,
              words: inbox.done[decision.decision],
              what: inWords(approval),
              href: `/inbox/decided/${id}`,
            });
            onDone(id);
          },
          onError: (error) => setNotice({ id, words: noticeFor(error) }),
        },
      );
    },
  };
};
