import type { Bounds } from '../../core/contracts/operatorClass.ts';
import { cx } from './cx.ts';
import { outlineBox } from './outline.ts';
import type { Size } from './outline.ts';

/** Draws around a target over a picture. Two lines, light and dark, so that it shows on any page. */
export const Outline = ({
  bounds,
  surface,
  label,
  strong = true,
}: {
  readonly bounds: Bounds;
  readonly surface: Size;
  readonly label?: string;
  /** The pending target; a weak one is only hovered. */
  readonly strong?: boolean;
}) => {
  const box = outlineBox(bounds, surface);
  if (box === null) return null;
  const above = box.top > 12;
  return (
    <div
      data-outline={strong ? 'target' : 'hover'}
      className={cx(
        'pointer-events-none absolute rounded-sm outline outline-white',
        strong ? 'border-2 border-[#2f5bff]' : 'border border-[#2f5bff]',
      )}
      style={{ left: `${box.left}%`, top: `${box.top}%`, width: `${box.width}%`, height: `${box.height}%` }}
    >
      {label !== undefined && (
        <span
          className={cx(
            'absolute max-w-[260px] truncate rounded-sm bg-[#2348d8] px-1 text-2xs font-medium whitespace-nowrap text-white',
            above ? 'bottom-full mb-1' : 'top-full mt-1',
            box.left > 60 ? 'right-0' : 'left-0',
          )}
        >
          {label}
        </span>
      )}
    </div>
  );
};
