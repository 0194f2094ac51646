import type { PageBox, PagePoint } from '../pageProtocol.ts';
import { Clips, boxOf } from './boxes.ts';
import type { Describer } from './describeTarget.ts';
import { deepAt, flatClosest, flatContains } from './dom.ts';

/** Places inside the visible part that are tried, as shares of its width and height. */
const TRIED: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.5],
  [0.9, 0.5],
  [0.1, 0.15],
  [0.9, 0.15],
  [0.1, 0.85],
  [0.9, 0.85],
  [0.5, 0.08],
  [0.5, 0.92],
];

export type Hit = { readonly point: PagePoint } | { readonly blockedBy: string; readonly cover: Element | null };

/** Boxes to press in: the pieces of a wrapped link, largest first. */
function pieces(face: Element): PageBox[] {
  const rects = [...face.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
  if (rects.length <= 1) return [boxOf(face)];
  return rects
    .map(({ x, y, width, height }) => ({ x, y, width, height }))
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, 3);
}

export function visiblePieces(face: Element): PageBox[] {
  const clips = new Clips();
  return pieces(face)
    .map((box) => clips.visiblePart(face, box))
    .filter((box) => box !== null);
}

/** Where a press reaches the target, or what is on top of all of it. */
export function hitTest(target: Element, face: Element, at: PagePoint | null, describer: Describer): Hit {
  if (at) {
    const verdict = judge(target, face, at, describer);
    return verdict === 'clear' || verdict === 'nested'
      ? { point: at }
      : { blockedBy: naming(target, verdict, describer), cover: verdict };
  }
  let nested: PagePoint | null = null;
  let cover: Element | null | undefined;
  for (const box of visiblePieces(face)) {
    for (const [left, down] of TRIED) {
      const point = { x: box.x + box.width * left, y: box.y + box.height * down };
      const verdict = judge(target, face, point, describer);
      if (verdict === 'clear') return { point };
      if (verdict === 'nested') nested ??= point;
      else if (cover === undefined) cover = verdict;
    }
  }
  if (nested) return { point: nested };
  return { blockedBy: naming(target, cover ?? null, describer), cover: cover ?? null };
}

/** A header, footer or the like that stays in place at an edge while the rest scrolls. */
export function isBar(cover: Element | null): boolean {
  const layer = flatClosest(cover, (n) => /^(fixed|sticky)$/.test(getComputedStyle(n).position));
  if (layer === null) return false;
  const { x, y, width, height } = boxOf(layer);
  const [middleX, middleY] = [innerWidth / 2, innerHeight / 2];
  return x > middleX || y > middleY || x + width < middleX || y + height < middleY;
}

/** `nested`: inside the target, but another control of its own. An element: that is on top. */
function judge(
  target: Element,
  face: Element,
  point: PagePoint,
  describer: Describer,
): 'clear' | 'nested' | Element | null {
  const hit = deepAt(point.x, point.y);
  if (hit === null) return null;
  if (!flatContains(target, hit) && !flatContains(face, hit) && !isLabelFor(hit, target)) return hit;
  const owner = describer.owner(hit)?.element;
  if (owner && owner !== target && !flatContains(owner, target)) return 'nested';
  return 'clear';
}

function isLabelFor(hit: Element, target: Element): boolean {
  const label = flatClosest(hit, (n) => n.localName === 'label');
  return label !== null && (label as HTMLLabelElement).control === target;
}

function naming(target: Element, hit: Element | null, describer: Describer): string {
  if (getComputedStyle(target).pointerEvents === 'none') {
    return `${describer.naming(target)} itself: it takes no pointer input`;
  }
  if (hit === null) return `the edge: nothing of ${describer.naming(target)} is in view`;
  return describer.naming(coverOf(target, hit));
}

/** The thing a person would name: a dialog, a control, or the layer that lies over the target. */
function coverOf(target: Element, hit: Element): Element {
  const apart = (n: Element) => !flatContains(n, target);
  const dialog = flatClosest(
    hit,
    (n) => apart(n) && (n.localName === 'dialog' || /^(alert)?dialog$/.test(n.getAttribute('role') ?? '')),
  );
  if (dialog) return dialog;
  const layer = flatClosest(hit, (n) => apart(n) && /^(fixed|absolute|sticky)$/.test(getComputedStyle(n).position));
  return layer ?? hit;
}
