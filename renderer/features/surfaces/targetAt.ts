import type { TargetObject } from '../../../core/contracts/operatorClass.ts';

/** The smallest target that contains the point: what a person means when several lie over each other. */
export const targetAt = (
  targets: readonly TargetObject[],
  point: { readonly x: number; readonly y: number },
): TargetObject | null => {
  let found: TargetObject | null = null;
  let area = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    const { bounds } = target;
    if (bounds === undefined) continue;
    const inside =
      point.x >= bounds.x &&
      point.y >= bounds.y &&
      point.x < bounds.x + bounds.width &&
      point.y < bounds.y + bounds.height;
    if (inside && bounds.width * bounds.height < area) {
      found = target;
      area = bounds.width * bounds.height;
    }
  }
  return found;
};
