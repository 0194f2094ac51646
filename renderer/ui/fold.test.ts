import { describe, expect, it } from 'vitest';
import { foldAt, safeCut } from './fold.ts';

describe('folding', () => {
  it('leaves short text whole', () => {
    expect(foldAt('short')).toBe(5);
    expect(foldAt('a\n'.repeat(7))).toBe(14);
  });

  it('folds after eight lines or six hundred characters, whichever comes first', () => {
    expect(foldAt('ab\n'.repeat(20))).toBe(23);
    expect(foldAt('x'.repeat(10_000))).toBe(600);
  });

  it('never splits a character', () => {
    expect(safeCut('a😀b', 2)).toBe(1);
    expect(safeCut('a😀b', 3)).toBe(3);
    expect(foldAt(`${'x'.repeat(599)}😀${'x'.repeat(99)}`)).toBe(599);
  });
});
