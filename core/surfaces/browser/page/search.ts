import { HeadingTrail, containerOf, containerWords } from './context.ts';
import type { Entry } from './entry.ts';
import { fold, foldIdentifier } from './fold.ts';
import type { NameCache } from './nameCache.ts';
import type { Query } from './query.ts';
import { parseQuery } from './query.ts';
import { isPassword, valueOf } from './values.ts';

export interface Found {
  readonly tier: number;
  readonly entries: readonly Entry[];
}

const nothing: Found = { tier: -1, entries: [] };

/** Best tier of targets that match: 0 exact, 1 prefix, 2 all words, 3 + n with n words missing. */
export function search(raw: string, entries: readonly Entry[], names: NameCache): Found {
  const query = parseQuery(raw);
  if (query.words.length === 0) return bySymbol(query.raw, entries, names);
  for (const entry of entries) ownWords(entry, names);
  const byName = searchNames(query, entries, (entry) => entry.words ?? '');
  if (byName.tier === 0) return byName;
  const byValue = searchNames(query, entries.filter(hasValue), valueWords);
  if (byValue.tier === 0) return byValue;
  if (byName.tier > 0) return byName;
  return byValue.tier > 0 ? byValue : searchWords(query, entries, names);
}

function bySymbol(raw: string, entries: readonly Entry[], names: NameCache): Found {
  if (raw === '') return nothing;
  const exact = entries.filter((entry) => entry.kind === 'target' && names.name(entry) === raw);
  if (exact.length > 0) return { tier: 0, entries: exact };
  const within = entries.filter((entry) => entry.kind === 'target' && names.name(entry).includes(raw));
  return within.length > 0 ? { tier: 2, entries: within } : nothing;
}

/** ` name | placeholder | title | `: a segment can be compared whole, any word by the space before it. */
function ownWords(entry: Entry, names: NameCache): string {
  const name = names.name(entry);
  if (entry.words !== null) return entry.words;
  const element = entry.element;
  let words = ` ${fold(name)} |`;
  if (entry.kind === 'target') {
    for (const attribute of ['placeholder', 'title', 'aria-description', 'alt']) {
      const value = element.getAttribute(attribute);
      if (value !== null && value !== '' && value !== name) words += ` ${fold(value)} |`;
    }
    if (name === '') words += ` ${foldIdentifier(element.getAttribute('name') ?? '')} | ${foldIdentifier(element.id)} |`;
    else if (entry.role === 'textbox') words += ` ${foldIdentifier(element.getAttribute('type') ?? '')} `;
  }
  entry.words = words;
  return words;
}

function hasValue(entry: Entry): boolean {
  if (entry.kind !== 'target' || isPassword(entry.element)) return false;
  return /^(input|select|textarea)$/.test(entry.element.localName);
}

function valueWords(entry: Entry): string {
  const value = valueOf(entry.element, entry.role);
  return value === null || value === '' ? '' : ` ${fold(value)} |`;
}

function searchNames(query: Query, entries: readonly Entry[], wordsOf: (entry: Entry) => string): Found {
  const exact: Entry[] = [];
  const prefix: Entry[] = [];
  const tests = query.names.map(({ text, roles }) => ({ whole: ` ${text} |`, start: ` ${text}`, roles }));
  for (const entry of entries) {
    if (entry.kind !== 'target') continue;
    const words = wordsOf(entry);
    for (const { whole, start, roles } of tests) {
      if (!words.includes(start)) continue;
      if (roles.length > 0 && !roles.every((set) => set.has(entry.role))) continue;
      if (words.startsWith(whole) || words.includes(`|${whole}`)) exact.push(entry);
      else if (words.startsWith(start)) prefix.push(entry);
      else continue;
      break;
    }
  }
  if (exact.length > 0) return { tier: 0, entries: exact };
  return prefix.length > 0 ? { tier: 1, entries: prefix } : nothing;
}

function searchWords(query: Query, entries: readonly Entry[], names: NameCache): Found {
  const matcher = new WordMatcher(query, names);
  let best = query.words.length;
  let found: Entry[] = [];
  for (const entry of entries) {
    const mask = matcher.match(entry);
    if (entry.kind !== 'target' || mask === 0) continue;
    const missing = query.words.length - bitCount(mask);
    if (missing > best) continue;
    if (missing < best) {
      best = missing;
      found = [];
    }
    found.push(entry);
  }
  if (found.length === 0) return nothing;
  return { tier: best === 0 ? 2 : 2 + best, entries: found };
}

class WordMatcher {
  readonly #query: Query;
  readonly #names: NameCache;
  readonly #trail = new HeadingTrail();
  readonly #containerMasks = new Map<Element, number>();
  readonly #headingMasks = new Map<Entry, number>();

  constructor(query: Query, names: NameCache) {
    this.#query = query;
    this.#names = names;
  }

  /** Words that this target, or what it is in, answers to. Zero unless one of them is its own. */
  match(entry: Entry): number {
    const headings = this.#trail.visit(entry);
    if (entry.kind !== 'target') return 0;
    let own = this.#mask(entry.words ?? '');
    if (hasValue(entry)) own |= this.#mask(valueWords(entry));
    const byRole = this.#roleMask(entry);
    let around = this.#containerMask(containerOf(entry));
    for (const heading of headings) around |= this.#headingMask(heading.entry);
    const all = own | byRole | around;
    if ((all & this.#query.all) === this.#query.all) return all;
    // Part of the words: being a button, or near the word, is not enough.
    return own === 0 ? 0 : all;
  }

  #mask(text: string): number {
    let mask = 0;
    for (const word of this.#query.words) if (text.includes(word.needle)) mask |= word.bit;
    return mask;
  }

  #roleMask(entry: Entry): number {
    let mask = 0;
    for (const word of this.#query.words) if (word.roles?.has(entry.role)) mask |= word.bit;
    return mask;
  }

  #containerMask(container: Element | null): number {
    if (container === null) return 0;
    let mask = this.#containerMasks.get(container);
    if (mask === undefined) {
      mask = this.#mask(containerWords(container, this.#names)) | this.#containerMask(this.#trail.parent(container));
      this.#containerMasks.set(container, mask);
    }
    return mask;
  }

  #headingMask(heading: Entry): number {
    let mask = this.#headingMasks.get(heading);
    if (mask === undefined) this.#headingMasks.set(heading, (mask = this.#mask(heading.words ?? '')));
    return mask;
  }
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
