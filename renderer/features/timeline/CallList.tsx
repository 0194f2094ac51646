import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { CallView } from '../../../core/contracts/console.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/format.ts';
import { Principal } from '../../ui/Principal.tsx';
import { ClockTime } from '../../ui/Time.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { heldBack } from './localFilter.ts';
import { Outcome } from './Outcome.tsx';
import { timelineText as t } from './strings.ts';

const ROW_PX = 32;
/** Older calls are asked for when this many rows are left below. */
const AHEAD = 30;

const grid =
  'grid grid-cols-[60px_76px_minmax(0,1fr)_124px_52px] items-center gap-2.5 px-4 wide:grid-cols-[60px_104px_minmax(0,1fr)_150px_56px] wide:gap-3';

const Row = ({ call, selected }: { readonly call: CallView; readonly selected: boolean }) => (
  <Link
    href={`/timeline/${call.call_id}${window.location.search}`}
    aria-current={selected ? 'true' : undefined}
    data-call={call.n}
    className={cx(
      grid,
      'h-full border-b border-line text-sm outline-offset-[-2px]',
      selected ? 'bg-accent-soft' : 'hover:bg-hover',
    )}
  >
    <ClockTime at={call.at} className="text-xs text-text-3" />
    <span className="flex min-w-0 text-xs text-text-2">
      <Principal of={call.principal} />
    </span>
    <span className="min-w-0 truncate">
      <span
        title={call.verb}
        className={cx('mr-2 font-mono text-xs', call.read_only ? 'text-text-3' : 'font-medium text-text')}
      >
        <Visible value={call.verb.replace(/^operator\./, '')} />
      </span>
      <span className="text-text-2">
        <Visible value={call.summary.slice(0, 240)} />
      </span>
    </span>
    <Outcome call={call} />
    <span className="text-right text-xs text-text-3">
      {call.duration_ms === null ? '' : duration(call.duration_ms)}
    </span>
  </Link>
);

export const ListHead = () => (
  <div className={cx(grid, 'h-7 shrink-0 border-b border-line bg-sunken text-2xs font-semibold text-text-3')}>
    <span>{t.columns.time}</span>
    <span>{t.columns.who}</span>
    <span>{t.columns.call}</span>
    <span>{t.columns.outcome}</span>
    <span className="text-right">{t.columns.took}</span>
  </div>
);

/** Newest first, live. Away from the top new calls wait behind a button, so that rows stay under the pointer. */
export const CallList = ({
  calls,
  selected,
  canLoadOlder,
  loadingOlder,
  onLoadOlder,
}: {
  readonly calls: readonly CallView[];
  readonly selected: string | null;
  readonly canLoadOlder: boolean;
  readonly loadingOlder: boolean;
  readonly onLoadOlder: () => void;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const { shown, waiting } = heldBack(calls, heldAt);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => shown[index]?.n ?? index,
    overscan: 16,
  });
  const items = rows.getVirtualItems();
  const lastVisible = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (canLoadOlder && !loadingOlder && shown.length - lastVisible < AHEAD) onLoadOlder();
  }, [canLoadOlder, loadingOlder, shown.length, lastVisible, onLoadOlder]);
  return (
    <div className="relative min-h-0 flex-1">
      {waiting > 0 && (
        <div className="absolute inset-x-0 top-2 z-10 flex justify-center">
          <Button
            size="small"
            onPress={() => {
              setHeldAt(null);
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            <ArrowUp aria-hidden size={14} />
            {t.newCalls(waiting)}
          </Button>
        </div>
      )}
      <div
        ref={scroller}
        className="h-full overflow-y-auto"
        data-list="calls"
        tabIndex={-1}
        onScroll={(event) => {
          const away = event.currentTarget.scrollTop > ROW_PX;
          setHeldAt((known) => (away ? (known ?? calls[0]?.n ?? null) : null));
        }}
      >
        <ul aria-label={t.title} className="relative" style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const call = shown[item.index];
            if (call === undefined) return null;
            return (
              <li
                key={item.key}
                aria-setsize={shown.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0"
                style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}
              >
                <Row call={call} selected={call.call_id === selected} />
              </li>
            );
          })}
        </ul>
        <p className="px-4 py-2 text-xs text-text-3">{canLoadOlder ? t.loadingOlder : t.end}</p>
      </div>
    </div>
  );
};
