import { boxOf } from './boxes.ts';
import { flatContains } from './dom.ts';

/** The colour text is drawn on; null when a picture makes it unknown. */
export type Ground = { readonly colour: string; readonly by: Element | null } | null;

const CLEAR = /^(transparent|rgba\(.*, 0\))$/;
const WHITE = 'rgb(255, 255, 255)';

/** What a page is drawn on before it says anything. */
export function pageGround(): Ground {
  return /dark/.test(getComputedStyle(document.documentElement).colorScheme) ? null : { colour: WHITE, by: null };
}

export function groundOf(element: Element, style: CSSStyleDeclaration, around: Ground): Ground {
  if (style.backgroundImage !== 'none') return null;
  if (CLEAR.test(style.backgroundColor)) return around;
  return style.backgroundColor.startsWith('rgba') ? null : { colour: style.backgroundColor, by: element };
}

/** Text that nobody can read: clear, or of the very colour it is drawn on. */
export function blendsIn(element: Element, style: CSSStyleDeclaration, ground: Ground): boolean {
  if (CLEAR.test(style.color)) return style.textShadow === 'none' && !/text/.test(style.backgroundClip);
  if (ground === null || style.color !== ground.colour || style.textShadow !== 'none') return false;
  return !liesOverOther(element, ground.by);
}

/** Something that is drawn behind the text and is none of its ancestors, as the picture under a headline. */
function liesOverOther(element: Element, ground: Element | null): boolean {
  const { x, y, width, height } = boxOf(element);
  const behind = document.elementsFromPoint(x + Math.min(width / 2, 20), y + height / 2);
  if (!behind.includes(element)) return true;
  return behind.some((other) => !flatContains(other, element) && !flatContains(element, other) && other !== ground);
}
