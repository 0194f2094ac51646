import type { BitemporalFact } from '../../contracts/caop/bitemporal.ts';
import type { FactChange, RecordedFact } from '../../contracts/caopEvents.ts';
import { principalKey } from '../../contracts/principal.ts';
import { groupsOf } from '../../domain/caop/factGraph.ts';
import type { Json, Row, RowChange, RowReader } from '../eventStore.ts';
import { textColumn } from '../textColumn.ts';

/** How a change of the state becomes rows, and how rows read as facts. */

const MOST_DEPENDENTS = 9_999_999;
const rankOf = (dependents: number, factId: string): string =>
  `${String(MOST_DEPENDENTS - dependents).padStart(7, '0')}/${factId}`;

/** Facts of one change follow each other in lists that are paged by `seq`. */
const PER_EVENT = 100_000;

const json = (value: unknown): Json => value as Json;

const rowOf = ({ fact, kind, goal_id, work_id, principal }: RecordedFact, seq: number): Row => ({
  fact_id: fact.fact_id,
  seq,
  subject: fact.subject,
  kind,
  goal_id,
  work_id,
  principal: principalKey(principal),
  epistemic_status: fact.epistemic_status,
  freshness: fact.freshness,
  recorded_at: fact.transaction_time.recorded_at,
  superseded_at: null,
  superseded_by: null,
  invalidation: json(fact.invalidation_context ?? null),
  dependents: 0,
  rank: rankOf(0, fact.fact_id),
  handed_up: null,
  fact: json(fact),
});

const premiseRow = (fact_id: string, grp: number, premise_id: string): RowChange => ({
  op: 'put',
  table: 'fact_premises',
  row: { premise_key: `${fact_id}/${grp}/${premise_id}`, fact_id, grp, premise_id },
});

const patch = (key: string, set: Row): RowChange => ({ op: 'patch', table: 'facts', key, set });

const standings = (change: FactChange): readonly { readonly fact_id: string; readonly set: Row }[] => [
  ...change.invalidated.map(({ fact_id, by_fact_id, reason }) => ({
    fact_id,
    set: {
      freshness: 'STALE_UPSTREAM_PREMISE',
      invalidation: { invalidated_by_fact_id: by_fact_id, invalidated_at: change.at, reason },
    },
  })),
  ...change.restored.map((fact_id) => ({ fact_id, set: { freshness: 'CURRENT', invalidation: null } })),
  ...change.promoted.map(({ fact_id, status }) => ({ fact_id, set: { epistemic_status: status } })),
];

export const projectFacts = (change: FactChange, seq: number, read: RowReader): readonly RowChange[] => {
  const puts = new Map(
    change.recorded.map((recorded, index) => [recorded.fact.fact_id, rowOf(recorded, seq * PER_EVENT + index)]),
  );
  const links = [
    ...change.recorded.flatMap(({ fact }) =>
      groupsOf(fact).flatMap((group, grp) => group.map((premise_id) => ({ fact_id: fact.fact_id, grp, premise_id }))),
    ),
    ...change.supported.map(({ fact_id, group, premise_id }) => ({ fact_id, grp: group, premise_id })),
  ];
  const rests = new Map<string, Set<string>>();
  for (const { fact_id, premise_id } of links) {
    const set = rests.get(premise_id) ?? new Set<string>();
    rests.set(premise_id, set.add(fact_id));
  }
  const counted = [...rests].flatMap(([premiseId, dependents]): readonly RowChange[] => {
    const own = puts.get(premiseId);
    const total = Number((own ?? read.get('facts', premiseId))?.['dependents'] ?? 0) + dependents.size;
    const set = { dependents: total, rank: rankOf(total, premiseId) };
    if (own === undefined) return [patch(premiseId, set)];
    puts.set(premiseId, { ...own, ...set });
    return [];
  });
  return [
    ...[...puts.values()].map((row): RowChange => ({ op: 'put', table: 'facts', row })),
    ...links.map(({ fact_id, grp, premise_id }) => premiseRow(fact_id, grp, premise_id)),
    ...counted,
    ...change.superseded.map(({ fact_id, by_fact_id }) =>
      patch(fact_id, { superseded_at: change.at, superseded_by: by_fact_id }),
    ),
    ...standings(change).flatMap(({ fact_id, set }, index): readonly RowChange[] => [
      patch(fact_id, set),
      {
        op: 'put',
        table: 'fact_states',
        row: { state_key: `${fact_id}/${seq}/${index}`, fact_id, seq, at: change.at, change: set },
      },
    ]),
    ...change.handed_up.map(({ fact_id, ...pointer }) => patch(fact_id, { handed_up: json(pointer) })),
  ];
};

/** As it stood at a time, from what was recorded and the changes of standing up to then. */
export const factAt = (row: Row, changes: readonly Row[], knownAt: string): BitemporalFact => {
  const fact = row['fact'] as unknown as BitemporalFact;
  const first: Row = {
    ...row,
    epistemic_status: fact.epistemic_status,
    freshness: fact.freshness,
    invalidation: json(fact.invalidation_context ?? null),
  };
  const then = changes
    .filter((change) => textColumn(change, 'at') <= knownAt)
    .reduce<Row>((standing, change) => ({ ...standing, ...(change['change'] as Row) }), first);
  const superseded_at = row['superseded_at'];
  return factOf({
    ...then,
    superseded_at: typeof superseded_at === 'string' && superseded_at <= knownAt ? superseded_at : null,
  });
};

/** As it stands now; what was recorded is never rewritten. */
export const factOf = (row: Row): BitemporalFact => {
  const fact = row['fact'] as unknown as BitemporalFact;
  return {
    ...fact,
    epistemic_status: row['epistemic_status'] as BitemporalFact['epistemic_status'],
    freshness: row['freshness'] as BitemporalFact['freshness'],
    invalidation_context: row['invalidation'] as unknown as NonNullable<BitemporalFact['invalidation_context']> | null,
    transaction_time: {
      recorded_at: fact.transaction_time.recorded_at,
      superseded_at: row['superseded_at'] as string | null,
    },
  };
};
