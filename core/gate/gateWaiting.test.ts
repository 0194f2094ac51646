import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateStage, agent } from '../../test/support/gateStage.ts';
import { settled } from '../../test/support/manualClock.ts';

let stage: GateStage;
beforeEach(async () => {
  stage = await GateStage.open();
});
afterEach(async () => stage[Symbol.asyncDispose]());

const minutes = (n: number): number => n * 60_000;

const trace = async () => (await stage.kernel.calls({ limit: 50 }, stage.alice)).calls;

describe('waiting', () => {
  it('is told at once and every five seconds, and ends as APPROVAL_PENDING with the approval standing', async () => {
    const { result, news } = stage.press();
    const [approval] = await stage.asked();
    expect(news).toEqual([0]);
    await stage.clock.advance(49_999);
    expect(news).toEqual([0, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000]);
    await stage.clock.advance(1);
    const error = await stage.refused(result);
    expect(error).toMatchObject({ code: 'APPROVAL_PENDING', retryable: true });
    expect(error.details).toMatchObject({ work_id: approval!.work_id, approval_id: approval!.approval_id });
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'pending', attached: false });
  });

  it('goes on with await_work, by the same principal only', async () => {
    const first = stage.press('e1', stage.page, { waitBudgetMs: 10 });
    const [approval] = await stage.asked();
    await stage.clock.advance(10);
    await stage.refused(first.result);
    const work_id = approval!.work_id;
    const stranger = stage.call('signalbox.await_work', { work_id }, { principal: agent('other') });
    expect((await stage.refused(stranger)).code).toBe('INVALID_REQUEST');
    const waiting = stage.begin('signalbox.await_work', { work_id });
    await settled();
    expect((await stage.approval(approval!.approval_id)).attached).toBe(true);
    await stage.approve(approval!);
    const { output } = await waiting.result;
    expect(output['changed']).toBe(true);
    expect(await stage.call('signalbox.await_work', { work_id })).toEqual(output);
    expect(stage.page.log).toEqual(['press e1']);
    // The first call's line tells how it ended, too.
    expect((await trace()).map(({ verb, outcome }) => [verb, outcome])).toEqual([
      ['signalbox.await_work', 'ok'],
      ['signalbox.await_work', 'ok'],
      ['operator.act', 'ok'],
    ]);
  });

  it('approved while nobody waits: performed at the next await_work', async () => {
    const { result, abort } = stage.press();
    const [approval] = await stage.asked();
    abort.abort('detach');
    await stage.refused(result);
    await stage.approve(approval!);
    await settled();
    expect(stage.page.log).toEqual([]);
    expect((await stage.approval(approval!.approval_id)).status).toBe('granted');
    expect(await stage.call('signalbox.await_work', { work_id: approval!.work_id })).toMatchObject({ changed: true });
    expect(stage.page.log).toEqual(['press e1']);
  });

  it('nobody comes back for ten minutes: withdrawn', async () => {
    const { result, abort } = stage.press();
    const [approval] = await stage.asked();
    abort.abort('detach');
    await stage.refused(result);
    await stage.clock.advance(minutes(10));
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'withdrawn' });
  });

  it('cancelled by its client: withdrawn, nothing sent, whatever is decided later', async () => {
    const { result, abort } = stage.press();
    const [approval] = await stage.asked();
    abort.abort('withdraw');
    expect((await stage.refused(result)).code).toBe('CANCELLED');
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'withdrawn' });
    expect((await stage.refused(stage.approve(approval!))).httpStatus).toBe(409);
    expect(stage.page.log).toEqual([]);
  });

  it('an identical retry joins: one approval, one action, the receipt for both', async () => {
    const first = stage.press();
    const second = stage.press();
    await settled();
    const third = stage.press();
    const [approval] = await stage.asked();
    second.abort.abort('withdraw');
    await stage.refused(second.result);
    await stage.approve(approval!);
    const receipts = await Promise.all([first.result, third.result]);
    expect(receipts[0].output).toEqual(receipts[1].output);
    expect(stage.page.log).toEqual(['press e1']);
    // What has been performed is not joined any more.
    stage.press();
    await stage.asked();
  });

  it('an idempotency key answers a repeat with the stored receipt, also after a restart', async () => {
    const first = stage.enter('x', 'e2', { idempotency_key: 'k1' });
    const joined = stage.enter('x', 'e2', { idempotency_key: 'k1' });
    await stage.approve((await stage.asked())[0]!);
    const { output } = await first.result;
    expect((await joined.result).output).toEqual(output);
    expect((await stage.enter('x', 'e2', { idempotency_key: 'k1' }).result).output).toEqual(output);
    const other = await stage.refused(stage.enter('y', 'e2', { idempotency_key: 'k1' }).result);
    expect([other.code, other.details.issues?.[0]?.path]).toEqual(['INVALID_REQUEST', 'idempotency_key']);
    await stage.killAndRestart({ surfaceIds: [stage.page.id, stage.other.id] });
    expect((await stage.enter('x', 'e2', { idempotency_key: 'k1' }).result).output).toEqual(output);
    expect(stage.page.log).toEqual([]);
  });
});
