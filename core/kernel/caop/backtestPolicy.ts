import type { CallView } from '../../contracts/console.ts';
import { parseCondition, type ConditionContext } from '../../domain/celCondition.ts';
import { inScope } from '../../domain/decidePolicy.ts';
import { callOf } from '../../domain/workState.ts';
import type { EventStore } from '../eventStore.ts';
import { stateOf } from '../storeSchema.ts';
import { invalid } from './caopErrors.ts';

export interface Backtest {
  readonly looked_at: number;
  readonly matched: number;
  readonly failed: number;
  readonly examples: { call_id: string; verb: string; summary: string }[];
}

const EXAMPLES = 10;

/** What a draft policy would have matched of the newest calls. Changes nothing. */
export const backtestPolicy = async (
  store: EventStore,
  draft: { scope: string; condition: string; calls: number },
): Promise<Backtest> => {
  const parsed = parseCondition(draft.condition);
  if (!parsed.ok) throw invalid('condition', parsed.message);
  const rows = await store.query('calls', { order: { column: 'n', direction: 'desc' }, limit: draft.calls });
  const calls = rows.map((row) => row['view'] as unknown as CallView);
  let matched = 0;
  let failed = 0;
  const examples: Backtest['examples'] = [];
  for (const call of calls.filter(({ verb }) => inScope(draft.scope, verb))) {
    try {
      if (!parsed.condition.test(await contextOf(store, call))) continue;
      matched += 1;
      if (examples.length < EXAMPLES) examples.push({ call_id: call.call_id, verb: call.verb, summary: call.summary });
    } catch {
      // A condition that cannot be evaluated is counted, as the gate would treat it: fail closed.
      failed += 1;
    }
  }
  return { looked_at: calls.length, matched, failed, examples };
};

/** What the condition could read when the call was made, as far as it was written down. */
const contextOf = async (store: EventStore, call: CallView): Promise<ConditionContext> => {
  const row = call.work_id === null ? null : await store.get('work', call.work_id);
  const bound = row === null ? null : callOf(stateOf(row));
  const surface = bound?.surface ?? (call.surface_id === null ? null : { id: call.surface_id, kind: '', label: null });
  return {
    capability: call.verb,
    arguments: call.arguments,
    surface: surface === null ? null : { ...surface, address: bound?.binding.address ?? null },
    target: bound === null || bound.target === null ? null : { name: '', row: null, frame: null, ...bound.target },
    principal: { ...call.principal },
    now: new Date(call.at),
  };
};
