import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignalboxError } from '../../core/contracts/errors.ts';
import type { StageWorkInput } from '../../core/contracts/caop/compact.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { agent, eventually, person, startCaopStage, type CaopStage } from '../support/caopStage.ts';
import { pull, pulseWith, refusal, registerPull, rfc, setGoal, settleAs } from '../support/paymentLedger.ts';

const ann = person('ann');
const bob = person('bob');
const bot = agent('planner');
const go = (work_id: string) => ({ work_id, decision: 'APPROVE_AND_DISPATCH' }) as const;

const pressing = (steps: number, more: Partial<StageWorkInput> = {}): StageWorkInput => ({
  ...rfc('Press it', []),
  understanding: { intent_summary: 'press', derived_facts: [] },
  plan_steps: Array.from({ length: steps }, (_, index) => ({
    step_index: index + 1,
    capability_id: 'test.press',
    arguments: { n: index + 1 },
  })),
  ...more,
});

/** Dispatch, leases and receipts, alike on every store. */
export const caopLeasesContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`leases of compact work on ${name}`, () => {
    let stage: CaopStage;
    beforeEach(async () => {
      stage = await startCaopStage(open);
      await setGoal(stage);
      await registerPull(stage);
    });
    afterEach(async () => stage[Symbol.asyncDispose]());

    const stagedAndApproved = async (input: StageWorkInput): Promise<string> => {
      const { work_id, sub_state } = await stage.caop.stager.stage(input, bot);
      if (sub_state === 'COMMIT_AWAITING_APPROVAL') {
        const { approvals } = { approvals: await stage.caop.approvals.list(ann, 'pending', 10) };
        const approval = approvals.find((one) => one.work_id === work_id);
        await stage.caop.approvals.decideView(
          approval?.approval_id ?? '',
          { decision: 'approve', binding_hash: approval?.binding_hash ?? '' },
          ann,
        );
      }
      return work_id;
    };

    const expired = (work: string): Promise<void> =>
      eventually(stage, async () =>
        expect(await stage.caop.executions.get(work, ann)).toMatchObject({ state: 'EXPIRED' }),
      );

    it('one open host-delegated lease holds the thread of its agent, and nobody else', async () => {
      const first = await stagedAndApproved(rfc('First', []));
      const directive = await stage.caop.dispatcher.dispatch(go(first), bot);
      const refused = await refusal(stage.caop.stager.stage(rfc('Second', []), bot));
      expect(refused).toMatchObject({
        code: 'CAOP_409_UNSETTLED_EXECUTION_LEASE',
        details: { blocking_work_id: first, blocking_invocation_id: 'inv_1', required_nonce: 'secret_1' },
      });
      await expect(stage.caop.stager.stage(rfc('Other', []), agent('other'))).resolves.toMatchObject({
        lifecycle_stage: 'COMMIT',
      });
      // The same work again gives the same directive: a lost answer can be read again.
      expect(await stage.caop.dispatcher.dispatch(go(first), bot)).toEqual(directive);
      await settleAs(stage, first, directive, 'pr_1');
      await expect(stage.caop.stager.stage(rfc('Second', []), bot)).resolves.toBeDefined();
    });

    it('a person dispatching host-delegated work opens the lease for its stager and sees no nonce', async () => {
      const work = await stagedAndApproved(rfc('First', []));
      const seen = await stage.caop.dispatcher.dispatch(go(work), bob);
      expect(JSON.stringify(seen)).not.toContain('required_nonce');
      expect(JSON.stringify(await stage.caop.dispatcher.dispatch(go(work), bot))).toContain(
        '"required_nonce":"secret_1"',
      );
    });

    it('the same receipt again is answered alike; other bytes, nonce, key or fewer fields are refused and write nothing', async () => {
      const work = await stagedAndApproved(rfc('First', []));
      await stage.caop.dispatcher.dispatch(go(work), bot);
      const receipt = {
        work_id: work,
        invocation_id: 'inv_1',
        idempotency_key: `idem_${work}_step_1`,
        nonce: 'secret_1',
        status: 'SUCCEEDED' as const,
        raw_output: { external_ref: 'pr', html_url: 'https://example.test' },
      };
      const head = await stage.store.head();
      for (const wrong of [
        { ...receipt, nonce: 'secret_2' },
        { ...receipt, idempotency_key: 'other' },
        { ...receipt, invocation_id: 'inv_9' },
        { ...receipt, raw_output: { external_ref: 'pr' } },
      ]) {
        expect(await refusal(stage.caop.settler.settle(wrong, bot))).toMatchObject({
          code: 'CAOP_422_VERIFY_ARTIFACT_MISMATCH',
        });
      }
      expect(await stage.store.head()).toBe(head);
      const answer = await stage.caop.settler.settle(receipt, bot);
      expect(await stage.caop.settler.settle(receipt, bot)).toEqual(answer);
      expect(
        await refusal(stage.caop.settler.settle({ ...receipt, raw_output: { ...receipt.raw_output, more: 1 } }, bot)),
      ).toMatchObject({
        code: 'CAOP_422_VERIFY_ARTIFACT_MISMATCH',
      });
    });

    it('an expired lease is an unknown outcome: it survives a restart, blocks its agent, and a late receipt settles it, flagged', async () => {
      const work = await stagedAndApproved(rfc('First', []));
      const directive = await stage.caop.dispatcher.dispatch(go(work), bot);
      await stage.restart();
      await stage.clock.advance(601_000);
      await expired(work);
      expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
        code: 'CAOP_409_UNSETTLED_EXECUTION_LEASE',
      });
      expect(await refusal(stage.caop.stager.stage(rfc('Second', []), bot))).toMatchObject({
        code: 'CAOP_409_UNSETTLED_EXECUTION_LEASE',
      });
      const pulse = await stage.caop.pulser.pulse(pulseWith(), bot);
      expect(pulse.resume_brief.unsettled_leases).toMatchObject([
        { work_id: work, sub_state: 'EXECUTE_EXPIRED', required_nonce: 'secret_1' },
      ]);
      expect((await stage.caop.pulser.pulse(pulseWith(), agent('other'))).resume_brief.unsettled_leases).toEqual([]);
      expect(
        (await stage.caop.pulser.pulse(pulseWith(), person('val', ['viewer']))).resume_brief.unsettled_leases,
      ).toEqual([]);
      const answer = await settleAs(stage, work, directive, 'pr_late');
      const fact = await stage.caop.facts.get(answer.fact_ids?.[0] ?? '', bot);
      expect(fact.object).toMatchObject({ late: true, external_ref: 'pr_late' });
      expect(stage.background).toEqual([]);
    });

    it('leases that run out again and again bring the advice to let the kernel do it', async () => {
      for (const title of ['A', 'B']) {
        const work = await stagedAndApproved(rfc(title, []));
        await stage.caop.dispatcher.dispatch(go(work), bot);
        await stage.clock.advance(601_000);
        await expired(work);
        await stage.caop.settler.resolve(work, { outcome: 'did_not_happen', note: 'looked' }, ann);
      }
      const { resume_brief } = await stage.caop.pulser.pulse(pulseWith(), bot);
      expect(resume_brief.system_advisories).toMatchObject([
        { code: 'STAGE_UPGRADE_RECOMMENDED', capability_id: pull },
      ]);
      await stage.clock.advance(8 * 86_400_000);
      expect((await stage.caop.pulser.pulse(pulseWith(), bot)).resume_brief.system_advisories).toEqual([]);
    });

    it('kernel-proxied steps run in order, to the end, with evidence of the kernel itself', async () => {
      stage.answer('test.press', { changed: true });
      const work = await stagedAndApproved(pressing(3));
      const answer = await stage.caop.dispatcher.dispatch(go(work), bot);
      expect(answer).toMatchObject({
        lifecycle_stage: 'RECORD',
        attestation: 'KERNEL_ATTESTED',
        thread_unlocked: true,
      });
      expect(stage.performed.map((call) => [call.arguments, call.principal.ref, call.principal.authority?.by])).toEqual(
        [
          [{ n: 1 }, bot.ref, ann.ref],
          [{ n: 2 }, bot.ref, ann.ref],
          [{ n: 3 }, bot.ref, ann.ref],
        ],
      );
      expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
        code: 'INVALID_TRANSITION',
      });
      expect(stage.performed).toHaveLength(3);
    });

    it('a known failure stops the plan at its step, says so, and frees the thread', async () => {
      stage.answer('test.press', new SignalboxError('TARGET_GONE', 'It is gone.'));
      const work = await stagedAndApproved(pressing(2));
      expect(await stage.caop.dispatcher.dispatch(go(work), bot)).toMatchObject({
        lifecycle_stage: 'REVIEW',
        review_outcome: 'REPLAN_REQUIRED',
        thread_unlocked: true,
      });
      expect(stage.performed).toHaveLength(1);
      const { facts } = await stage.caop.facts.list({ candidates: false, limit: 10 }, ann);
      expect(facts.find(({ kind }) => kind === 'failure')?.object).toMatchObject({ error: 'TARGET_GONE: It is gone.' });
    });

    it('an unknown outcome is never run again: the lease stays open until a person settles it', async () => {
      stage.answer('test.press', new SignalboxError('OUTCOME_UNKNOWN', 'It died.'));
      const work = await stagedAndApproved(pressing(2));
      expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
        code: 'CAOP_409_UNSETTLED_EXECUTION_LEASE',
      });
      expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
        code: 'CAOP_409_UNSETTLED_EXECUTION_LEASE',
      });
      expect(stage.performed).toHaveLength(1);
      const receipt = {
        work_id: work,
        invocation_id: 'inv_1',
        idempotency_key: `idem_${work}_step_1`,
        nonce: 'secret_1',
      };
      expect(await refusal(stage.caop.settler.settle({ ...receipt, status: 'SUCCEEDED' }, bot))).toMatchObject({
        code: 'FORBIDDEN',
      });
      expect(
        await refusal(stage.caop.settler.settle({ ...receipt, status: 'USER_CONFIRMED_OVERRIDE' }, bot)),
      ).toMatchObject({ code: 'FORBIDDEN' });
      expect(await stage.caop.settler.settle({ ...receipt, status: 'USER_CONFIRMED_OVERRIDE' }, ann)).toMatchObject({
        attestation: 'USER_CONFIRMED',
      });
      stage.answer('test.press', { changed: true });
      await stage.caop.dispatcher.dispatch(go(work), bot);
      expect(stage.performed.map((call) => call.arguments)).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('a proxied step that was in flight when the process ended is an unknown outcome afterwards', async () => {
      let entered: () => void = () => undefined;
      const running = new Promise<void>((resolve) => (entered = resolve));
      stage.answer('test.press', () => {
        entered();
        return new Promise(() => undefined);
      });
      const work = await stagedAndApproved(pressing(1));
      void stage.caop.dispatcher.dispatch(go(work), bot).catch(() => undefined);
      await running;
      await stage.restart();
      await expired(work);
      expect(stage.performed).toHaveLength(1);
    });
  });
};
