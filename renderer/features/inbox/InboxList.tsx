import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApprovalView, LeaseView } from '../../../core/contracts/console.ts';
import type { PrincipalRef } from '../../../core/contracts/principal.ts';
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

/** One line on a narrow window, two beside the card. */
const RowLayout = ({
  what,
  who,
  time,
}: {
  readonly what: ReactNode;
  readonly who: ReactNode;
  readonly time: ReactNode;
}) => (
  <span className="grid grid-cols-[minmax(0,1fr)_minmax(0,0.9fr)_auto] items-center gap-x-3 wide:grid-cols-[minmax(0,1fr)_auto]">
    <span className="flex min-w-0 items-center gap-2 text-sm text-text-2">{what}</span>
    <span className="flex min-w-0 items-center gap-2 text-xs text-text-3 wide:order-last wide:col-span-2">{who}</span>
    <span className="text-xs text-text-3">{time}</span>
  </span>
);

const Who = ({ of }: { readonly of: PrincipalRef }) => (
  <span className="flex max-w-[50%] shrink-0">
    <Principal of={of} />
  </span>
);

const ApprovalRow = ({ approval }: { readonly approval: ApprovalView }) => {
  const where = approval.address === null ? approval.surface_label : shortAddress(approval.address);
  return (
    <RowLayout
      what={
        <span className="truncate">
          <Phrase verb={approval.verb} args={approval.arguments} target={approval.target} />
        </span>
      }
      who={
        <>
          <Who of={approval.requested_by} />
          {where !== null && (
            <span className="min-w-0 truncate">
              <Visible value={where.slice(0, 120)} />
            </span>
          )}
        </>
      }
      time={<Countdown until={approval.expires_at} />}
    />
  );
};

const LeaseRow = ({ lease }: { readonly lease: LeaseView }) => (
  <RowLayout
    what={
      <>
        <ToneIcon tone="unknown" />
        <span className="truncate">
          <Phrase verb={lease.verb} args={lease.arguments} target={lease.target} />
        </span>
      </>
    }
    who={<Who of={lease.holder} />}
    time={<Time at={lease.opened_at} />}
  />
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
          'relative block border-b border-line px-4 py-1 outline-offset-[-2px] hover:bg-hover wide:py-1.5',
          selected && 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent',
        )}
      >
        {item.kind === 'approval' ? <ApprovalRow approval={item.approval} /> : <LeaseRow lease={item.lease} />}
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
      {items.length === 0 && <p className="px-4 py-3 text-sm text-text-3">{inbox.listEmpty}</p>}
      {groups.map((group) => (
        <section key={group.label} aria-label={group.label}>
          {groups.length > 1 && (
            <h2 className="sb-label sticky top-0 z-10 hidden border-b border-line bg-sunken px-4 py-1 wide:block">
              {group.label}
            </h2>
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
