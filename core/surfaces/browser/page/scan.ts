import { isRendered } from './boxes.ts';
import type { Classified } from './classify.ts';
import { classify, cursorless, wrapsOnly } from './classify.ts';
import { entryOf } from './entry.ts';
import { flatParent, isElement, noteSlots, shadowOf } from './dom.ts';
import { skippedTags } from './roleTables.ts';
import { roleOf } from './roles.ts';

/** What an element hands down to its children during a scan. */
export interface Inherited {
  /** Not rendered, or taken out of the tree by aria-hidden or inert. */
  readonly hidden: boolean;
  /** Not rendered: style need not be asked. */
  readonly undrawn: boolean;
  readonly invisible: boolean;
  readonly pointer: boolean;
  readonly inControl: boolean;
}

export interface Found {
  readonly element: Element;
  readonly what: Classified;
  readonly hidden: boolean;
}

export interface ScanSink {
  /** Filled in reading order. */
  readonly found: Found[];
  /** `hidden`: hides what it holds while its parent is shown. */
  hiddenRoot(element: Element, hidden: boolean): void;
  /** Position fixed or sticky: may be in view wherever it stands in reading order. */
  layer(element: Element): void;
  shadowRoot(root: ShadowRoot): void;
  label(label: HTMLLabelElement): void;
  /** May get a shadow root later (nothing tells of that), or has a closed one. */
  rootless(element: Element): void;
}

const top: Inherited = { hidden: false, undrawn: false, invisible: false, pointer: false, inControl: false };

/** What the ancestors of `element` hand down, from scratch. */
export function inheritedAt(element: Element): Inherited {
  const parent = flatParent(element);
  if (parent === null) return top;
  let hidden = false;
  let undrawn = !isRendered(parent);
  let inControl = false;
  for (let n: Element | null = parent; n; n = flatParent(n)) {
    hidden ||= isTakenOut(n);
    inControl ||= entryOf(n)?.linked === true && entryOf(n)?.kind === 'target';
    undrawn ||= n.localName === 'details' && !n.hasAttribute('open') && element.localName !== 'summary';
  }
  const style = getComputedStyle(parent);
  const invisible = style.visibility !== 'visible';
  return { hidden: hidden || undrawn, undrawn, invisible, pointer: style.cursor === 'pointer', inControl };
}

function isTakenOut(element: Element): boolean {
  return element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('inert');
}

/** Walks the flat tree below and including `element` in reading order. */
export function scan(element: Element, inherited: Inherited, sink: ScanSink): void {
  const tag = element.localName;
  if (skippedTags.has(tag)) return;
  if (inherited.inControl && !element.hasAttributes() && isBareLeaf(element, tag)) return;
  if (tag === 'label') sink.label(element as HTMLLabelElement);
  let { hidden, undrawn, invisible, pointer } = inherited;
  let startsPointer = false;
  if (!undrawn) {
    const style = getComputedStyle(element);
    undrawn = style.display === 'none' && tag !== 'area';
    const nowInvisible = style.visibility !== 'visible';
    sink.hiddenRoot(element, undrawn || (nowInvisible && !invisible));
    invisible = nowInvisible;
    if (!undrawn && !inherited.inControl && !cursorless.has(tag)) {
      const nowPointer = style.cursor === 'pointer';
      if (element.hasAttributes() && /^(fixed|sticky)$/.test(style.position)) sink.layer(element);
      startsPointer = nowPointer && !pointer;
      pointer = nowPointer;
    }
    hidden ||= undrawn || (element.hasAttributes() && isTakenOut(element));
  }
  let what = classify(element);
  if (what === null && startsPointer && !inherited.inControl && !undrawn) {
    what = { kind: 'target', role: roleOf(element), byCursor: true };
  }
  const place = sink.found.length;
  // A box that its own style hides may be pressed by its label: that is looked for when it is listed.
  const shown = hidesBehindLabel(element) ? inherited.hidden || inherited.invisible || isTakenOut(element) : null;
  if (what !== null) sink.found.push({ element, what, hidden: shown ?? (hidden || invisible) });
  const inControl = inherited.inControl || what?.kind === 'target';
  if (tag === 'svg' && what === null && element.querySelector('a,[role],[tabindex],[onclick]') === null) return;
  if (tag === 'select' || tag === 'textarea' || tag === 'input') return;
  scanChildren(element, { hidden, undrawn, invisible, pointer, inControl }, sink);
  const inner = sink.found[place + 1];
  if (what?.byCursor && inner && wrapsOnly(element, inner.element)) sink.found.splice(place, 1);
}

function hidesBehindLabel(element: Element): boolean {
  return element instanceof HTMLInputElement && /^(checkbox|radio|file)$/.test(element.type);
}

/** Plain elements that scripts attach roots to; those with content and no id hardly ever. */
const hostTags = new Set(['div', 'span', 'section', 'article', 'aside', 'main', 'nav', 'header', 'footer', 'p']);

/** Plain text inside a control: nothing to find. */
function isBareLeaf(element: Element, tag: string): boolean {
  return (
    element.firstElementChild === null && (tag === 'span' || tag === 'div' || tag === 'b' || tag === 'i' || tag === 'p')
  );
}

function scanChildren(element: Element, inherited: Inherited, sink: ScanSink): void {
  const root = shadowOf(element);
  if (root) {
    sink.shadowRoot(root);
    noteSlots(root);
    for (let child = root.firstElementChild; child; child = child.nextElementSibling) scan(child, inherited, sink);
    return;
  }
  const tag = element.localName;
  if (tag.includes('-') || (hostTags.has(tag) && (element.firstChild === null || element.id !== '')))
    sink.rootless(element);
  if (tag === 'slot') {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) {
      for (const node of assigned) if (isElement(node)) scan(node, inherited, sink);
      return;
    }
  }
  const closed = tag === 'details' && !element.hasAttribute('open');
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (closed && child.localName !== 'summary') {
      sink.hiddenRoot(child, true);
      scan(child, { ...inherited, hidden: true, undrawn: true }, sink);
    } else scan(child, inherited, sink);
  }
}
