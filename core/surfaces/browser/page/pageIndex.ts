import { isDrawn } from './boxes.ts';
import type { Classified } from './classify.ts';
import { classify } from './classify.ts';
import { forgetContainers } from './context.ts';
import { adoptRoot, deepAt, flatContains, flatParent, isElement, shadowOf } from './dom.ts';
import type { Entry } from './entry.ts';
import { ensureEntry, entryOf } from './entry.ts';
import { refreshGeneratedText } from './generatedText.ts';
import { NameCache } from './nameCache.ts';
import { noteLabel } from './labels.ts';
import { Order, entryBefore } from './order.ts';
import type { Found, ScanSink } from './scan.ts';
import { inheritedAt, scan } from './scan.ts';

/** Attributes that change what an element is, or whether and how it is drawn. */
const scanAttributes =
  /^(role|tabindex|href|type|contenteditable|onclick|aria-haspopup|aria-rowcount|draggable|controls|hidden|class|style|open|inert|aria-hidden|popover|slot|name|data-.*|aria-expanded|aria-label|aria-labelledby|title|size|multiple|list)$/;
/** More hidden roots than this are not looked at again on every update. */
const HIDDEN_ROOTS_CHECKED = 3_000;
/** A changed element with at most so many descendants is scanned anew: style may have reached them. */
const SMALL_SUBTREE = 40;
/** Elements without a root that are looked at again for one on every update. */
const ROOTLESS_WATCHED = 2_000;
const CLOSED_HOSTS_NAMED = 200;
const DIRTY_BEFORE_IDLE_FLUSH = 2_000;

/** Everything that can be worked on this page, kept up to date by what changed. */
export class PageIndex implements ScanSink {
  readonly names = new NameCache();
  readonly hiddenRoots = new Set<Element>();
  /** Elements of position fixed or sticky, as of their last scan. */
  readonly fixed = new Set<Element>();
  readonly roots = new Set<Document | ShadowRoot>([document]);
  found: Found[] = [];
  readonly #order = new Order();
  readonly #onRoot: (root: Document | ShadowRoot) => void;
  #rootless = new Set<Element>();
  #added = new Set<Element>();
  #changed = new Set<Element>();
  #touched = new Set<Node>();
  #removed = false;
  #scanned = false;
  #flushing = false;

  constructor(onRoot: (root: Document | ShadowRoot) => void) {
    this.#onRoot = onRoot;
  }

  /** Takes mutation records in; the work is done by `update`. */
  note(records: readonly MutationRecord[]): void {
    if (!this.#scanned) return;
    for (const record of records) this.#noteOne(record);
    if (this.#added.size + this.#changed.size + this.#touched.size > DIRTY_BEFORE_IDLE_FLUSH && !this.#flushing) {
      this.#flushing = true;
      requestIdleCallback(() => {
        this.#flushing = false;
        this.update();
      });
    }
  }

  #noteOne(record: MutationRecord): void {
    const target = record.target;
    if (record.type === 'childList') {
      if (isElement(target)) forgetContainers(target);
      for (const node of record.addedNodes) {
        if (isElement(node)) this.#added.add(node);
        else this.#touched.add(node);
      }
      for (const node of record.removedNodes) if (isElement(node)) this.#noteRemoved(node);
    } else if (record.type === 'attributes') {
      const name = record.attributeName ?? '';
      // These take out or bring back all that is inside.
      if (name === 'inert' || name === 'aria-hidden' || name === 'open') this.#added.add(target as Element);
      else if (scanAttributes.test(name)) this.#changed.add(target as Element);
      if (name === 'id' || name === 'for') this.#noteIdentity(target as Element);
      if (name === 'aria-labelledby') this.names.forgetAll();
    }
    this.#touched.add(target);
  }

  #noteRemoved(element: Element): void {
    this.#removed = true;
    this.names.forgetIdsIn(element);
    const label = element.localName === 'label' ? element : element.querySelector('label');
    if (label) this.names.forgetLabelled(label as HTMLLabelElement);
  }

  #noteIdentity(element: Element): void {
    if (element.localName === 'label') noteLabel(element as HTMLLabelElement);
    this.names.forgetAll();
  }

  /** Slots of this host were filled anew. */
  noteHost(host: Element): void {
    this.#added.add(host);
    this.#touched.add(host);
  }

  adopt(root: ShadowRoot): void {
    adoptRoot(root);
    this.#rootless.delete(root.host);
    this.shadowRoot(root);
    this.noteHost(root.host);
  }

  /** Elements that may have a closed root: custom ones, and plain ones that are empty and yet take up room. */
  rootlessHosts(): Element[] {
    const hosts: Element[] = [];
    // Looked for only when a host without room of its own is there.
    let known: ReadonlySet<Element> | null = null;
    const onTop = (): ReadonlySet<Element> => (known ??= onTopAnywhere());
    for (const element of this.#rootless) {
      if (hosts.length === CLOSED_HOSTS_NAMED) break;
      if (element.isConnected && mayHoldClosedRoot(element, onTop)) hosts.push(element);
    }
    return hosts;
  }

  entries(): readonly Entry[] {
    return this.#order.all();
  }

  update(): void {
    const root = document.documentElement;
    if (root === null) return;
    refreshGeneratedText(this.roots);
    if (!this.#scanned) {
      this.#scanned = true;
      this.#scanFrom(root);
      return;
    }
    this.#sweep();
    this.names.forget(this.#touched);
    this.#touched = new Set();
    this.#findUpgraded();
    this.#scanAdded();
    this.#scanChanged();
    this.#scanShown();
  }

  /** Gets ready while nothing else is to be done, so that the first look costs less. */
  warm(): void {
    requestIdleCallback((idle) => {
      this.update();
      for (const entry of this.entries()) {
        if (idle.timeRemaining() < 1) return;
        if (entry.kind === 'target') this.names.name(entry);
      }
    });
  }

  /** After a resize anything may be shown or hidden. */
  invalidateAll(): void {
    if (!this.#scanned) return;
    this.#added.add(document.documentElement);
  }

  #sweep(): void {
    if (!this.#removed) return;
    this.#removed = false;
    for (let entry = this.#order.head; entry;) {
      const next: Entry | null = entry.next;
      if (!entry.element.isConnected) this.#order.unlink(entry);
      entry = next;
    }
    for (const element of this.hiddenRoots) if (!element.isConnected) this.hiddenRoots.delete(element);
    for (const element of this.fixed) if (!element.isConnected) this.fixed.delete(element);
    for (const element of this.#rootless) if (!element.isConnected) this.#rootless.delete(element);
    for (const root of this.roots) if (!root.isConnected) this.roots.delete(root);
  }

  #findUpgraded(): void {
    for (const element of this.#rootless) {
      if (shadowOf(element) === null) continue;
      this.#rootless.delete(element);
      this.#added.add(element);
    }
  }

  #scanAdded(): void {
    const added = this.#added;
    if (added.size === 0) return;
    this.#added = new Set();
    for (const element of added) {
      if (!element.isConnected || this.#hasAncestorIn(element, added)) continue;
      this.names.forgetIdsIn(element);
      for (const inner of element.getElementsByTagName('*')) forgetContainers(inner);
      this.#scanFrom(element);
    }
  }

  #hasAncestorIn(element: Element, set: ReadonlySet<Element>): boolean {
    if (set.size === 1) return false;
    for (let n = flatParent(element); n; n = flatParent(n)) if (set.has(n)) return true;
    return false;
  }

  #scanChanged(): void {
    const changed = this.#changed;
    if (changed.size === 0) return;
    this.#changed = new Set();
    for (const element of changed) {
      if (!element.isConnected) continue;
      if (this.#looksTheSame(element) && !this.#isSmall(element)) continue;
      this.#scanFrom(element);
    }
  }

  #isSmall(element: Element): boolean {
    return element.getElementsByTagName('*').length <= SMALL_SUBTREE;
  }

  #looksTheSame(element: Element): boolean {
    const style = getComputedStyle(element);
    const hides = style.display === 'none' || style.visibility !== 'visible' || takenOut(element);
    const entry = entryOf(element);
    if (hides !== (this.hiddenRoots.has(element) || (entry?.linked === true && entry.hidden))) return false;
    const what: Classified | null = classify(element);
    if (what === null) return entry?.linked !== true;
    return entry?.linked === true && entry.kind === what.kind && entry.role === what.role;
  }

  #scanShown(): void {
    if (this.hiddenRoots.size > HIDDEN_ROOTS_CHECKED) return;
    for (const element of this.hiddenRoots) {
      if (!isDrawn(element)) continue;
      this.#scanFrom(element);
      this.names.forget([element]);
    }
  }

  #scanFrom(element: Element): void {
    if (skippedByParent(element)) return;
    this.found = [];
    scan(element, inheritedAt(element), this);
    const found = this.found;
    this.found = [];
    this.#unlinkWithin(element);
    if (found.length === 0) return;
    const run = found.map(toEntry);
    for (const entry of run) this.#order.unlink(entry);
    const before = element === document.documentElement ? null : entryBefore(element);
    this.#order.insertAfter(before ?? null, run);
    if (before === undefined) this.#order.relink(document.documentElement);
  }

  /** Entries of a subtree are one run of the list: walk it from the first one on. */
  #unlinkWithin(element: Element): void {
    if (element === document.documentElement) {
      for (let entry = this.#order.head; entry; entry = this.#order.head) this.#order.unlink(entry);
      return;
    }
    const own = entryOf(element);
    const before = own?.linked ? own.previous : entryBefore(element);
    let entry = before ? before.next : this.#order.head;
    if (before === undefined) {
      for (; entry;) {
        const next: Entry | null = entry.next;
        if (flatContains(element, entry.element)) this.#order.unlink(entry);
        entry = next;
      }
      return;
    }
    while (entry && flatContains(element, entry.element)) {
      const next: Entry | null = entry.next;
      this.#order.unlink(entry);
      entry = next;
    }
  }

  // ---- ScanSink ----

  hiddenRoot(element: Element, hidden: boolean): void {
    if (hidden) this.hiddenRoots.add(element);
    else if (this.hiddenRoots.size > 0) this.hiddenRoots.delete(element);
  }

  layer(element: Element): void {
    this.fixed.add(element);
  }

  shadowRoot(root: ShadowRoot): void {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#onRoot(root);
  }

  label(label: HTMLLabelElement): void {
    noteLabel(label);
    if (this.#order.head !== null) this.names.forgetLabelled(label);
  }

  rootless(element: Element): void {
    if (this.#rootless.size < ROOTLESS_WATCHED || element.localName.includes('-')) this.#rootless.add(element);
  }
}

function mayHoldClosedRoot(element: Element, onTop: () => ReadonlySet<Element>): boolean {
  if (element.localName.includes('-')) return element.matches(':defined');
  return element.firstChild === null && ((element as HTMLElement).offsetHeight > 0 || onTop().has(element));
}

/** Places along each side of the viewport that are looked at. */
const PLACES = 5;

/** What is on top here and there: the host of an overlay that is fixed takes up no room itself. */
function onTopAnywhere(): Set<Element> {
  const found = new Set<Element>();
  for (let i = 0; i < PLACES * PLACES; i++) {
    const across = ((i % PLACES) + 0.5) / PLACES;
    const down = (Math.floor(i / PLACES) + 0.5) / PLACES;
    const hit = deepAt(innerWidth * across, innerHeight * down);
    if (hit) found.add(hit);
  }
  return found;
}

function takenOut(element: Element): boolean {
  return element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('inert');
}

function skippedByParent(element: Element): boolean {
  return /^(option|optgroup)$/.test(element.localName) && element.closest('select') !== null;
}

function toEntry(found: Found): Entry {
  const entry = ensureEntry(found.element);
  if (entry.role !== found.what.role) {
    entry.name = null;
    entry.words = null;
  }
  entry.kind = found.what.kind;
  entry.role = found.what.role;
  entry.hidden = found.hidden;
  return entry;
}
