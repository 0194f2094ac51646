import type { Describer } from './describeTarget.ts';
import { clip, squeeze } from './dom.ts';

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
    if (where.id !== '' && where.id.length <= 30) return where.id;
    const before = where.previousElementSibling;
    if (before && /^(label|dt|th|b|strong|span|td)$/.test(before.localName)) {
      const text = squeeze(before.textContent ?? '').replace(/:$/, '');
      if (text !== '' && text.length <= 30) return text;
    }
    return /^(alert|status|log|timer)$/.exec(where.getAttribute('role') ?? '')?.[0] ?? '';
  }

  placeOf(element: Element): string {
    const label = this.labelOf(element);
    if (label !== '') return label;
    const text = clip(squeeze(element.textContent ?? ''), 40);
    return text === '' ? element.localName : `${element.localName} "${text}"`;
  }
}

export function isRow(role: string): boolean {
  return /^(row|listitem|generic|grid|table|treegrid|listbox|tree)$/.test(role);
}
