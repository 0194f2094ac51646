import { Environment } from '@marcbachmann/cel-js';

/** What a policy's condition can read. */
const givenVariables = ['capability', 'arguments', 'surface', 'target', 'principal', 'now'] as const;
/** Known of staged plans only; null for a verb that is called by itself. */
const planVariables = ['goal', 'commitment'] as const;
const conditionVariables = [...givenVariables, ...planVariables] as const;
export type ConditionContext = Readonly<Record<(typeof givenVariables)[number], unknown>> &
  Readonly<Partial<Record<(typeof planVariables)[number], unknown>>>;

export interface Condition {
  /** Throws when the expression does, or when it answers anything but true or false. */
  test(context: ConditionContext): boolean;
  /** The values it reads, by path: `{'target.name': 'Delete'}`. Paths that lead nowhere are null. */
  reads(context: ConditionContext): Readonly<Record<string, unknown>>;
}

export type ParsedCondition =
  { readonly ok: true; readonly condition: Condition } | { readonly ok: false; readonly message: string };

const environment = conditionVariables.reduce(
  (env, name) => env.registerVariable(name, 'dyn'),
  new Environment({ limits: { maxAstNodes: 2_000, maxDepth: 60 } }),
);

interface Node {
  readonly op: string;
  readonly args: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** `a.b["c"]` as a list of keys; null when the chain is not made of constant keys on a variable. */
const chainOf = (node: Node): readonly string[] | null => {
  if (node.op === 'id' && typeof node.args === 'string') return [node.args];
  if (node.op !== '.' && node.op !== '[]') return null;
  const [object, key] = node.args as readonly unknown[];
  const parent = isNode(object) ? chainOf(object) : null;
  if (parent === null) return null;
  if (typeof key === 'string') return [...parent, key];
  return isNode(key) && key.op === 'value' && typeof key.args === 'string' ? [...parent, key.args] : null;
};

const collectPaths = (value: unknown, paths: Map<string, readonly string[]>): void => {
  if (Array.isArray(value)) {
    for (const item of value) collectPaths(item, paths);
    return;
  }
  if (!isNode(value)) return;
  const chain = chainOf(value);
  if (chain !== null && conditionVariables.some((name) => name === chain[0])) paths.set(chain.join('.'), chain);
  else collectPaths(value.args, paths);
};

const lookUp = (context: ConditionContext, path: readonly string[]): unknown => {
  let value: unknown = context;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : null;
  }
  return value instanceof Date ? value.toISOString() : (value ?? null);
};

/** CEL, checked once: an expression that cannot be a condition is refused here, not when it is needed. */
export const parseCondition = (source: string): ParsedCondition => {
  try {
    const program = environment.parse(source);
    const check = program.check();
    if (!check.valid) return { ok: false, message: check.error?.message ?? 'The expression does not check.' };
    if (check.type !== 'bool' && check.type !== 'dyn') {
      return { ok: false, message: `A condition answers true or false; this one answers ${String(check.type)}.` };
    }
    const paths = new Map<string, readonly string[]>();
    collectPaths(program.ast, paths);
    return { ok: true, condition: conditionOf(program, paths) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
};

const conditionOf = (
  program: (context: Record<string, unknown>) => unknown,
  paths: ReadonlyMap<string, readonly string[]>,
): Condition => ({
  test(context) {
    const answer = program({ goal: null, commitment: null, ...context });
    if (typeof answer !== 'boolean') throw new TypeError('The condition answered neither true nor false.');
    return answer;
  },
  reads: (context) =>
    Object.fromEntries([...paths].map(([name, path]): [string, unknown] => [name, lookUp(context, path)])),
});
