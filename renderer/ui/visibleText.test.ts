import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleLine, visiblePieces } from './visibleText.ts';

describe('visiblePieces', () => {
  it('leaves ordinary text of any script alone', () => {
    const value = 'Überweisung 1.240,00 € → 漢字 العربية שלום';
    expect(visiblePieces(value)).toEqual([{ kind: 'text', text: value }]);
  });

  it('names direction overrides, zero-width and control characters', () => {
    expect(visibleLine('pay\u202Egpj.exe')).toBe('pay[RLO]gpj.exe');
    expect(visibleLine('a\u200Bb\u0000\u001B[31m')).toBe('a[ZWSP]b[NUL][ESC][31m');
    expect(visibleLine('tag\u{E0041}')).toBe('tag[U+E0041]');
    expect(visibleLine('half\uD83D')).toBe('half[U+D83D]');
  });

  it('counts a run of the same character', () => {
    expect(visiblePieces('\u200b\u200b\u200bx')).toEqual([
      { kind: 'mark', code: 'U+200B', name: 'ZWSP', times: 3 },
      { kind: 'text', text: 'x' },
    ]);
  });

  it('keeps line breaks', () => {
    expect(visiblePieces('a\nb')).toEqual([{ kind: 'text', text: 'a\nb' }]);
    expect(visibleLine('a\nb')).toBe('a b');
  });

  it('loses nothing: pieces add up to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
        const rebuilt = visiblePieces(value)
          .map((piece) =>
            piece.kind === 'text'
              ? piece.text
              : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)).repeat(piece.times),
          )
          .join('');
        expect(rebuilt).toBe(value);
      }),
    );
  });

  it('is quick on 100,000 hostile characters', () => {
    expect(visiblePieces('\u202E'.repeat(100_000))).toHaveLength(1);
  });
});
