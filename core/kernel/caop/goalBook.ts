import type { Constraint, Criterion, Goal } from '../../contracts/caop/base.ts';
import type { GoalPulseSLA } from '../../contracts/caop/compact.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import type { Row } from '../eventStore.ts';
import type { CaopOptions } from './caopParts.ts';
import { invalid, notFound } from './caopErrors.ts';
import { requirePerson } from './caopPrincipals.ts';
import { textColumn } from '../textColumn.ts';

export interface GoalView {
  readonly goal: Goal;
  readonly sla: GoalPulseSLA | null;
  /** When the pulse was due that did not come; null once pulses come again. */
  readonly pulse_missed_at: string | null;
}

export interface NewGoal {
  readonly id: string;
  readonly objective: string;
  readonly owner?: PrincipalRef | undefined;
  readonly successCriteria?: readonly Criterion[] | undefined;
  readonly constraints?: readonly Constraint[] | undefined;
  readonly sla?: Omit<GoalPulseSLA, 'goal_id' | 'last_pulse_at'> | undefined;
}

/** Goals of a principal's own begin with its id; every agent has one for work that names none. */
const ownGoalId = (principal: Pick<Principal, 'ref'>): string => `goal_${principal.ref.id}`;

type Parts = Pick<CaopOptions, 'store' | 'writer' | 'clock' | 'notify' | 'onBackgroundError'>;

/** Goals, their heartbeat and what happens when it stops (the dead man's switch). */
export class GoalBook implements Disposable {
  readonly #parts: Parts;
  readonly #timers = new Map<string, Disposable>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    for (const row of await this.#parts.store.query('goals', {})) await this.#watch(textColumn(row, 'goal_id'));
  }

  async find(goalId: string): Promise<Goal | null> {
    const row = await this.#parts.store.get('goals', goalId);
    return row === null ? null : (row['goal'] as unknown as Goal);
  }

  /** Known, or the principal's own, which comes into being with its first use. */
  async known(goalId: string, principal: Principal, path: string): Promise<Goal> {
    const found = await this.find(goalId);
    if (found !== null) return found;
    const own = ownGoalId(principal);
    if (goalId !== own) {
      throw invalid(path, `There is no goal ${goalId}. Name one of /x/goals, or your own: ${own}.`);
    }
    await this.#append(
      goalId,
      0,
      this.#created(
        {
          id: own,
          objective: `Work of ${principal.ref.type}:${principal.ref.id} that names no goal.`,
          owner: principal.ref,
        },
        principal.ref,
      ),
    ).catch((error: unknown) => {
      // Another request of the same agent was first.
      if (!(error instanceof SignalboxError && error.code === 'STATE_VERSION_CONFLICT')) throw error;
    });
    return this.must(goalId);
  }

  async must(goalId: string): Promise<Goal> {
    const found = await this.find(goalId);
    if (found === null) throw notFound(`goal ${goalId}`);
    return found;
  }

  async list(): Promise<readonly GoalView[]> {
    const rows = await this.#parts.store.query('goals', { order: { column: 'seq', direction: 'asc' } });
    return Promise.all(rows.map((row) => this.#view(row)));
  }

  async view(goalId: string): Promise<GoalView> {
    const row = await this.#parts.store.get('goals', goalId);
    if (row === null) throw notFound(`goal ${goalId}`);
    return this.#view(row);
  }

  async create(input: NewGoal, principal: Principal): Promise<GoalView> {
    requirePerson(principal, 'set goals');
    if ((await this.find(input.id)) !== null) {
      throw new SignalboxError('STATE_VERSION_CONFLICT', `There is a goal ${input.id} already. Take another id.`);
    }
    await this.#append(input.id, 0, this.#created(input, principal.ref));
    await this.#watch(input.id);
    return this.view(input.id);
  }

  async change(goalId: string, status: Goal['status'], because: string, principal: Principal): Promise<GoalView> {
    requirePerson(principal, 'change goals');
    await this.#parts.writer.retrying(async () => {
      await this.must(goalId);
      const version = await this.#parts.store.version(goalId);
      await this.#append(goalId, version, { type: 'goal.changed', payload: { status, by: principal.ref, because } });
    });
    return this.view(goalId);
  }

  /** Resets the heartbeat of these goals. */
  async pulsed(goalIds: readonly string[]): Promise<void> {
    const at = this.#parts.writer.now();
    await this.#parts.store.write(
      goalIds.map((goal_id) => ({ op: 'put', table: 'goal_pulses', row: { goal_id, at } })),
    );
    for (const goalId of goalIds) await this.#watch(goalId);
  }

  async withSla(): Promise<readonly string[]> {
    return (await this.#parts.store.query('goals', {})).flatMap((row) =>
      row['sla'] === null ? [] : [textColumn(row, 'goal_id')],
    );
  }

  async #view(row: Row): Promise<GoalView> {
    const pulse = await this.#parts.store.get('goal_pulses', textColumn(row, 'goal_id'));
    const last = pulse?.['at'] as string | undefined;
    const sla = row['sla'] as unknown as GoalPulseSLA | null;
    const missed = row['missed_at'] as string | null;
    return {
      goal: row['goal'] as unknown as Goal,
      sla: sla === null || last === undefined ? sla : { ...sla, last_pulse_at: last },
      pulse_missed_at: missed !== null && (last === undefined || last < missed) ? missed : null,
    };
  }

  #created(input: NewGoal, by: PrincipalRef): DomainEvent {
    const now = this.#parts.writer.now();
    const goal: Goal = {
      id: input.id,
      objective: input.objective,
      owner: input.owner ?? by,
      successCriteria: [...(input.successCriteria ?? [])],
      constraints: [...(input.constraints ?? [])],
      status: 'active',
      createdAt: now,
      updatedAt: now,
    };
    return {
      type: 'goal.created',
      payload: { goal, sla: input.sla === undefined ? null : { ...input.sla, goal_id: input.id } },
    };
  }

  async #append(goalId: string, version: number, event: DomainEvent): Promise<void> {
    await this.#parts.writer.append([{ stream: goalId, version, events: [event] }], goalId);
  }

  async #watch(goalId: string): Promise<void> {
    this.#timers.get(goalId)?.[Symbol.dispose]();
    this.#timers.delete(goalId);
    const view = await this.view(goalId);
    if (view.sla === null || view.goal.status !== 'active' || view.sla.loop_driver !== 'CLIENT_POLLED') return;
    const since = Date.parse(view.sla.last_pulse_at ?? view.goal.createdAt);
    const due = since + (view.sla.expected_pulse_interval_seconds + view.sla.grace_period_seconds) * 1_000;
    if (view.pulse_missed_at !== null && Date.parse(view.pulse_missed_at) >= due) return;
    const timer = this.#parts.clock.schedule(due, () => {
      this.#missed(goalId, new Date(due).toISOString()).catch((error: unknown) =>
        this.#parts.onBackgroundError(error, `noting a missed pulse of ${goalId}`),
      );
    });
    this.#timers.set(goalId, timer);
  }

  async #missed(goalId: string, due_at: string): Promise<void> {
    const version = await this.#parts.store.version(goalId);
    await this.#append(goalId, version, { type: 'goal.pulse_missed', payload: { due_at } });
    this.#parts.notify?.({ goal_id: goalId, due_at });
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    this.#timers.clear();
  }
}
