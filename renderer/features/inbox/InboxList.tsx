import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { cx } from '../../ui/cx.ts';
import { shortAddress } from '../../ui/format.ts';
import { Phrase } from '../../ui/Phrase.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { ToneIcon } from '../../ui/Signal.tsx';
import { Countdown, Time } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { itemHref } from './items.ts';
import type { InboxItem } from './items.ts';
import { inbox } from './strings.ts';

const ApprovalRow = ({ item }: { readonly item: Extract<InboxItem, { kind: 'approval' }> }) => {
  const { approval } = item;
  const where = approval.address === null ? approval.surface_label : shortAddress(approval.address);
  return (
    <>
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-sm text-text-2">
          <Phrase verb={approval.verb} args={approval.arguments} target={approval.target} />
        </span>
        <span className="text-xs text-text-3">
          <Countdown until={approval.expires_at} />
        </span>
      </span>
      <span className="flex items-center gap-2 text-xs text-text-3">
        <Principal of={approval.requested_by} />
        {where !== null && (
          <span className="min-w-0 truncate">
            <Visible value={where.slice(0, 120)} />
          </span>
        )}
      </span>
    </>
  );
};

const LeaseRow = ({ item }: { readonly item: Extract<InboxItem, { kind: 'lease' }> }) => (
  <>
    <span className="flex items-center gap-2">
      <ToneIcon tone="unknown" />
      <span className="min-w-0 flex-1 truncate text-sm text-text-2">
        <Phrase verb={item.lease.verb} args={item.lease.arguments} target={null} />
      </span>
      <Time at={item.lease.opened_at} className="text-xs text-text-3" />
    </span>
    <span className="flex text-xs text-text-3">
      <Principal of={item.lease.holder} />
    </span>
  </>
);

const Row = ({ item, selected }: { readonly item: InboxItem; readonly selected: boolean }) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (selected) link.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <li>
      <Link
        ref={link}
        href={itemHref(item)}
        aria-current={selected ? 'true' : undefined}
        data-item={item.id}
        className={cx(
          'relative block border-b border-line px-4 py-1.5 outline-offset-[-2px] hover:bg-hover',
          selected && 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent',
        )}
      >
        {item.kind === 'approval' ? <ApprovalRow item={item} /> : <LeaseRow item={item} />}
      </Link>
    </li>
  );
};

/** What needs a person: unknown outcomes, then approvals; oldest first. */
export const InboxList = ({
  items,
  selected,
}: {
  readonly items: readonly InboxItem[];
  readonly selected: string | null;
}) => {
  const groups = [
    { label: inbox.groupLeases, items: items.filter((item) => item.kind === 'lease') },
    { label: inbox.groupApprovals, items: items.filter((item) => item.kind === 'approval') },
  ].filter((group) => group.items.length > 0);
  return (
    <nav aria-label={inbox.listLabel}>
      {groups.map((group) => (
        <section key={group.label} aria-label={group.label}>
          {groups.length > 1 && (
            <h2 className="sb-label sticky top-0 z-10 border-b border-line bg-sunken px-4 py-1">{group.label}</h2>
          )}
          <ul>
            {group.items.map((item) => (
              <Row key={item.id} item={item} selected={item.id === selected} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
};
