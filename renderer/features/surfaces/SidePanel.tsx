import { Inbox, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApprovalView, SurfaceView } from '../../../core/contracts/console.ts';
import type { TargetObject } from '../../../core/contracts/operatorClass.ts';
import { useReceipts } from '../../bridge/queries.ts';
import type { useTargets } from '../../bridge/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { count } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { Phrase } from '../../ui/Phrase.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Signal } from '../../ui/Signal.tsx';
import { Time } from '../../ui/Time.tsx';
import { surfacesText as t } from './strings.ts';
import { TargetList } from './TargetList.tsx';

const Waiting = ({ pending }: { readonly pending: readonly ApprovalView[] }) => (
  <section aria-label={t.waiting} className="border-b border-line">
    {pending.map((approval) => (
      <Link
        key={approval.approval_id}
        href={`/inbox/${approval.approval_id}`}
        className="flex items-center gap-2 border-b border-line bg-accent-soft px-3 py-2 text-sm last:border-b-0"
      >
        <Inbox aria-hidden size={14} className="shrink-0 text-accent" />
        <span className="min-w-0 flex-1 truncate">
          <Phrase verb={approval.verb} args={approval.arguments} target={approval.target} />
        </span>
        <span className="shrink-0 text-xs text-accent">{t.decide}</span>
      </Link>
    ))}
  </section>
);

const Receipts = ({ surfaceId }: { readonly surfaceId: string }) => {
  const receipts = useReceipts(surfaceId);
  if (receipts.isError) return <ErrorNotice error={receipts.error} />;
  if (receipts.data?.length === 0) return <p className="p-3 text-sm text-text-2">{t.receiptsNone}</p>;
  return (
    <ul>
      {receipts.data?.map((each) => (
        <li key={each.receipt_id} className="border-b border-line">
          <Link
            href={`/receipts/${each.receipt_id}`}
            className="block px-3 py-1.5 outline-offset-[-2px] hover:bg-hover"
          >
            <span className="flex items-center gap-2 text-sm">
              <span className="min-w-0 flex-1 truncate text-text-2">
                <Phrase verb={each.verb} args={each.executed_arguments} target={each.target} />
              </span>
              <Time at={each.at} className="text-xs text-text-3" />
            </span>
            <span className="flex items-center justify-between gap-2 text-xs text-text-3">
              <Principal of={each.principal} />
              {each.receipt.blocked_by !== undefined ? (
                <Signal tone="caution">{t.blocked}</Signal>
              ) : (
                <Signal tone={each.receipt.changed ? 'clear' : 'neutral'}>
                  {each.receipt.changed ? t.changed : t.unchanged}
                </Signal>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Beside the picture: what waits here, its targets, and what has been done on it. */
export const SidePanel = ({
  surface,
  pending,
  targets,
  query,
  onQuery,
  hovered,
  onHover,
  readable,
}: {
  readonly surface: SurfaceView;
  readonly pending: readonly ApprovalView[];
  readonly targets: ReturnType<typeof useTargets>;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly hovered: TargetObject | null;
  readonly onHover: (target: TargetObject | null) => void;
  readonly readable: boolean;
}) => {
  const [tab, setTab] = useState<'targets' | 'receipts'>(readable ? 'targets' : 'receipts');
  const total = targets.data?.total ?? targets.data?.targets.length ?? 0;
  return (
    <aside className="flex min-h-0 w-[320px] shrink-0 flex-col border-l border-line bg-panel wide:w-[360px]">
      {pending.length > 0 && <Waiting pending={pending} />}
      <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-2">
        <Segmented
          label={surface.label ?? surface.id}
          options={[
            { id: 'targets', label: t.targets },
            { id: 'receipts', label: t.receipts },
          ]}
          value={tab}
          onChange={setTab}
        />
        {tab === 'targets' && readable && (
          <span className="flex items-center gap-1 text-xs text-text-3">
            {targets.data !== undefined && count(total)}
            <IconButton label={t.targetsReload} onPress={() => void targets.refetch()} isDisabled={targets.isFetching}>
              <RefreshCw aria-hidden size={14} />
            </IconButton>
          </span>
        )}
      </div>
      {tab === 'targets' ? (
        <TargetList
          targets={targets}
          query={query}
          onQuery={onQuery}
          hovered={hovered}
          onHover={onHover}
          readable={readable}
        />
      ) : (
        <Scroll label={t.receipts} className="min-h-0 flex-1">
          <Receipts surfaceId={surface.id} />
        </Scroll>
      )}
    </aside>
  );
};
