import type { PageBox } from '../pageProtocol.ts';
import { flatParent } from './dom.ts';
import { labelsOf } from './labels.ts';

/** Smaller than this in either direction is clipped to nothing, as visually hidden controls are. */
const TOO_SMALL = 2;

export function boxOf(element: Element): PageBox {
  if (element.localName === 'area') return areaBox(element as HTMLAreaElement);
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** The picture that an area of an image map is a part of. */
function imageOfArea(area: Element): HTMLImageElement | null {
  const name = area.closest('map')?.getAttribute('name') ?? '';
  const root = area.getRootNode();
  if (name === '' || !(root instanceof Document || root instanceof ShadowRoot)) return null;
  return root.querySelector<HTMLImageElement>(`img[usemap="#${CSS.escape(name)}"]`);
}

function ofDrawnImage(area: Element): boolean {
  const image = imageOfArea(area);
  // A picture that did not come has no parts to press.
  return image !== null && image.naturalWidth > 0 && isDrawn(image);
}

/** Around the area's shape; `coords` are CSS pixels of the picture. */
function areaBox(area: HTMLAreaElement): PageBox {
  const image = imageOfArea(area);
  if (image === null) return { x: 0, y: 0, width: 0, height: 0 };
  const { x, y, width, height } = boxOf(image);
  const coords = area.coords.split(',').map(Number);
  const [first = 0, second = 0, third = 0] = coords;
  if (coords.length < 3 || coords.some(Number.isNaN)) return { x, y, width, height };
  if (coords.length === 3) return { x: x + first - third, y: y + second - third, width: third * 2, height: third * 2 };
  const across = coords.filter((_, i) => i % 2 === 0);
  const down = coords.filter((_, i) => i % 2 === 1);
  const [left, top] = [Math.min(...across), Math.min(...down)];
  return { x: x + left, y: y + top, width: Math.max(...across) - left, height: Math.max(...down) - top };
}

export function rounded(box: PageBox): PageBox {
  return { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width), height: Math.round(box.height) };
}

function intersect(a: PageBox, b: PageBox): PageBox | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

function viewportBox(): PageBox {
  return { x: 0, y: 0, width: innerWidth, height: innerHeight };
}

/** Rendered and visible. An element with `display: contents`, as slots have, is as its parent is. */
export function isDrawn(element: Element): boolean {
  if (element.localName === 'area') return ofDrawnImage(element);
  if (element.checkVisibility({ visibilityProperty: true })) return true;
  if (getComputedStyle(element).display !== 'contents') return false;
  const parent = flatParent(element);
  return parent !== null && isDrawn(parent);
}

/** Rendered, visible or not. */
export function isRendered(element: Element): boolean {
  if (element.localName === 'area') return ofDrawnImage(element);
  if (element.checkVisibility()) return true;
  if (getComputedStyle(element).display !== 'contents') return false;
  const parent = flatParent(element);
  return parent !== null && isRendered(parent);
}

/** What ancestors cut off, remembered for one look. */
export class Clips {
  readonly #known = new Map<Element, PageBox | null>();
  readonly #viewport = viewportBox();

  /** The part of the viewport in which children of `element` can be seen. */
  #inside(element: Element | null): PageBox | null {
    if (element === null) return this.#viewport;
    let box = this.#known.get(element);
    if (box !== undefined) return box;
    const style = getComputedStyle(element);
    const outer = style.position === 'fixed' ? this.#viewport : this.#inside(flatParent(element));
    box = outer;
    if (outer && element !== document.documentElement && element !== document.body && clipsChildren(style)) {
      box = intersect(outer, boxOf(element));
    }
    this.#known.set(element, box);
    return box;
  }

  /** The part of `box` that is in view. */
  visiblePart(element: Element, box: PageBox): PageBox | null {
    const outer = getComputedStyle(element).position === 'fixed' ? this.#viewport : this.#inside(flatParent(element));
    return outer === null ? null : intersect(outer, box);
  }
}

function clipsChildren(style: CSSStyleDeclaration): boolean {
  return style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clipPath !== 'none';
}

/**
 * Where a person sees and presses a control: itself, or, when it is drawn over by its own styled
 * label (a visually hidden checkbox, radio or file field), that label.
 */
export function faceOf(element: Element): Element {
  if (!(element instanceof HTMLInputElement) || !/^(checkbox|radio|file)$/.test(element.type)) return element;
  if (isSeen(element)) return element;
  for (const label of labelsOf(element)) {
    if (isDrawn(label) && boxOf(label).width >= TOO_SMALL) return label;
  }
  return element;
}

function isSeen(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  return !isClippedAway(element);
}

/** One pixel, or cut to nothing: there for screen readers and keyboards only. */
export function isClippedAway(element: Element, box: PageBox = boxOf(element)): boolean {
  if (box.width < TOO_SMALL || box.height < TOO_SMALL) return true;
  const style = getComputedStyle(element);
  if (style.position !== 'absolute' && style.position !== 'fixed') return false;
  return (
    /rect\(0(px)?,? 0(px)?,? 0(px)?,? 0(px)?\)|rect\(1px,? 1px,? 1px,? 1px\)/.test(style.clip) ||
    /inset\((50|100)%/.test(style.clipPath)
  );
}
