import type { ApprovalView, LeaseView } from '../../../core/contracts/console.ts';

/** One thing that needs a person. */
export type InboxItem =
  | { readonly kind: 'approval'; readonly id: string; readonly approval: ApprovalView }
  | { readonly kind: 'lease'; readonly id: string; readonly lease: LeaseView };

export type ItemKind = InboxItem['kind'];

export const itemHref = (item: { readonly kind: ItemKind; readonly id: string }): string =>
  item.kind === 'lease' ? `/inbox/lease/${item.id}` : `/inbox/${item.id}`;

/** Unknown outcomes first (they block their agent), then approvals; each oldest first, so that nothing moves when more arrive. */
export const inboxItems = (approvals: readonly ApprovalView[], leases: readonly LeaseView[]): readonly InboxItem[] => [
  ...leases
    .filter((lease) => lease.state === 'expired')
    .toSorted((a, b) => a.opened_at.localeCompare(b.opened_at))
    .map((lease): InboxItem => ({ kind: 'lease', id: lease.work_id, lease })),
  ...approvals
    .filter((approval) => approval.status === 'pending')
    .toSorted((a, b) => a.requested_at.localeCompare(b.requested_at))
    .map((approval): InboxItem => ({ kind: 'approval', id: approval.approval_id, approval })),
];

/** The item `step` away from the selected one; the ends hold. */
export const neighbour = (items: readonly InboxItem[], selected: string | null, step: 1 | -1): InboxItem | null => {
  const at = items.findIndex((item) => item.id === selected);
  if (at === -1) return items[0] ?? null;
  return items[Math.max(0, Math.min(items.length - 1, at + step))] ?? null;
};

/** Where to go once `done` has left: the one after it, else the one before, else nowhere. */
export const afterLeaving = (items: readonly InboxItem[], done: string): InboxItem | null => {
  const at = items.findIndex((item) => item.id === done);
  const rest = items.filter((item) => item.id !== done);
  return rest[Math.max(0, Math.min(at, rest.length - 1))] ?? null;
};
