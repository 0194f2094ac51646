import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateStage, person } from '../../test/support/gateStage.ts';

let stage: GateStage;
beforeEach(async () => {
  stage = await GateStage.open();
});
afterEach(async () => stage[Symbol.asyncDispose]());

const minutes = (n: number): number => n * 60_000;

const trace = async () => (await stage.kernel.calls({ limit: 50 }, stage.alice)).calls;

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
