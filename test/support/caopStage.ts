import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import type { SignalboxError } from '../../core/contracts/errors.ts';
import type { Principal } from '../../core/contracts/principal.ts';
import { createCaopKernel, type CaopKernel } from '../../core/kernel/caop/caopKernel.ts';
import type { CaopOptions, ProxiedCall } from '../../core/kernel/caop/caopParts.ts';
import { createKernel } from '../../core/kernel/createKernel.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { eventWriter } from '../../core/kernel/eventWriter.ts';
import type { GateKernel } from '../../core/kernel/gateKernel.ts';
import type { Ids } from '../../core/kernel/ports.ts';
import { openSqliteStore } from '../../core/stores/sqlite/openSqliteStore.ts';
import { ManualClock } from './manualClock.ts';

/** Ids that count: the same story gives the same ids. */
const countedIds = (): Ids => {
  const counts = new Map<string, number>();
  const next = (prefix: string): number => {
    const n = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, n);
    return n;
  };
  return { id: (prefix) => `${prefix}_${next(prefix)}`, secret: () => `secret_${next('secret')}` };
};

export const agent = (id = 'default'): Principal => ({
  ref: { type: 'agent', id },
  roles: [],
  surfaces: null,
  tokenId: `tok_${id}`,
});
export const person = (id = 'ann', roles: Principal['roles'] = ['approver']): Principal => ({
  ref: { type: 'user', id },
  roles,
  surfaces: null,
  tokenId: `tok_${id}`,
});

export interface CaopStage extends AsyncDisposable {
  readonly store: EventStore;
  readonly clock: ManualClock;
  readonly kernel: GateKernel;
  readonly caop: CaopKernel;
  /** Every call that the kernel performed itself. */
  readonly performed: ProxiedCall[];
  /** What the next calls of a proxied capability answer; a function is called with the arguments. */
  answer(
    capability: string,
    output: Record<string, unknown> | SignalboxError | (() => Promise<Record<string, unknown>>),
  ): void;
  readonly background: unknown[];
  /** Ends the kernels and starts new ones on the same store, as after a restart. */
  restart(): Promise<void>;
}

const proxiedStub = [
  { capability_id: 'metrics.query', summary: 'Query a production metric over a time window.', read_only: true },
  { capability_id: 'test.press', summary: 'Press something.', read_only: false },
] as const;

export const startCaopStage = async (
  openStore?: () => Promise<EventStore>,
  more: Partial<CaopOptions> = {},
): Promise<CaopStage> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'signalbox-caop-'));
  const store = await (openStore?.() ?? openSqliteStore({ path: path.join(folder, 'signalbox.db') }));
  const clock = new ManualClock(Date.parse('2026-11-05T13:00:00.000Z'));
  const ids = countedIds();
  const answers = new Map<
    string,
    Record<string, unknown> | SignalboxError | (() => Promise<Record<string, unknown>>)
  >();
  const performed: ProxiedCall[] = [];
  const background: unknown[] = [];
  const start = async (): Promise<{ kernel: GateKernel; caop: CaopKernel }> => {
    const kernel = await createKernel({ store, clock, ids, version: 'test', host: 'here' });
    const caop = await createCaopKernel({
      store,
      clock,
      ids,
      writer: eventWriter({ store, clock, ids }),
      host: 'here',
      decidePolicy: (call, context) => kernel.decidePolicy(call, context),
      policyIds: async () => (await kernel.policies()).map(({ policy_id }) => policy_id),
      blockingLease: (principal) => kernel.blockingLease(principal),
      proxied: {
        list: () =>
          proxiedStub.map((stub) => ({ ...stub, input_schema: { type: 'object' }, output_schema: { type: 'object' } })),
        async run(call) {
          performed.push(call);
          const answer = answers.get(call.capability_id) ?? {};
          if (answer instanceof Error) throw answer;
          return typeof answer === 'function' ? await answer() : answer;
        },
      },
      onBackgroundError: (error) => void background.push(error),
      ...more,
    });
    return { kernel, caop };
  };
  let running = await start();
  const stop = async (): Promise<void> => {
    await running.caop[Symbol.asyncDispose]();
    await running.kernel.close();
  };
  return {
    store,
    clock,
    performed,
    background,
    get kernel() {
      return running.kernel;
    },
    get caop() {
      return running.caop;
    },
    answer: (capability, output) => void answers.set(capability, output),
    async restart() {
      await stop();
      running = await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A store over a socket answers later than the clock moves: looks again until it is so. */
export const eventually = <T>(stage: CaopStage, look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(
    async () => {
      await stage.clock.advance(0);
      return look();
    },
    { timeout: 10_000, interval: 20 },
  );
