import type { TargetObject } from '../../contracts/operatorClass.ts';
import { moved, rounded, shared } from './frameGeometry.ts';
import type { PageDocument } from './pageDocument.ts';
import type { ListedTarget, PageBox, PagePoint } from './pageProtocol.ts';

/** One frame's share of a list, ready to be merged with the others'. */
export interface FramePart {
  readonly document: PageDocument;
  readonly targets: readonly ListedTarget[];
  /** Place in the whole page's reading order: the slots of the frames around, outermost first. */
  readonly path: readonly number[];
  /** Add to the frame's points to get the surface's. */
  readonly offset: PagePoint;
  /** The part of the surface where the frame can be seen; null when it cannot. */
  readonly clip: PageBox | null;
  /** Origin, when it is another than the top document's. */
  readonly origin?: string;
}

export interface MergedTarget {
  readonly target: TargetObject;
  readonly part: FramePart;
  /** Index in `part.targets`. */
  readonly index: number;
}

const inViewOf = (target: ListedTarget, part: FramePart): boolean => {
  if (target.in_view !== true || part.clip === null) return false;
  if (part.path.length === 0 || target.bounds === undefined) return true;
  return shared(moved(target.bounds, part.offset), part.clip) !== null;
};

const comparePaths = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; ; i += 1) {
    const [left, right] = [a[i], b[i]];
    if (left === undefined || right === undefined) return a.length - b.length;
    if (left !== right) return left - right;
  }
};

/** The target as the surface gives it: its bounds in the surface, its frame named. */
const surfaceTarget = (listed: ListedTarget, part: FramePart): TargetObject => {
  const { tier: _tier, order: _order, at: _at, bounds, in_view, ...rest } = listed;
  return {
    ...rest,
    ...(bounds !== undefined && { bounds: rounded(moved(bounds, part.offset)) }),
    ...(in_view !== undefined && { in_view: inViewOf(listed, part) }),
    ...(part.origin !== undefined && { frame: part.origin }),
  };
};

/**
 * Takes at most `limit` targets: best tier, then in view, then reading order. Each frame's own order
 * is kept, so that every frame can be continued from where it was left.
 */
export const mergeFrames = (parts: readonly FramePart[], limit: number): MergedTarget[] => {
  const next = parts.map((part) => ({ part, index: 0 }));
  const merged: MergedTarget[] = [];
  const before = (
    a: { part: FramePart; target: ListedTarget },
    b: { part: FramePart; target: ListedTarget },
  ): boolean => {
    const [seenA, seenB] = [inViewOf(a.target, a.part), inViewOf(b.target, b.part)];
    if (seenA !== seenB) return seenA;
    return comparePaths([...a.part.path, a.target.order], [...b.part.path, b.target.order]) < 0;
  };
  while (merged.length < limit) {
    let best: { head: (typeof next)[number]; part: FramePart; target: ListedTarget } | null = null;
    for (const head of next) {
      const target = head.part.targets[head.index];
      if (target === undefined) continue;
      const candidate = { head, part: head.part, target };
      if (best === null || before(candidate, best)) best = candidate;
    }
    if (best === null) break;
    merged.push({ target: surfaceTarget(best.target, best.part), part: best.part, index: best.head.index });
    best.head.index += 1;
  }
  return merged;
};
