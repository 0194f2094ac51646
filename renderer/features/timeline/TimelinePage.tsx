import { ListTree } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useCalls, useOlderCalls } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { count } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { ScreenHead } from '../../ui/Screen.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { text } from '../../ui/strings.ts';
import { CallDetail } from './CallDetail.tsx';
import { CallList, ListHead } from './CallList.tsx';
import { Filters } from './Filters.tsx';
import { matchesLocal } from './localFilter.ts';
import { timelineText as t } from './strings.ts';
import { useTimelineFilter } from './useTimelineFilter.ts';

const NONE: readonly never[] = [];

/** `/timeline` and `/timeline/:id`: every verb called, newest first, live. */
export const TimelinePage = ({ id }: { readonly id: string | null }) => {
  const filter = useTimelineFilter();
  const calls = useCalls(filter.server);
  const older = useOlderCalls(filter.server);
  const loaded = calls.data?.calls ?? NONE;
  const { outcome, text: words } = filter.local;
  const narrowed = outcome !== null || words !== '';
  const shown = useMemo(
    () => (narrowed ? loaded.filter((call) => matchesLocal(call, { outcome, text: words })) : loaded),
    [loaded, narrowed, outcome, words],
  );
  const cursor = calls.data?.older ?? null;
  const { mutate } = older;
  const loadOlder = useCallback(() => {
    if (cursor !== null) mutate(cursor);
  }, [cursor, mutate]);
  return (
    <>
      <ScreenHead
        title={t.title}
        detail={narrowed ? t.matching(count(shown.length), count(loaded.length)) : t.loaded(count(loaded.length))}
      >
        <Filters filter={filter} calls={loaded} />
      </ScreenHead>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-panel">
          <ListHead />
          {calls.isPending && <SkeletonRows label={text.loading} rows={10} />}
          {calls.isError && (
            <div className="p-4">
              <ErrorNotice error={calls.error} onRetry={() => void calls.refetch()} />
            </div>
          )}
          {calls.isSuccess && shown.length === 0 && (
            <Empty
              icon={ListTree}
              title={loaded.length === 0 && !filter.any ? t.emptyTitle : cursor === null ? t.noMatch : t.noMatchMore}
              action={
                cursor !== null && (
                  <Button onPress={loadOlder} isDisabled={older.isPending}>
                    {t.older}
                  </Button>
                )
              }
            >
              {loaded.length === 0 && !filter.any ? t.emptyBody : undefined}
            </Empty>
          )}
          {shown.length > 0 && (
            <CallList
              calls={shown}
              selected={id}
              canLoadOlder={cursor !== null}
              loadingOlder={older.isPending}
              onLoadOlder={loadOlder}
            />
          )}
        </div>
        <aside className="flex min-h-0 w-[340px] shrink-0 flex-col border-l border-line bg-panel wide:w-[500px]">
          <Scroll label={t.detail} className="min-h-0 flex-1">
            {id === null ? (
              <p className="p-8 text-center text-sm text-text-3">{t.pick}</p>
            ) : (
              <CallDetail key={id} callId={id} />
            )}
          </Scroll>
        </aside>
      </div>
    </>
  );
};
