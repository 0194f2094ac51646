import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds, restsOn, spread, type Dependent, type PremiseGroups, type Spread } from './factGraph.ts';

/** A graph in memory that drives the walk as the store does. */
class Graph {
  readonly groups = new Map<string, string[][]>();
  readonly current = new Map<string, boolean>();
  readonly superseded = new Set<string>();
  /** Facts that the walk asked for: its cost. */
  asked = 0;

  supports(id: string): boolean {
    return (this.current.get(id) ?? false) && !this.superseded.has(id);
  }
  record(id: string, groups: string[][]): void {
    this.groups.set(id, groups);
    this.current.set(
      id,
      holds(groups, (premise) => this.supports(premise)),
    );
  }
  dependent(id: string): Dependent {
    const groups: PremiseGroups = this.groups.get(id) ?? [];
    return {
      fact_id: id,
      current: this.current.get(id) ?? false,
      superseded: this.superseded.has(id),
      groups,
      support: new Map(groups.flat().map((premise) => [premise, this.supports(premise)])),
    };
  }
  walk(steps: Generator<readonly string[], Spread, readonly Dependent[]>): Spread {
    for (let step = steps.next(); ;) {
      if (step.done === true) return step.value;
      const wanted = new Set(step.value);
      const above = [...this.groups]
        .filter(([, groups]) => groups.flat().some((premise) => wanted.has(premise)))
        .map(([id]) => id);
      this.asked += above.length;
      step = steps.next(above.map((id) => this.dependent(id)));
    }
  }
  isAbove(start: string, target: string): boolean {
    const steps = restsOn(start, target);
    for (let step = steps.next(); ;) {
      if (step.done === true) return step.value;
      step = steps.next(step.value.flatMap((id) => (this.groups.get(id) ?? []).flat()));
    }
  }
  apply(effect: Spread): void {
    for (const { fact_id } of effect.invalidated) this.current.set(fact_id, false);
    for (const id of effect.restored) this.current.set(id, true);
  }
}

/** The rule itself, over everything, until nothing changes. Superseded facts keep the standing they had. */
const naive = (graph: Graph, gone: ReadonlySet<string>): Map<string, boolean> => {
  const current = new Map(graph.current);
  const supports = (id: string): boolean => (current.get(id) ?? false) && !gone.has(id);
  for (let changed = true; changed;) {
    changed = false;
    for (const [id, groups] of graph.groups) {
      if (gone.has(id)) continue;
      const now = groups.every((group) => group.some(supports));
      if (now === current.get(id)) continue;
      current.set(id, now);
      changed = true;
    }
  }
  return current;
};

const shape = fc.array(fc.array(fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 14,
});
const operations = fc.array(
  fc.record({ kind: fc.constantFrom('supersede', 'support'), fact: fc.nat(30), group: fc.nat(5), premise: fc.nat(30) }),
  { maxLength: 10 },
);

const build = (groups: number[][][]): Graph => {
  const graph = new Graph();
  groups.forEach((fact, index) => {
    // Premises are earlier facts, so the graph has no circle.
    const own = index === 0 ? [] : fact.map((group) => [...new Set(group.map((premise) => `f${premise % index}`))]);
    graph.record(`f${index}`, own);
  });
  return graph;
};

describe('causal invalidation against the rule applied to everything', () => {
  it('gives every fact the same standing, after any supersessions and new supports', () => {
    fc.assert(
      fc.property(shape, operations, (facts, steps) => {
        const graph = build(facts);
        let added = 0;
        for (const { kind, fact, group, premise } of steps) {
          const id = `f${fact % facts.length}`;
          if (kind === 'supersede') {
            if (graph.superseded.has(id)) continue;
            const expected = naive(graph, new Set([...graph.superseded, id]));
            const effect = graph.walk(spread([{ fact_id: id, supports: false, cause: 'new' }]));
            graph.superseded.add(id);
            graph.apply(effect);
            expect(effect.invalidated.every(({ cause }) => cause === 'new')).toBe(true);
            expect(graph.current).toEqual(expected);
            continue;
          }
          const groups = graph.groups.get(id) ?? [];
          const target = groups[group % Math.max(1, groups.length)];
          const support = premise % 3 === 0 ? `new${(added += 1)}` : `f${premise % facts.length}`;
          if (target === undefined || graph.superseded.has(id)) continue;
          if (!graph.groups.has(support)) graph.record(support, []);
          if (target.includes(support) || graph.isAbove(support, id)) continue;
          target.push(support);
          const expected = naive(graph, graph.superseded);
          graph.apply(graph.walk(spread([], [graph.dependent(id)])));
          expect(graph.current).toEqual(expected);
        }
      }),
      { numRuns: 4_000 },
    );
  });

  it('finds every circle before it is made, and only those', () => {
    fc.assert(
      fc.property(shape, fc.nat(30), fc.nat(30), (facts, a, b) => {
        const graph = build(facts);
        const [from, to] = [`f${a % facts.length}`, `f${b % facts.length}`];
        const reach = new Set([from]);
        for (const id of reach) for (const premise of (graph.groups.get(id) ?? []).flat()) reach.add(premise);
        expect(graph.isAbove(from, to)).toBe(reach.has(to));
      }),
      { numRuns: 2_000 },
    );
  });

  it('asks only for what rests on what changed', () => {
    const graph = new Graph();
    for (let index = 0; index < 5_000; index += 1) graph.record(`other${index}`, []);
    graph.record('root', []);
    graph.record('mid', [['root']]);
    graph.record('shielded', [['root', 'other1']]);
    graph.record('above', [['shielded']]);
    graph.record('top', [['mid']]);
    const effect = graph.walk(spread([{ fact_id: 'root', supports: false, cause: 'new' }]));
    expect(effect.invalidated.map(({ fact_id }) => fact_id).sort()).toEqual(['mid', 'top']);
    expect(graph.asked).toBe(3);
  });
});
