import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateStage, agent, person } from '../../test/support/gateStage.ts';

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
