import type { TargetReading } from '../contracts/console.ts';
import type { Binding, BoundCall } from '../contracts/events.ts';
import { canonicalJson } from './canonicalJson.ts';

export const MASK = '••••';

export type Arguments = Readonly<Record<string, unknown>>;

/** What an approval stands on, before it is hashed. */
export interface BindingFacts {
  readonly verb: string;
  readonly arguments: Arguments;
  readonly policies: Binding['policies'];
  readonly surface: Binding['surface'];
  readonly address: string | null;
  readonly reading: TargetReading | null;
}

export const entersText = (verb: string, args: Arguments): boolean =>
  verb === 'operator.act' && args['action'] === 'enter_text' && typeof args['value'] === 'string';

/** Text for a password field is never recorded. */
export const isSensitive = (verb: string, args: Arguments, reading: TargetReading | null): boolean =>
  entersText(verb, args) && reading?.password === true;

export const maskText = (args: Arguments): Arguments => ({ ...args, value: MASK });

export const bindingOf = (facts: BindingFacts): Binding => ({
  verb: facts.verb,
  arguments: { ...facts.arguments },
  policies: facts.policies,
  surface: facts.surface,
  address: facts.address,
  target:
    facts.reading === null
      ? null
      : {
          role: facts.reading.role,
          name: facts.reading.name ?? null,
          row: facts.reading.row ?? null,
          frame: facts.reading.frame ?? null,
        },
});

/** The bytes a binding hash is taken over. */
export const bindingText = (binding: Binding): string => canonicalJson(binding);

const show = (value: string | null): string => (value === null ? 'none' : `"${value}"`);

const targetDifferences = (asked: Binding['target'], now: Binding['target']): string[] => {
  if (asked === null || now === null) return asked === now ? [] : ['the target is no longer there'];
  return (['role', 'name', 'row', 'frame'] as const)
    .filter((part) => asked[part] !== now[part])
    .map((part) => `the target's ${part} was ${show(asked[part])}, now ${show(now[part])}`);
};

const surfaceDifferences = (asked: Binding['surface'], now: Binding['surface']): string[] => {
  if (asked === null || now === null) return asked === now ? [] : ['the surface is another one'];
  const differences: string[] = [];
  if (asked.id !== now.id) differences.push(`the surface was ${asked.id}, now ${now.id}`);
  if (asked.generation !== now.generation) differences.push('the surface was reloaded since');
  if (asked.epoch !== now.epoch) differences.push('control of the surface changed hands since');
  return differences;
};

/** In plain words, one entry per difference; empty when the claim still stands. */
export const bindingDifferences = (asked: Binding, now: Binding): readonly string[] => [
  ...(canonicalJson(asked.arguments) === canonicalJson(now.arguments) ? [] : ['the arguments are not those approved']),
  ...surfaceDifferences(asked.surface, now.surface),
  ...(asked.address === now.address ? [] : [`the address was ${show(asked.address)}, now ${show(now.address)}`]),
  ...targetDifferences(asked.target, now.target),
  ...(canonicalJson(asked.policies) === canonicalJson(now.policies) ? [] : ['the policies that match it changed']),
];

/** The arguments as they are performed; `secret` stands in for masked text. */
export const performedArguments = (call: BoundCall, secret: string | null): Arguments =>
  call.sensitive && secret !== null ? { ...call.arguments, value: secret } : call.arguments;
