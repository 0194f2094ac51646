import { boxOf } from './boxes.ts';
import type { Ground } from './contrast.ts';
import { blendsIn, groundOf, pageGround } from './contrast.ts';
import { flatChildren, isElement } from './dom.ts';
import { skippedTags } from './roleTables.ts';

/** Elements looked at before the reading is cut short. */
const MOST_ELEMENTS = 20_000;
/** Smaller letters than this nobody reads. */
const SMALLEST_LETTERS = 2;

export interface ReadableText {
  readonly text: string;
  /** Pieces of text that are there and that a person does not see. */
  readonly hidden: number;
  readonly cut: boolean;
}

/**
 * What a person reads below `root`, in reading order: from the first line in view on, then what
 * follows. Text that is drawn for nobody is left out and counted.
 */
export function readableText(root: Element, limit: number): ReadableText {
  const reader = new Reader(limit, root === document.body && scrollY > 0);
  reader.read(root);
  return reader.result();
}

class Reader {
  readonly #limit: number;
  #above: boolean;
  #text = '';
  /** White space owed before the next piece. */
  #gap: '' | ' ' | ' | ' | '\n' = '';
  #hidden = 0;
  #left = MOST_ELEMENTS;
  #full = false;

  constructor(limit: number, skipAbove: boolean) {
    this.#limit = limit;
    this.#above = skipAbove;
  }

  result(): ReadableText {
    return { text: this.#text.trim(), hidden: this.#hidden, cut: this.#full };
  }

  read(element: Element, ground: Ground = pageGround()): void {
    if (this.#full || skippedTags.has(element.localName)) {
      if (element.localName === 'br' || element.localName === 'hr') this.#owe('\n');
      return;
    }
    if (--this.#left < 0) {
      this.#full = true;
      return;
    }
    const style = getComputedStyle(element);
    if (style.display === 'none' || this.#isUnseen(element, style)) {
      this.#countHidden(element);
      return;
    }
    if (this.#above && style.display !== 'contents' && this.#isAbove(element)) return;
    if (/^(select|textarea|input|svg|canvas|video|audio|iframe|object)$/.test(element.localName)) return;
    const gap = gapOf(element, style.display);
    this.#owe(gap);
    const own = groundOf(element, style, ground);
    const hidden = style.visibility !== 'visible' || blendsIn(element, style, own);
    const closed = element.localName === 'details' && !element.hasAttribute('open');
    const children = flatChildren(element);
    for (let i = this.#above ? firstBelowTop(children) : 0; i < children.length; i++) {
      const node = children[i];
      if (!node) continue;
      if (closed && !(isElement(node) && node.localName === 'summary')) continue;
      if (node.nodeType === Node.TEXT_NODE) this.#piece(node as Text, hidden);
      else if (isElement(node)) this.read(node, own);
      if (this.#full) return;
    }
    this.#owe(gap);
  }

  #isUnseen(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.opacity === '0' || style.contentVisibility === 'hidden') return true;
    if (element.getAttribute('aria-hidden') === 'true') return true;
    if (Number.parseFloat(style.fontSize) < SMALLEST_LETTERS) return true;
    if (style.position !== 'absolute' && style.position !== 'fixed') return false;
    const box = boxOf(element);
    if (style.overflow !== 'visible' && (box.width <= 1 || box.height <= 1)) return true;
    return box.width > 0 && (box.x + box.width + scrollX <= 0 || box.y + box.height + scrollY <= 0);
  }

  #isAbove(element: Element): boolean {
    const box = boxOf(element);
    if (box.height === 0) return false;
    if (box.y + box.height <= 0) return true;
    if (box.y >= 0 && element.childElementCount === 0) this.#above = false;
    return false;
  }

  #countHidden(element: Element): void {
    if ((element.textContent ?? '').trim() !== '') this.#hidden++;
  }

  #owe(gap: '' | ' ' | ' | ' | '\n'): void {
    if (gap === '\n' || (gap !== '' && this.#gap !== '\n')) this.#gap = gap;
  }

  #piece(node: Text, hidden: boolean): void {
    const raw = node.data;
    const text = raw.replace(/\s+/g, ' ');
    if (text.trim() === '') {
      if (text !== '' && this.#gap === '') this.#gap = ' ';
      return;
    }
    if (hidden) {
      this.#hidden++;
      return;
    }
    if (text.startsWith(' ') && this.#gap === '') this.#gap = ' ';
    if (this.#text !== '') this.#text += this.#gap;
    this.#text += text.trim();
    this.#gap = text.endsWith(' ') ? ' ' : '';
    if (this.#text.length > this.#limit) {
      this.#text = `${this.#text.slice(0, Math.max(0, this.#limit - 1)).trimEnd()}…`;
      this.#full = true;
    }
  }
}

/** With more children than this the first in view is searched for, not walked to. */
const MANY_CHILDREN = 100;

/** Index of the first child that is not wholly above the viewport, children running downwards. */
function firstBelowTop(children: ArrayLike<Node>): number {
  if (children.length <= MANY_CHILDREN) return 0;
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = nextElement(children, middle);
    if (element !== null && boxOf(element).y + boxOf(element).height <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nextElement(children: ArrayLike<Node>, from: number): Element | null {
  for (let i = from; i < Math.min(from + 8, children.length); i++) {
    const child = children[i];
    if (isElement(child) && boxOf(child).height > 0) return child;
  }
  return null;
}

function gapOf(element: Element, display: string): '' | ' ' | ' | ' | '\n' {
  if (display === 'inline' || display === 'contents') return '';
  if (display === 'table-cell') return element.previousElementSibling ? ' | ' : ' ';
  return display.startsWith('inline') ? ' ' : '\n';
}
