import { isDrawn } from './boxes.ts';
import { flatChildren, idRefs, isElement, shadowOf, squeeze } from './dom.ts';
import { drawnText, generatedText } from './generatedText.ts';
import { labelsOf } from './labels.ts';
import { namedByContent } from './roleTables.ts';
import { roleOf } from './roles.ts';
import { selectedLabels } from './values.ts';

/** Accessible name (AccName 1.2; host language per HTML-AAM 1.0), white space squeezed. */
export function nameOf(element: Element, role: string = roleOf(element)): string {
  const label = element.getAttribute('aria-label');
  if (label !== null && label.trim() !== '' && !element.hasAttribute('aria-labelledby')) return squeeze(label);
  return squeeze(compute(element, role, { seen: new Set(), inLabelledBy: false, inContent: false }));
}

/** Text of an element as a label or heading would read. */
export function contentOf(element: Element): string {
  return squeeze(content(element, { seen: new Set([element]), inLabelledBy: false, inContent: true }));
}

interface Walk {
  readonly seen: Set<Element>;
  /** Inside an aria-labelledby reference: further references are not followed (2B). */
  readonly inLabelledBy: boolean;
  /** Below the element that is being named. */
  readonly inContent: boolean;
  /** The reference itself is hidden: then all of it counts, as Chromium has it. */
  readonly hiddenToo?: boolean;
}

function compute(element: Element, role: string, walk: Walk): string {
  if (walk.seen.has(element) && walk.inContent) return '';
  if (!walk.inLabelledBy) {
    const byReference = labelledBy(element, walk);
    if (byReference !== null && byReference.trim() !== '') return byReference;
  }
  walk.seen.add(element);
  if (walk.inContent) {
    const embedded = embeddedValue(element, role);
    if (embedded !== null) return embedded;
  }
  const ariaLabel = element.getAttribute('aria-label');
  if (ariaLabel !== null && ariaLabel.trim() !== '') return ariaLabel;
  const native = role === 'none' ? null : nativeName(element, walk);
  if (native !== null && native.trim() !== '') return native;
  if (namedByContent.has(role) || walk.inContent || element.localName === 'summary') {
    const text = content(element, walk);
    if (text.trim() !== '') return text;
  }
  const title = role === 'none' ? null : element.getAttribute('title');
  if (title !== null && title.trim() !== '') return title;
  return placeholderOf(element) ?? '';
}

function labelledBy(element: Element, walk: Walk): string | null {
  if (!element.hasAttribute('aria-labelledby')) return null;
  const parts: string[] = [];
  for (const other of idRefs(element, 'aria-labelledby')) {
    const seen = new Set(walk.seen);
    if (other !== element) seen.add(element);
    const hiddenToo = !isDrawn(other);
    parts.push(compute(other, roleOf(other), { seen, inLabelledBy: true, inContent: true, hiddenToo }));
  }
  return parts.join(' ');
}

/** 2C: a control inside a label stands for its value. */
function embeddedValue(element: Element, role: string): string | null {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      if (element instanceof HTMLInputElement) return element.type === 'password' ? '' : element.value;
      if (element instanceof HTMLTextAreaElement) return element.value;
      return element.textContent ?? '';
    case 'combobox':
    case 'listbox':
      if (element instanceof HTMLSelectElement) return selectedLabels(element).join(' ');
      if (element instanceof HTMLInputElement) return element.value;
      return squeeze(element.querySelector('[aria-selected="true"]')?.textContent ?? '');
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'meter':
    case 'progressbar':
      if (element instanceof HTMLInputElement) return element.value;
      if (element instanceof HTMLProgressElement || element instanceof HTMLMeterElement) return String(element.value);
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
    default:
      return null;
  }
}

function nativeName(element: Element, walk: Walk): string | null {
  switch (element.localName) {
    case 'input':
      return inputName(element as HTMLInputElement, walk);
    case 'button':
    case 'select':
    case 'textarea':
    case 'meter':
    case 'progress':
    case 'output':
      return fromLabels(element, walk);
    case 'img':
    case 'area':
      return element.getAttribute('alt');
    case 'fieldset':
      return firstChildText(element, 'legend', walk);
    case 'figure':
      return firstChildText(element, 'figcaption', walk);
    case 'table':
      return firstChildText(element, 'caption', walk);
    case 'svg':
      return firstChildText(element, 'title', walk);
    case 'optgroup':
      return element.getAttribute('label');
    case 'option':
      return element.getAttribute('label') ?? (element as HTMLOptionElement).text;
    default:
      return element.localName.includes('-') ? fromLabels(element, walk) : null;
  }
}

function inputName(input: HTMLInputElement, walk: Walk): string | null {
  const labelled = fromLabels(input, walk);
  if (labelled !== null && labelled.trim() !== '') return labelled;
  switch (input.type) {
    case 'submit':
      return input.getAttribute('value') ?? 'Submit';
    case 'reset':
      return input.getAttribute('value') ?? 'Reset';
    case 'button':
      return input.getAttribute('value');
    case 'image':
      return input.getAttribute('alt') ?? input.getAttribute('value') ?? input.getAttribute('title') ?? 'Submit';
    default:
      return null;
  }
}

function fromLabels(control: Element, walk: Walk): string | null {
  if (walk.inContent) return null;
  const labels = labelsOf(control);
  if (labels.length === 0) return null;
  return labels.map((label) => compute(label, 'generic', { ...walk, inLabelledBy: true, inContent: true })).join(' ');
}

function firstChildText(element: Element, tag: string, walk: Walk): string | null {
  for (const child of element.children) {
    if (child.localName === tag) return content(child, { ...walk, inContent: true });
  }
  return null;
}

function placeholderOf(element: Element): string | null {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    return element.getAttribute('placeholder') ?? element.getAttribute('aria-placeholder');
  }
  return element.getAttribute('aria-placeholder');
}

/** 2F: text of the rendered children, in flat-tree order, then of aria-owns. */
function content(element: Element, walk: Walk): string {
  if (element.childElementCount === 0 && shadowOf(element) === null && !element.hasAttribute('aria-owns')) {
    const own =
      element.localName === 'slot'
        ? slotText(element as HTMLSlotElement, walk)
        : drawnText(element, element.textContent ?? '');
    return generatedText(element, '::before') + own + generatedText(element, '::after');
  }
  let text = generatedText(element, '::before');
  for (const node of flatChildren(element)) text += nodeText(node, element, walk);
  for (const owned of idRefs(element, 'aria-owns'))
    text += ` ${compute(owned, roleOf(owned), { ...walk, inContent: true })} `;
  return text + generatedText(element, '::after');
}

function slotText(slot: HTMLSlotElement, walk: Walk): string {
  let text = '';
  for (const node of flatChildren(slot)) text += nodeText(node, slot, walk);
  return text;
}

function nodeText(node: Node, parent: Element, walk: Walk): string {
  if (node.nodeType === Node.TEXT_NODE) return drawnText(parent, (node as Text).data);
  if (!isElement(node)) return '';
  const tag = node.localName;
  if (tag === 'br') return ' ';
  if (unspoken.has(tag)) return '';
  if (node.getAttribute('aria-hidden') === 'true' && !walk.hiddenToo) return '';
  // A branch is called by its own line, not by its leaves.
  if (node.getAttribute('role') === 'group' && parent.getAttribute('role') === 'treeitem') return '';
  const style = getComputedStyle(node);
  const display = style.display;
  const hidden = display === 'none' || (style.visibility !== 'visible' && !hasVisibleChild(node));
  if (hidden && !walk.hiddenToo) return '';
  const text = compute(node, roleOf(node), { ...walk, inContent: true });
  return (display === 'inline' && !replaced.has(tag)) || display === 'contents' ? text : ` ${text} `;
}

/** Never part of a name: not rendered, or beside the text as the reading of ruby is. */
const unspoken = new Set(['script', 'style', 'template', 'noscript', 'rt', 'rp']);
/** Drawn in the line, yet apart from its words. */
const replaced = new Set(['canvas', 'iframe', 'video', 'audio', 'object', 'embed', 'meter', 'progress']);

function hasVisibleChild(element: Element): boolean {
  for (const child of element.children) if (getComputedStyle(child).visibility === 'visible') return true;
  return false;
}
