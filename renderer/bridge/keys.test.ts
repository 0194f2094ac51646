import { describe, expect, it } from 'vitest';
import { keys, staleAfter } from './keys.ts';

describe('staleAfter', () => {
  it('names what a decision changes and leaves pictures alone', () => {
    const stale = staleAfter('approval.granted');
    expect(stale(keys.approvals('pending'))).toBe(true);
    expect(stale(keys.approval('apr_1'))).toBe(true);
    expect(stale(keys.policies)).toBe(false);
    expect(stale(keys.artifact('00'))).toBe(false);
  });

  it('takes an unknown event to change everything that can change', () => {
    const stale = staleAfter('novelty.invented');
    expect(stale(keys.policies)).toBe(true);
    expect(stale(keys.leases('expired'))).toBe(true);
    expect(stale(keys.artifact('00'))).toBe(false);
  });
});
