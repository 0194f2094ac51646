import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffRows, textDiff } from './diff.ts';

describe('diffRows', () => {
  it('says what is changed, added, removed and the same', () => {
    expect(diffRows({ a: 1, b: 'x', c: true }, { a: 1, b: 'y', d: [1] })).toEqual([
      { key: 'a', kind: 'same', before: '1', after: '1' },
      { key: 'b', kind: 'changed', before: 'x', after: 'y' },
      { key: 'c', kind: 'removed', before: 'true', after: null },
      { key: 'd', kind: 'added', before: null, after: '[\n  1\n]' },
    ]);
  });
});

describe('textDiff', () => {
  it('finds the differing middle', () => {
    expect(textDiff('Pay 1,240.00 now', 'Pay 12.00 now')[0]).toEqual({
      start: 'Pay 1',
      middle: ',240',
      end: '.00 now',
    });
  });

  it('does not cut an emoji in half', () => {
    const [before, after] = textDiff('a😀b', 'a😁b');
    expect([before.middle, after.middle]).toEqual(['😀', '😁']);
  });

  it('adds up to the whole text', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '😁'), maxLength: 8 });
    fc.assert(
      fc.property(short, short, (before, after) => {
        const [x, y] = textDiff(before, after);
        expect(x.start + x.middle + x.end).toBe(before);
        expect(y.start + y.middle + y.end).toBe(after);
        expect(/[\uD800-\uDFFF]/u.test(x.middle + y.middle)).toBe(false);
      }),
    );
  });
});
