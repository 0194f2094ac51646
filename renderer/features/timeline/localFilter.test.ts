import { describe, expect, it } from 'vitest';
import type { CallView } from '../../../core/contracts/console.ts';
import { heldBack, matchesLocal } from './localFilter.ts';

const call = (n: number, more: Partial<CallView> = {}): CallView =>
  ({
    n,
    verb: 'operator.act',
    summary: 'press Pay',
    code: null,
    client: null,
    principal: { type: 'agent', id: 'default' },
    arguments: { target: 'e12' },
    outcome: 'ok',
    ...more,
  }) as CallView;

describe('matchesLocal', () => {
  it('wants every word, anywhere', () => {
    expect(matchesLocal(call(1), { outcome: null, text: 'PAY e12' })).toBe(true);
    expect(matchesLocal(call(1), { outcome: null, text: 'pay e13' })).toBe(false);
    expect(matchesLocal(call(1), { outcome: 'error', text: '' })).toBe(false);
  });
});

describe('heldBack', () => {
  const calls = [call(5), call(4), call(3)];
  it('keeps new calls back while the list is away from its top', () => {
    expect(heldBack(calls, null)).toEqual({ shown: calls, waiting: 0 });
    expect(heldBack(calls, 4)).toEqual({ shown: calls.slice(1), waiting: 1 });
    expect(heldBack(calls, 5).waiting).toBe(0);
  });
});
