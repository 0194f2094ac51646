import type { ApprovalView, LeaseView } from '../../core/contracts/console.ts';
import { useApprovals, useLeases } from '../bridge/queries.ts';
import { principalText } from '../ui/format.ts';
import { verbPhrase } from '../ui/verbPhrase.ts';
import { visibleLine } from '../ui/visibleText.ts';
import { appText } from './strings.ts';

/** One thing that needs a person, in one sentence, with its address. */
export interface Need {
  readonly id: string;
  readonly href: string;
  readonly words: string;
}

const MAX_WORDS = 180;

const approvalNeed = (approval: ApprovalView): Need => {
  const { does, kind, object } = verbPhrase(approval.verb, approval.arguments, approval.target);
  const what = [does, kind, object, approval.surface_label === null ? null : `(${approval.surface_label})`]
    .filter((part) => part !== null)
    .join(' ');
  return {
    id: approval.approval_id,
    href: `/inbox/${approval.approval_id}`,
    words: visibleLine(appText.newItem(principalText(approval.requested_by), what)).slice(0, MAX_WORDS),
  };
};

const leaseNeed = (lease: LeaseView): Need => ({
  id: lease.work_id,
  href: `/inbox/lease/${lease.work_id}`,
  words: appText.unknownOutcome(principalText(lease.holder)),
});

export interface Needs {
  readonly known: boolean;
  readonly list: readonly Need[];
}

export const useNeedsYou = (): Needs => {
  const approvals = useApprovals('pending');
  const leases = useLeases('expired');
  return {
    known: approvals.isSuccess && leases.isSuccess,
    list: [
      ...(leases.data ?? []).filter((lease) => lease.state === 'expired').map(leaseNeed),
      ...(approvals.data ?? []).filter((approval) => approval.status === 'pending').map(approvalNeed),
    ],
  };
};

/** What is in `now` and was never told before; `told` grows. The first look tells nothing: it is what was there. */
export const newNeeds = (
  now: readonly Need[],
  told: Set<string> | null,
): { fresh: readonly Need[]; told: Set<string> } => {
  const next = new Set([...(told ?? []), ...now.map((need) => need.id)]);
  return { fresh: told === null ? [] : now.filter((need) => !told.has(need.id)), told: next };
};
