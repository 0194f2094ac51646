import type { PageReading } from '../pageProtocol.ts';

/** One element the index keeps: something to work, a heading (it names what follows), or a frame. */
export interface Entry {
  readonly element: Element;
  kind: 'target' | 'heading' | 'frame';
  role: string;
  /** A native field with a value that may be read (`value`), or that is only on or off (`state`). */
  readonly field: 'value' | 'secret' | 'state' | null;
  /** As of the last scan; a listed entry is looked at again. */
  hidden: boolean;
  /** Caches, null when out of date. `words` is the folded own text with a space at both ends. */
  name: string | null;
  words: string | null;
  /** Age of `name`: names of another epoch are out of date. */
  epoch: number;
  /** Place in reading order, valid after `PageIndex.update`. */
  position: number;
  previous: Entry | null;
  next: Entry | null;
  linked: boolean;
  /** Last viewport box and when it was measured: tells whether the element has been standing still. */
  box: { x: number; y: number; width: number; height: number; at: number } | null;
  /** What each reader was last shown. */
  shown: Map<string, PageReading> | null;
}

function newEntry(element: Element): Entry {
  return {
    element,
    kind: 'target',
    role: 'generic',
    field: fieldKind(element),
    hidden: false,
    name: null,
    words: null,
    epoch: 0,
    position: 0,
    previous: null,
    next: null,
    linked: false,
    box: null,
    shown: null,
  };
}

function fieldKind(element: Element): Entry['field'] {
  const tag = element.localName;
  if (tag === 'select' || tag === 'textarea') return 'value';
  if (tag !== 'input') return null;
  const type = (element as HTMLInputElement).type;
  if (type === 'password') return 'secret';
  return /^(checkbox|radio|button|submit|reset|image)$/.test(type) ? 'state' : 'value';
}

/** Entries by element, for as long as the element lives: a node that comes back keeps its ref. */
const entries = new WeakMap<Element, Entry>();

export function entryOf(element: Element): Entry | undefined {
  return entries.get(element);
}

export function ensureEntry(element: Element): Entry {
  let entry = entries.get(element);
  if (!entry) entries.set(element, (entry = newEntry(element)));
  return entry;
}
