import type { ReactNode } from 'react';
import { useArtifact } from '../bridge/queries.ts';
import { cx } from './cx.ts';
import { text } from './strings.ts';
import { useObjectUrl } from './useObjectUrl.ts';

/** A stored picture by its hash, with whatever is drawn over it. */
export const Picture = ({
  sha256,
  alt,
  width,
  height,
  className,
  children,
}: {
  readonly sha256: string;
  readonly alt: string;
  readonly width?: number;
  readonly height?: number;
  readonly className?: string;
  readonly children?: ReactNode;
}) => {
  const { data, isError } = useArtifact(sha256);
  const url = useObjectUrl(data);
  const ratio = width === undefined || height === undefined ? undefined : `${width} / ${height}`;
  return (
    <div className={cx('relative overflow-hidden bg-stage', className)} style={{ aspectRatio: ratio }}>
      {url !== null && <img src={url} alt={alt} className="block size-full object-contain" draggable={false} />}
      {url === null && (
        <div className="absolute inset-0 flex items-center justify-center text-xs text-text-2">
          {isError ? text.pictureGone : text.waitingForPicture}
        </div>
      )}
      {url !== null && children}
    </div>
  );
};
