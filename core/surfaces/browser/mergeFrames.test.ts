import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFrames } from './mergeFrames.ts';
import type { FramePart } from './mergeFrames.ts';
import type { PageDocument } from './pageDocument.ts';
import type { ListedTarget } from './pageProtocol.ts';

const document = {} as PageDocument;
const target = (ref: string, order: number, at: number, in_view = true): ListedTarget => ({
  ref,
  role: 'button',
  tier: 0,
  order,
  at,
  in_view,
  bounds: { x: 10, y: 10, width: 10, height: 10 },
});
const whole = { x: 0, y: 0, width: 1280, height: 800 };
const part = (targets: ListedTarget[], path: number[] = [], rest: Partial<FramePart> = {}): FramePart => ({
  document,
  targets,
  path,
  offset: { x: 0, y: 0 },
  clip: whole,
  ...rest,
});
const refs = (parts: FramePart[], limit = 50): string[] => mergeFrames(parts, limit).map(({ target: { ref } }) => ref);

test('a frame stands where its element stands, what is in view first', () => {
  const top = part([target('a1', 1, 0), target('a9', 9, 1), target('a5', 5, 2, false)]);
  const inner = part([target('b1', 1, 0), target('b2', 2, 1)], [4]);
  expect(refs([top, inner])).toEqual(['a1', 'b1', 'b2', 'a9', 'a5']);
  expect(refs([top, inner], 2)).toEqual(['a1', 'b1']);
});

test('what is in view inside a frame that is scrolled away is not in view; bounds and origin are the surface’s', () => {
  const inner = part([target('b1', 1, 0)], [1], {
    offset: { x: 100, y: 900 },
    clip: null,
    origin: 'https://pay.example',
  });
  const [merged] = mergeFrames([part([target('a2', 2, 0)]), inner], 50).toReversed();
  expect(merged?.target).toEqual({
    ref: 'b1',
    role: 'button',
    bounds: { x: 110, y: 910, width: 10, height: 10 },
    in_view: false,
    frame: 'https://pay.example',
  });
});

test('every frame keeps its own order, and pages put together give every target once', () => {
  const frames = fc.array(fc.array(fc.record({ order: fc.nat(50), seen: fc.boolean() }), { maxLength: 8 }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 5 }), (lists, limit) => {
      let parts = lists.map((list, f) =>
        part(
          list.map(({ order, seen }, i) => target(`${f}-${i}`, order, i, seen)),
          f === 0 ? [] : [f],
        ),
      );
      const all: string[] = [];
      for (let page = 0; page < 50; page += 1) {
        const merged = mergeFrames(parts, limit);
        if (merged.length === 0) break;
        all.push(...merged.map(({ target: { ref } }) => ref));
        parts = parts.map((one) => ({
          ...one,
          targets: one.targets.slice((merged.findLast(({ part: of }) => of === one)?.index ?? -1) + 1),
        }));
      }
      for (const [f, list] of lists.entries()) {
        expect(all.filter((ref) => ref.startsWith(`${f}-`))).toEqual(list.map((_, i) => `${f}-${i}`));
      }
    }),
    { numRuns: 200 },
  );
});
