import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMergePatch, holdsNull, isJsonObject, mergePatch, sameJson } from './mergePatch.ts';

const noNullValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.string()), tie('value'), {
    maxKeys: 4,
  }),
})).object;

describe('mergePatch', () => {
  it('turns one object into another for every pair without null', () => {
    fc.assert(
      fc.property(noNullValue, noNullValue, (from, to) => {
        const back = applyMergePatch(from, mergePatch(from, to));
        expect(sameJson(back, to)).toBe(true);
      }),
    );
  });

  it('is empty exactly when nothing changes', () => {
    fc.assert(
      fc.property(noNullValue, noNullValue, (from, to) => {
        expect(Object.keys(mergePatch(from, to)).length === 0).toBe(sameJson(from, to));
      }),
    );
  });

  it('says only what changed', () => {
    expect(
      mergePatch({ surface_id: 's', action: 'press', value: 'double' }, { surface_id: 's', action: 'hover' }),
    ).toEqual({ value: null, action: 'hover' });
    expect(mergePatch({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).toEqual({ a: { c: 3 } });
    expect(mergePatch({ list: [1, 2] }, { list: [1] })).toEqual({ list: [1] });
  });

  it('applies the examples of RFC 7396', () => {
    expect(applyMergePatch({ a: 'b' }, { a: null })).toEqual({});
    expect(applyMergePatch({ a: [{ b: 'c' }] }, { a: [1] })).toEqual({ a: [1] });
    expect(applyMergePatch({ e: null }, { a: 1 })).toEqual({ e: null, a: 1 });
    expect(applyMergePatch([1, 2], { a: 'b', c: null })).toEqual({ a: 'b' });
    expect(applyMergePatch({}, { a: { bb: { ccc: null } } })).toEqual({ a: { bb: {} } });
  });

  it('finds nulls, which a patch cannot set', () => {
    expect(holdsNull({ a: [{ b: null }] })).toBe(true);
    expect(holdsNull({ a: [1, 'x'] })).toBe(false);
    expect(isJsonObject([])).toBe(false);
  });
});
