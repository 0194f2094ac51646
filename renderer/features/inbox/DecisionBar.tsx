import { Check, CheckCheck, CircleSlash, HelpCircle, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import { Button } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { usePreferences } from '../../ui/preferences.ts';
import { useKeys } from '../../ui/useKeys.ts';
import { RejectPanel } from './RejectPanel.tsx';
import { inbox } from './strings.ts';
import { useArming } from './useArming.ts';
import type { Deciding } from './useDeciding.ts';

/** Approve at one end, reject at the other; neither has the focus to begin with. */
export const DecisionBar = ({
  approval,
  deciding,
  explained,
  onSteer,
  onExplain,
}: {
  readonly approval: ApprovalView;
  readonly deciding: Deciding;
  readonly explained: boolean;
  readonly onSteer: () => void;
  readonly onExplain: () => void;
}) => {
  const [rejecting, setRejecting] = useState(false);
  const keysOn = usePreferences((preferences) => preferences.shortcuts);
  const approvable = !rejecting && !deciding.busy;
  const approve = (): void => deciding.decide({ decision: 'approve' });
  const { armed, mayPress } = useArming(
    approvable ? `${approval.approval_id} ${approval.binding_hash}` : null,
    approve,
  );
  useKeys({
    s: () => (rejecting ? false : onSteer()),
    r: () => setRejecting(true),
    e: onExplain,
    Escape: () => {
      setRejecting(false);
    },
  });
  if (rejecting) {
    return (
      <RejectPanel
        busy={deciding.busy}
        onCancel={() => setRejecting(false)}
        onReject={(reason) => deciding.decide({ decision: 'reject', reason })}
      />
    );
  }
  return (
    <footer className="flex h-13 shrink-0 items-center gap-2 border-t border-line px-4">
      <Button
        look={armed ? 'armed' : 'solid'}
        isDisabled={deciding.busy}
        data-approve={armed ? 'armed' : 'idle'}
        onPress={() => {
          if (mayPress()) approve();
        }}
      >
        {armed ? <CheckCheck aria-hidden size={16} /> : <Check aria-hidden size={16} />}
        {armed ? inbox.approveArmed : inbox.approve}
        {keysOn && !armed && <Kbd>{inbox.keys.approve}</Kbd>}
      </Button>
      {armed && <span className="text-xs text-text-2">{inbox.disarm}</span>}
      {!armed && (
        <>
          <Button onPress={onSteer} isDisabled={deciding.busy}>
            <SlidersHorizontal aria-hidden size={16} />
            {inbox.steer}
            {keysOn && <Kbd>{inbox.keys.steer}</Kbd>}
          </Button>
          <Button look="quiet" onPress={onExplain} aria-expanded={explained}>
            <HelpCircle aria-hidden size={16} />
            {explained ? inbox.hideExplain : inbox.explain}
            {keysOn && <Kbd>{inbox.keys.explain}</Kbd>}
          </Button>
          <span className="flex-1" />
          <Button look="quiet" onPress={() => setRejecting(true)} isDisabled={deciding.busy}>
            <CircleSlash aria-hidden size={16} />
            {inbox.reject}
            {keysOn && <Kbd>{inbox.keys.reject}</Kbd>}
          </Button>
        </>
      )}
      <span role="status" className="sr-only">
        {armed ? `${inbox.approveArmed}. ${inbox.disarm}` : ''}
      </span>
    </footer>
  );
};
