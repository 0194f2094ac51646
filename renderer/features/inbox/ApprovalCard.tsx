import { useState } from 'react';
import { Link } from 'wouter';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import { useMayApprove, useWork } from '../../bridge/queries.ts';
import { principalText } from '../../ui/format.ts';
import { Lights } from '../../ui/Lights.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { text } from '../../ui/strings.ts';
import { Time } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { CallPanel } from './CallPanel.tsx';
import { CardBody } from './CardBody.tsx';
import { CardHead } from './CardHead.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { Evidence } from './Evidence.tsx';
import { Recent } from './Recent.tsx';
import { SteerPanel } from './SteerPanel.tsx';
import { inbox } from './strings.ts';
import type { Deciding } from './useDeciding.ts';
import { Why } from './Why.tsx';

const Decision = ({ approval }: { readonly approval: ApprovalView }) => {
  const receiptId = useWork(approval.work_id).data?.receipt_id ?? null;
  const { decision } = approval;
  return (
    <div className="space-y-1 text-sm">
      {decision !== null && (
        <p>
          {inbox.decidedBy[decision.decision]} <b>{principalText(decision.by)}</b>{' '}
          <Time at={decision.at} className="text-text-3" />
        </p>
      )}
      {decision?.reason != null && (
        <blockquote className="border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap text-text-2">
          <Visible value={decision.reason} />
        </blockquote>
      )}
      {approval.ended_because !== null && (
        <p className="text-text-2">
          <Visible value={approval.ended_because} />
        </p>
      )}
      {receiptId !== null && (
        <p>
          <Link href={`/receipts/${receiptId}`} className="text-accent underline underline-offset-2">
            {inbox.receipt}
          </Link>
        </p>
      )}
    </div>
  );
};

const Notes = ({ approval, deciding }: { readonly approval: ApprovalView; readonly deciding: Deciding }) => (
  <>
    {deciding.notice !== null && (
      <Notice tone="caution" role="alert">
        {deciding.notice}
      </Notice>
    )}
    {approval.status === 'pending' && !approval.attached && <Notice tone="neutral">{inbox.detached}</Notice>}
    {approval.quorum.needed > 1 && (
      <Notice tone="neutral">{inbox.quorum(approval.quorum.votes.length, approval.quorum.needed)}</Notice>
    )}
  </>
);

const Facts = ({ approval, explained }: { readonly approval: ApprovalView; readonly explained: boolean }) => (
  <>
    <section aria-label={inbox.would}>
      <SectionLabel>{inbox.would}</SectionLabel>
      <p className="text-base break-words">
        <Visible value={approval.would} />
      </p>
    </section>
    <CallPanel approval={approval} />
    <Why policy={approval.policy} explained={explained} />
    <section aria-label={inbox.state}>
      <SectionLabel>{inbox.state}</SectionLabel>
      <Lights lights={approval.lights} />
    </section>
  </>
);

/** Everything a decision rests on, at once; the decision itself at the foot, never over the evidence. */
export const ApprovalCard = ({
  approval,
  deciding,
}: {
  readonly approval: ApprovalView;
  readonly deciding: Deciding;
}) => {
  const mayApprove = useMayApprove();
  const [steering, setSteering] = useState(false);
  const [explained, setExplained] = useState(false);
  const pending = approval.status === 'pending';
  const evidence = <Evidence key={approval.approval_id} approval={approval} />;
  return (
    <article
      aria-label={inbox.title}
      data-card={approval.approval_id}
      className="flex min-h-0 flex-1 flex-col bg-panel"
    >
      <CardHead approval={approval} />
      {steering && pending ? (
        <SteerPanel
          key={approval.binding_hash}
          approval={approval}
          evidence={evidence}
          deciding={deciding}
          onCancel={() => setSteering(false)}
        />
      ) : (
        <CardBody
          left={
            <>
              {evidence}
              <Recent calls={approval.recent} />
            </>
          }
          right={
            <>
              <Notes approval={approval} deciding={deciding} />
              {!pending && <Decision approval={approval} />}
              <Facts approval={approval} explained={explained} />
            </>
          }
        />
      )}
      {pending && mayApprove && !steering && (
        <DecisionBar
          approval={approval}
          deciding={deciding}
          explained={explained}
          onSteer={() => setSteering(true)}
          onExplain={() => setExplained((on) => !on)}
        />
      )}
      {pending && !mayApprove && (
        <footer className="border-t border-line px-4 py-3 text-sm text-text-2">{text.viewerOnly}</footer>
      )}
    </article>
  );
};
