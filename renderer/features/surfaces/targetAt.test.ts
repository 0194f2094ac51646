import { describe, expect, it } from 'vitest';
import { targetAt } from './targetAt.ts';

const targets = [
  { ref: 'page', role: 'document' },
  { ref: 'e1', role: 'link', bounds: { x: 0, y: 0, width: 200, height: 100 } },
  { ref: 'e2', role: 'button', bounds: { x: 150, y: 50, width: 40, height: 20 } },
];

describe('targetAt', () => {
  it('takes the smallest under the point', () => {
    expect(targetAt(targets, { x: 10, y: 10 })?.ref).toBe('e1');
    expect(targetAt(targets, { x: 160, y: 60 })?.ref).toBe('e2');
    expect(targetAt(targets, { x: 200, y: 10 })).toBeNull();
  });
});
