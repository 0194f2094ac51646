import type { Describer } from './describeTarget.ts';
import { clip, isElement, squeeze } from './dom.ts';

const LABEL_LENGTH = 30;
const labelTags = /^(label|dt|th|b|strong|span|td)$/;

/** What a place on the page is called in an effect. */
export class PlaceNames {
  readonly #describer: Describer;

  constructor(describer: Describer) {
    this.#describer = describer;
  }

  /** What a changed text is called: its control, its own label or id, or what stands before it. */
  labelOf(where: Element): string {
    const owner = this.#describer.owner(where);
    if (owner && !isRow(owner.role)) return `${owner.role} (${this.#describer.reading(owner.element).ref})`;
    const aria = where.getAttribute('aria-label');
    if (aria) return clip(aria, 40);
    const before = textBefore(where);
    if (before !== '') return before;
    if (where.id !== '' && where.id.length <= LABEL_LENGTH) return where.id;
    return /^(alert|status|log|timer)$/.exec(where.getAttribute('role') ?? '')?.[0] ?? '';
  }

  placeOf(element: Element): string {
    const label = this.labelOf(element);
    if (label !== '') return label;
    const text = clip(squeeze(element.textContent ?? ''), 40);
    return text === '' ? element.localName : `${element.localName} "${text}"`;
  }
}

/** Words right before a text, as in `Total: <b>3</b>` or a label, a term, a row's header. */
function textBefore(where: Element): string {
  let node = where.previousSibling;
  if (node?.nodeType === Node.TEXT_NODE && squeeze((node as Text).data) === '') node = node.previousSibling;
  if (node === null) return '';
  if (node.nodeType !== Node.TEXT_NODE && !(isElement(node) && labelTags.test(node.localName))) return '';
  const text = squeeze(node.textContent ?? '').replace(/\s*[:=]$/, '');
  return text.length <= LABEL_LENGTH ? text : '';
}

export function isRow(role: string): boolean {
  return /^(row|listitem|generic|grid|table|treegrid|listbox|tree)$/.test(role);
}
