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

export function virtualNote(element: Element, role: string): string | null {
  const selector = itemSelector[role];
  if (selector === undefined) return null;
  const rows = positive(element.getAttribute('aria-rowcount'));
  const items = element.querySelectorAll(selector);
  if (rows !== null && rows > items.length) return `virtual: ${items.length} of ${rows} rows rendered; scroll it for more`;
  const size = positive(items[0]?.getAttribute('aria-setsize') ?? null);
  if (size !== null && size > items.length) return `virtual list: ${items.length} of ${size} rendered; scroll it for more`;
  return null;
}

export function positive(value: string | null): number | null {
  const number = Number.parseInt(value ?? '', 10);
  return number > 0 ? number : null;
}

/** Rows that a virtual list has and does not draw. */
export function missingRows(element: Element, role: string): number {
  const selector = itemSelector[role];
  if (selector === undefined) return 0;
  const items = element.querySelectorAll(selector);
  const size = positive(element.getAttribute('aria-rowcount')) ?? positive(items[0]?.getAttribute('aria-setsize') ?? null);
  return size === null ? 0 : Math.max(0, size - items.length);
}
