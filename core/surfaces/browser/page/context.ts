import { flatParent } from './dom.ts';
import type { Entry } from './entry.ts';
import { fold, foldIdentifier } from './fold.ts';
import type { NameCache } from './nameCache.ts';
import { nameOf } from './names.ts';
import { contextRoles, rowRoles } from './roleTables.ts';
import { roleOf } from './roles.ts';
import { isCard, rowKey } from './rows.ts';

const contextTags =
  /^(form|fieldset|section|article|nav|aside|main|header|footer|dialog|table|tr|li|details|figure|search)$/;

/** Words by which people call a container, beside its name. */
const kindWords: Readonly<Record<string, string>> = {
  form: 'form',
  fieldset: 'group section',
  section: 'section',
  nav: 'navigation nav menu',
  aside: 'sidebar',
  header: 'header top',
  footer: 'footer bottom',
  dialog: 'dialog popup modal',
  table: 'table',
  tr: 'row',
  li: 'item',
  details: 'section',
  search: 'search',
  alertdialog: 'dialog popup modal',
  navigation: 'navigation nav menu',
  complementary: 'sidebar',
  region: 'section',
  group: 'group',
  radiogroup: 'group',
  banner: 'header top',
  contentinfo: 'footer bottom',
  row: 'row',
  listitem: 'item',
  article: 'card item',
  tabpanel: 'tab panel',
  toolbar: 'toolbar',
  menu: 'menu',
  menubar: 'menu',
  listbox: 'list',
  list: 'list',
  tree: 'tree',
  grid: 'table grid',
  card: 'row card item',
};

/** Children looked at again when one comes or goes. */
const FORGOTTEN = 20;
/** Nearest container at or above an element: neighbours share the way up. */
const nearest = new WeakMap<Element, Element | null>();

/** Nearest ancestor whose name or row helps to find what is inside. */
export function containerOf(entry: Entry): Element | null {
  return containerAbove(entry.element);
}

function containerAbove(element: Element): Element | null {
  const parent = flatParent(element);
  if (parent === null) return null;
  const known = nearest.get(parent);
  if (known !== undefined && known?.isConnected !== false) return known;
  const container = isContainer(parent) ? parent : containerAbove(parent);
  nearest.set(parent, container);
  return container;
}

/** Children came or went: what is a card among its like may have changed, and who is inside what. */
export function forgetContainers(root: Element): void {
  nearest.delete(root);
  for (
    let child = root.firstElementChild, left = FORGOTTEN;
    child && left > 0;
    child = child.nextElementSibling, left--
  ) {
    nearest.delete(child);
  }
}

function isContainer(element: Element): boolean {
  if (contextTags.test(element.localName)) return true;
  if (!element.hasAttributes()) return false;
  const role = element.getAttribute('role');
  if (role !== null && contextRoles.has(role)) return true;
  return isCard(element);
}

/** Folded words of a container alone, with a space at both ends. */
export function containerWords(element: Element, names: NameCache): string {
  return names.derived(element, 'words', () => {
    const tag = element.localName;
    const role = element.getAttribute('role') ?? tag;
    const isRow = tag === 'tr' || tag === 'li' || rowRoles.has(role) || (tag === role && isCard(element));
    const parts = [fold(nameOf(element, roleOf(element) === 'row' ? 'group' : roleOf(element))), kindWords[role] ?? ''];
    if (isRow) parts.push(fold(rowKey(element, names)), kindWords[tag] ?? 'row');
    else parts.push(foldIdentifier(element.id), foldIdentifier(element.getAttribute('name') ?? ''));
    return ` ${parts.filter((part) => part !== '').join(' ')} `;
  });
}

interface OpenHeading {
  readonly entry: Entry;
  readonly scope: Element | null;
  readonly level: number;
}

/**
 * Headings over an entry while entries are visited in reading order: a heading names what follows
 * it inside its own container, until another of its level or above.
 */
export class HeadingTrail {
  #open: OpenHeading[] = [];
  readonly #parents = new Map<Element, Element | null>();

  /** The headings over `entry`, outermost first. */
  visit(entry: Entry): readonly OpenHeading[] {
    const container = entry.kind === 'heading' ? headingScope(entry) : containerOf(entry);
    while (this.#open.length > 0 && !this.#isWithin(container, this.#open.at(-1)?.scope ?? null)) this.#open.pop();
    if (entry.kind === 'heading') {
      const level = levelOf(entry.element);
      while ((this.#open.at(-1)?.level ?? 0) >= level && this.#open.at(-1)?.scope === container) this.#open.pop();
      this.#open.push({ entry, scope: container, level });
    }
    return this.#open;
  }

  parent(container: Element): Element | null {
    let parent = this.#parents.get(container);
    if (parent === undefined) this.#parents.set(container, (parent = containerAbove(container)));
    return parent;
  }

  #isWithin(container: Element | null, scope: Element | null): boolean {
    if (scope === null) return true;
    for (let n = container; n; n = this.parent(n)) if (n === scope) return true;
    return false;
  }
}

/** A heading inside a page or card header names what that header is of. */
function headingScope(entry: Entry): Element | null {
  const container = containerOf(entry);
  return container?.localName === 'header' ? containerAbove(container) : container;
}

function levelOf(element: Element): number {
  const aria = Number.parseInt(element.getAttribute('aria-level') ?? '', 10);
  if (aria > 0) return aria;
  return Number.parseInt(/^h([1-6])$/.exec(element.localName)?.[1] ?? '2', 10);
}
