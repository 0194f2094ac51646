import { describe, expect, it } from 'vitest';
import { keyDown, shown } from './arming.ts';
import type { Arming } from './arming.ts';

const press = (arming: Arming, key: string, now: number, repeat = false) => keyDown(arming, { key, now, repeat });

describe('arming', () => {
  it('takes two presses after half a second', () => {
    const first = press(shown('card', 0), 'a', 500);
    expect(first).toMatchObject({ approve: false, arming: { armed: true } });
    expect(press(first.arming, 'A', 501)).toMatchObject({ approve: true, arming: { armed: false } });
  });

  it('does not arm on evidence that has just appeared', () => {
    const early = press(shown('card', 0), 'a', 499);
    expect(early.arming.armed).toBe(false);
    expect(press(early.arming, 'a', 499).approve).toBe(false);
  });

  it('takes a held key for one press', () => {
    const armed = press(shown('card', 0), 'a', 600).arming;
    const held = press(armed, 'a', 640, true);
    expect(held).toEqual({ arming: armed, approve: false });
    expect(press(shown('card', 0), 'a', 600, true).arming.armed).toBe(false);
  });

  it('is disarmed by any other key', () => {
    const armed = press(shown('card', 0), 'a', 600).arming;
    for (const key of ['j', 'Shift', 'Tab', 'Escape', 's']) {
      const after = press(armed, key, 610).arming;
      expect(after.armed).toBe(false);
      expect(press(after, 'a', 620).approve).toBe(false);
    }
  });

  it('starts over on another card', () => {
    const armed = press(shown('one', 0), 'a', 600).arming;
    expect(armed.armed).toBe(true);
    expect(press(shown('two', 610), 'a', 620)).toMatchObject({ approve: false, arming: { armed: false } });
  });
});
