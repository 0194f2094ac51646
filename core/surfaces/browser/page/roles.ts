import { byId, flatParent, shadowOf } from './dom.ts';
import { globalAria, inputRoles, knownRoles, tagRoles } from './roleTables.ts';

/** Role per WAI-ARIA 1.2 and HTML-AAM; `generic` when there is none. */
export function roleOf(element: Element): string {
  const attribute = element.getAttribute('role');
  if (attribute !== null && attribute !== '') {
    const explicit = explicitRole(element, attribute);
    if (explicit !== null) return explicit;
  }
  return implicitRole(element);
}

function explicitRole(element: Element, attribute: string): string | null {
  for (const token of attribute.toLowerCase().trim().split(/\s+/)) {
    if (!knownRoles.has(token)) continue;
    if (token === 'none' || token === 'presentation') {
      // A focusable or globally described element keeps its own role.
      if (isFocusable(element) || globalAria.some((name) => element.hasAttribute(name))) return null;
      return 'none';
    }
    if (token === 'image') return 'img';
    if (token === 'directory') return 'list';
    if ((token === 'form' || token === 'region') && !hasAuthorName(element)) return null;
    return token;
  }
  return null;
}

function implicitRole(element: Element): string {
  const tag = element.localName;
  switch (tag) {
    case 'div':
    case 'span':
      return 'generic';
    case 'a':
    case 'area':
      return element.hasAttribute('href') || element.hasAttribute('xlink:href') ? 'link' : 'generic';
    case 'input':
      return inputRole(element as HTMLInputElement);
    case 'select':
      return (element as HTMLSelectElement).multiple || (element as HTMLSelectElement).size > 1
        ? 'listbox'
        : 'combobox';
    case 'img':
      return element.getAttribute('alt') === '' && !hasAriaName(element) ? 'none' : 'img';
    case 'td':
      return isInGrid(element) ? 'gridcell' : 'cell';
    case 'th':
      return headerCellRole(element);
    case 'section':
      return hasAuthorName(element) ? 'region' : 'generic';
    case 'form':
      return hasAuthorName(element) ? 'form' : 'generic';
    case 'header':
      return isScopedToSection(element) ? 'generic' : 'banner';
    case 'footer':
      return isScopedToSection(element) ? 'generic' : 'contentinfo';
    case 'summary':
      return isDetailsSummary(element) ? 'button' : 'generic';
    default:
      return tagRoles[tag] ?? 'generic';
  }
}

function inputRole(input: HTMLInputElement): string {
  const type = input.type;
  const role = inputRoles[type];
  if (role !== undefined && role !== 'searchbox') return role;
  const list = input.getAttribute('list');
  if (list !== null && ['text', 'search', 'email', 'tel', 'url'].includes(type) && byId(input, list)) return 'combobox';
  return role ?? 'textbox';
}

function headerCellRole(cell: Element): string {
  const scope = cell.getAttribute('scope');
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = cell.parentElement;
  if (row?.parentElement?.localName === 'thead') return 'columnheader';
  const alone = row !== null && [...row.children].every((other) => other === cell || other.localName === 'td');
  return alone && row.children.length > 1 ? 'rowheader' : 'columnheader';
}

function isInGrid(cell: Element): boolean {
  const role = cell.closest('table')?.getAttribute('role');
  return role === 'grid' || role === 'treegrid';
}

function isScopedToSection(element: Element): boolean {
  for (let parent = flatParent(element); parent; parent = flatParent(parent)) {
    if (/^(article|aside|main|nav|section)$/.test(parent.localName)) return true;
    const role = parent.getAttribute('role');
    if (role !== null && /^(article|complementary|main|navigation|region)$/.test(role)) return true;
  }
  return false;
}

function isDetailsSummary(element: Element): boolean {
  const parent = element.parentElement;
  if (parent?.localName !== 'details') return false;
  for (const child of parent.children) if (child.localName === 'summary') return child === element;
  return false;
}

function hasAriaName(element: Element): boolean {
  return (element.getAttribute('aria-label') ?? '').trim() !== '' || element.hasAttribute('aria-labelledby');
}

function hasAuthorName(element: Element): boolean {
  return hasAriaName(element) || (element.getAttribute('title') ?? '').trim() !== '';
}

/** Native controls that take the focus when enabled. */
export function isNativeControl(element: Element): boolean {
  switch (element.localName) {
    case 'a':
    case 'area':
      return element.hasAttribute('href');
    case 'input':
      return (element as HTMLInputElement).type !== 'hidden';
    case 'button':
    case 'select':
    case 'textarea':
      return true;
    case 'summary':
      return isDetailsSummary(element);
    default:
      return false;
  }
}

function isFocusable(element: Element): boolean {
  if (isNativeControl(element)) return !element.matches(':disabled');
  if (element.hasAttribute('tabindex')) return true;
  return isEditingHost(element);
}

/** Outermost element of an editable region. */
export function isEditingHost(element: Element): boolean {
  const value = element.getAttribute('contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && shadowOf(element) === null;
}
