import { isElement } from './dom.ts';
import { textPieces } from './textPieces.ts';

/** Parents followed in one window; beyond, changes are only counted. */
const MOST_PARENTS = 400;
const MOST_REMOVED = 60;
const MOST_ADDED = 300;

export interface ChildChange {
  readonly removed: string[];
  removedElements: number;
  readonly added: Set<Node>;
}

/** Mutations between two points in time, by element, with what was there before. */
export class ChangeWindow {
  readonly children = new Map<Element, ChildChange>();
  readonly texts = new Map<CharacterData, string>();
  readonly attributes = new Map<Element, Map<string, string | null>>();
  /** Scrollers that moved, with where they were when that is known. */
  readonly scrolled = new Map<Element, { x: number; y: number } | null>();
  readonly hiddenBefore: ReadonlySet<Element>;
  uncounted = 0;

  constructor(hiddenBefore: ReadonlySet<Element>) {
    this.hiddenBefore = hiddenBefore;
  }

  note(record: MutationRecord, wasHidden: (element: Element) => boolean): void {
    switch (record.type) {
      case 'childList':
        this.#noteChildren(record, wasHidden);
        break;
      case 'characterData': {
        const node = record.target as CharacterData;
        if (!this.texts.has(node)) this.texts.set(node, record.oldValue ?? '');
        break;
      }
      case 'attributes':
        this.#noteAttribute(record.target as Element, record.attributeName ?? '', record.oldValue);
    }
  }

  #noteChildren(record: MutationRecord, wasHidden: (element: Element) => boolean): void {
    const parent = record.target instanceof ShadowRoot ? record.target.host : record.target;
    if (!isElement(parent)) return;
    let change = this.children.get(parent);
    if (!change) {
      if (this.children.size >= MOST_PARENTS) {
        this.uncounted++;
        return;
      }
      this.children.set(parent, (change = { removed: [], removedElements: 0, added: new Set() }));
    }
    for (const node of record.removedNodes) {
      if (change.added.delete(node)) continue;
      if (isElement(node)) {
        if (wasHidden(node)) continue;
        change.removedElements++;
      }
      if (change.removed.length < MOST_REMOVED) change.removed.push(...textPieces(node));
    }
    for (const node of record.addedNodes) {
      if (change.added.size < MOST_ADDED) change.added.add(node);
      else this.uncounted++;
    }
  }

  #noteAttribute(element: Element, name: string, oldValue: string | null): void {
    let before = this.attributes.get(element);
    if (!before) {
      if (this.attributes.size >= MOST_PARENTS) {
        this.uncounted++;
        return;
      }
      this.attributes.set(element, (before = new Map<string, string | null>()));
    }
    if (!before.has(name)) before.set(name, oldValue);
  }
}
