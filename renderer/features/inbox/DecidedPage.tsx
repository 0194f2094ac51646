import { History } from 'lucide-react';
import { useApproval, useApprovals } from '../../bridge/queries.ts';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { ApprovalCard } from './ApprovalCard.tsx';
import { DecidedList } from './DecidedList.tsx';
import { InboxFrame } from './InboxFrame.tsx';
import { inbox } from './strings.ts';

const idle = { busy: false, notice: null, decide: () => undefined };

/** `/inbox/decided` and `/inbox/decided/:id`. */
export const DecidedPage = ({ id }: { readonly id: string | null }) => {
  const all = useApprovals('all');
  const decided = (all.data ?? []).filter((approval) => approval.status !== 'pending');
  const selected = id ?? decided[0]?.approval_id ?? null;
  const one = useApproval(selected);
  return (
    <InboxFrame
      tab="decided"
      list={
        all.isPending ? <SkeletonRows label={text.loading} /> : <DecidedList approvals={decided} selected={selected} />
      }
    >
      {all.isError && (
        <div className="p-4">
          <ErrorNotice error={all.error} onRetry={() => void all.refetch()} />
        </div>
      )}
      {all.isSuccess && selected === null && (
        <Empty icon={History} title={inbox.decidedEmptyTitle}>
          {inbox.decidedEmptyBody}
        </Empty>
      )}
      {one.isError && (
        <div className="p-4">
          <ErrorNotice error={one.error} />
        </div>
      )}
      {one.data !== undefined && <ApprovalCard key={one.data.approval_id} approval={one.data} deciding={idle} />}
    </InboxFrame>
  );
};
