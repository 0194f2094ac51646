import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignalboxError } from '../contracts/errors.ts';
import { GateStage, agent, person, until } from '../../test/support/gateStage.ts';
import { settled } from '../../test/support/manualClock.ts';

let stage: GateStage;
beforeEach(async () => {
  stage = await GateStage.open();
});
afterEach(async () => stage[Symbol.asyncDispose]());

const minutes = (n: number): number => n * 60_000;
const trace = async () => (await stage.kernel.calls({ limit: 50 }, stage.alice)).calls;
const allowAll = () =>
  stage.kernel.createPolicy(
    {
      title: 'All',
      condition: 'true',
      effect: 'allow',
      scope: '*',
      enforcement: 'enforced',
      expires_at: new Date(stage.clock.now() + minutes(60)).toISOString(),
    },
    stage.alice.ref,
  );
/** A place to stop an action at, and to let it go on from. */
const gateway = () => {
  let open: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (reached = resolve));
  return { open: () => open(), arrived, pass: async () => (reached(), await opened) };
};

describe('an outcome that nobody knows', () => {
  const lease = async () => (await stage.kernel.leases(stage.alice, undefined))[0];

  it('killed between lease and receipt: unknown, never sent again, the thread blocked until a person says', async () => {
    await allowAll();
    const stop = gateway();
    stage.page.afterInput = stop.pass;
    stage.press();
    await stop.arrived;
    expect(await lease()).toMatchObject({ state: 'open', sent: ['press e1'], required_nonce: null });
    const ids = [stage.page.id, stage.other.id];
    await stage.killAndRestart({ surfaceIds: ids });

    const expired = await lease();
    expect(expired).toMatchObject({
      state: 'expired',
      sent: ['press e1'],
      holder: { id: 'robot' },
      target: { ref: 'e1' },
    });
    expect(Date.parse(expired!.expires_at)).toBeLessThanOrEqual(stage.clock.now());
    expect(await stage.kernel.needsYou()).toBe(1);
    expect(stage.page.log).toEqual([]);
    const trace = (await stage.kernel.calls({ limit: 10 }, stage.alice)).calls;
    expect(trace.find(({ verb }) => verb === 'operator.act')).toMatchObject({
      outcome: 'unknown',
      code: 'OUTCOME_UNKNOWN',
      work_id: expired?.work_id,
      summary: expect.stringMatching(/ended before this call did$/) as string,
    });

    const refused = await stage.refused(stage.press('e2').result);
    expect(refused).toMatchObject({
      code: 'UNSETTLED_LEASE',
      retryable: false,
      details: { blocking_work_id: expired?.work_id, blocking_invocation_id: expired?.invocation_id },
    });
    expect(refused.details['required_nonce']).toMatch(/^[\w-]{43}$/);
    expect((await stage.refused(stage.call('signalbox.await_work', { work_id: expired!.work_id }))).code).toBe(
      'OUTCOME_UNKNOWN',
    );
    // Reading goes on; so do other agents and people.
    expect(await stage.call('operator.perceive', { surface_id: stage.page.id })).toHaveProperty('targets');
    await stage.press('e2', stage.page, { principal: agent('other') }).result;
    await stage.press('e2', stage.page, { principal: stage.alice }).result;

    const say = { outcome: 'happened', note: 'The order is there.' } as const;
    expect((await stage.refused(stage.gate.resolveLease(expired!.work_id, say, stage.robot))).httpStatus).toBe(403);
    expect(await stage.gate.resolveLease(expired!.work_id, say, stage.alice)).toMatchObject({
      state: 'resolved',
      resolution: { outcome: 'happened', by: { id: 'alice' }, note: 'The order is there.' },
    });
    expect((await stage.refused(stage.gate.resolveLease(expired!.work_id, say, stage.bob))).httpStatus).toBe(409);
    expect(await stage.kernel.needsYou()).toBe(0);
    expect((await stage.press().result).output['changed']).toBe(true);
    const told = await stage.call('signalbox.await_work', { work_id: expired!.work_id });
    expect(told['effects']).toMatchObject([{ detail: expect.stringContaining('The order is there.') as string }]);
  });

  it('killed while an approval waits: it survives, attached to nobody', async () => {
    stage.press();
    const [approval] = await stage.asked();
    await stage.killAndRestart({ surfaceIds: [stage.page.id, stage.other.id] });
    expect((await stage.asked())[0]).toMatchObject({ approval_id: approval!.approval_id, attached: false });
    const trace = (await stage.kernel.calls({ limit: 10 }, stage.alice)).calls;
    expect(trace.find(({ verb }) => verb === 'operator.act')).toMatchObject({
      outcome: 'pending',
      work_id: approval?.work_id,
    });
    expect(stage.gate.surface(stage.page.id, stage.alice).pending_approvals).toBe(1);
    await stage.approve(approval!);
    expect(await stage.call('signalbox.await_work', { work_id: approval!.work_id })).toMatchObject({ changed: true });
  });

  it('killed while an approval waits, its surface gone with the process: void', async () => {
    stage.press();
    const [approval] = await stage.asked();
    await stage.killAndRestart({ surfaceIds: ['another', 'yet_another'] });
    await stage.approve(approval!);
    const error = await stage.refused(stage.call('signalbox.await_work', { work_id: approval!.work_id }));
    expect(error.code).toBe('APPROVAL_VOID');
  });

  it('the surface dies after the input: no receipt is made up', async () => {
    await allowAll();
    stage.page.afterInput = async () => stage.page.close();
    const error = await stage.refused(stage.press().result);
    expect([error.code, error.details['sent']]).toEqual(['OUTCOME_UNKNOWN', ['press e1']]);
    expect(await lease()).toMatchObject({ state: 'expired', sent: ['press e1'] });
    expect((await trace())[0]).toMatchObject({ outcome: 'unknown', code: 'OUTCOME_UNKNOWN' });
  });

  it('an input was begun and nobody can say whether it went out: unknown', async () => {
    await allowAll();
    stage.page.beforeInput = async (_call, guard) => {
      guard.before();
      throw new Error('socket closed');
    };
    expect((await stage.refused(stage.press().result)).code).toBe('OUTCOME_UNKNOWN');
    expect(stage.errors).toMatchObject([{ message: 'socket closed' }]);
  });

  it('a failure before any input: known, and the thread stays free', async () => {
    await allowAll();
    stage.page.beforeInput = async () => {
      throw new SignalboxError('TARGET_GONE', 'It went.', { details: { candidates: ['e7'] } });
    };
    const error = await stage.refused(stage.press().result);
    expect([error.code, error.details['candidates']]).toEqual(['TARGET_GONE', ['e7']]);
    expect(await lease()).toBeUndefined();
    stage.page.beforeInput = async () => undefined;
    expect((await stage.press().result).output['changed']).toBe(true);
  });

  it('an action outlasts its lease: unknown; a receipt that comes after all settles it, late', async () => {
    await allowAll();
    const stop = gateway();
    stage.page.afterInput = stop.pass;
    const { result } = stage.press();
    await stop.arrived;
    await stage.clock.advance(minutes(5));
    expect((await stage.refused(result)).code).toBe('OUTCOME_UNKNOWN');
    expect((await stage.refused(stage.press('e2').result)).code).toBe('UNSETTLED_LEASE');
    stop.open();
    await until(async () => (await lease()) === undefined, 'the late receipt');
    stage.page.afterInput = async () => undefined;
    expect((await stage.press('e2').result).output['changed']).toBe(true);
    const settledEvents = (await stage.kernel.events(0, 500)).filter(
      ({ event }) => event.event_type === 'receipt.settled',
    );
    expect(settledEvents.map(({ event }) => event.payload['late'])).toEqual([true, false]);
  });
});

describe('takeover', () => {
  const take = (by = stage.alice, more = {}) => stage.gate.control(stage.page.id, { action: 'take', ...more }, by);
  const release = (note?: string) =>
    stage.gate.control(stage.page.id, { action: 'release', ...(note === undefined ? {} : { note }) }, stage.alice);

  it('voids what waits, tells the agent at once, refuses what comes, and hands back with a note', async () => {
    await stage.call('operator.perceive', { surface_id: stage.page.id });
    const { result } = stage.press();
    const [approval] = await stage.asked();
    expect(await take()).toMatchObject({ controller: 'human', holder: { principal: { id: 'alice' }, private: false } });
    expect(await stage.refused(result)).toMatchObject({ code: 'CONTROLLED_BY_HUMAN', retryable: true });
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'void' });
    expect((await stage.refused(stage.press().result)).details['holder']).toBe('user:alice');
    // Not private: the agent may still look. Other surfaces go on.
    expect(await stage.call('operator.perceive', { surface_id: stage.page.id })).not.toHaveProperty('note');
    const second = await stage.refused(take(stage.bob));
    expect([second.httpStatus, second.message]).toEqual([409, expect.stringContaining('user:alice')]);
    await stage.gate.input(stage.page.id, { type: 'text', text: 'x' }, stage.alice);
    expect(
      (await stage.refused(stage.gate.input(stage.page.id, { type: 'text', text: 'x' }, stage.bob))).httpStatus,
    ).toBe(403);
    expect(stage.page.log).toEqual(['human input']);
    await release('I filled in the address.');
    const seen = await stage.call('operator.perceive', { surface_id: stage.page.id });
    expect(seen['note']).toContain('I filled in the address.');
    expect(await stage.call('operator.perceive', { surface_id: stage.page.id })).not.toHaveProperty('note');
    const later = await stage.call('operator.perceive', { surface_id: stage.page.id }, { principal: agent('late') });
    expect(later).not.toHaveProperty('note');
  });

  it('in the middle of typing: stops at the next key, and the receipt lists what was sent', async () => {
    await allowAll();
    stage.page.afterInput = async () => {
      if (stage.page.targets.get('e2')!.value === 'abc') await take();
    };
    const error = await stage.refused(stage.enter('abcdef').result);
    expect(error.code).toBe('CONTROLLED_BY_HUMAN');
    expect(error.details['sent']).toEqual(['key a', 'key b', 'key c']);
    expect(stage.page.targets.get('e2')!.value).toBe('abc');
    const { receipts } = await stage.kernel.receipts({ limit: 1 }, stage.alice);
    expect(receipts[0]?.receipt.effects).toMatchObject([{ detail: 'sent: key a' }, {}, { detail: 'sent: key c' }]);
    // What was sent is known: the thread is not blocked.
    await release();
    expect((await stage.press().result).output['note']).toContain('alice');
  });

  it('nobody queues behind it: those who wait for their turn are told', async () => {
    await allowAll();
    const stop = gateway();
    stage.page.afterInput = stop.pass;
    const first = stage.press();
    await stop.arrived;
    const second = stage.press('e2');
    await settled();
    await take();
    expect((await stage.refused(second.result)).code).toBe('CONTROLLED_BY_HUMAN');
    stop.open();
    // The first had been sent in full before: its receipt stands.
    expect((await first.result).output['changed']).toBe(true);
    expect(stage.page.log).toEqual(['press e1']);
  });

  it('private: nobody else sees anything of it', async () => {
    await take(stage.alice, { private: true });
    for (const verb of ['operator.perceive', 'operator.capture']) {
      expect((await stage.refused(stage.call(verb, { surface_id: stage.page.id }))).code).toBe('CONTROLLED_BY_HUMAN');
    }
    expect((await stage.refused(stage.gate.picture(stage.page.id, stage.bob))).code).toBe('CONTROLLED_BY_HUMAN');
    expect(() => stage.gate.watch(stage.page.id, stage.bob, () => undefined)).toThrow(/private/);
    expect(stage.gate.surface(stage.page.id, stage.bob)).not.toHaveProperty('address');
    expect(stage.gate.surface(stage.page.id, stage.alice)).toHaveProperty('address');
    expect(await stage.gate.picture(stage.page.id, stage.alice)).toMatchObject({ width: 1 });
  });

  it('takes the approver role', async () => {
    for (const principal of [stage.robot, person('viewer', ['viewer'])]) {
      expect((await stage.refused(take(principal))).httpStatus).toBe(403);
    }
  });
});

describe('pause', () => {
  it('stops every agent’s effects at once, survives a restart, and reading goes on', async () => {
    await allowAll();
    await stage.kernel.setPaused(true, stage.alice);
    await stage.killAndRestart();
    expect(await stage.kernel.paused()).toMatchObject({ by: { id: 'alice' } });
    expect(await stage.refused(stage.press().result)).toMatchObject({ code: 'PAUSED', retryable: true });
    expect(await stage.call('operator.perceive', { surface_id: stage.page.id })).toHaveProperty('targets');
    expect((await stage.press('e1', stage.page, { principal: stage.alice }).result).output['changed']).toBe(true);
    await stage.kernel.setPaused(false, stage.alice);
    expect((await stage.press().result).output['changed']).toBe(true);
  });

  it('in the middle of typing: stops at the next key', async () => {
    await allowAll();
    stage.page.afterInput = async () => {
      if (stage.page.targets.get('e2')!.value === 'ab') await stage.kernel.setPaused(true, stage.alice);
    };
    expect((await stage.refused(stage.enter('abcdef').result)).code).toBe('PAUSED');
    expect(stage.page.targets.get('e2')!.value).toBe('ab');
  });

  it('what is approved during it waits for its end and is then performed', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    await stage.kernel.setPaused(true, stage.alice);
    await stage.approve(approval!);
    expect((await stage.refused(result)).code).toBe('PAUSED');
    expect(stage.page.log).toEqual([]);
    await stage.kernel.setPaused(false, stage.alice);
    expect(await stage.call('signalbox.await_work', { work_id: approval!.work_id })).toMatchObject({ changed: true });
  });
});

describe('turns', () => {
  it('one action at a time on a surface, in arrival order; surfaces in parallel', async () => {
    await allowAll();
    const stop = gateway();
    stage.page.beforeInput = stop.pass;
    const first = stage.press();
    await stop.arrived;
    expect(stage.gate.surface(stage.page.id, stage.alice)).toMatchObject({
      controller: 'agent',
      busy: { verb: 'operator.act' },
    });
    const second = stage.press('e2');
    await settled();
    const third = stage.press('e3');
    await stage.press('e1', stage.other).result;
    expect([stage.page.log, stage.other.log]).toEqual([[], ['press e1']]);
    stop.open();
    await Promise.all([first.result, second.result, third.result]);
    expect(stage.page.log).toEqual(['press e1', 'press e2', 'press e3']);
    expect(stage.gate.surface(stage.page.id, stage.alice)).toMatchObject({ controller: 'none' });
  });

  it('cancelled while it waits for its turn: not performed after all', async () => {
    await allowAll();
    const stop = gateway();
    stage.page.beforeInput = stop.pass;
    const first = stage.press();
    await stop.arrived;
    const second = stage.press('e2');
    await settled();
    second.abort.abort('withdraw');
    expect((await stage.refused(second.result)).code).toBe('CANCELLED');
    stop.open();
    await first.result;
    await settled();
    expect(stage.page.log).toEqual(['press e1']);
  });
});
