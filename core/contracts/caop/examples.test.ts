import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { caopOperations, type CaopOperation, type CaopOperationId } from './operations.ts';
import { caopError } from './schemas.ts';

/** The examples of CAOP v0.2, as they stand in its OpenAPI document. */
const examples = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../test/golden/caopExamples.json'), 'utf8'),
) as readonly { operation: CaopOperationId; part: string; example: unknown }[];

describe('the examples of the specification', () => {
  it('are all here', () => {
    expect(examples).toHaveLength(37);
    expect(new Set(examples.map(({ operation }) => operation)).size).toBe(16);
  });

  it.each(examples.map((entry) => [`${entry.operation} ${entry.part}`, entry] as const))('%s fits', (_name, entry) => {
    const operation: CaopOperation = caopOperations[entry.operation];
    const schema = entry.part === 'body' ? operation.body : Number(entry.part) < 300 ? operation.response : caopError;
    const parsed = schema?.safeParse(entry.example);
    expect(parsed?.error).toBeUndefined();
    // Nothing of it is dropped on the way in.
    expect(parsed?.data).toMatchObject(entry.example as object);
  });
});
