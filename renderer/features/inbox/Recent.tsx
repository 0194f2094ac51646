import type { ApprovalView } from '../../../core/contracts/console.ts';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Time } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { Link } from 'wouter';
import { inbox } from './strings.ts';

/** What the same agent did just before. */
export const Recent = ({ calls }: { readonly calls: ApprovalView['recent'] }) => (
  <section>
    <SectionLabel>{inbox.recent}</SectionLabel>
    {calls.length === 0 && <p className="text-xs text-text-3">{inbox.recentNone}</p>}
    <ol className="text-xs">
      {calls.map((call) => (
        <li key={call.call_id}>
          <Link
            href={`/timeline/${call.call_id}`}
            className="grid grid-cols-[64px_minmax(0,1fr)_auto] h-6 items-center gap-2 rounded-sm hover:bg-hover"
          >
            <Time at={call.at} className="text-text-3" />
            <span className="truncate text-text-2">
              <Visible value={call.summary === '' ? call.verb : call.summary.slice(0, 300)} />
            </span>
            <span className="text-text-3">{call.outcome}</span>
          </Link>
        </li>
      ))}
    </ol>
  </section>
);
