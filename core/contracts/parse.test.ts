import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isSignalboxError } from './errors.ts';
import { parseOrThrow } from './parse.ts';

const plan = z.strictObject({ steps: z.array(z.strictObject({ verb: z.string() })), limit: z.number().default(5) });

describe('parseOrThrow', () => {
  it('gives the parsed value with its defaults', () => {
    expect(parseOrThrow(plan, { steps: [] }, 'plan')).toEqual({ steps: [], limit: 5 });
  });

  it('names every fault by a dotted path, [] for places in a list, unknown keys at their own', () => {
    const thrown: unknown = (() => {
      try {
        return parseOrThrow(plan, { steps: [{ verb: 1 }], extra: true, limit: 'x' }, 'plan');
      } catch (error) {
        return error;
      }
    })();
    if (!isSignalboxError(thrown)) throw new Error('did not throw');
    expect(thrown.code).toBe('INVALID_REQUEST');
    expect(thrown.details.issues?.map(({ path }) => path).sort()).toEqual(['extra', 'limit', 'steps[].verb']);
    expect(thrown.message).toMatch(/^Wrong plan: /);
  });
});
