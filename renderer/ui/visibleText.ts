/**
 * Text from agents and pages must not be able to look like something else: control characters,
 * direction overrides, zero-width and other invisible characters are shown by name.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly code: string; readonly name: string; readonly times: number };

const names: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x09: 'TAB',
  0x0b: 'VT',
  0x0c: 'FF',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xa0: 'NBSP',
  0xad: 'SHY',
  0x61c: 'ALM',
  0x180e: 'MVS',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LSEP',
  0x2029: 'PSEP',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
  0x3164: 'HANGUL FILLER',
};

/** Everything that has no shape of its own, except line feed (kept as a line break) and plain space. */
const hidden = /(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs})/u;
const hiddenRun = new RegExp(`(${hidden.source})\\1*`, 'gu');

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits text into what can be shown as it is and marks for what cannot. Line feeds stay in the text. */
export const visiblePieces = (value: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of value.matchAll(hiddenRun)) {
    const character = match[1] ?? '';
    if (character === '\n') continue;
    if (match.index > from) pieces.push({ kind: 'text', text: value.slice(from, match.index) });
    const code = codePoint(character);
    pieces.push({
      kind: 'mark',
      code,
      name: names[character.codePointAt(0) ?? -1] ?? code,
      times: match[0].length / character.length,
    });
    from = match.index + match[0].length;
  }
  if (from < value.length) pieces.push({ kind: 'text', text: value.slice(from) });
  return pieces;
};

/** The same in one line of plain text, for labels and announcements. */
export const visibleLine = (value: string): string =>
  visiblePieces(value.replaceAll('\n', ' '))
    .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.name}${piece.times > 1 ? `×${piece.times}` : ''}]`))
    .join('');
