import { controlRoles, focusableRoles } from './roleTables.ts';
import { isEditingHost, isNativeControl, roleOf } from './roles.ts';

export interface Classified {
  readonly kind: 'target' | 'heading' | 'frame';
  readonly role: string;
  /** Only the pointer cursor says that it can be pressed. */
  readonly byCursor?: true;
}

const announced = new Set(['canvas', 'video', 'embed', 'object']);

/** What an element is to the index by its markup alone; null when nothing. */
export function classify(element: Element): Classified | null {
  const tag = element.localName;
  if (tag === 'iframe' || tag === 'frame') return { kind: 'frame', role: 'iframe' };
  if (!element.hasAttributes()) {
    if (/^h[1-6]$/.test(tag)) return { kind: 'heading', role: 'heading' };
    if (!isNativeControl(element) && !announced.has(tag)) return null;
  }
  const role = roleOf(element);
  if (isTarget(element, tag, role)) return { kind: 'target', role: targetRole(element, role) };
  if (role === 'heading') return { kind: 'heading', role };
  return null;
}

function isTarget(element: Element, tag: string, role: string): boolean {
  if (isNativeControl(element) || controlRoles.has(role) || announced.has(tag)) return true;
  if (tag === 'audio') return element.hasAttribute('controls');
  if (isEditingHost(element)) return true;
  if (element.hasAttribute('onclick') && tag !== 'body' && tag !== 'html') return true;
  if (role === 'listbox') return true;
  if (element.hasAttribute('aria-rowcount') || element.hasAttribute('aria-haspopup')) return true;
  if (element.getAttribute('draggable') === 'true') return true;
  const tabindex = element.getAttribute('tabindex');
  if (tabindex === null || !focusableRoles.has(role)) return false;
  // Cells take turns at being reached by Tab: -1 does not make them any less pressable.
  return Number.parseInt(tabindex, 10) >= 0 || /^(gridcell|columnheader|rowheader)$/.test(role);
}

function targetRole(element: Element, role: string): string {
  if (role === 'generic' && isEditingHost(element)) return 'textbox';
  return role;
}

/**
 * A pointer cursor that starts here makes a plain element a target, unless all it shows is one
 * control (a wrapper, which would only double it).
 */
export function wrapsOnly(element: Element, inner: Element): boolean {
  const own = (element.textContent ?? '').trim();
  return own === '' || own === (inner.textContent ?? '').trim();
}

/** Tags whose pointer cursor says nothing: labels pass the press on, the rest is text or drawing. */
export const cursorless = new Set([
  'label',
  'button',
  'a',
  'input',
  'select',
  'textarea',
  'html',
  'body',
  'option',
  'optgroup',
  'path',
  'g',
  'use',
  'b',
  'i',
  'em',
  'strong',
]);
