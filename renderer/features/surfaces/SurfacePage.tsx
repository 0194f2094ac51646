import { ArrowLeft, CircleX, Globe, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SurfaceView } from '../../../core/contracts/console.ts';
import type { TargetObject } from '../../../core/contracts/operatorClass.ts';
import {
  useApprovals,
  useCloseSurface,
  useMayApprove,
  useSurface,
  useSurfaces,
  useTargets,
} from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { Tag } from '../../ui/Signal.tsx';
import { text } from '../../ui/strings.ts';
import { SurfaceIcon } from '../../ui/SurfaceIcon.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { ControlBar } from './ControlBar.tsx';
import { LiveStage } from './LiveStage.tsx';
import { SidePanel } from './SidePanel.tsx';
import { surfacesText as t } from './strings.ts';
import { SurfaceState, WhoWorks } from './SurfaceState.tsx';
import { useControlOf } from './useControlOf.ts';

const Head = ({ surface }: { readonly surface: SurfaceView }) => (
  <header className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line bg-panel px-4">
    <Link href="/surfaces" aria-label={t.all} title={t.all} className="rounded-sm p-1 text-text-2 hover:bg-hover">
      <ArrowLeft aria-hidden size={16} />
    </Link>
    <SurfaceIcon kind={surface.kind} size={16} />
    <h1 className="max-w-[260px] shrink-0 truncate text-base font-semibold">
      <Visible value={surface.label ?? surface.title ?? surface.id} />
    </h1>
    <span className="min-w-0 flex-1 truncate font-mono text-xs text-text-2" title={surface.address}>
      {surface.address !== undefined && <Visible value={surface.address} />}
    </span>
    {surface.badges.map((badge) => (
      <Tag key={badge} title={badge}>
        {badge}
      </Tag>
    ))}
    <SurfaceState surface={surface} />
    <WhoWorks surface={surface} />
    <CloseSurface surface={surface} />
  </header>
);

const CloseSurface = ({ surface }: { readonly surface: SurfaceView }) => {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const close = useCloseSurface();
  const mayApprove = useMayApprove();
  if (!mayApprove || surface.state === 'gone') return null;
  /** Not by `onSuccess`: the surface goes, and this with it, before the answer is here. */
  const closeIt = async (): Promise<void> => {
    const gone = await close.mutateAsync(surface.id).then(
      () => true,
      () => false,
    );
    if (gone && window.location.pathname === `/surfaces/${surface.id}`) navigate('/surfaces');
  };
  if (!asking) {
    return (
      <Button size="small" look="quiet" onPress={() => setAsking(true)}>
        <CircleX aria-hidden size={14} />
        {t.close}
      </Button>
    );
  }
  return (
    <span role="group" aria-label={t.close} className="flex items-center gap-2 text-xs">
      {t.closeSure}
      <Button size="small" autoFocus onPress={() => setAsking(false)}>
        {text.cancel}
      </Button>
      <Button size="small" look="danger" isDisabled={close.isPending} onPress={() => void closeIt()}>
        {t.closeYes}
      </Button>
      {close.isError && <span className="text-danger">{close.error.message}</span>}
    </span>
  );
};

/** What stands in for the live view when there is none, and why. */
const NoView = ({ surface, onStart }: { readonly surface: SurfaceView; readonly onStart: () => void }) => {
  if (surface.kind === 'terminal') {
    return (
      <Empty icon={SquareTerminal} title={t.terminalTitle}>
        {t.terminalBody}
      </Empty>
    );
  }
  if (surface.state === 'idle') {
    return (
      <Empty icon={Globe} title={t.idleTitle} action={<Button onPress={onStart}>{t.idleStart}</Button>}>
        {t.idleBody}
      </Empty>
    );
  }
  if (surface.state === 'failed')
    return (
      <Empty icon={CircleX} title={t.failedTitle}>
        {surface.badges.join(' ')}
      </Empty>
    );
  if (surface.state === 'gone') {
    return (
      <Empty icon={CircleX} title={t.goneTitle}>
        {t.goneBody}
      </Empty>
    );
  }
  return <SkeletonRows label={text.loading} />;
};

const SurfaceScreen = ({ surface }: { readonly surface: SurfaceView }) => {
  const [query, setQuery] = useState('');
  const [hovered, setHovered] = useState<TargetObject | null>(null);
  const [started, setStarted] = useState(false);
  const control = useControlOf(surface);
  const viewable = surface.live && surface.state === 'ready';
  const targets = useTargets(surface.id, query, viewable || started);
  const approvals = useApprovals('pending').data ?? [];
  const pending = approvals.filter((approval) => approval.surface_id === surface.id);
  return (
    <>
      <Head surface={surface} />
      <ControlBar surface={surface} control={control} />
      {control.error !== null && (
        <div className="px-4 pt-3">
          <ErrorNotice error={control.error} />
        </div>
      )}
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-stage">
          {viewable ? (
            <LiveStage
              surface={surface}
              control={control}
              targets={targets.data?.targets ?? []}
              hovered={hovered}
              onHover={setHovered}
              pending={pending}
            />
          ) : (
            <NoView surface={surface} onStart={() => setStarted(true)} />
          )}
        </div>
        <SidePanel
          surface={surface}
          pending={pending}
          targets={targets}
          query={query}
          onQuery={setQuery}
          hovered={hovered}
          onHover={setHovered}
          readable={viewable || started}
        />
      </div>
    </>
  );
};

/** `/surfaces/:id` */
export const SurfacePage = ({ id }: { readonly id: string }) => {
  const surfaces = useSurfaces();
  const surface = useSurface(id);
  if (surface !== undefined) return <SurfaceScreen key={surface.id} surface={surface} />;
  if (surfaces.isPending) return <SkeletonRows label={text.loading} />;
  if (surfaces.isError) {
    return (
      <div className="p-4">
        <ErrorNotice error={surfaces.error} onRetry={() => void surfaces.refetch()} />
      </div>
    );
  }
  return (
    <Empty
      icon={CircleX}
      heading="h1"
      title={t.notThere}
      action={
        <Link href="/surfaces" className="text-accent underline underline-offset-2">
          {t.all}
        </Link>
      }
    />
  );
};
