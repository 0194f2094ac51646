import type { BitemporalFact } from '../../contracts/caop/bitemporal.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, principalKey } from '../../contracts/principal.ts';
import type { EventStore, Row } from '../eventStore.ts';
import { pageOf, readCursor } from '../paging.ts';
import { notFound } from './caopErrors.ts';
import { factAt, factOf } from './factRows.ts';
import { textColumn } from '../textColumn.ts';

export interface FactQuery {
  readonly valid_at?: string | undefined;
  readonly known_at?: string | undefined;
  readonly subject?: string | undefined;
  readonly goal_id?: string | undefined;
  /** Proposals too; by default only what was adopted. */
  readonly candidates: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FactView extends BitemporalFact {
  readonly kind: string;
  readonly superseded_by_fact_id: string | null;
  readonly dependents: number;
  /** Where a child scope had it from. */
  readonly handed_up: Readonly<Record<string, unknown>> | null;
}

const viewOf = (row: Row, fact: BitemporalFact): FactView => ({
  ...fact,
  kind: textColumn(row, 'kind'),
  superseded_by_fact_id:
    typeof fact.transaction_time.superseded_at === 'string' ? (row['superseded_by'] as string | null) : null,
  dependents: Number(row['dependents']),
  handed_up: row['handed_up'] as Readonly<Record<string, unknown>> | null,
});

/** Both sides as instants: the offset a time was written with does not matter. */
const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b);

const validAt = (fact: BitemporalFact, at: string): boolean =>
  isBefore(fact.valid_time.start, at) &&
  (typeof fact.valid_time.end !== 'string' || !isBefore(fact.valid_time.end, at));

const PRIVATE_KINDS: ReadonlySet<string> = new Set(['receipt', 'failure', 'outcome']);
/** The workspace's facts are everybody's; what a step gave back is its own agent's and people's. */
const isVisible = (row: Row, viewer: Principal): boolean =>
  !isAgent(viewer) || !PRIVATE_KINDS.has(textColumn(row, 'kind')) || row['principal'] === principalKey(viewer.ref);

/** What is known, or was known at a time, of what is or was valid at a time. Newest first. */
export const factReads = (store: EventStore) => {
  const asKnown = async (row: Row, knownAt: string | undefined): Promise<BitemporalFact | null> => {
    if (knownAt === undefined) return factOf(row);
    if (!isBefore(textColumn(row, 'recorded_at'), knownAt)) return null;
    const changes = await store.query('fact_states', {
      where: { fact_id: textColumn(row, 'fact_id') },
      order: { column: 'seq', direction: 'asc' },
    });
    return factAt(row, changes, new Date(knownAt).toISOString());
  };

  const shows = (fact: BitemporalFact, query: FactQuery): boolean =>
    (query.candidates || fact.epistemic_status !== 'CANDIDATE_PROPOSAL') &&
    typeof fact.transaction_time.superseded_at !== 'string' &&
    (query.valid_at === undefined || validAt(fact, query.valid_at));

  return {
    async list(query: FactQuery, viewer: Principal): Promise<{ facts: readonly FactView[]; next_cursor?: string }> {
      const where = {
        ...(query.subject === undefined ? {} : { subject: query.subject }),
        ...(query.goal_id === undefined ? {} : { goal_id: query.goal_id }),
        ...(query.known_at === undefined ? { superseded_at: null } : {}),
        ...(query.known_at === undefined && !query.candidates
          ? { epistemic_status: ['RATIFIED_COMMITMENT', 'VERIFIED_FACT'] }
          : {}),
      };
      const order = { column: 'seq', direction: 'desc' } as const;
      const rows = await store.query('facts', { where, order, limit: query.limit + 1, ...readCursor(query) });
      const { items, next } = pageOf(rows, query.limit, 'seq');
      const views = await Promise.all(
        items
          .filter((row) => isVisible(row, viewer))
          .map(async (row) => {
            const fact = await asKnown(row, query.known_at);
            return fact === null || !shows(fact, query) ? [] : [viewOf(row, fact)];
          }),
      );
      return { facts: views.flat(), ...next };
    },

    async get(factId: string, viewer: Principal): Promise<FactView> {
      const row = await store.get('facts', factId);
      if (row === null || !isVisible(row, viewer)) throw notFound(`fact ${factId}`);
      return viewOf(row, factOf(row));
    },
  };
};
