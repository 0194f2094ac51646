import { boxOf } from './boxes.ts';
import { flatParent } from './dom.ts';
import { rowOf } from './rows.ts';

/** Lists that draw only what is in view say so: how long they are, and how much of it is there. */

const itemSelector: Readonly<Record<string, string>> = {
  grid: '[role="row"],tr',
  treegrid: '[role="row"],tr',
  table: '[role="row"],tr',
  listbox: '[role="option"]',
  tree: '[role="treeitem"]',
  list: '[role="listitem"],li',
  feed: '[role="article"],article',
  menu: '[role^="menuitem"]',
};

interface Extent {
  readonly rendered: number;
  readonly total: number;
}

/** By what the list itself says: aria-rowcount, aria-setsize. */
export function declaredExtent(element: Element, role: string): Extent | null {
  const selector = itemSelector[role];
  if (selector === undefined) return null;
  const items = element.querySelectorAll(selector);
  const total = positive(element.getAttribute('aria-rowcount')) ?? positive(items[0]?.getAttribute('aria-setsize'));
  return total !== null && total > items.length ? { rendered: items.length, total } : null;
}

export function declaredNote({ rendered, total }: Extent): string {
  return `virtual list: ${rendered} of ${total} rendered; scroll it for more`;
}

function positive(value: string | null | undefined): number | null {
  const number = Number.parseInt(value ?? '', 10);
  return number > 0 ? number : null;
}

/** Room for fewer rows than this may be anything. */
const ROWS_MISSING = 10;
const ROWS_RENDERED = 3;
/** A list that draws more than this is not virtual. */
const ROWS_IN_VIRTUAL_LIST = 500;

/** Virtual lists that say nothing are known by the room they keep for rows that are not there. */
export class VirtualRows {
  readonly #seen = new Set<Element>();

  /** Once for each list: about how many rows it has, told with the first target inside. */
  extentAround(target: Element): Extent | null {
    const row = rowOf(target);
    const list = row && flatParent(row);
    if (!row || !list || this.#seen.has(list) || list.childElementCount > ROWS_IN_VIRTUAL_LIST) return null;
    this.#seen.add(list);
    if (list.closest('[aria-rowcount]') || row.hasAttribute('aria-setsize')) return null;
    const height = boxOf(row).height;
    if (height <= 0) return null;
    let rendered = 0;
    let taken = 0;
    for (const child of list.children) {
      if (child.localName !== row.localName) {
        if ((child.textContent ?? '').trim() !== '') taken += boxOf(child).height;
      } else if (child.firstElementChild !== null) rendered++;
    }
    const missing = Math.round((roomOf(list) - taken - rendered * height) / height);
    if (rendered < ROWS_RENDERED || missing < ROWS_MISSING) return null;
    return { rendered, total: rendered + missing };
  }
}

export function guessedNote({ rendered, total }: Extent): string {
  return `in a virtual list: ${rendered} of about ${total} rows rendered; scroll for more`;
}

/** Height of the list, or of what its scroller scrolls when the list is all that is in it. */
function roomOf(list: Element): number {
  const own = Math.max(boxOf(list).height, list.scrollHeight);
  let outer: Element | null = list;
  for (let level = 0; level < 3; level++) {
    outer = outer && flatParent(outer);
    if (!outer || outer === document.body || outer === document.documentElement) return own;
    if ((outer.textContent ?? '').length > (list.textContent ?? '').length * 1.2) return own;
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return Math.max(own, outer.scrollHeight);
  }
  return own;
}
