import { Link } from 'wouter';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import { cx } from '../../ui/cx.ts';
import { Phrase } from '../../ui/Phrase.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { Time } from '../../ui/Time.tsx';
import { Ended } from './Ended.tsx';
import { inbox } from './strings.ts';

/** Decided or ended, newest first. */
export const DecidedList = ({
  approvals,
  selected,
}: {
  readonly approvals: readonly ApprovalView[];
  readonly selected: string | null;
}) => (
  <nav aria-label={inbox.decidedLabel}>
    <ul>
      {approvals.map((approval) => (
        <li key={approval.approval_id}>
          <Link
            href={`/inbox/decided/${approval.approval_id}`}
            aria-current={approval.approval_id === selected ? 'true' : undefined}
            className={cx(
              'relative block border-b border-line px-4 py-1 outline-offset-[-2px] hover:bg-hover wide:py-1.5',
              approval.approval_id === selected &&
                'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent',
            )}
          >
            <span className="grid grid-cols-[minmax(0,1fr)_minmax(0,0.9fr)_auto] items-center gap-x-3 wide:grid-cols-[minmax(0,1fr)_auto]">
              <span className="truncate text-sm text-text-2">
                <Phrase verb={approval.verb} args={approval.arguments} target={approval.target} />
              </span>
              <span className="flex min-w-0 items-center gap-3 text-xs text-text-3 wide:order-last wide:col-span-2">
                <Principal of={approval.requested_by} />
                <Ended approval={approval} />
              </span>
              <Time at={approval.decision?.at ?? approval.requested_at} className="text-xs text-text-3" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
