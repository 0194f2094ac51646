import { useState } from 'react';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import type { Bounds } from '../../../core/contracts/operatorClass.ts';
import { useSurface, useTargets } from '../../bridge/queries.ts';
import { LiveCanvas } from '../../ui/LiveCanvas.tsx';
import { Outline } from '../../ui/Outline.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { text } from '../../ui/strings.ts';
import { visibleLine } from '../../ui/visibleText.ts';
import { inbox } from './strings.ts';

const LIVE_WIDTH = 1_280;
const frame = 'rounded-md outline outline-line';

const targetLabel = (approval: ApprovalView): string => {
  const { target } = approval;
  if (target === null) return '';
  return visibleLine(`${target.role} ${target.name ?? target.ref}`).slice(0, 80);
};

const AskedPicture = ({ approval }: { readonly approval: ApprovalView }) => {
  const { picture } = approval;
  if (picture === null) return <span>{inbox.picture.none}</span>;
  const bounds = approval.target?.bounds;
  return (
    <Picture
      sha256={picture.sha256}
      width={picture.width}
      height={picture.height}
      alt={inbox.picture.captionAsked}
      className={frame}
    >
      {bounds !== undefined && <Outline bounds={bounds} surface={picture} label={targetLabel(approval)} />}
    </Picture>
  );
};

/** Where the target is on the surface now, when a reading of now lists it. */
const useBoundsNow = (approval: ApprovalView, live: boolean): Bounds | null => {
  const { target, surface_id } = approval;
  const wanted = live && target !== null && surface_id !== null;
  const now = useTargets(surface_id ?? '', target?.name ?? '', wanted);
  if (!wanted) return null;
  return now.data?.targets.find((each) => each.ref === target.ref)?.bounds ?? null;
};

/** The surface with the target outlined: live while it is ready, else as it was when the agent asked. */
export const Evidence = ({ approval }: { readonly approval: ApprovalView }) => {
  const surface = useSurface(approval.surface_id);
  const canLive = surface !== undefined && surface.live && surface.state === 'ready';
  const pending = approval.status === 'pending';
  const [chosen, setChosen] = useState<'now' | 'asked' | null>(null);
  const view = canLive && (chosen ?? (pending ? 'now' : 'asked')) === 'now' ? 'now' : 'asked';
  const boundsNow = useBoundsNow(approval, view === 'now' && pending);
  const bounds = boundsNow ?? approval.target?.bounds;
  if (!canLive && approval.picture === null) {
    return (
      <p className="rounded-md border border-line bg-stage p-6 text-center text-xs text-text-2">{inbox.picture.none}</p>
    );
  }
  return (
    <figure>
      {view === 'now' && surface !== undefined ? (
        <LiveCanvas
          surfaceId={surface.id}
          label={`${inbox.picture.label} ${visibleLine(surface.label ?? surface.id)}`}
          size={surface.size ?? approval.picture ?? { width: 1_280, height: 800 }}
          maxWidth={LIVE_WIDTH}
          fallback={text.waitingForPicture}
          className={frame}
        >
          {(size) => bounds !== undefined && <Outline bounds={bounds} surface={size} label={targetLabel(approval)} />}
        </LiveCanvas>
      ) : (
        <AskedPicture approval={approval} />
      )}
      <figcaption className="mt-1 flex min-h-7 items-center justify-between gap-3 text-xs text-text-3">
        <span>
          {view === 'asked'
            ? inbox.picture.captionAsked
            : boundsNow === null
              ? inbox.picture.captionNow
              : inbox.picture.captionNowFound}
        </span>
        {canLive && approval.picture !== null && (
          <Segmented
            label={inbox.picture.label}
            options={[
              { id: 'now', label: inbox.picture.now },
              { id: 'asked', label: inbox.picture.asked },
            ]}
            value={view}
            onChange={setChosen}
          />
        )}
      </figcaption>
    </figure>
  );
};
