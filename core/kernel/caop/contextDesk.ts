import type { Fact, Goal } from '../../contracts/caop/base.ts';
import type { ContextBundle, ContextResolveRequest, Review, ReviewRequest } from '../../contracts/caop/execution.ts';
import type { BitemporalFact } from '../../contracts/caop/bitemporal.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, principalKey } from '../../contracts/principal.ts';
import type { Row } from '../eventStore.ts';
import { invalid } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { STATE_STREAM } from './caopParts.ts';
import type { CommitPolicyBook } from './commitPolicyBook.ts';
import type { CompactLedger } from './compactLedger.ts';
import { compactOf } from './caopProjection.ts';
import { factOf } from './factRows.ts';
import type { GoalBook } from './goalBook.ts';
import { textColumn } from '../textColumn.ts';

const MOST = 100;

interface Parts {
  readonly options: CaopOptions;
  readonly ledger: CompactLedger;
  readonly goals: GoalBook;
  readonly policies: CommitPolicyBook;
}

const plainFact = (fact: BitemporalFact): Fact => ({
  id: fact.fact_id,
  subject: fact.subject,
  predicate: fact.predicate,
  object: fact.object,
  source: fact.provenance?.work_id ?? fact.fact_id,
  observedAt: fact.transaction_time.recorded_at,
  validFrom: fact.valid_time.start,
  ...(typeof fact.valid_time.end === 'string' ? { validTo: fact.valid_time.end } : {}),
});

/** Reads: what is known around something, and how a goal stands. Neither changes anything. */
export class ContextDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async resolve(input: ContextResolveRequest, principal: Principal): Promise<ContextBundle> {
    const { options, policies } = this.#parts;
    if (input.scope.workspace_id !== 'personal')
      throw invalid('scope.workspace_id', 'This console keeps one workspace: personal.');
    const observations = await this.#observations(input.observation_ids ?? [], principal);
    const goals = await this.#goals(input, principal);
    const wants = new Set(input.include);
    const ids = goals.map(({ id }) => id);
    const inScope = await Promise.all(ids.map((id) => policies.rulesFor(id, [])));
    const relevant = [
      ...new Set([
        ...inScope.flatMap((rules) => rules.policies.map(({ policy_id }) => policy_id)),
        ...(await options.policyIds()),
      ]),
    ];
    return {
      context_id: options.ids.id('ctx'),
      state_version: await options.store.version(STATE_STREAM),
      related_goals: wants.has('related_goals') ? ids : [],
      open_commitments: wants.has('open_commitments') ? await this.#commitments(ids, principal) : [],
      applicable_policies: wants.has('relevant_policies') ? relevant.sort() : [],
      unresolved_questions: await this.#questions(),
      retrieved_facts: await this.#facts(ids, observations, wants.has('prior_decisions'), principal),
      inferences: [],
    };
  }

  async #observations(ids: readonly string[], principal: Principal): Promise<ReadonlySet<string>> {
    for (const [index, id] of ids.entries()) {
      const row = await this.#parts.options.store.get('observations', id);
      if (row === null || (isAgent(principal) && row['principal'] !== principalKey(principal.ref))) {
        throw invalid(`observation_ids[${index}]`, `There is no observation ${id}. Ingest it first.`);
      }
    }
    return new Set(ids);
  }

  async #goals(input: ContextResolveRequest, principal: Principal): Promise<readonly Goal[]> {
    if (input.goal_id !== undefined) return [await this.#parts.goals.known(input.goal_id, principal, 'goal_id')];
    const all = (await this.#parts.goals.list()).map(({ goal }) => goal).filter(({ status }) => status === 'active');
    const projects = input.scope.project_ids;
    if (projects === undefined) return all.slice(0, MOST);
    const wanted = new Set(projects.flatMap((id) => [id, `goal_${id}`, `goal_${id.replaceAll('-', '_')}`]));
    return all.filter(({ id }) => wanted.has(id)).slice(0, MOST);
  }

  async #commitments(goalIds: readonly string[], principal: Principal): Promise<string[]> {
    if (goalIds.length === 0) return [];
    const where = {
      status: 'open',
      goal_id: goalIds,
      ...(isAgent(principal) ? { principal: principalKey(principal.ref) } : {}),
    };
    const rows = await this.#parts.options.store.query('commitments', {
      where,
      order: { column: 'seq', direction: 'desc' },
      limit: MOST,
    });
    return rows.map((row) => textColumn(row, 'commitment_id'));
  }

  async #questions(): Promise<string[]> {
    const rows = await this.#parts.options.store.query('questions', {
      where: { answer: 'open' },
      order: { column: 'seq', direction: 'asc' },
      limit: MOST,
    });
    return rows.map((row) => textColumn(row['question'] as Row, 'question'));
  }

  /** Default truth: candidates stay out; what is stale is told by its freshness under /x/facts. */
  async #facts(
    goalIds: readonly string[],
    observations: ReadonlySet<string>,
    decisions: boolean,
    principal: Principal,
  ): Promise<Fact[]> {
    const kinds = [
      ...(decisions ? ['derived', 'commitment'] : []),
      'observed',
      'recorded',
      ...(isAgent(principal) ? [] : ['receipt', 'outcome']),
    ];
    const where = { kind: kinds, superseded_at: null, epistemic_status: ['RATIFIED_COMMITMENT', 'VERIFIED_FACT'] };
    const order = { column: 'seq', direction: 'desc' } as const;
    const ofGoals =
      goalIds.length === 0
        ? []
        : await this.#parts.options.store.query('facts', { where: { ...where, goal_id: goalIds }, order, limit: MOST });
    const facts = ofGoals.map(factOf);
    const observed = await Promise.all([...observations].map((id) => this.#observationFact(id)));
    return [...observed.flat(), ...facts.map(plainFact)].slice(0, MOST);
  }

  async #observationFact(id: string): Promise<readonly Fact[]> {
    const row = await this.#parts.options.store.get('observations', id);
    if (row === null) return [];
    const observation = row['observation'] as unknown as {
      source: { provider: string; resource_id: string };
      type: string;
      occurred_at: string;
      payload_ref?: string;
    };
    return [
      {
        id,
        subject: `${observation.source.provider}/${observation.source.resource_id}`,
        predicate: observation.type,
        object: observation.payload_ref ?? null,
        source: id,
        observedAt: observation.occurred_at,
      },
    ];
  }

  async review(input: ReviewRequest, principal: Principal): Promise<Review> {
    const { goals, options } = this.#parts;
    const goal = await goals.must(input.goal_id);
    const own = isAgent(principal) ? { principal: principalKey(principal.ref) } : {};
    const rows = await options.store.query('compact_work', {
      where: { ...own, goal_id: goal.id },
      order: { column: 'seq', direction: 'desc' },
      limit: MOST,
    });
    const wants = new Set(input.include ?? ['outcomes', 'unresolved_commitments', 'failures', 'next_actions']);
    const stale = await options.store.query('facts', {
      where: { ...own, goal_id: goal.id, kind: 'commitment', freshness: 'STALE_UPSTREAM_PREMISE', superseded_at: null },
      order: { column: 'seq', direction: 'asc' },
      limit: MOST,
    });
    const works = rows.map(compactOf).toReversed();
    const actions: Review['recommended_actions'] = [
      ...works.flatMap((work): Review['recommended_actions'] => {
        if (wants.has('failures') && work.status === 'EXECUTE_FAILED')
          return [{ action: `replan:${work.work_id}`, requires_approval: true }];
        if (wants.has('failures') && work.status === 'EXECUTE_EXPIRED')
          return [{ action: `settle:${work.work_id}`, requires_approval: false }];
        if (wants.has('outcomes') && work.outcome?.status === 'PENDING')
          return [{ action: `check_outcome:${work.work_id}`, requires_approval: false }];
        if (wants.has('next_actions') && work.status === 'COMMIT_AWAITING_APPROVAL')
          return [{ action: `decide:${work.work_id}`, requires_approval: true }];
        if (wants.has('next_actions') && work.status === 'EXECUTE_PENDING')
          return [{ action: `dispatch:${work.work_id}`, requires_approval: false }];
        return [];
      }),
      ...(wants.has('next_actions')
        ? stale.map((row) => ({ action: `replan_stale:${textColumn(row, 'work_id')}`, requires_approval: true }))
        : []),
      ...(wants.has('unresolved_commitments')
        ? (await this.#commitments([goal.id], principal)).map((id) => ({
            action: `resolve_commitment:${id}`,
            requires_approval: false,
          }))
        : []),
    ];
    return { review_id: options.ids.id('rev'), goal_status: goal.status, recommended_actions: actions };
  }
}
