import { Environment } from '@marcbachmann/cel-js';

/** The success predicate of a deferred check: CEL over the output of its capability. */
export type Predicate = (output: unknown) => boolean;

export type ParsedPredicate =
  { readonly ok: true; readonly predicate: Predicate } | { readonly ok: false; readonly message: string };

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  limits: { maxAstNodes: 2_000, maxDepth: 60 },
});

const words: Readonly<Record<string, string>> = { AND: '&&', OR: '||', NOT: '!' };

/** Strings are left as they are; outside of them the words AND, OR, NOT become CEL's signs. */
const spelled = (source: string): string =>
  source.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b(AND|OR|NOT)\b/g, (text, word: string | undefined) =>
    word === undefined ? text : (words[word] ?? text),
  );

export const parsePredicate = (source: string): ParsedPredicate => {
  try {
    const program = environment.parse(spelled(source));
    const check = program.check();
    if (!check.valid) return { ok: false, message: firstLine(check.error) };
    if (check.type !== 'bool' && check.type !== 'dyn') {
      return { ok: false, message: `It must answer true or false, not ${String(check.type)}.` };
    }
    return {
      ok: true,
      predicate: (output) => {
        const answer: unknown = program(typeof output === 'object' && output !== null ? { ...output } : { output });
        if (typeof answer !== 'boolean') throw new TypeError('The predicate answered neither true nor false.');
        return answer;
      },
    };
  } catch (error) {
    return { ok: false, message: firstLine(error) };
  }
};

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'It does not parse.';
