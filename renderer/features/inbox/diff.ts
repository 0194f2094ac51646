import { sameJson } from './mergePatch.ts';
import type { JsonObject } from './mergePatch.ts';

export type RowKind = 'same' | 'changed' | 'added' | 'removed';

export interface DiffRow {
  readonly key: string;
  readonly kind: RowKind;
  readonly before: string | null;
  readonly after: string | null;
}

export const asShown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');

/** One row per argument: the proposed order first, then what was added. */
export const diffRows = (before: JsonObject, after: JsonObject): readonly DiffRow[] => {
  const names = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))];
  return names.map((key) => {
    const had = Object.hasOwn(before, key);
    const has = Object.hasOwn(after, key);
    return {
      key,
      kind: !had ? 'added' : !has ? 'removed' : sameJson(before[key], after[key]) ? 'same' : 'changed',
      before: had ? asShown(before[key]) : null,
      after: has ? asShown(after[key]) : null,
    };
  });
};

export interface TextDiff {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The part of each text that differs, between a common start and a common end; never inside a character. */
export const textDiff = (before: string, after: string): readonly [TextDiff, TextDiff] => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  while (start > 0 && (isLowSurrogate(before.charCodeAt(start)) || isLowSurrogate(after.charCodeAt(start)))) start -= 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  while (end > 0 && isLowSurrogate(before.charCodeAt(before.length - end))) end -= 1;
  const cut = (text: string): TextDiff => ({
    start: text.slice(0, start),
    middle: text.slice(start, text.length - end),
    end: text.slice(text.length - end),
  });
  return [cut(before), cut(after)];
};
