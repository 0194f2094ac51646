import { describe, expect, it } from 'vitest';
import type { ApprovalView, LeaseView } from '../../../core/contracts/console.ts';
import { afterLeaving, inboxItems, neighbour } from './items.ts';

const approval = (id: string, at: string, status = 'pending') =>
  ({ approval_id: id, requested_at: at, status }) as ApprovalView;
const lease = (id: string, at: string, state = 'expired') => ({ work_id: id, opened_at: at, state }) as LeaseView;

const items = inboxItems(
  [approval('apr_2', '2026-01-01T10:02:00Z'), approval('apr_1', '2026-01-01T10:01:00Z')],
  [lease('wrk_9', '2026-01-01T11:00:00Z')],
);

describe('inboxItems', () => {
  it('puts unknown outcomes first and the oldest on top of each', () => {
    expect(items.map((item) => item.id)).toEqual(['wrk_9', 'apr_1', 'apr_2']);
  });

  it('leaves out what no longer needs anyone', () => {
    expect(inboxItems([approval('a', '', 'used')], [lease('w', '', 'open')])).toEqual([]);
  });
});

describe('moving', () => {
  it('stops at the ends and starts at the top', () => {
    expect(neighbour(items, 'apr_2', 1)?.id).toBe('apr_2');
    expect(neighbour(items, 'wrk_9', -1)?.id).toBe('wrk_9');
    expect(neighbour(items, 'apr_1', 1)?.id).toBe('apr_2');
    expect(neighbour(items, 'gone', 1)?.id).toBe('wrk_9');
    expect(neighbour([], null, 1)).toBeNull();
  });

  it('goes to the next one after a decision, at the end to the one before', () => {
    expect(afterLeaving(items, 'apr_1')?.id).toBe('apr_2');
    expect(afterLeaving(items, 'apr_2')?.id).toBe('apr_1');
    expect(afterLeaving(items.slice(0, 1), 'wrk_9')).toBeNull();
  });
});
