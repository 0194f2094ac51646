import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { frameHub } from '../bridge/live.ts';
import { cx } from './cx.ts';
import type { Size } from './outline.ts';
import { useOnScreen } from './useOnScreen.ts';

/**
 * A surface as it is now. Watches only while it is on screen; what is drawn stays when frames stop.
 * `fallback` shows until the first frame, and `children` (given the surface's size) lie over it.
 */
export const LiveCanvas = ({
  surfaceId,
  label,
  size,
  maxWidth,
  fallback,
  className,
  children,
}: {
  readonly surfaceId: string;
  readonly label: string;
  /** Size of the surface as last described, until a frame tells. */
  readonly size: Size;
  readonly maxWidth: number;
  readonly fallback?: ReactNode;
  readonly className?: string;
  readonly children?: (size: Size) => ReactNode;
}) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [frameSize, setFrameSize] = useState<Size | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const [holder, onScreen] = useOnScreen<HTMLDivElement>();

  useEffect(() => {
    if (!onScreen) return undefined;
    setEnded(null);
    return frameHub.watch(surfaceId, {
      maxWidth,
      onEnded: (reason) => {
        setEnded(reason);
        setFrameSize(null);
      },
      onFrame: ({ header, bitmap }) => {
        const target = canvas.current;
        if (target === null) return;
        if (target.width !== bitmap.width) target.width = bitmap.width;
        if (target.height !== bitmap.height) target.height = bitmap.height;
        target.getContext('2d')?.drawImage(bitmap, 0, 0);
        setEnded(null);
        setFrameSize((known) =>
          known?.width === header.width && known.height === header.height
            ? known
            : { width: header.width, height: header.height },
        );
      },
    });
  }, [surfaceId, maxWidth, onScreen]);

  const shown = frameSize ?? size;
  return (
    <div
      ref={holder}
      className={cx('relative overflow-hidden bg-stage', className)}
      style={{ aspectRatio: `${shown.width} / ${shown.height}` }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        data-live={frameSize !== null}
        className={cx('block size-full', frameSize === null && 'invisible')}
      />
      {frameSize === null && (
        <div className="absolute inset-0 flex items-center justify-center p-3 text-center text-xs text-text-2">
          {ended ?? fallback}
        </div>
      )}
      {ended === null && children?.(shown)}
    </div>
  );
};
