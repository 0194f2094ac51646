import { useRef } from 'react';
import type { ApprovalView, SurfaceView } from '../../../core/contracts/console.ts';
import type { TargetObject } from '../../../core/contracts/operatorClass.ts';
import { LiveCanvas } from '../../ui/LiveCanvas.tsx';
import { Outline } from '../../ui/Outline.tsx';
import type { Size } from '../../ui/outline.ts';
import { text } from '../../ui/strings.ts';
import { visibleLine } from '../../ui/visibleText.ts';
import { InputLayer } from './InputLayer.tsx';
import { targetAt } from './targetAt.ts';
import { toSurface } from './controlInput.ts';
import { surfacesText as t } from './strings.ts';
import type { SurfaceControl } from './useControlOf.ts';

const FULL_WIDTH = 1_600;
const NO_SIZE: Size = { width: 1_280, height: 800 };

const name = (target: { readonly role: string; readonly name?: string | undefined; readonly ref: string }): string =>
  visibleLine(`${target.role} ${target.name ?? target.ref}`).slice(0, 80);

/** The live view: pending targets outlined, the hovered one too; input reaches the surface only while in control. */
export const LiveStage = ({
  surface,
  control,
  targets,
  hovered,
  onHover,
  pending,
}: {
  readonly surface: SurfaceView;
  readonly control: SurfaceControl;
  readonly targets: readonly TargetObject[];
  readonly hovered: TargetObject | null;
  readonly onHover: (target: TargetObject | null) => void;
  readonly pending: readonly ApprovalView[];
}) => {
  const size = surface.size ?? NO_SIZE;
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center p-4 [container-type:size]">
      <div
        className="relative max-h-full max-w-full"
        style={{
          aspectRatio: `${size.width} / ${size.height}`,
          width: `min(100cqw, calc(100cqh * ${size.width / size.height}))`,
        }}
      >
        <LiveCanvas
          surfaceId={surface.id}
          label={`${t.view}: ${visibleLine(surface.label ?? surface.id)}`}
          size={size}
          maxWidth={FULL_WIDTH}
          fallback={text.waitingForPicture}
          className={control.mine ? 'size-full outline-2 outline-caution' : 'size-full outline outline-line'}
        >
          {(now) => (
            <>
              {pending.map(
                (approval) =>
                  approval.target?.bounds !== undefined && (
                    <Outline
                      key={approval.approval_id}
                      bounds={approval.target.bounds}
                      surface={now}
                      label={`${t.pendingTarget}: ${name(approval.target)}`}
                    />
                  ),
              )}
              {hovered?.bounds !== undefined && !control.mine && (
                <Outline bounds={hovered.bounds} surface={now} label={name(hovered)} strong={false} />
              )}
              {control.mine ? (
                <InputLayer surface={now} control={control} />
              ) : (
                <HoverLayer surface={now} targets={targets} onHover={onHover} />
              )}
            </>
          )}
        </LiveCanvas>
      </div>
    </div>
  );
};

/** Watching: pointing at the picture names the target under the pointer; nothing is sent. */
const HoverLayer = ({
  surface,
  targets,
  onHover,
}: {
  readonly surface: Size;
  readonly targets: readonly TargetObject[];
  readonly onHover: (target: TargetObject | null) => void;
}) => {
  const layer = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={layer}
      aria-hidden
      data-layer="watch"
      className="absolute inset-0"
      onPointerMove={(event) => {
        const box = layer.current?.getBoundingClientRect();
        if (box !== undefined) onHover(targetAt(targets, toSurface(event, box, surface)));
      }}
      onPointerLeave={() => onHover(null)}
    />
  );
};
