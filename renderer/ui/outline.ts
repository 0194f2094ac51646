import type { Bounds } from '../../core/contracts/operatorClass.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Percentages of the picture, clipped to it; null when nothing of it is inside. */
export interface OutlineBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A little air around the target, so that the line does not cover it (CSS pixels of the surface). */
const AIR = 3;

export const outlineBox = (bounds: Bounds, surface: Size): OutlineBox | null => {
  const left = Math.max(0, bounds.x - AIR);
  const top = Math.max(0, bounds.y - AIR);
  const right = Math.min(surface.width, bounds.x + bounds.width + AIR);
  const bottom = Math.min(surface.height, bounds.y + bounds.height + AIR);
  if (right - left <= AIR || bottom - top <= AIR) return null;
  return {
    left: (left / surface.width) * 100,
    top: (top / surface.height) * 100,
    width: ((right - left) / surface.width) * 100,
    height: ((bottom - top) / surface.height) * 100,
  };
};
