import { HeadingTrail, containerOf, containerWords } from './context.ts';
import type { Entry } from './entry.ts';
import { fold, foldIdentifier } from './fold.ts';
import type { NameCache } from './nameCache.ts';
import type { Query } from './query.ts';
import { parseQuery } from './query.ts';
import { valueOf } from './values.ts';

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
  const values = foldedValues(entries);
  const byValue = searchNames(query, [...values.keys()], (entry) => values.get(entry) ?? '');
  if (byValue.tier === 0) return byValue;
  if (byName.tier > 0) return byName;
  return byValue.tier > 0 ? byValue : searchWords(query, entries, names, values);
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
    if (name === '')
      words += ` ${foldIdentifier(element.getAttribute('name') ?? '')} | ${foldIdentifier(element.id)} |`;
    else if (entry.role === 'textbox') words += ` ${foldIdentifier(element.getAttribute('type') ?? '')} `;
  }
  entry.words = words;
  return words;
}

/** Values change without a mutation, so they are read for each search; most fields are empty. */
function foldedValues(entries: readonly Entry[]): ReadonlyMap<Entry, string> {
  const values = new Map<Entry, string>();
  for (const entry of entries) {
    if (entry.field !== 'value' || (entry.element as HTMLInputElement).value === '') continue;
    const value = valueOf(entry.element, entry.role);
    if (value !== null && value !== '') values.set(entry, ` ${fold(value)} |`);
  }
  return values;
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

/** How far out a word was found: 0 is the target's own, then one a container. */
interface Matched {
  readonly missing: number;
  readonly distance: number;
}

function searchWords(
  query: Query,
  entries: readonly Entry[],
  names: NameCache,
  values: ReadonlyMap<Entry, string>,
): Found {
  const matcher = new WordMatcher(query, names, values);
  let best: Matched = { missing: query.words.length, distance: Number.POSITIVE_INFINITY };
  let found: Entry[] = [];
  for (const entry of entries) {
    const match = matcher.match(entry);
    if (match === null || match.missing > best.missing) continue;
    if (match.missing === best.missing && match.distance > best.distance) continue;
    if (match.missing < best.missing || match.distance < best.distance) {
      best = match;
      found = [];
    }
    found.push(entry);
  }
  return found.length === 0 ? nothing : { tier: 2 + best.missing, entries: found };
}

class WordMatcher {
  readonly #query: Query;
  readonly #names: NameCache;
  readonly #values: ReadonlyMap<Entry, string>;
  readonly #trail = new HeadingTrail();
  readonly #containerMasks = new Map<Element, number>();
  readonly #headingMasks = new Map<Entry, number>();

  constructor(query: Query, names: NameCache, values: ReadonlyMap<Entry, string>) {
    this.#query = query;
    this.#names = names;
    this.#values = values;
  }

  /** Null unless every word is answered to by the target or what it is in, or some by itself. */
  match(entry: Entry): Matched | null {
    const headings = this.#trail.visit(entry);
    if (entry.kind !== 'target') return null;
    const all = this.#query.all;
    let own = this.#mask(entry.words ?? '');
    const value = this.#values.get(entry);
    if (value !== undefined) own |= this.#mask(value);
    let mask = own | this.#roleMask(entry);
    let distance = 0;
    if (mask !== all) {
      let container = containerOf(entry);
      let outer = headings.length - 1;
      for (;;) {
        // Headings inside this container are nearer than its own name.
        let around = 0;
        for (; outer >= 0 && headings[outer]?.scope === container; outer--)
          around |= this.#headingMask(headings[outer]?.entry);
        if (container !== null) around |= this.#containerMask(container);
        if ((around | mask) !== mask) distance++;
        mask |= around;
        if (mask === all || container === null) break;
        container = this.#trail.parent(container);
        distance++;
      }
    }
    if (mask === all) return { missing: 0, distance };
    // Part of the words: being a button, or near the word, is not enough.
    return own === 0 ? null : { missing: this.#query.words.length - bitCount(mask), distance };
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

  #containerMask(container: Element): number {
    let mask = this.#containerMasks.get(container);
    if (mask === undefined) {
      this.#containerMasks.set(container, (mask = this.#mask(containerWords(container, this.#names))));
    }
    return mask;
  }

  #headingMask(heading: Entry | undefined): number {
    if (heading === undefined) return 0;
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
