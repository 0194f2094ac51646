import { Globe, Inbox, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SurfaceView } from '../../../core/contracts/console.ts';
import { useSurfaces } from '../../bridge/queries.ts';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { LiveCanvas } from '../../ui/LiveCanvas.tsx';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { ScreenHead } from '../../ui/Screen.tsx';
import { text } from '../../ui/strings.ts';
import { SurfaceIcon } from '../../ui/SurfaceIcon.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { visibleLine } from '../../ui/visibleText.ts';
import { OpenSurfaceButton, OpenSurfaceForm } from './OpenSurface.tsx';
import { surfacesText as t } from './strings.ts';
import { SurfaceState, WhoWorks } from './SurfaceState.tsx';

const TILE_WIDTH = 480;
const NO_SIZE = { width: 1_280, height: 800 };

const TilePicture = ({ surface }: { readonly surface: SurfaceView }) => {
  const name = visibleLine(surface.label ?? surface.id);
  if (surface.live && surface.state === 'ready') {
    return (
      <LiveCanvas
        surfaceId={surface.id}
        label={name}
        size={surface.size ?? NO_SIZE}
        maxWidth={TILE_WIDTH}
        fallback={text.waitingForPicture}
        className="aspect-[16/10]! border-b border-line [&>canvas]:object-contain"
      />
    );
  }
  const Shape = surface.kind === 'terminal' ? SquareTerminal : Globe;
  return (
    <div className="flex aspect-[16/10] flex-col items-center justify-center gap-2 border-b border-line bg-stage text-xs text-text-2">
      <Shape aria-hidden size={20} className="text-text-3" />
      {surface.kind === 'terminal' ? t.terminalTitle : surface.state === 'idle' ? t.idleTitle : t.noPicture}
    </div>
  );
};

const Tile = ({ surface }: { readonly surface: SurfaceView }) => (
  <li>
    <Link
      href={`/surfaces/${surface.id}`}
      data-surface={surface.id}
      className="block overflow-hidden rounded-md border border-line bg-panel hover:border-line-strong"
    >
      <TilePicture surface={surface} />
      <div className="space-y-1 px-3 py-2">
        <div className="flex items-center gap-1.5">
          <SurfaceIcon kind={surface.kind} />
          <span className="min-w-0 flex-1 truncate text-sm font-medium">
            <Visible value={surface.label ?? surface.title ?? surface.id} />
          </span>
          <SurfaceState surface={surface} />
        </div>
        <p className="h-4 truncate text-xs text-text-3">
          {surface.address !== undefined && <Visible value={surface.address.slice(0, 300)} />}
        </p>
        <div className="flex h-5 items-center justify-between gap-2">
          <WhoWorks surface={surface} />
          {surface.pending_approvals > 0 && (
            <span className="inline-flex items-center gap-1 text-xs font-medium text-accent">
              <Inbox aria-hidden size={14} />
              {t.pending(surface.pending_approvals)}
            </span>
          )}
        </div>
      </div>
    </Link>
  </li>
);

export const SurfacesPage = () => {
  const surfaces = useSurfaces();
  const [opening, setOpening] = useState(false);
  return (
    <>
      <ScreenHead title={t.title}>
        <OpenSurfaceButton open={opening} onOpen={() => setOpening(true)} />
      </ScreenHead>
      {opening && <OpenSurfaceForm onClose={() => setOpening(false)} />}
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        {surfaces.isPending && <SkeletonRows label={text.loading} />}
        {surfaces.isError && <ErrorNotice error={surfaces.error} onRetry={() => void surfaces.refetch()} />}
        {surfaces.data?.length === 0 && (
          <Empty icon={Globe} title={t.emptyTitle}>
            {t.emptyBody}
          </Empty>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(300px,1fr))] gap-4">
          {surfaces.data?.map((surface) => (
            <Tile key={surface.id} surface={surface} />
          ))}
        </ul>
      </div>
    </>
  );
};
