import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { caopOperations, type CaopOperation, type CaopOperationId } from '../../contracts/caop/operations.ts';
import { caopError } from '../../contracts/caop/schemas.ts';
import { startCaopServer, type CaopServer } from '../../../test/support/caopServer.ts';
import { registerHooks, registerPull, setGoal } from '../../../test/support/paymentLedger.ts';

let server: CaopServer;
beforeEach(async () => {
  server = await startCaopServer();
  await setGoal(server.stage);
  await registerPull(server.stage);
});
afterEach(async () => server[Symbol.asyncDispose]());

const errorOf = (body: unknown) => caopError.parse(body).error;

describe('malformed bodies', () => {
  const examples = (
    JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../test/golden/caopExamples.json'), 'utf8')) as {
      operation: CaopOperationId;
      part: string;
      example: Record<string, unknown>;
    }[]
  ).filter(({ part }) => part === 'body');
  const runs = Number(process.env['FUZZ_RUNS'] ?? 500);

  /** An example with one part of it broken, anywhere. */
  const broken = (example: Record<string, unknown>): fc.Arbitrary<unknown> => {
    const paths: string[][] = [];
    const collect = (value: unknown, at: string[]): void => {
      if (at.length > 0) paths.push(at);
      if (typeof value === 'object' && value !== null)
        for (const [key, item] of Object.entries(value)) collect(item, [...at, key]);
    };
    collect(example, []);
    return fc
      .tuple(
        fc.constantFrom(...paths),
        fc.oneof(fc.jsonValue(), fc.constant('\0'), fc.constant('\ud800'), fc.constant(undefined), fc.constant(1e308)),
      )
      .map(([at, junk]) => {
        const copy = structuredClone(example);
        let place: Record<string, unknown> = copy;
        for (const key of at.slice(0, -1)) place = place[key] as Record<string, unknown>;
        place[at.at(-1) ?? ''] = junk;
        return copy;
      });
  };

  it.each(examples.map((entry) => [entry.operation, entry.example] as const))(
    '%s: only documented errors, no 500, and a refusal writes nothing',
    async (id, example) => {
      const operation: CaopOperation = caopOperations[id];
      const documented = new Set([operation.status, ...operation.errors, ...operation.added]);
      const where = operation.path.replaceAll(/\{\w+\}/g, 'x_1');
      await registerHooks(server.stage);
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(broken(example), fc.jsonValue()),
          fc.constantFrom('agent' as const, 'approver' as const),
          async (body, who) => {
            const head = await server.stage.store.head();
            const answer = await server.call('POST', where, JSON.stringify(body) ?? 'null', server.tokens[who]);
            expect([answer.status, documented.has(answer.status), answer.status < 500]).toEqual([
              answer.status,
              true,
              true,
            ]);
            if (answer.status < 400) return;
            const { code } = errorOf(answer.body);
            // A proposal that failed its checks stays, as the specification wants.
            if (code !== 'CAOP_422_PRECOMMIT_HOOK_FAILED' && code !== 'VERIFICATION_FAILED')
              expect(await server.stage.store.head()).toBe(head);
          },
        ),
        { numRuns: runs },
      );
      expect(server.logged).toEqual([]);
    },
    600_000,
  );
});
