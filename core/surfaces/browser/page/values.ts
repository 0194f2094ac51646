import type { PageState } from '../pageProtocol.ts';
import { clip, deepActive, flatParent, squeeze } from './dom.ts';

const MASK = '••••';
const OPTIONS_LISTED = 50;
const VALUE_LENGTH = 200;

export function isPassword(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'password';
}

export function optionLabel(option: HTMLOptionElement): string {
  return squeeze(option.label === '' ? option.text : option.label);
}

export function selectedLabels(select: HTMLSelectElement): string[] {
  return [...select.selectedOptions].map(optionLabel);
}

export function isOptionDisabled(option: HTMLOptionElement): boolean {
  return option.disabled || option.parentElement?.matches('optgroup:disabled') === true;
}

export function optionLabels(select: HTMLSelectElement): string[] {
  const labels: string[] = [];
  for (const option of select.options) {
    if (labels.length === OPTIONS_LISTED) break;
    labels.push(isOptionDisabled(option) ? `${optionLabel(option)} (disabled)` : optionLabel(option));
  }
  return labels;
}

const valuelessInputs = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'hidden']);

/** Whole value of a field, passwords masked; null for what has no value. */
export function valueOf(element: Element, role: string): string | null {
  if (element instanceof HTMLInputElement) {
    if (valuelessInputs.has(element.type)) return null;
    if (element.type === 'password') return element.value === '' ? '' : MASK;
    if (element.type === 'file') return [...(element.files ?? [])].map((file) => file.name).join(', ');
    return element.value;
  }
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLSelectElement) return selectedLabels(element).join(', ');
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return editedText(element as HTMLElement);
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'separator':
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
    case 'combobox':
      return element.getAttribute('aria-valuetext') ?? squeeze(element.textContent ?? '');
    default:
      return null;
  }
}

/** An editable region that was emptied keeps a line break for the caret to stand in. */
function editedText(element: HTMLElement): string {
  const text = element.innerText ?? '';
  return text === '\n' ? '' : text;
}

export function shortValue(value: string): string {
  return clip(value, VALUE_LENGTH);
}

export function isDisabled(element: Element): boolean {
  if (element.matches(':disabled')) return true;
  for (let n: Element | null = element; n; n = flatParent(n)) {
    const aria = n.getAttribute('aria-disabled');
    if (aria !== null) return aria === 'true';
  }
  return false;
}

export function isReadOnly(element: Element): boolean {
  if (element.getAttribute('aria-readonly') === 'true') return true;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.readOnly;
  return false;
}

function checkedState(element: Element, role: string): PageState | null {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    if (element.indeterminate) return 'mixed';
    return element.checked ? 'checked' : null;
  }
  if (!/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role)) return null;
  const aria = element.getAttribute('aria-checked');
  if (aria === 'mixed') return 'mixed';
  return aria === 'true' ? 'checked' : null;
}

function expandedState(element: Element): PageState | null {
  if (element.localName === 'summary') return element.parentElement?.hasAttribute('open') ? 'expanded' : 'collapsed';
  const aria = element.getAttribute('aria-expanded');
  if (aria === 'true') return 'expanded';
  if (aria === 'false') return 'collapsed';
  const popover = (element as Partial<HTMLButtonElement>).popoverTargetElement;
  if (popover) return popover.matches(':popover-open') ? 'expanded' : 'collapsed';
  return null;
}

export function statesOf(element: Element, role: string, active: Element | null = deepActive()): PageState[] {
  const states: PageState[] = [];
  const add = (state: PageState | null | false) => state && states.push(state);
  add(isDisabled(element) && 'disabled');
  add(checkedState(element, role));
  add(expandedState(element));
  add(element.getAttribute('aria-selected') === 'true' && 'selected');
  add(isRequired(element) && 'required');
  add(isReadOnly(element) && 'readonly');
  add(active === element && element !== document.body && 'focused');
  add(isInvalid(element) && 'invalid');
  const pressed = element.getAttribute('aria-pressed');
  add(pressed === 'true' && 'pressed');
  add(pressed === 'mixed' && 'mixed');
  return states;
}

function isRequired(element: Element): boolean {
  return element.getAttribute('aria-required') === 'true' || (element as Partial<HTMLInputElement>).required === true;
}

function isInvalid(element: Element): boolean {
  const aria = element.getAttribute('aria-invalid');
  if (aria !== null) return aria !== '' && aria !== 'false';
  // A field nobody has touched is not told off: `:user-invalid` is what a person sees in red.
  return element.matches(':user-invalid');
}
