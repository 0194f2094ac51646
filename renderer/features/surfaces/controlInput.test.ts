import { describe, expect, it } from 'vitest';
import { buttonName, heldButton, isSecondEscape, modifierBits, toSurface } from './controlInput.ts';

describe('control input', () => {
  it('maps the picture to the surface and stays inside it', () => {
    const box = { left: 100, top: 50, width: 640, height: 400 };
    const surface = { width: 1_280, height: 800 };
    expect(toSurface({ clientX: 420, clientY: 250 }, box, surface)).toEqual({ x: 640, y: 400 });
    expect(toSurface({ clientX: 0, clientY: 9_999 }, box, surface)).toEqual({ x: 0, y: 799 });
  });

  it('uses the modifier bits of the protocol', () => {
    const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
    expect(modifierBits(none)).toBe(0);
    expect(modifierBits({ ...none, ctrlKey: true, shiftKey: true })).toBe(10);
    expect(modifierBits({ altKey: true, ctrlKey: true, metaKey: true, shiftKey: true })).toBe(15);
  });

  it('names buttons pressed and held', () => {
    expect([0, 1, 2].map(buttonName)).toEqual(['left', 'middle', 'right']);
    expect([0, 1, 2, 4].map(heldButton)).toEqual(['none', 'left', 'right', 'middle']);
  });

  it('takes the second Escape in time as the release', () => {
    expect(isSecondEscape('Escape', 1_000, null)).toBe(false);
    expect(isSecondEscape('Escape', 1_000, 600)).toBe(true);
    expect(isSecondEscape('Escape', 1_300, 600)).toBe(false);
    expect(isSecondEscape('a', 700, 600)).toBe(false);
  });
});
