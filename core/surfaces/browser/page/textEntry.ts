import type { ScrollParams, ScrollResult, SetValueResult, TextEntry } from '../pageProtocol.ts';
import { deepActive, flatParent, shadowOf } from './dom.ts';
import { fold } from './fold.ts';
import { isOptionDisabled, optionLabel, optionLabels, valueOf } from './values.ts';

const setInputs: Readonly<Record<string, string>> = {
  date: 'yyyy-mm-dd',
  time: 'hh:mm',
  'datetime-local': 'yyyy-mm-ddThh:mm',
  month: 'yyyy-mm',
  week: 'yyyy-Www',
  color: '#rrggbb',
  range: 'a number',
};
const untyped = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'hidden']);

/** How text gets into an element; null when it takes none. */
export function entryKind(element: Element, role: string): TextEntry | null {
  if (element instanceof HTMLInputElement) {
    const type = element.type;
    if (untyped.has(type)) return null;
    if (type === 'file') return { kind: 'file', multiple: element.multiple };
    const format = setInputs[type];
    if (format !== undefined) return { kind: 'set', format };
    return { kind: 'type', multiline: false, rich: false, password: type === 'password' };
  }
  if (element instanceof HTMLTextAreaElement) return { kind: 'type', multiline: true, rich: false, password: false };
  if (element instanceof HTMLSelectElement) return { kind: 'set', format: 'an option', options: optionLabels(element) };
  if ((element as HTMLElement).isContentEditable) return { kind: 'type', multiline: true, rich: true, password: false };
  const field = innerField(element);
  return field && /^(textbox|searchbox|combobox|spinbutton)$/.test(role) ? entryKind(field, role) : null;
}

/** The native field inside a custom one. */
function innerField(element: Element): Element | null {
  return (shadowOf(element) ?? element).querySelector('input:not([type="hidden"]),textarea,[contenteditable="true"]');
}

function fieldOf(element: Element): HTMLElement {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  if ((element as HTMLElement).isContentEditable) return element as HTMLElement;
  return (innerField(element) ?? element) as HTMLElement;
}

export function focusElement(element: Element): boolean {
  const field = element as HTMLElement;
  field.focus({ preventScroll: true });
  const active = deepActive();
  return active !== null && (active === field || field.contains(active));
}

export function selectContent(element: Element): boolean {
  const field = fieldOf(element);
  if (!focusElement(field)) return false;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  else getSelection()?.selectAllChildren(field);
  return true;
}

export function setValue(element: Element, value: string, role: string): SetValueResult {
  if (element instanceof HTMLSelectElement) return pick(element, value);
  const field = fieldOf(element);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) {
    return { status: 'refused', reason: 'it is no field whose value can be set' };
  }
  const before = field.value;
  field.value = value;
  if (field.value !== value && !sameNumber(field.value, value)) {
    const format = field instanceof HTMLInputElement ? (setInputs[field.type] ?? 'another form') : 'another form';
    field.value = before;
    return { status: 'refused', reason: `it does not take this value; it wants ${format}` };
  }
  announce(field);
  return { status: 'set', valueAfter: valueOf(field, role) ?? '' };
}

function sameNumber(a: string, b: string): boolean {
  return a !== '' && Number(a) === Number(b);
}

/** Options by label, one a line for a multiple select; case and accents count only between look-alikes. */
function pick(select: HTMLSelectElement, value: string): SetValueResult {
  const wanted = select.multiple ? value.split('\n').filter((line) => line !== '') : [value];
  const options = [...select.options];
  const picked: HTMLOptionElement[] = [];
  for (const label of wanted) {
    const option =
      options.find((o) => optionLabel(o) === label.trim()) ??
      options.find((o) => fold(optionLabel(o)) === fold(label)) ??
      options.find((o) => o.value === label);
    if (!option)
      return { status: 'refused', reason: `it has no option "${label}"; it has ${optionLabels(select).join(', ')}` };
    if (isOptionDisabled(option)) {
      return { status: 'refused', reason: `its option "${label}" is disabled` };
    }
    picked.push(option);
  }
  for (const option of options) option.selected = picked.includes(option);
  announce(select);
  return { status: 'set', valueAfter: valueOf(select, 'combobox') ?? '' };
}

function announce(field: HTMLElement): void {
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Share of a viewport that one step scrolls. */
const STEP = 0.8;

function scrollerOf(element: Element, across: boolean): Element {
  for (let n: Element | null = element; n; n = flatParent(n)) {
    if (n === document.body || n === document.documentElement) break;
    const room = across ? n.scrollWidth - n.clientWidth : n.scrollHeight - n.clientHeight;
    if (room <= 0) continue;
    const style = getComputedStyle(n);
    if (/auto|scroll|overlay/.test(across ? style.overflowX : style.overflowY)) return n;
  }
  return document.scrollingElement ?? document.documentElement;
}

export function scrollElement(
  element: Element,
  to: ScrollParams['to'],
  refOf: (element: Element) => string,
): ScrollResult {
  const scroller = scrollerOf(element, to === 'left' || to === 'right');
  const before = { x: scroller.scrollLeft, y: scroller.scrollTop };
  if (to === 'into_view') element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  else scroller.scrollTo({ ...goal(scroller, to), behavior: 'instant' });
  return {
    moved: scroller.scrollLeft !== before.x || scroller.scrollTop !== before.y,
    scroller: scroller === document.scrollingElement ? 'page' : refOf(scroller),
    x: scroller.scrollLeft,
    y: scroller.scrollTop,
    maxX: scroller.scrollWidth - scroller.clientWidth,
    maxY: scroller.scrollHeight - scroller.clientHeight,
  };
}

function goal(scroller: Element, to: Exclude<ScrollParams['to'], 'into_view'>): { left: number; top: number } {
  const { scrollLeft: left, scrollTop: top, clientHeight, clientWidth } = scroller;
  if (typeof to === 'number') return { left, top: top + to };
  switch (to) {
    case 'up':
      return { left, top: top - clientHeight * STEP };
    case 'down':
      return { left, top: top + clientHeight * STEP };
    case 'left':
      return { left: left - clientWidth * STEP, top };
    case 'right':
      return { left: left + clientWidth * STEP, top };
    case 'top':
      return { left, top: 0 };
    case 'bottom':
      return { left, top: scroller.scrollHeight };
  }
}
