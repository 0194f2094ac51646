import type { Commitment, CommitmentCreate, CommitmentList, Plan, PlanCreate } from '../../contracts/caop/execution.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, principalKey } from '../../contracts/principal.ts';
import type { Row } from '../eventStore.ts';
import { pageOf, readCursor } from '../paging.ts';
import { invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { requireActor } from './caopPrincipals.ts';
import type { CapabilityBook } from './capabilityBook.ts';
import type { GoalBook } from './goalBook.ts';
import { textColumn } from '../textColumn.ts';

const PAGE = 100;

const viewOf = (row: Row): Commitment => ({
  commitment_id: textColumn(row, 'commitment_id'),
  goal_id: textColumn(row, 'goal_id'),
  ...(row['commitment'] as object),
  status: row['status'] as Commitment['status'],
  version: Number(row['version']),
});

/** Commitments, and the plans laid out for them. */
export class CommitmentBook {
  readonly #options: CaopOptions;
  readonly #goals: GoalBook;
  readonly #capabilities: CapabilityBook;

  constructor(options: CaopOptions, goals: GoalBook, capabilities: CapabilityBook) {
    this.#options = options;
    this.#goals = goals;
    this.#capabilities = capabilities;
  }

  async create(input: CommitmentCreate, principal: Principal): Promise<Commitment> {
    requireActor(principal);
    await this.#goals.known(input.goal_id, principal, 'goal_id');
    const id = this.#options.ids.id('com');
    const payload = {
      goal_id: input.goal_id,
      objective: input.objective,
      success_criteria: input.success_criteria,
      deadline: input.deadline ?? null,
      principal: principal.ref,
    };
    await this.#options.writer.append(
      [{ stream: id, version: 0, events: [{ type: 'commitment.created', payload }] }],
      input.goal_id,
    );
    return this.view(await this.row(id, principal));
  }

  view(row: Row): Commitment {
    return viewOf(row);
  }

  /** Somebody else's commitment is not there for an agent. */
  async row(commitmentId: string, principal: Principal): Promise<Row> {
    const row = await this.#options.store.get('commitments', commitmentId);
    if (row === null || (isAgent(principal) && row['principal'] !== principalKey(principal.ref))) {
      throw notFound(`commitment ${commitmentId}`);
    }
    return row;
  }

  /** Newest first. Agents see their own. */
  async list(
    query: { status?: string | undefined; goal_id?: string | undefined; cursor?: string | undefined },
    principal: Principal,
  ): Promise<CommitmentList> {
    const where = {
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.goal_id === undefined ? {} : { goal_id: query.goal_id }),
      ...(isAgent(principal) ? { principal: principalKey(principal.ref) } : {}),
    };
    const order = { column: 'seq', direction: 'desc' } as const;
    const rows = await this.#options.store.query('commitments', {
      where,
      order,
      limit: PAGE + 1,
      ...readCursor(query),
    });
    const { items, next } = pageOf(rows, PAGE, 'seq');
    return { data: items.map(viewOf), next_cursor: next.next_cursor ?? null };
  }

  /** The preferred capabilities in order, each after the one before. */
  async plan(input: PlanCreate, principal: Principal): Promise<Plan> {
    requireActor(principal);
    const commitment = await this.row(input.commitment_id, principal);
    const wanted = input.preferred_capabilities ?? [];
    if (wanted.length === 0) {
      throw invalid('preferred_capabilities', 'This planner lays out what it is given: name at least one capability.');
    }
    for (const [index, id] of wanted.entries()) {
      if ((await this.#capabilities.find(id)) === null) {
        throw invalid(
          `preferred_capabilities[${index}]`,
          `There is no capability ${id}. caop_pulse lists them as capability_stubs.`,
        );
      }
    }
    const plan: Plan = {
      plan_id: this.#options.ids.id('plan'),
      commitment_id: input.commitment_id,
      steps: wanted.map((capability, index) => ({
        id: `step_${index + 1}`,
        capability,
        depends_on: index === 0 ? [] : [`step_${index}`],
      })),
    };
    const payload = {
      plan,
      constraints: { ...input.constraints },
      principal: principal.ref,
      goal_id: textColumn(commitment, 'goal_id'),
    };
    await this.#options.writer.append(
      [{ stream: plan.plan_id, version: 0, events: [{ type: 'plan.created', payload }] }],
      input.commitment_id,
    );
    return plan;
  }
}
