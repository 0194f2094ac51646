import type { PageBox, PageReading, PageTarget } from '../pageProtocol.ts';
import { Clips, boxOf, faceOf, isClippedAway, rounded } from './boxes.ts';
import { clip, deepActive, flatParent } from './dom.ts';
import type { Entry } from './entry.ts';
import { ensureEntry, entryOf } from './entry.ts';
import type { NameCache } from './nameCache.ts';
import type { Refs } from './refs.ts';
import { roleOf } from './roles.ts';
import { rowKey, rowOf } from './rows.ts';
import { optionLabels, shortValue, statesOf, valueOf } from './values.ts';
import { declaredExtent, declaredNote } from './virtualLists.ts';

const NAME_LENGTH = 150;

/** Turns entries into what agents are told. */
export class Describer {
  readonly #refs: Refs;
  readonly #names: NameCache;

  constructor(refs: Refs, names: NameCache) {
    this.#refs = refs;
    this.#names = names;
  }

  entry(element: Element): Entry {
    const entry = ensureEntry(element);
    if (!entry.linked && entry.role === 'generic') entry.role = roleOf(element);
    return entry;
  }

  reading(element: Element): PageReading {
    const entry = this.entry(element);
    const name = clip(this.#names.name(entry), NAME_LENGTH);
    const row = rowOf(element);
    const key = row ? rowKey(row, this.#names) : '';
    return {
      ref: this.#refs.of(element),
      role: entry.role,
      ...(name === '' ? {} : { name }),
      ...(key === '' || key === name ? {} : { row: key }),
    };
  }

  target(element: Element, clips: Clips = new Clips(), active: Element | null = deepActive()): PageTarget {
    const reading = this.reading(element);
    const value = valueOf(element, reading.role);
    const states = statesOf(element, reading.role, active);
    const face = faceOf(element);
    const box = boxOf(face);
    const note = this.#note(element, reading.role, box);
    return {
      ...reading,
      ...(value === null || (value === '' && reading.role !== 'textbox') ? {} : { value: shortValue(value) }),
      ...(states.length > 0 ? { states } : {}),
      bounds: rounded(box),
      in_view: clips.visiblePart(face, box) !== null,
      ...(element instanceof HTMLSelectElement ? { options: optionLabels(element) } : {}),
      ...(note === null ? {} : { note }),
    };
  }

  /** The page as a target: keys and scrolling go to it. */
  document(): PageTarget {
    const name = clip(document.title, NAME_LENGTH);
    return {
      ref: 'page',
      role: 'document',
      ...(name === '' ? {} : { name }),
      bounds: { x: 0, y: 0, width: innerWidth, height: innerHeight },
      in_view: true,
    };
  }

  #note(element: Element, role: string, box: PageBox): string | null {
    const notes: string[] = [];
    if (element instanceof HTMLCanvasElement) {
      notes.push(`canvas ${Math.round(box.width)}x${Math.round(box.height)}: work it by press at:x,y after a picture`);
    } else if (element instanceof HTMLVideoElement) {
      notes.push(`video ${Math.round(box.width)}x${Math.round(box.height)}, ${element.paused ? 'paused' : 'playing'}`);
    } else if (element instanceof HTMLInputElement) {
      const format = formats[element.type];
      if (format !== undefined) notes.push(format);
      if (element.type === 'range' || element.type === 'number') notes.push(...rangeNote(element));
    }
    const extent = declaredExtent(element, role);
    if (extent !== null) notes.push(declaredNote(extent));
    if (isClippedAway(element, box)) notes.push('seen only when focused: press it with key:Enter');
    return notes.length === 0 ? null : notes.join('; ');
  }

  /** Words for an element in the way: `dialog "Cookie consent" (e91)`. */
  naming(element: Element): string {
    const { ref, role, name } = this.reading(element);
    const called = name ?? element.id;
    const kind = plainRole(element, role);
    return called === '' ? `${kind} (${ref})` : `${kind} "${clip(called, 60)}" (${ref})`;
  }

  /** Nearest indexed element over a node. */
  owner(node: Node): Entry | null {
    for (let n: Node | null = node; n; n = flatParent(n)) {
      const entry = n instanceof Element ? entryOf(n) : undefined;
      if (entry?.linked && entry.kind === 'target') return entry;
    }
    return null;
  }
}

function plainRole(element: Element, role: string): string {
  if (role !== 'generic' && role !== 'none') return role;
  return element.localName === 'div' || element.localName === 'span' ? 'element' : element.localName;
}

const formats: Readonly<Record<string, string>> = {
  date: 'date: yyyy-mm-dd',
  time: 'time: hh:mm',
  'datetime-local': 'date and time: yyyy-mm-ddThh:mm',
  month: 'month: yyyy-mm',
  week: 'week: yyyy-Www',
  color: 'colour: #rrggbb',
  file: 'file upload',
};

function rangeNote(input: HTMLInputElement): string[] {
  const min = input.min || (input.type === 'range' ? '0' : '');
  const max = input.max || (input.type === 'range' ? '100' : '');
  if (min === '' && max === '') return [];
  if (min === '') return [`at most ${max}`];
  return [max === '' ? `at least ${min}` : `${min} to ${max}`];
}
