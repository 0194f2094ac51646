import { describe, expect, it } from 'vitest';
import { ending } from './ending.ts';

const lights = { approved: 'yes', executed: 'no', receipted: 'no', verified: 'no' } as const;

describe('ending', () => {
  it('never says performed before it was', () => {
    expect(ending({ status: 'used', lights }).words).toBe('Approved, not performed yet');
    expect(ending({ status: 'used', lights: { ...lights, executed: 'unknown' } })).toEqual({
      tone: 'unknown',
      words: 'Approved, outcome unknown',
    });
    expect(ending({ status: 'used', lights: { ...lights, executed: 'failed' } }).tone).toBe('danger');
    expect(ending({ status: 'granted', lights: { ...lights, executed: 'yes' } }).words).toBe('Approved and performed');
  });

  it('keeps expiry apart from a rejection', () => {
    expect(ending({ status: 'expired', lights }).words).not.toBe(ending({ status: 'denied', lights }).words);
  });
});
