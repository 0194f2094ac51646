import type { BitemporalFact, EpistemicStatus, FactProvenance } from '../../contracts/caop/bitemporal.ts';
import type { FactChange, FactKind } from '../../contracts/caopEvents.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { PrincipalRef } from '../../contracts/principal.ts';
import type { Dependent, Shift, Spread } from '../../domain/caop/factGraph.ts';
import { groupsOf, holds, restsOn, spread } from '../../domain/caop/factGraph.ts';
import type { EventStore, Row } from '../eventStore.ts';
import { textColumn } from '../textColumn.ts';

/** Facts are written through here: what a change does to everything that rests on it is part of the change. */

export interface NewFact {
  readonly fact_id: string;
  readonly subject: string;
  readonly predicate: string;
  readonly object: unknown;
  readonly depends_on_fact_ids?: readonly string[];
  readonly depends_on_alternatives?: readonly (readonly string[])[];
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly status: EpistemicStatus;
  readonly kind: FactKind;
  readonly goal_id: string | null;
  readonly work_id: string | null;
  readonly principal: PrincipalRef;
  readonly provenance?: FactProvenance;
}

export interface FactPlan {
  readonly record?: readonly NewFact[];
  readonly supersede?: readonly { readonly fact_id: string; readonly by_fact_id: string; readonly reason: string }[];
  readonly support?: readonly {
    readonly fact_id: string;
    readonly alternative_to: string;
    readonly premise_id: string;
  }[];
  readonly promote?: FactChange['promoted'];
  readonly hand_up?: FactChange['handed_up'];
}

export const DEFAULT_MAX_SUBGRAPH = 500;
const CHUNK = 500;

export const isEmpty = (change: FactChange): boolean =>
  change.recorded.length +
    change.superseded.length +
    change.supported.length +
    change.promoted.length +
    change.handed_up.length ===
  0;

const invalid = (path: string, message: string): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', message, { details: { issues: [{ path, message }] } });

const supports = (row: Row | undefined): boolean =>
  row !== undefined && row['freshness'] === 'CURRENT' && row['superseded_at'] === null;

const grouped = <T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

const chunked = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );

export class FactLedger {
  readonly #store: EventStore;
  readonly #max: number;

  constructor(store: EventStore, max: number) {
    this.#store = store;
    this.#max = max;
  }

  async rows(factIds: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const pages = await Promise.all(
      chunked([...new Set(factIds)]).map((ids) => this.#store.query('facts', { where: { fact_id: ids } })),
    );
    return new Map(pages.flat().map((row) => [textColumn(row, 'fact_id'), row]));
  }

  async unknown(factIds: readonly string[]): Promise<readonly string[]> {
    const known = await this.rows(factIds);
    return [...new Set(factIds)].filter((id) => !known.has(id));
  }

  /** The whole change, or a refusal with nothing written. */
  async prepare(plan: FactPlan, at: string): Promise<FactChange> {
    const record = plan.record ?? [];
    const supersede = plan.supersede ?? [];
    await this.#refuseBadOrder(record);
    await this.#refuseBadSupersession(supersede);
    const supported = await this.#supports(plan.support ?? []);
    const shifts = supersede.map(({ fact_id, by_fact_id }): Shift => ({ fact_id, supports: false, cause: by_fact_id }));
    const changed = await this.#dependents([...new Set(supported.map(({ fact_id }) => fact_id))], supported);
    const effect = await this.#spread(shifts, changed);
    this.#refuseTooLarge(effect, supersede[0]?.fact_id ?? supported[0]?.fact_id ?? '');
    const reasons = new Map(supersede.map(({ by_fact_id, reason }) => [by_fact_id, reason]));
    return {
      at,
      recorded: await this.#recorded(record, effect, shifts, at),
      superseded: supersede.map(({ fact_id, by_fact_id }) => ({ fact_id, by_fact_id })),
      invalidated: effect.invalidated.map(({ fact_id, cause }) => ({
        fact_id,
        by_fact_id: cause,
        reason: reasons.get(cause) ?? 'A premise it rests on no longer holds.',
      })),
      restored: [...effect.restored],
      supported,
      promoted: [...(plan.promote ?? [])],
      handed_up: [...(plan.hand_up ?? [])],
    };
  }

  /** A new fact rests on what is known, or on one before it in the same change: so no cycle can come about. */
  async #refuseBadOrder(record: readonly NewFact[]): Promise<void> {
    if (record.length === 0) return;
    const taken = await this.rows(record.map(({ fact_id }) => fact_id));
    const known = await this.rows(record.flatMap((fact) => groupsOf(fact).flat()));
    const earlier = new Set<string>();
    for (const fact of record) {
      if (taken.has(fact.fact_id) || earlier.has(fact.fact_id)) {
        throw invalid(
          'changes[].entity_id',
          `The fact ${fact.fact_id} exists already; facts are never overwritten. Take another id.`,
        );
      }
      const loose = groupsOf(fact)
        .flat()
        .filter((id) => !known.has(id) && !earlier.has(id));
      if (loose.length > 0) {
        const later = loose.filter((id) => id === fact.fact_id || record.some((other) => other.fact_id === id));
        throw invalid(
          'changes[].value.depends_on_fact_ids',
          later.length > 0
            ? `${fact.fact_id} rests on ${later.join(', ')}, which stands at or after it: put premises first. A circle is refused.`
            : `There is no fact ${loose.join(', ')}. Name facts that are known.`,
        );
      }
      earlier.add(fact.fact_id);
    }
  }

  async #refuseBadSupersession(supersede: NonNullable<FactPlan['supersede']>): Promise<void> {
    const rows = await this.rows(supersede.map(({ fact_id }) => fact_id));
    const seen = new Set<string>();
    for (const { fact_id } of supersede) {
      const row = rows.get(fact_id);
      if (row === undefined)
        throw invalid('supersedes_fact_id', `There is no fact ${fact_id} to supersede. Name one that is known.`);
      if (row['superseded_at'] !== null || seen.has(fact_id)) {
        const by = row['superseded_by'];
        throw invalid(
          'supersedes_fact_id',
          `${fact_id} is superseded already${typeof by === 'string' ? ` by ${by}` : ' in this same request'}. Supersede that one instead.`,
        );
      }
      seen.add(fact_id);
    }
  }

  async #supports(wanted: NonNullable<FactPlan['support']>): Promise<FactChange['supported']> {
    const out: FactChange['supported'] = [];
    for (const { fact_id, alternative_to, premise_id } of wanted) {
      const [known, links] = await Promise.all([
        this.rows([fact_id, premise_id]),
        this.#store.query('fact_premises', { where: { fact_id } }),
      ]);
      const missing = [fact_id, premise_id].filter((id) => !known.has(id));
      if (missing.length > 0) throw invalid('changes[].value', `There is no fact ${missing.join(', ')}.`);
      const group = links.find((link) => link['premise_id'] === alternative_to)?.['grp'];
      if (group === undefined)
        throw invalid(
          'changes[].value.alternative_to',
          `${fact_id} does not rest on ${alternative_to}. Name one of its premises.`,
        );
      if (links.some((link) => link['premise_id'] === premise_id && link['grp'] === group)) {
        throw invalid('changes[].value.fact_id', `${premise_id} supports ${fact_id} there already.`);
      }
      if (await this.#isAbove(premise_id, fact_id)) {
        throw invalid('changes[].value.fact_id', `${premise_id} itself rests on ${fact_id}: that would be a circle.`);
      }
      out.push({ fact_id, group: Number(group), premise_id });
    }
    return out;
  }

  async #isAbove(start: string, target: string): Promise<boolean> {
    const walk = restsOn(start, target);
    for (let step = walk.next(); ;) {
      if (step.done === true) return step.value;
      const pages = await Promise.all(
        chunked(step.value).map((ids) => this.#store.query('fact_premises', { where: { fact_id: ids } })),
      );
      step = walk.next(pages.flat().map((row) => textColumn(row, 'premise_id')));
    }
  }

  async #spread(shifts: readonly Shift[], changed: readonly Dependent[]): Promise<Spread> {
    const walk = spread(shifts, changed);
    for (let step = walk.next(); ;) {
      if (step.done === true) return step.value;
      const links = await Promise.all(
        chunked(step.value).map((ids) => this.#store.query('fact_premises', { where: { premise_id: ids } })),
      );
      const above = [...new Set(links.flat().map((row) => textColumn(row, 'fact_id')))];
      step = walk.next(await this.#dependents(above, []));
    }
  }

  /** Facts with their premises and whether each premise supports now. */
  async #dependents(factIds: readonly string[], extra: FactChange['supported']): Promise<readonly Dependent[]> {
    if (factIds.length === 0) return [];
    const [facts, pages] = await Promise.all([
      this.rows(factIds),
      Promise.all(chunked(factIds).map((ids) => this.#store.query('fact_premises', { where: { fact_id: ids } }))),
    ]);
    const links = [
      ...pages.flat().map((row) => ({
        fact_id: textColumn(row, 'fact_id'),
        group: Number(row['grp']),
        premise_id: textColumn(row, 'premise_id'),
      })),
      ...extra,
    ];
    const premises = await this.rows(links.map(({ premise_id }) => premise_id));
    const support = new Map([...premises].map(([id, row]) => [id, supports(row)]));
    const byFact = grouped(links, ({ fact_id }) => fact_id);
    return [...factIds].sort().flatMap((fact_id): Dependent[] => {
      const row = facts.get(fact_id);
      if (row === undefined) return [];
      const groups = [...grouped(byFact.get(fact_id) ?? [], ({ group }) => group).values()].map((group) =>
        group.map(({ premise_id }) => premise_id),
      );
      return [
        {
          fact_id,
          current: row['freshness'] === 'CURRENT',
          superseded: row['superseded_at'] !== null,
          groups,
          support,
        },
      ];
    });
  }

  #refuseTooLarge(effect: Spread, factId: string): void {
    const size = effect.invalidated.length + effect.restored.length;
    if (size <= this.#max) return;
    throw new SignalboxError(
      'CAOP_413_INVALIDATION_SUBGRAPH_TOO_LARGE',
      `Superseding ${factId} would change the standing of ${size} dependents; the limit is ${this.#max}. Nothing was applied. Supersede nearer to what rests on it, or raise the limit.`,
      { details: { superseded_fact_id: factId, affected_subgraph_size: size, max_invalidation_subgraph: this.#max } },
    );
  }

  async #recorded(
    record: readonly NewFact[],
    effect: Spread,
    shifts: readonly Shift[],
    at: string,
  ): Promise<FactChange['recorded']> {
    const known = await this.rows(record.flatMap((fact) => groupsOf(fact).flat()));
    const gone = new Map([
      ...shifts.map(({ fact_id, cause }) => [fact_id, cause] as const),
      ...effect.invalidated.map(({ fact_id, cause }) => [fact_id, cause] as const),
    ]);
    const back = new Set(effect.restored);
    const fresh = new Map<string, boolean>();
    return record.map((fact) => {
      const groups = groupsOf(fact);
      const stands = (id: string): boolean =>
        fresh.get(id) ?? (!gone.has(id) && (back.has(id) || supports(known.get(id))));
      const current = holds(groups, stands);
      fresh.set(fact.fact_id, current);
      const failed = groups.flat().find((id) => !stands(id)) ?? '';
      const written: BitemporalFact = {
        fact_id: fact.fact_id,
        subject: fact.subject,
        predicate: fact.predicate,
        object: fact.object ?? null,
        epistemic_status: fact.status,
        freshness: current ? 'CURRENT' : 'STALE_UPSTREAM_PREMISE',
        depends_on_fact_ids: [...(fact.depends_on_fact_ids ?? [])],
        ...(fact.depends_on_alternatives === undefined
          ? {}
          : { depends_on_alternatives: fact.depends_on_alternatives.map((group) => [...group]) }),
        invalidation_context: current
          ? null
          : {
              invalidated_by_fact_id: gone.get(failed) ?? failed,
              invalidated_at: at,
              reason: 'It rests on a fact that does not hold.',
            },
        valid_time: { start: fact.valid_from ?? at, end: fact.valid_to ?? null },
        transaction_time: { recorded_at: at, superseded_at: null },
        ...(fact.provenance === undefined ? {} : { provenance: fact.provenance }),
      };
      return {
        fact: written,
        kind: fact.kind,
        goal_id: fact.goal_id,
        work_id: fact.work_id,
        principal: fact.principal,
      };
    });
  }
}
