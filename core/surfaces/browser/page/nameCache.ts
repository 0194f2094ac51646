import { clip, flatParent, idRefs, isElement, squeeze } from './dom.ts';
import type { Entry } from './entry.ts';
import { entryOf } from './entry.ts';
import { contentOf, nameOf } from './names.ts';

const PLAIN_NAME = 100;

/** Names, row keys and container texts, forgotten precisely: whatever contains or refers to the change. */
export class NameCache {
  #epoch = 0;
  /** Who is named by an element: aria-labelledby. */
  #namedBy = new WeakMap<Element, Set<Element>>();
  /** Who refers to an id: the element that has it may be replaced. */
  readonly #referrers = new Map<string, Set<WeakRef<Element>>>();
  #derived = new WeakMap<Element, Map<string, string>>();

  name(entry: Entry): string {
    if (entry.name === null || entry.epoch !== this.#epoch) {
      const complete = this.#noteReferences(entry.element);
      entry.name = squeeze(nameOf(entry.element, entry.role)) || plainName(entry);
      entry.words = null;
      entry.epoch = complete ? this.#epoch : -1;
    }
    return entry.name;
  }

  /** A text worked out from an element's content, kept until something in it changes. */
  derived(element: Element, key: string, make: () => string): string {
    let texts = this.#derived.get(element);
    if (!texts) this.#derived.set(element, (texts = new Map<string, string>()));
    let text = texts.get(key);
    if (text === undefined) texts.set(key, (text = make()));
    return text;
  }

  /** False when an id is missing: it may come later, so the name must not be kept. */
  #noteReferences(element: Element): boolean {
    const ids = element.getAttribute('aria-labelledby');
    if (ids === null) return true;
    const others = idRefs(element, 'aria-labelledby');
    for (const id of ids.trim().split(/\s+/)) this.#noteReferrer(id, element);
    for (const other of others) {
      const referrers = this.#namedBy.get(other);
      if (referrers) referrers.add(element);
      else this.#namedBy.set(other, new Set([element]));
    }
    return others.length === ids.trim().split(/\s+/).length;
  }

  #noteReferrer(id: string, element: Element): void {
    const referrers = this.#referrers.get(id);
    if (!referrers) this.#referrers.set(id, new Set([new WeakRef(element)]));
    else if (![...referrers].some((ref) => ref.deref() === element)) referrers.add(new WeakRef(element));
  }

  /** Elements with these ids came or went: what refers to them may mean another one now. */
  forgetIdsIn(root: Element): void {
    if (this.#referrers.size === 0) return;
    this.#forgetReferrers(root.id);
    for (const element of root.querySelectorAll('[id]')) this.#forgetReferrers(element.id);
  }

  #forgetReferrers(id: string): void {
    const referrers = id === '' ? undefined : this.#referrers.get(id);
    for (const ref of referrers ?? []) {
      const element = ref.deref();
      if (element) this.forget([element]);
      else referrers?.delete(ref);
    }
  }

  /** Something in or on these nodes changed. */
  forget(nodes: Iterable<Node>): void {
    const done = new Set<Node>();
    for (const node of nodes) {
      for (let n: Node | null = node; n && !done.has(n); n = flatParent(n)) {
        done.add(n);
        if (isElement(n)) this.#forgetOne(n);
      }
    }
  }

  /** The control that a label is for. */
  forgetLabelled(label: HTMLLabelElement): void {
    const control = label.control ?? (label.htmlFor === '' ? null : document.getElementById(label.htmlFor));
    if (control) forgetEntry(entryOf(control));
  }

  #forgetOne(element: Element): void {
    forgetEntry(entryOf(element));
    this.#derived.delete(element);
    if (element.localName === 'label') this.forgetLabelled(element as HTMLLabelElement);
    for (const referrer of this.#namedBy.get(element) ?? []) {
      forgetEntry(entryOf(referrer));
      this.#derived.delete(referrer);
    }
  }

  /** Ids moved: any reference may mean something else now. */
  forgetAll(): void {
    this.#epoch++;
    this.#derived = new WeakMap();
  }
}

/** What can only be told by the pointer cursor, or is no role at all, is called by its text. */
function plainName(entry: Entry): string {
  if (entry.kind !== 'target' || !/^(generic|none|listitem|group|img|paragraph|article)$/.test(entry.role)) return '';
  return clip(contentOf(entry.element), PLAIN_NAME);
}

function forgetEntry(entry: Entry | undefined): void {
  if (!entry) return;
  entry.name = null;
  entry.words = null;
}
