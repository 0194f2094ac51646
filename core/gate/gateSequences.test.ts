import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GateStage } from '../../test/support/gateStage.ts';
import type { Pending } from '../../test/support/gateStage.ts';
import { settled } from '../../test/support/manualClock.ts';
import type { ArtifactStore } from '../kernel/ports.ts';

type Step =
  | { readonly do: 'ask'; readonly text: number; readonly key: boolean; readonly second: boolean }
  | { readonly do: 'approve' | 'reject' | 'withdraw' | 'detach' | 'await'; readonly which: number }
  | { readonly do: 'pause' | 'resume' | 'take' | 'release' | 'minute' | 'kill' | 'change' | 'break' | 'resolve' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      text: fc.nat(3),
      key: fc.boolean(),
      second: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'approve' as const,
        'approve' as const,
        'reject' as const,
        'withdraw' as const,
        'detach' as const,
        'await' as const,
      ),
      which: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'pause',
        'resume',
        'resume',
        'take',
        'release',
        'release',
        'minute',
        'kill',
        'change',
        'break',
        'resolve',
        'resolve',
      )
      .map((what) => ({ do: what })),
  },
);

let changes = 0;
const sequenceNumber = (): number => (changes += 1);
const surfaceIds = ['one', 'two'];
/** In memory: the steps must not wait for a disk that the manual clock knows nothing of. */
const artifacts: ArtifactStore = {
  put: async (bytes) => ({ sha256: '0'.repeat(64), bytes: bytes.byteLength }),
  get: async () => null,
};
/** Everything that any process' pages were sent: pages end with their process, this list does not. */
const sentSoFar = (stage: GateStage): string[] =>
  [...stage.page.log, ...stage.other.log].filter((line) => line.startsWith('type'));

const take = (stage: GateStage, calls: Pending[], step: Step): Promise<unknown> => {
  const pick = <T>(items: readonly T[], which: number): T | undefined => items[which % Math.max(1, items.length)];
  switch (step.do) {
    case 'ask': {
      const surface = step.second ? stage.other : stage.page;
      const args = { surface_id: surface.id, target: 'e2', action: 'enter_text', value: `text ${step.text}` };
      const keyed = step.key ? { ...args, idempotency_key: `key ${step.text} ${surface.id}` } : args;
      calls.push(stage.begin('operator.act', keyed, { waitBudgetMs: 30_000 }));
      return Promise.resolve();
    }
    case 'approve':
    case 'reject': {
      const decision = step.do;
      return stage.gate.approvals(stage.alice, 'pending', 50).then((waiting) => {
        const approval = pick(waiting, step.which);
        if (approval === undefined) return undefined;
        const { approval_id, binding_hash } = approval;
        return stage.gate.decide(approval_id, { decision, reason: 'because', binding_hash }, stage.alice);
      });
    }
    case 'withdraw':
    case 'detach':
      pick(calls, step.which)?.abort.abort(step.do);
      return Promise.resolve();
    case 'await':
      return stage.gate.approvals(stage.alice, 'all', 50).then((all) => {
        const approval = pick(all, step.which);
        if (approval === undefined) return;
        calls.push(stage.begin('signalbox.await_work', { work_id: approval.work_id, wait_ms: 30_000 }));
      });
    case 'pause':
    case 'resume':
      return stage.kernel.setPaused(step.do === 'pause', stage.alice);
    case 'take':
    case 'release':
      return stage.gate.control(stage.page.id, { action: step.do }, stage.alice);
    case 'minute':
      return stage.clock.advance(60_000);
    case 'change':
      stage.other.targets.set('e2', { role: 'textbox', name: `Field ${sequenceNumber()}` });
      return Promise.resolve();
    case 'break': {
      const page = stage.page;
      page.afterInput = async () => {
        page.afterInput = async () => undefined;
        throw new Error('the connection broke');
      };
      return Promise.resolve();
    }
    case 'resolve':
      return stage.kernel.leases(stage.alice, 'expired').then(async (leases) => {
        for (const { work_id } of leases) {
          await stage.gate.resolveLease(work_id, { outcome: 'did_not_happen', note: 'looked' }, stage.alice);
        }
      });
    case 'kill':
      return stage.killAndRestart({ surfaceIds, artifacts });
  }
};

it('no sequence of asking, deciding, leaving, pausing, taking over and being killed acts twice or loses a receipt', async () => {
  const seen = { receipts: 0, failures: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 15, maxLength: 40 }), async (sequence) => {
      const stage = new GateStage();
      await stage.start({ surfaceIds, artifacts });
      const calls: Pending[] = [];
      const sent: string[] = [];
      try {
        for (const step of sequence) {
          if (step.do === 'kill') sent.push(...sentSoFar(stage));
          await take(stage, calls, step).catch(() => undefined);
          await settled();
        }
        await stage.gate.close();
        sent.push(...sentSoFar(stage));
        const events = (await stage.kernel.events(0, 10_000)).map(({ event }) => event);
        const of = (type: string): string[] => events.filter((e) => e.event_type === type).map((e) => e.subject_id);
        const [granted, leased, receipts] = [of('approval.granted'), of('lease.opened'), of('receipt.settled')];
        // One lease and one receipt per work item at most; each lease on an approval; each input has its receipt.
        expect(new Set(leased).size).toBe(leased.length);
        expect(new Set(receipts).size).toBe(receipts.length);
        expect(leased.filter((id) => !granted.includes(id))).toEqual([]);
        const inputs = events
          .filter((e) => e.event_type === 'receipt.settled')
          .map((e) => `type e2 ${(e.payload['receipt'] as { value_after: string }).value_after}`);
        const unknown = of('lease.expired').length;
        seen.receipts += receipts.length;
        seen.failures += of('lease.failed').length;
        seen.unknown += unknown;
        expect(sent.length - inputs.length).toBeLessThanOrEqual(unknown);
        expect(inputs.length).toBeLessThanOrEqual(sent.length);
        for (const text of new Set(inputs)) {
          const count = (list: string[]): number => list.filter((line) => line === text).length;
          expect(count(inputs)).toBeLessThanOrEqual(count(sent));
        }
        expect(await stage.store.verify()).toMatchObject({ ok: true });
        const before = await stage.store.query('work', {});
        await stage.store.rebuild();
        expect(await stage.store.query('work', {})).toEqual(before);
      } finally {
        for (const call of calls) call.abort.abort('detach');
        await stage[Symbol.asyncDispose]();
      }
    }),
    { numRuns: 60, seed: 20260101 },
  );
  // The sequences reached what they are about.
  expect({ receipts: seen.receipts > 0, failures: seen.failures > 0, unknown: seen.unknown > 0 }).toEqual({
    receipts: true,
    failures: true,
    unknown: true,
  });
}, 120_000);
