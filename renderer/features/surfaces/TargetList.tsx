import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { TargetObject } from '../../../core/contracts/operatorClass.ts';
import type { useTargets } from '../../bridge/queries.ts';
import { cx } from '../../ui/cx.ts';
import { SkeletonRows } from '../../ui/Empty.tsx';
import { count } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { Visible } from '../../ui/Visible.tsx';
import { surfacesText as t } from './strings.ts';

const ROW_PX = 32;
const SEARCH_AFTER_MS = 150;

const Row = ({
  target,
  on,
  onHover,
}: {
  target: TargetObject;
  on: boolean;
  onHover: (target: TargetObject | null) => void;
}) => (
  <button
    type="button"
    data-target={target.ref}
    className={cx(
      'flex size-full items-center gap-2 px-3 text-left text-sm outline-offset-[-2px]',
      on ? 'bg-accent-soft' : 'hover:bg-hover',
    )}
    onPointerEnter={() => onHover(target)}
    onPointerLeave={() => onHover(null)}
    onFocus={() => onHover(target)}
    onBlur={() => onHover(null)}
  >
    <span className="w-[72px] shrink-0 truncate text-xs text-text-3">
      <Visible value={target.role} />
    </span>
    <span className="min-w-0 flex-1 truncate">
      <Visible value={(target.name ?? '').slice(0, 200)} />
      {target.value !== undefined && target.value !== '' && (
        <span className="ml-2 font-mono text-xs text-text-2">
          <Visible value={target.value.slice(0, 120)} />
        </span>
      )}
    </span>
    {target.in_view === false && <span className="text-2xs text-text-3">{t.outOfView}</span>}
    {target.states !== undefined && target.states.length > 0 && (
      <span className="shrink-0 text-2xs text-text-3">{target.states.join(' ')}</span>
    )}
    <span className="shrink-0 font-mono text-2xs text-text-3">{target.ref}</span>
  </button>
);

/** Searches as one types, once typing pauses. */
const Search = ({ onQuery }: { readonly onQuery: (query: string) => void }) => {
  const [draft, setDraft] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onQuery(draft.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, onQuery]);
  return (
    <input
      type="search"
      aria-label={t.targetsSearch}
      placeholder={t.targetsSearch}
      className="sb-field"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
    />
  );
};

/** What `perceive` lists, tied to the picture both ways. */
export const TargetList = ({
  targets,
  query,
  onQuery,
  hovered,
  onHover,
  readable,
}: {
  readonly targets: ReturnType<typeof useTargets>;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly hovered: TargetObject | null;
  readonly onHover: (target: TargetObject | null) => void;
  readonly readable: boolean;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const list = targets.data?.targets ?? [];
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const hoveredAt = hovered === null ? -1 : list.findIndex((target) => target.ref === hovered.ref);
  useEffect(() => {
    if (hoveredAt >= 0) rows.scrollToIndex(hoveredAt, { align: 'auto' });
  }, [hoveredAt, rows]);
  if (!readable) return <p className="p-3 text-sm text-text-2">{t.targetsPrivate}</p>;
  const total = targets.data?.total ?? list.length;
  return (
    <>
      <div className="border-b border-line p-2">
        <Search onQuery={onQuery} />
      </div>
      {targets.isError && (
        <div className="p-3">
          <ErrorNotice error={targets.error} onRetry={() => void targets.refetch()} />
        </div>
      )}
      {targets.isPending && <SkeletonRows label={text.loading} />}
      {targets.isSuccess && list.length === 0 && (
        <p className="p-3 text-sm text-text-2">{query === '' ? t.targetsEmpty : t.targetsNone}</p>
      )}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <ul aria-label={t.targets} className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const target = list[item.index];
            if (target === undefined) return null;
            return (
              <li
                key={target.ref}
                aria-setsize={list.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0"
                style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}
              >
                <Row target={target} on={item.index === hoveredAt} onHover={onHover} />
              </li>
            );
          })}
        </ul>
      </div>
      {total > list.length && (
        <p className="border-t border-line px-3 py-1.5 text-xs text-text-3">
          {t.targetsMore(count(list.length), count(total))}
        </p>
      )}
    </>
  );
};
