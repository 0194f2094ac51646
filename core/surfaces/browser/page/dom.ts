/** The flat tree (DOM Standard §4.2.2: slots and shadow roots), with closed roots the host handed over. */

const closedRoots = new WeakMap<Element, ShadowRoot>();
/** Slot of a light child whose host has a closed root: `assignedSlot` is null there. */
const closedSlots = new WeakMap<Node, HTMLSlotElement>();

export function isElement(node: unknown): node is Element {
  return node instanceof Node && node.nodeType === Node.ELEMENT_NODE;
}

export function adoptRoot(root: ShadowRoot): void {
  closedRoots.set(root.host, root);
  noteSlots(root);
}

export function noteSlots(root: ShadowRoot): void {
  if (root.mode !== 'closed') return;
  for (const slot of root.querySelectorAll('slot')) {
    for (const node of slot.assignedNodes()) closedSlots.set(node, slot);
  }
}

export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? closedRoots.get(element) ?? null;
}

export function flatParent(node: Node): Element | null {
  const slot = (node as Partial<Slottable>).assignedSlot;
  if (slot) return slot;
  const parent = node.parentNode;
  if (parent === null) return null;
  if (parent.nodeType === Node.ELEMENT_NODE) {
    if (closedRoots.has(parent as Element)) return closedSlots.get(node) ?? (parent as Element);
    return parent as Element;
  }
  return parent instanceof ShadowRoot ? parent.host : null;
}

/** Child nodes as rendered. */
export function flatChildren(element: Element): NodeListOf<ChildNode> | Node[] {
  const root = shadowOf(element);
  if (root) return root.childNodes;
  if (element.localName === 'slot') {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return element.childNodes;
}

/** Element before this one among its rendered siblings. */
export function flatPreviousSibling(element: Element): Element | null {
  const parent = flatParent(element);
  if (parent?.localName === 'slot' && element.parentNode !== parent) {
    const assigned = (parent as HTMLSlotElement).assignedElements();
    return assigned[assigned.indexOf(element) - 1] ?? null;
  }
  return element.previousElementSibling;
}

export function flatContains(ancestor: Element, node: Node | null): boolean {
  for (let n = node; n !== null; n = flatParent(n)) if (n === ancestor) return true;
  return false;
}

/** Nearest ancestor or self, across shadow roots, for which `test` holds. */
export function flatClosest(node: Node | null, test: (element: Element) => boolean): Element | null {
  for (let n = node; n !== null; n = flatParent(n)) if (isElement(n) && test(n)) return n;
  return null;
}

/** Element by id in the tree that `from` is in. */
export function byId(from: Element, id: string): Element | null {
  const root = from.getRootNode();
  if (root instanceof Document || root instanceof ShadowRoot) return root.getElementById(id);
  return null;
}

/** Elements an id-list attribute (aria-labelledby, aria-controls) points to. */
export function idRefs(element: Element, attribute: string): Element[] {
  const value = element.getAttribute(attribute);
  if (value === null || value === '') return [];
  const found: Element[] = [];
  for (const id of value.trim().split(/\s+/)) {
    const other = byId(element, id);
    if (other) found.push(other);
  }
  return found;
}

/** Focused element, inside shadow roots too. */
export function deepActive(): Element | null {
  let active: Element | null = document.activeElement;
  while (active) {
    const inner: Element | null = shadowOf(active)?.activeElement ?? null;
    if (inner === null) return active;
    active = inner;
  }
  return active;
}

/** Topmost element at a point, inside shadow roots too. */
export function deepAt(x: number, y: number): Element | null {
  let hit = document.elementFromPoint(x, y);
  while (hit) {
    const inner: Element | null = shadowOf(hit)?.elementFromPoint(x, y) ?? null;
    if (inner === null || inner === hit) return hit;
    hit = inner;
  }
  return hit;
}

export function squeeze(text: string): string {
  return text.replace(/[\s\u200b]+/g, ' ').trim();
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
