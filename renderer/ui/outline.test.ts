import { describe, expect, it } from 'vitest';
import { outlineBox } from './outline.ts';

const surface = { width: 1_000, height: 500 };

describe('outlineBox', () => {
  it('scales to percentages with a little air', () => {
    expect(outlineBox({ x: 103, y: 53, width: 94, height: 44 }, surface)).toEqual({
      left: 10,
      top: 10,
      width: 10,
      height: 10,
    });
  });

  it('clips to the picture', () => {
    expect(outlineBox({ x: -50, y: -50, width: 100, height: 100 }, surface)).toEqual({
      left: 0,
      top: 0,
      width: 5.3,
      height: 10.6,
    });
  });

  it('is null when the target lies outside', () => {
    expect(outlineBox({ x: 100, y: 600, width: 50, height: 20 }, surface)).toBeNull();
    expect(outlineBox({ x: -80, y: 10, width: 50, height: 20 }, surface)).toBeNull();
  });
});
