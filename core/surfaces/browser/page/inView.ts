import { boxOf } from './boxes.ts';
import type { Entry } from './entry.ts';
import { entryOf } from './entry.ts';

/** Up to so many are measured one by one; beyond, by samples. */
const MEASURED_ONE_BY_ONE = 1_500;
const STRIDE = 32;

type Side = 'in' | 'before' | 'after' | 'none';

/**
 * Entries whose box meets the viewport, in reading order. A box costs about 2 µs, so of a long list
 * only every 32nd is measured, and what lies between two on the same outer side of the viewport is
 * taken to be there too. What is fixed or on top may stand anywhere in the list and is measured.
 */
export function entriesInView(list: readonly Entry[], fixed: Iterable<Element>): Entry[] {
  if (list.length <= MEASURED_ONE_BY_ONE) return list.filter((entry) => sideOf(entry) === 'in');
  const onTop = entriesOnTop(fixed);
  const found: Entry[] = [];
  let left = sampleAt(list, 0);
  for (let start = 0; start < list.length; start += STRIDE) {
    const end = Math.min(start + STRIDE, list.length);
    const right = sampleAt(list, Math.min(end, list.length - 1));
    const skip = left === right && (left === 'before' || left === 'after');
    for (let i = start; i < end; i++) {
      const entry = list[i];
      if (entry && (!skip || onTop.has(entry)) && sideOf(entry) === 'in') found.push(entry);
    }
    left = right;
  }
  return found;
}

const LAYERS =
  'dialog[open],[popover]:popover-open,[role="dialog"],[role="alertdialog"],[role="menu"],header,nav,aside,[role="toolbar"]';
const INSIDE = 'a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick]';
const LAYERS_MEASURED = 100;
const TARGETS_IN_LAYER = 200;

/** Targets in layers that stand apart from the flow, known by markup or by their fixed position. */
function entriesOnTop(fixed: Iterable<Element>): Set<Entry> {
  const layers = new Set([...fixed, ...document.querySelectorAll(LAYERS)].slice(0, LAYERS_MEASURED));
  const found = new Set<Entry>();
  for (const layer of layers) {
    let left = TARGETS_IN_LAYER;
    for (const element of layer.querySelectorAll(INSIDE)) {
      const entry = entryOf(element);
      if (entry?.linked) found.add(entry);
      if (--left === 0) break;
    }
  }
  return found;
}

function sampleAt(list: readonly Entry[], index: number): Side {
  for (let i = index; i < Math.min(index + 4, list.length); i++) {
    const entry = list[i];
    const side = entry ? sideOf(entry) : 'none';
    if (side !== 'none') return side;
  }
  return 'none';
}

function sideOf(entry: Entry): Side {
  const box = boxOf(entry.element);
  if (box.width === 0 && box.height === 0) return 'none';
  if (box.y >= innerHeight) return 'after';
  if (box.y + box.height <= 0) return 'before';
  return box.x < innerWidth && box.x + box.width > 0 ? 'in' : 'none';
}
