import { contentOf } from './names.ts';
import { flatParent, squeeze } from './dom.ts';
import type { NameCache } from './nameCache.ts';
import { rowRoles } from './roleTables.ts';

/** A card among its like: deeper than this from the control it is not looked for. */
const CARD_LEVELS = 6;
const CARD_TEXT = 400;
const KEY_LENGTH = 80;
const CHUNKS_READ = 40;

/** The row, list item or card that a control belongs to. */
export function rowOf(element: Element): Element | null {
  let level = 0;
  for (let n = flatParent(element); n && n !== document.body; n = flatParent(n)) {
    if (isMarkedRow(n) || (level < CARD_LEVELS && isCard(n))) return n;
    level++;
  }
  return null;
}

function isMarkedRow(element: Element): boolean {
  const role = element.getAttribute('role');
  if (role !== null) return rowRoles.has(role);
  return /^(tr|li|article)$/.test(element.localName);
}

/** One of at least three siblings of the same make, with little text: how rows made of divs look. */
export function isCard(element: Element): boolean {
  const tag = element.localName;
  if (tag !== 'div' && tag !== 'section' && !tag.includes('-')) return false;
  const next = element.nextElementSibling;
  const previous = element.previousElementSibling;
  const like = (other: Element | null | undefined): number => (other && isLike(element, other) ? 1 : 0);
  const alike =
    like(next) +
    like(previous) +
    (next ? like(next.nextElementSibling) : 0) +
    (previous ? like(previous.previousElementSibling) : 0);
  return alike >= 2 && (element.textContent ?? '').length <= CARD_TEXT;
}

function isLike(a: Element, b: Element): boolean {
  return a.localName === b.localName && a.getAttribute('class') === b.getAttribute('class');
}

/**
 * What tells a row from its neighbours: its header, else its first link or heading, else its first
 * text; numbers and times alone are passed over while there is anything else.
 */
export function rowKey(row: Element, names: NameCache): string {
  return names.derived(row, 'row', () => squeeze(findKey(row)).slice(0, KEY_LENGTH));
}

function findKey(row: Element): string {
  const header = row.querySelector('th[scope="row"],[role="rowheader"]') ?? leadingHeader(row);
  if (header) return contentOf(header);
  for (const selector of ['h1,h2,h3,h4,h5,h6,[role="heading"],a[href],[role="link"]']) {
    const first = row.querySelector(selector);
    if (first) {
      const text = contentOf(first);
      if (isTelling(text) && text !== sameInNeighbour(row, selector)) return text;
    }
  }
  return firstText(row);
}

function leadingHeader(row: Element): Element | null {
  return row.localName === 'tr' && row.querySelector('td') ? row.querySelector('th') : null;
}

/** An action link ("Delete") reads the same in the next row: it is no key. */
function sameInNeighbour(row: Element, selector: string): string | null {
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  const first = neighbour?.querySelector(selector);
  return first ? contentOf(first) : null;
}

const notRowText = 'button,select,textarea,script,style,template,[role="button"],[aria-hidden="true"],[hidden]';

function firstText(row: Element): string {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let fallback = '';
  for (let left = CHUNKS_READ; left > 0 && walker.nextNode();) {
    const text = squeeze((walker.currentNode as Text).data);
    if (text === '') continue;
    left--;
    if (walker.currentNode.parentElement?.closest(notRowText)) continue;
    if (isTelling(text)) return text;
    if (fallback === '') fallback = text;
  }
  return fallback;
}

/** Holds a letter that is no part of a time. */
function isTelling(text: string): boolean {
  return /\p{L}/u.test(withoutTimes(text));
}

const clock = /\b\d{1,2}[:.]\d{2}([:.]\d{2})?(\s?[ap]\.?m\b\.?)?/gi;
const ago =
  /\b(just now|now|(an?|\d+)\s?(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|weeks?|months?|years?)(\s(ago|left|old))?)\b/gi;

function withoutTimes(text: string): string {
  return text.replace(clock, ' ').replace(ago, ' ');
}

/** Form in which two readings are compared: clock times, ages and counters in brackets do not count. */
export function comparable(text: string): string {
  return squeeze(withoutTimes(text).replace(/[([]\s*[\d.,+]+\s*[)\]]/g, ' '));
}
