import { flatChildren, flatParent, flatPreviousSibling, isElement, shadowOf } from './dom.ts';
import type { Entry } from './entry.ts';
import { entryOf } from './entry.ts';
import { skippedTags } from './roleTables.ts';

/** Steps back through the tree after which walking all of it once is cheaper. */
const STEPS_BACK = 4_000;

/** Entries as a linked list in reading order: inserting a row costs that row. */
export class Order {
  head: Entry | null = null;
  #array: Entry[] = [];
  #stale = false;

  /** All entries in reading order, `position` set. The array is replaced, never changed, on an update. */
  all(): readonly Entry[] {
    if (!this.#stale) return this.#array;
    const array: Entry[] = [];
    for (let entry = this.head; entry; entry = entry.next) {
      entry.position = array.length;
      array.push(entry);
    }
    this.#array = array;
    this.#stale = false;
    return array;
  }

  unlink(entry: Entry): void {
    if (!entry.linked) return;
    if (entry.previous) entry.previous.next = entry.next;
    else this.head = entry.next;
    if (entry.next) entry.next.previous = entry.previous;
    entry.previous = null;
    entry.next = null;
    entry.linked = false;
    this.#stale = true;
  }

  insertAfter(previous: Entry | null, run: readonly Entry[]): void {
    let at = previous;
    for (const entry of run) {
      const next: Entry | null = at ? at.next : this.head;
      entry.previous = at;
      entry.next = next;
      if (at) at.next = entry;
      else this.head = entry;
      if (next) next.previous = entry;
      entry.linked = true;
      at = entry;
    }
    this.#stale = true;
  }

  /** Walks the whole tree for the order alone, keeping every entry as it is. */
  relink(root: Element): void {
    const run: Entry[] = [];
    const walk = (element: Element): void => {
      if (skippedTags.has(element.localName)) return;
      const entry = entryOf(element);
      if (entry?.linked) run.push(entry);
      if (isEmpty(element)) return;
      for (const child of flatChildren(element)) if (isElement(child)) walk(child);
    };
    walk(root);
    for (let entry = this.head; entry; entry = entry.next) entry.linked = false;
    this.head = null;
    this.insertAfter(null, run);
  }
}

/** Nothing drawn inside; a slot without own children still has what is assigned to it. */
function isEmpty(element: Element): boolean {
  return element.firstChild === null && element.localName !== 'slot' && shadowOf(element) === null;
}

/** The entry before `element` in reading order; `undefined` when it is too far to look for. */
export function entryBefore(element: Element): Entry | null | undefined {
  const budget = { left: STEPS_BACK };
  for (let node: Element = element; ;) {
    const sibling = flatPreviousSibling(node);
    if (sibling) {
      const inside = lastWithin(sibling, budget);
      if (inside !== null) return inside;
      node = sibling;
    } else {
      const parent = flatParent(node);
      if (parent === null) return null;
      const entry = entryOf(parent);
      if (entry?.linked) return entry;
      node = parent;
    }
    if (--budget.left < 0) return undefined;
  }
}

function lastWithin(element: Element, budget: { left: number }): Entry | null {
  if (--budget.left < 0 || skippedTags.has(element.localName)) return null;
  if (!isEmpty(element)) {
    const children = flatChildren(element);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (!isElement(child)) continue;
      const inside = lastWithin(child, budget);
      if (inside !== null) return inside;
      if (budget.left < 0) return null;
    }
  }
  const entry = entryOf(element);
  return entry?.linked ? entry : null;
}
