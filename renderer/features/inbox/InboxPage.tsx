import { Inbox } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useApproval, useApprovals, useCalls, useLeases } from '../../bridge/queries.ts';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { ErrorNotice, Notice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { useKeys } from '../../ui/useKeys.ts';
import { ApprovalCard } from './ApprovalCard.tsx';
import { FirstRun } from './FirstRun.tsx';
import { InboxFrame } from './InboxFrame.tsx';
import { InboxList } from './InboxList.tsx';
import { afterLeaving, inboxItems, itemHref, neighbour } from './items.ts';
import type { InboxItem, ItemKind } from './items.ts';
import { LeaseCard } from './LeaseCard.tsx';
import { inbox } from './strings.ts';
import { useDeciding } from './useDeciding.ts';

const NO_FILTER = {};

/** The item of the URL: among what needs a person, or one that has left meanwhile and stays until one moves on. */
const useItem = (kind: ItemKind, id: string | null) => {
  const approval = useApproval(kind === 'approval' ? id : null);
  const expired = useLeases('expired');
  const resolved = useLeases('resolved');
  const leases = kind === 'lease' ? [...(expired.data ?? []), ...(resolved.data ?? [])] : [];
  return { approval, lease: leases.find((each) => each.work_id === id), leasesLoaded: resolved.isSuccess };
};

const NothingHere = ({ loading }: { readonly loading: boolean }) => {
  const calls = useCalls(NO_FILTER);
  if (loading || calls.isPending) return <SkeletonRows label={text.loading} rows={8} />;
  if (calls.data?.calls.length === 0) return <FirstRun />;
  return (
    <Empty icon={Inbox} title={inbox.emptyTitle}>
      {inbox.emptyBody}
    </Empty>
  );
};

/** `/inbox`, `/inbox/:id` and `/inbox/lease/:id`. */
export const InboxPage = ({ kind, id }: { readonly kind: ItemKind; readonly id: string | null }) => {
  const [, navigate] = useLocation();
  const approvals = useApprovals('pending');
  const leases = useLeases('expired');
  const loading = approvals.isPending || leases.isPending;
  const items = inboxItems(approvals.data ?? [], leases.data ?? []);
  const firstHref = items[0] === undefined ? null : itemHref(items[0]);
  const { approval, lease, leasesLoaded } = useItem(kind, id);
  const current = useRef(id);
  useEffect(() => {
    current.current = id;
  });

  // The selection is always in the URL: what is on screen never changes because the list did.
  useEffect(() => {
    if (id === null && !loading && firstHref !== null) navigate(firstHref, { replace: true });
  }, [id, loading, firstHref, navigate]);

  const go = (item: InboxItem | null): void => navigate(item === null ? '/inbox' : itemHref(item), { replace: true });
  /** Only from the decided item itself: who has moved on meanwhile stays where he is. */
  const leave = (left: string): void => {
    if (current.current === left) go(afterLeaving(items, left));
  };
  const deciding = useDeciding(approval.data ?? null, leave);
  useKeys({
    j: () => go(neighbour(items, id, 1)),
    k: () => go(neighbour(items, id, -1)),
  });

  const error = approvals.error ?? leases.error;
  const missing = approval.isError || (kind === 'lease' && id !== null && lease === undefined && leasesLoaded);
  return (
    <InboxFrame
      tab="needs-you"
      count={items.length}
      list={loading ? <SkeletonRows label={text.loading} rows={4} /> : <InboxList items={items} selected={id} />}
    >
      {error !== null && (
        <div className="p-4">
          <ErrorNotice error={error} onRetry={() => void Promise.all([approvals.refetch(), leases.refetch()])} />
        </div>
      )}
      {id === null && error === null && <NothingHere loading={loading || firstHref !== null} />}
      {lease !== undefined && <LeaseCard key={lease.work_id} lease={lease} onDone={() => leave(lease.work_id)} />}
      {approval.data !== undefined && (
        <ApprovalCard key={approval.data.approval_id} approval={approval.data} deciding={deciding} />
      )}
      {missing && (
        <div className="p-4">
          <Notice tone="neutral">{inbox.notFound}</Notice>
        </div>
      )}
    </InboxFrame>
  );
};
