import type { RankedNextAction } from '../../contracts/caop/pulse.ts';

/** What to do next, in the order that frees most: fixed for a given state and time. */

export type ActionType =
  'SETTLE_LEASE' | 'DECIDE_APPROVAL' | 'REPLAN_STALE_COMMITMENT' | 'CHECK_OUTCOME' | 'ASSIGN_PRINCIPAL_OWNER';

export interface Action {
  readonly type: ActionType;
  readonly work_id: string;
  readonly dependents: number;
  readonly prompt: string;
  /** Within leases: the oldest first. */
  readonly since?: string;
}

const order: readonly ActionType[] = [
  'SETTLE_LEASE',
  'DECIDE_APPROVAL',
  'REPLAN_STALE_COMMITMENT',
  'CHECK_OUTCOME',
  'ASSIGN_PRINCIPAL_OWNER',
];

const compare = (a: Action, b: Action): number => {
  const kind = order.indexOf(a.type) - order.indexOf(b.type);
  if (kind !== 0) return kind;
  if (a.type === 'SETTLE_LEASE' && a.since !== b.since) return (a.since ?? '') < (b.since ?? '') ? -1 : 1;
  if (a.dependents !== b.dependents) return b.dependents - a.dependents;
  return a.work_id < b.work_id ? -1 : a.work_id > b.work_id ? 1 : 0;
};

export const rankActions = (actions: readonly Action[], most: number): RankedNextAction[] =>
  actions
    .toSorted(compare)
    .slice(0, most)
    .map(({ type, work_id, dependents, prompt }, index) => ({
      rank: index + 1,
      work_id,
      action_type: type,
      blocking_dependents_count: dependents,
      recommended_prompt: prompt,
    }));
