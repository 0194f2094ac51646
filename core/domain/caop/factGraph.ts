/**
 * Causal invalidation (`kernel.md`, "Facts"). A fact holds while every group of its premises keeps one
 * member that supports: one that is CURRENT and not superseded. The walk asks for the dependents of what
 * has just changed and nothing else, so its cost follows what is affected, not what is known.
 */

/** Groups of interchangeable premises; a plain premise is a group of one. */
export type PremiseGroups = readonly (readonly string[])[];

export interface Dependent {
  readonly fact_id: string;
  readonly current: boolean;
  readonly superseded: boolean;
  readonly groups: PremiseGroups;
  /** Whether each premise supported before this change. */
  readonly support: ReadonlyMap<string, boolean>;
}

/** A fact whose support changes from outside the graph. */
export interface Shift {
  readonly fact_id: string;
  readonly supports: boolean;
  /** The fact that is the cause, told to everything that falls with it. */
  readonly cause: string;
}

export interface Spread {
  readonly invalidated: readonly { readonly fact_id: string; readonly cause: string }[];
  readonly restored: readonly string[];
}

export const groupsOf = (fact: {
  readonly depends_on_fact_ids?: readonly string[] | undefined;
  readonly depends_on_alternatives?: readonly (readonly string[])[] | undefined;
}): PremiseGroups => [
  ...(fact.depends_on_fact_ids ?? []).map((id) => [id]),
  ...(fact.depends_on_alternatives ?? []).filter((group) => group.length > 0),
];

export const holds = (groups: PremiseGroups, supports: (factId: string) => boolean): boolean =>
  groups.every((group) => group.some(supports));

/**
 * Yields the facts whose dependents are wanted; is sent those dependents. `changed` are dependents that
 * got a further support and must be looked at themselves.
 */
export function* spread(
  shifts: readonly Shift[],
  changed: readonly Dependent[] = [],
): Generator<readonly string[], Spread, readonly Dependent[]> {
  const support = new Map(shifts.map(({ fact_id, supports }) => [fact_id, supports]));
  const causes = new Map(shifts.map(({ fact_id, cause }) => [fact_id, cause]));
  const outside = new Set(support.keys());
  const first = new Map<string, boolean>();
  const now = new Map<string, boolean>();

  const look = (dependent: Dependent): boolean => {
    if (dependent.superseded || outside.has(dependent.fact_id)) return false;
    const fresh = holds(dependent.groups, (id) => support.get(id) ?? dependent.support.get(id) ?? false);
    const before = now.get(dependent.fact_id) ?? dependent.current;
    if (fresh === before) return false;
    if (!first.has(dependent.fact_id)) first.set(dependent.fact_id, dependent.current);
    now.set(dependent.fact_id, fresh);
    support.set(dependent.fact_id, fresh);
    const cause = dependent.groups.flat().flatMap((id) => (support.get(id) === false ? (causes.get(id) ?? []) : []))[0];
    if (cause !== undefined) causes.set(dependent.fact_id, cause);
    return true;
  };

  let frontier = [...shifts.map(({ fact_id }) => fact_id), ...changed.filter(look).map(({ fact_id }) => fact_id)];
  while (frontier.length > 0) {
    const dependents = yield frontier;
    frontier = dependents.filter(look).map(({ fact_id }) => fact_id);
  }

  const flipped = [...now].filter(([id, fresh]) => first.get(id) !== fresh);
  return {
    invalidated: flipped
      .filter(([, fresh]) => !fresh)
      .map(([fact_id]) => ({ fact_id, cause: causes.get(fact_id) ?? fact_id })),
    restored: flipped.filter(([, fresh]) => fresh).map(([fact_id]) => fact_id),
  };
}

/** Yields facts whose premises are wanted; answers whether `target` is `start` or anything it rests on. */
export function* restsOn(start: string, target: string): Generator<readonly string[], boolean, readonly string[]> {
  const seen = new Set([start]);
  let frontier: readonly string[] = [start];
  while (frontier.length > 0) {
    if (frontier.includes(target)) return true;
    const premises = yield frontier;
    frontier = [...new Set(premises)].filter((id) => !seen.has(id));
    for (const id of frontier) seen.add(id);
  }
  return false;
}
