import type { z } from 'zod';
import { SignalboxError } from './errors.ts';

export interface Issue {
  readonly path: string;
  readonly message: string;
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

/** One entry per fault, each at the very key it is about. */
export const issuesOf = (error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap((issue): Issue[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: 'Not a known key.' }));
    }
    return [{ path: pathText(issue.path), message: issue.message }];
  });

/** `what` names the thing in the message, e.g. `arguments of operator.act`. */
export const parseOrThrow = <S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error);
  const first = issues[0];
  const where = first === undefined ? '' : ` ${first.path === '' ? '' : `${first.path}: `}${first.message}.`;
  throw new SignalboxError('INVALID_REQUEST', `Wrong ${what}:${where.replace(/\.\.$/, '.')}`, { details: { issues } });
};
