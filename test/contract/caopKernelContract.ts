import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { caopTables } from '../../core/kernel/caop/caopTables.ts';
import { startCaopStage, type CaopStage } from '../support/caopStage.ts';
import { tellStory } from '../support/paymentLedger.ts';

const golden = path.join(import.meta.dirname, '../golden/paymentLedger.json');

/** Compares with the golden file; `UPDATE_GOLDEN=1` writes it anew. */
const expectGolden = (value: unknown): void => {
  const text = `${JSON.stringify(value, null, 1)}\n`;
  if (process.env['UPDATE_GOLDEN'] !== undefined || !existsSync(golden)) writeFileSync(golden, text);
  expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
};

const rowsOf = async (store: EventStore): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    await Promise.all(
      Object.values(caopTables)
        .filter(({ chained }) => chained)
        .map(
          async ({ name, key }) =>
            [name, await store.query(name, { order: { column: key, direction: 'asc' } })] as const,
        ),
    ),
  );

/** The CAOP kernel behaves alike on every store. */
export const caopKernelContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`the CAOP kernel on ${name}`, () => {
    let stage: CaopStage;
    beforeEach(async () => {
      stage = await startCaopStage(open);
    });
    afterEach(async () => stage[Symbol.asyncDispose]());

    it('tells the payment-ledger story as the golden file has it, and every row comes again from the log', async () => {
      expectGolden(await tellStory(stage));
      expect(stage.background).toEqual([]);
      const before = await rowsOf(stage.store);
      await stage.store.rebuild();
      expect(await rowsOf(stage.store)).toEqual(before);
      expect(await stage.store.verify()).toMatchObject({ ok: true });
    });
  });
};
