import { describe, expect, it } from 'vitest';
import type { CallView } from '../../core/contracts/console.ts';
import { matchesFilter, mergeCalls, reachesKnown } from './callPages.ts';

const call = (n: number, more: Partial<CallView> = {}): CallView => ({
  call_id: `call_${n}`,
  n,
  at: '2026-01-01T00:00:00.000Z',
  duration_ms: 5,
  principal: { type: 'agent', id: 'default' },
  client: null,
  surface_id: 'sur_a',
  verb: 'operator.act',
  arguments: {},
  read_only: false,
  outcome: 'ok',
  code: null,
  summary: '',
  result: null,
  work_id: null,
  receipt_id: null,
  pictures: { before: null, after: null },
  ...more,
});

describe('mergeCalls', () => {
  it('keeps newest first and never a number twice', () => {
    const merged = mergeCalls([call(3), call(2)], [call(4), call(2, { summary: 'new' })]);
    expect(merged.map((c) => c.n)).toEqual([4, 3, 2]);
    expect(merged.at(-1)?.summary).toBe('new');
  });

  it('does not let a late start undo an end', () => {
    expect(mergeCalls([call(1)], [call(1, { outcome: 'running' })])[0]?.outcome).toBe('ok');
    expect(mergeCalls([call(1, { outcome: 'running' })], [call(1)])[0]?.outcome).toBe('ok');
  });
});

describe('reachesKnown', () => {
  it('is false while calls between the page and the known ones may be missing', () => {
    expect(reachesKnown([call(10)], [call(30), call(20)])).toBe(false);
    expect(reachesKnown([call(10)], [call(12), call(10)])).toBe(true);
    expect(reachesKnown([], [call(12)])).toBe(true);
  });

  it('does not count a call that was still running', () => {
    expect(reachesKnown([call(11, { outcome: 'running' }), call(5)], [call(12), call(9)])).toBe(false);
  });
});

describe('matchesFilter', () => {
  it('asks for every field given', () => {
    expect(matchesFilter(call(1), {})).toBe(true);
    expect(matchesFilter(call(1), { surface_id: 'sur_a', principal: 'agent:default', verb: 'operator.act' })).toBe(
      true,
    );
    expect(matchesFilter(call(1), { principal: 'agent:other' })).toBe(false);
  });
});
