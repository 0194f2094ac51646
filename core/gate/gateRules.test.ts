import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateStage, agent, person } from '../../test/support/gateStage.ts';
import { settled } from '../../test/support/manualClock.ts';

let stage: GateStage;
beforeEach(async () => {
  stage = await GateStage.open();
});
afterEach(async () => stage[Symbol.asyncDispose]());

const minutes = (n: number): number => n * 60_000;

describe('an action that a person approves', () => {
  it('is performed once, with a receipt, and everything is on the record', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    expect(approval).toMatchObject({
      verb: 'operator.act',
      would: 'Press button "Submit" on First (http://site.test/form).',
      attached: true,
      target: { role: 'button', name: 'Submit' },
      policy: { effect: 'require_approval', policy_id: null },
      picture: { width: 1, height: 1 },
      lights: { approved: 'no', executed: 'no', receipted: 'no' },
    });
    expect(stage.page.log).toEqual([]);
    await stage.approve(approval!);
    const { output } = await result;
    expect(output).toMatchObject({ changed: true, effects: [{ detail: 'did press e1' }] });
    expect(stage.page.log).toEqual(['press e1']);
    expect((await stage.eventTypes()).slice(-5)).toEqual([
      'work.staged',
      'approval.requested',
      'approval.granted',
      'lease.opened',
      'receipt.settled',
    ]);
    const receipt = await stage.kernel.receipt(String(output['receipt_id']), stage.alice);
    expect(receipt).toMatchObject({
      approved_by: { id: 'alice' },
      attestation: 'KERNEL_ATTESTED',
      principal: { id: 'robot' },
      surface_label: 'First',
    });
    expect(await stage.approval(approval!.approval_id)).toMatchObject({
      status: 'used',
      lights: { approved: 'yes', executed: 'yes', receipted: 'yes', verified: 'no' },
    });
    expect(await stage.call('signalbox.get_receipt', { receipt_id: output['receipt_id'] })).toEqual(output);
    expect(await stage.store.verify()).toMatchObject({ ok: true });
  });

  it('leaves a line in the trace with both pictures', async () => {
    const { result } = stage.press();
    await stage.approve((await stage.asked())[0]!);
    const { output } = await result;
    await expect.poll(async () => (await trace())[0]?.pictures.after).toMatch(/^[0-9a-f]{64}$/);
    const [line] = await trace();
    expect(line).toMatchObject({
      n: 1,
      outcome: 'ok',
      read_only: false,
      client: 'test 1',
      summary: 'press button "Submit" → changed: did press e1',
      receipt_id: output['receipt_id'],
    });
    expect(line?.pictures.before).toMatch(/^[0-9a-f]{64}$/);
  });

  it('two at once, decided in the other order, each perform their own arguments', async () => {
    const one = stage.enter('one');
    const [first] = await stage.asked();
    const two = stage.begin('operator.act', {
      surface_id: stage.other.id,
      target: 'e2',
      action: 'enter_text',
      value: 'two',
    });
    const [, second] = await stage.asked(2);
    await stage.approve(second!);
    expect((await two.result).output['value_after']).toBe('two');
    expect(stage.page.log).toEqual([]);
    await stage.approve(first!);
    expect((await one.result).output['value_after']).toBe('one');
    expect([stage.page.log, stage.other.log]).toEqual([['type e2 one'], ['type e2 two']]);
  });

  it('rejected: the agent is told why, nothing is sent', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    const { binding_hash } = approval!;
    const decide = stage.gate.decide(
      approval!.approval_id,
      { decision: 'reject', reason: 'Not today.', binding_hash },
      stage.alice,
    );
    expect(await decide).toMatchObject({ status: 'denied', decision: { reason: 'Not today.', by: { id: 'alice' } } });
    const error = await stage.refused(result);
    expect([error.code, error.retryable, error.details['reason']]).toEqual(['APPROVAL_DENIED', false, 'Not today.']);
    expect(error.message).toContain('Not today.');
    expect(stage.page.log).toEqual([]);
    expect((await trace())[0]).toMatchObject({ outcome: 'refused', code: 'APPROVAL_DENIED' });
  });

  it('expires by itself, recorded as expiry and not as a denial', async () => {
    const { result } = stage.press('e1', stage.page, { waitBudgetMs: minutes(60) });
    const [approval] = await stage.asked();
    await stage.clock.advance(minutes(15));
    expect((await stage.refused(result)).code).toBe('APPROVAL_EXPIRED');
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'expired', decision: null });
    expect(await stage.eventTypes()).toContain('approval.expired');
    expect((await stage.refused(stage.approve(approval!))).code).toBe('STATE_VERSION_CONFLICT');
  });
});

const trace = async () => (await stage.kernel.calls({ limit: 50 }, stage.alice)).calls;

describe('steering', () => {
  const steer = async (delta: Record<string, unknown>, reason = 'Carol instead.') => {
    const [approval] = await stage.asked();
    const { approval_id, binding_hash } = approval!;
    return stage.gate.decide(
      approval_id,
      { decision: 'steer', steering_delta: delta, reason, binding_hash },
      stage.alice,
    );
  };

  it('performs the changed arguments and says both', async () => {
    const { result } = stage.enter('bob@example.com');
    expect(await steer({ value: 'carol@example.com' })).toMatchObject({
      arguments: { value: 'bob@example.com' },
      steered_arguments: { value: 'carol@example.com' },
    });
    const { output } = await result;
    expect(output['value_after']).toBe('carol@example.com');
    expect(output['steered']).toEqual({
      proposed: expect.objectContaining({ value: 'bob@example.com' }) as unknown,
      executed: expect.objectContaining({ value: 'carol@example.com' }) as unknown,
      rationale: 'Carol instead.',
    });
    const { receipts } = await stage.kernel.receipts({ limit: 1 }, stage.alice);
    expect(receipts[0]).toMatchObject({
      arguments: { value: 'bob@example.com' },
      executed_arguments: { value: 'carol@example.com' },
    });
  });

  it('to what does not fit is refused with 422 and the approval stays', async () => {
    const { result } = stage.enter('x');
    for (const delta of [
      { action: 'smash' },
      { colour: 'red' },
      { target: 'e99' },
      { surface_id: 'nowhere' },
      { value: null },
    ]) {
      const error = await stage.refused(steer(delta));
      expect([delta, error.httpStatus]).toEqual([delta, 422]);
      expect(error.details.issues?.length).toBeGreaterThan(0);
    }
    stage.page.targets.get('e1')!.cover = 'dialog "Cookies"';
    expect((await stage.refused(steer({ target: 'e1', action: 'press', value: null }))).message).toContain('Cookies');
    expect((await stage.refused(steer({ value: 'y' }, ' '))).httpStatus).toBe(400);
    await steer({ value: 'y' });
    expect((await result).output['value_after']).toBe('y');
  });

  it('to another surface only within the scope of the agent’s token', async () => {
    const narrow = { ...agent('narrow'), surfaces: [stage.page.id] };
    const { result } = stage.enter('x', 'e2', {}, { principal: narrow });
    expect((await stage.refused(steer({ surface_id: stage.other.id }))).httpStatus).toBe(422);
    await steer({ value: 'ok' });
    await result;
    expect(stage.other.log).toEqual([]);

    const wide = stage.enter('z');
    await steer({ surface_id: stage.other.id });
    await wide.result;
    expect(stage.other.log).toEqual(['type e2 z']);
  });
});

describe('who decides', () => {
  it('agents and viewers may not, nor who asked; a stale or second decision is refused', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    for (const principal of [agent('other'), stage.robot, person('viewer', ['viewer'])]) {
      expect((await stage.refused(stage.approve(approval!, principal))).httpStatus).toBe(403);
    }
    const stale = await stage.refused(stage.approve({ ...approval!, binding_hash: '0'.repeat(64) }));
    expect([stale.code, stale.httpStatus]).toEqual(['STATE_VERSION_CONFLICT', 409]);
    const both = await Promise.allSettled([stage.approve(approval!), stage.approve(approval!, stage.bob)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const second = await stage.refused(stage.approve(approval!, stage.bob));
    expect(second.details['decision']).toMatchObject({ by: { id: 'alice' }, decision: 'approve' });
    await result;
    expect(stage.page.log).toEqual(['press e1']);
  });

  it('an agent sees its own approvals only', async () => {
    stage.press();
    const [approval] = await stage.asked();
    expect(await stage.gate.approvals(stage.robot, 'pending', 10)).toHaveLength(1);
    expect(await stage.gate.approvals(agent('other'), 'pending', 10)).toEqual([]);
    expect((await stage.refused(stage.gate.approval(approval!.approval_id, agent('other')))).code).toBe('NOT_FOUND');
  });
});

describe('what was approved changed since', () => {
  const cases: [string, () => void, RegExp][] = [
    ['the target’s name', () => void (stage.page.targets.get('e1')!.name = 'Pay'), /"Submit", now "Pay"/],
    ['the target’s row', () => void (stage.page.targets.get('e1')!.row = 'Invoice 2'), /row/],
    ['the target is gone', () => void stage.page.targets.delete('e1'), /gone/],
    ['the address', () => void (stage.page.address = 'http://site.test/other'), /other/],
    ['the surface was reloaded', () => void (stage.page.generation = 2), /reloaded/],
  ];
  it.each(cases)('%s: void, with the difference, nothing sent', async (_what, change, difference) => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    change();
    await stage.approve(approval!);
    const error = await stage.refused(result);
    expect(error.code).toBe('APPROVAL_VOID');
    expect(error.message).toMatch(difference);
    expect(stage.page.log).toEqual([]);
    const ended = await stage.approval(approval!.approval_id);
    expect(ended).toMatchObject({ status: 'void', lights: { executed: 'no', receipted: 'no' } });
    expect(ended.ended_because).toMatch(difference);
    expect(await stage.eventTypes()).toContain('approval.voided');
    // The thread is free: nothing is in doubt.
    const again = stage.press('e2');
    await stage.approve((await stage.asked())[0]!);
    expect((await again.result).output['changed']).toBe(true);
  });

  it('a policy that matches now and did not then', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    const scope = 'operator.*';
    await stage.kernel.createPolicy(
      { title: 'No', condition: 'true', effect: 'deny', scope, enforcement: 'enforced' },
      stage.alice.ref,
    );
    await stage.approve(approval!);
    expect((await stage.refused(result)).code).toBe('APPROVAL_VOID');
  });

  it('the surface went: void at once', async () => {
    const { result } = stage.press();
    await stage.asked();
    await stage.page.close();
    expect((await stage.refused(result)).code).toBe('APPROVAL_VOID');
  });

  it('something lies over it now: blocked, nothing sent', async () => {
    const { result } = stage.press();
    const [approval] = await stage.asked();
    stage.page.targets.get('e1')!.cover = 'dialog "Cookies"';
    await stage.approve(approval!);
    expect((await result).output).toMatchObject({ changed: false, blocked_by: 'dialog "Cookies"' });
    expect(stage.page.log).toEqual([]);
  });
});

describe('before anybody is asked', () => {
  const nothingAsked = async (): Promise<void> => {
    expect(await stage.gate.approvals(stage.alice, 'all', 10)).toEqual([]);
    expect(stage.page.log).toEqual([]);
  };
  it('a covered target answers blocked_by at once', async () => {
    stage.page.targets.get('e1')!.cover = 'dialog "Cookies"';
    expect(await stage.press().result).toMatchObject({ output: { changed: false, blocked_by: 'dialog "Cookies"' } });
    await nothingAsked();
    expect((await trace())[0]).toMatchObject({ outcome: 'blocked' });
  });
  it('a gone target is TARGET_GONE', async () => {
    expect((await stage.refused(stage.press('e99').result)).code).toBe('TARGET_GONE');
    await nothingAsked();
  });
  it('wrong arguments say where, and write nothing', async () => {
    const head = await stage.kernel.head();
    const wrong: [string, Record<string, unknown>, string][] = [
      ['operator.act', { surface_id: stage.page.id, target: 'e1', action: 'smash' }, 'action'],
      ['operator.act', { surface_id: stage.page.id, target: 'e2', action: 'enter_text' }, 'value'],
      ['operator.perceive', { surface_id: stage.page.id, limit: 1_000 }, 'limit'],
    ];
    for (const [verb, args, path] of wrong) {
      const error = await stage.refused(stage.call(verb, args));
      expect([error.code, error.details.issues?.[0]?.path]).toEqual(['INVALID_REQUEST', path]);
    }
    expect((await stage.refused(stage.call('operator.dance', {}))).code).toBe('INVALID_REQUEST');
    expect([await stage.kernel.head(), await trace()]).toEqual([head, []]);
  });
  it('an unknown surface is SURFACE_GONE and names those there are', async () => {
    const error = await stage.refused(stage.call('operator.perceive', { surface_id: 'nowhere' }));
    expect([error.code, error.details['known_surfaces']]).toEqual(['SURFACE_GONE', [stage.page.id, stage.other.id]]);
  });
  it('a missing facet is NOT_SUPPORTED and names it', async () => {
    const error = await stage.refused(
      stage.call('operator.focus_app', { surface_id: stage.page.id, application: 'x' }),
    );
    expect([error.code, error.details['facet'], error.details['degrades_to']]).toEqual([
      'NOT_SUPPORTED',
      'operator/desktop@1',
      null,
    ]);
  });
  it('a token for one surface sees and works that one only', async () => {
    const narrow = { ...stage.robot, surfaces: [stage.page.id] };
    const listed = await stage.call('operator.list_surfaces', {}, { principal: narrow });
    expect((listed['surfaces'] as { id: string }[]).map(({ id }) => id)).toEqual([stage.page.id]);
    expect((await stage.refused(stage.press('e1', stage.other, { principal: narrow }).result)).code).toBe(
      'SURFACE_GONE',
    );
  });
});

describe('policies', () => {
  const policy = async (effect: 'allow' | 'deny' | 'require_approval', condition: string): Promise<void> => {
    const expires_at = new Date(stage.clock.now() + minutes(5)).toISOString();
    const input = { title: `${effect} ${condition}`, condition, effect, scope: '*', enforcement: 'enforced' as const };
    await stage.kernel.createPolicy({ ...input, expires_at }, stage.alice.ref);
  };
  it('an allow runs without asking, and on the record until it expires', async () => {
    await policy('allow', 'target.name == "Submit"');
    const { output } = await stage.press().result;
    expect(output['changed']).toBe(true);
    const receipt = await stage.kernel.receipt(String(output['receipt_id']), stage.alice);
    expect(receipt.approved_by).toMatchObject({ type: 'service' });
    await stage.clock.advance(minutes(6));
    stage.press();
    await stage.asked();
  });
  it('a deny wins, names its rule, and nothing is sent', async () => {
    await policy('allow', 'true');
    await policy('deny', 'capability == "operator.act" && target.name.contains("Submit")');
    const error = await stage.refused(stage.press().result);
    expect(error.code).toBe('POLICY_DENIED');
    expect(error.message).toContain('deny capability');
    expect(stage.page.log).toEqual([]);
    expect((await stage.press('e2').result).output['changed']).toBe(true);
  });
  it('a condition that throws: an allow does not match, a require_approval does', async () => {
    await policy('allow', 'arguments.nothing == 1');
    stage.press();
    await stage.asked();
    await policy('allow', 'true');
    await policy('require_approval', 'arguments.nothing == 1');
    stage.press('e2');
    expect((await stage.asked(2))[1]!.policy.because).toContain('could not be evaluated');
  });
  it('auto-approve is recorded as such and dies with its process', async () => {
    await stage.killAndRestart({ autoApprove: true });
    const { output } = await stage.press().result;
    const receipt = await stage.kernel.receipt(String(output['receipt_id']), stage.alice);
    expect(receipt.approved_by).toEqual({ type: 'service', id: 'auto-approve' });
    expect(await stage.kernel.autoApprove()).toMatchObject({ policy_id: 'auto-approve' });
    await stage.killAndRestart();
    expect(await stage.kernel.autoApprove()).toBeNull();
    stage.press();
    await stage.asked();
  });
  it('an approver’s own call needs no second person; a viewer’s is refused', async () => {
    const { output } = await stage.press('e1', stage.page, { principal: stage.alice }).result;
    const receipt = await stage.kernel.receipt(String(output['receipt_id']), stage.alice);
    expect(receipt).toMatchObject({ attestation: 'USER_CONFIRMED', approved_by: { id: 'alice' } });
    const viewer = { principal: person('viewer', ['viewer']) };
    expect((await stage.refused(stage.press('e1', stage.page, viewer).result)).code).toBe('POLICY_DENIED');
    expect(stage.page.log).toEqual(['press e1']);
  });
});

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
