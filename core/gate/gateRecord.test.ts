import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateStage } from '../../test/support/gateStage.ts';
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

describe('text for a password field', () => {
  it('reaches the page and is written down nowhere', async () => {
    const { result } = stage.enter('hunter2', 'e3');
    const [approval] = await stage.asked();
    expect(approval).toMatchObject({
      arguments: { value: '••••' },
      would: expect.not.stringContaining('hunter2') as string,
    });
    await stage.approve(approval!);
    await result;
    expect(stage.page.log).toEqual(['type e3 hunter2']);
    const written = JSON.stringify([await stage.kernel.events(0, 500), await trace(), stage.notes]);
    expect(written).not.toContain('hunter2');
    // Other text is shown once the target has been read.
    stage.enter('visible');
    await stage.asked();
    expect(JSON.stringify(await stage.gate.approvals(stage.alice, 'pending', 1))).toContain('visible');
  });

  it('an identical retry joins, another password does not', async () => {
    stage.enter('one', 'e3');
    await stage.asked();
    stage.enter('one', 'e3');
    expect(await stage.asked(1)).toHaveLength(1);
    stage.enter('two', 'e3');
    expect(await stage.asked(2)).toHaveLength(2);
  });

  it('does not survive a restart: its approval is void and says so', async () => {
    stage.enter('hunter2', 'e3');
    const [approval] = await stage.asked();
    await stage.killAndRestart({ surfaceIds: [stage.page.id, stage.other.id] });
    await stage.approve(approval!);
    const error = await stage.refused(stage.call('signalbox.await_work', { work_id: approval!.work_id }));
    expect([error.code, error.message]).toEqual(['APPROVAL_VOID', expect.stringContaining('memory only')]);
    expect(stage.page.log).toEqual([]);
  });
});

describe('surfaces', () => {
  it('an agent’s opening and closing ask a person and leave receipts', async () => {
    const opening = stage.begin('signalbox.open_surface', { kind: 'browser', label: 'Third' });
    await stage.approve((await stage.asked())[0]!);
    const { surface } = (await opening.result).output as { surface: { id: string; label: string } };
    expect(surface).toMatchObject({ kind: 'browser', label: 'Third' });
    const closing = stage.begin('signalbox.close_surface', { surface_id: surface.id });
    await stage.approve((await stage.asked())[0]!);
    expect((await closing.result).output).toEqual({ closed: true });
    expect(stage.gate.surfaces(stage.alice).map(({ id }) => id)).toEqual([stage.page.id, stage.other.id]);
    const { receipts } = await stage.kernel.receipts({ limit: 5 }, stage.alice);
    expect(receipts.map(({ verb }) => verb)).toEqual(['signalbox.close_surface', 'signalbox.open_surface']);
    expect(stage.notes).toContainEqual({ type: 'surface_removed', surface_id: surface.id });
  });

  it('a person opens and closes without asking; a kind that nobody provides is NOT_SUPPORTED', async () => {
    const view = await stage.gate.openSurface({ kind: 'browser' }, stage.alice);
    await stage.gate.closeSurface(view.id, stage.alice);
    expect((await stage.refused(stage.gate.openSurface({ kind: 'desktop' }, stage.alice))).code).toBe('NOT_SUPPORTED');
  });

  it('a popup is listed and can be worked', async () => {
    const popup = stage.provider.popUp(stage.page);
    await settled();
    expect(stage.gate.surface(popup.id, stage.alice)).toMatchObject({ opener: stage.page.id });
    await allowAll();
    expect((await stage.press('e1', popup).result).output['changed']).toBe(true);
  });
});

describe('revoking a token', () => {
  it('withdraws what it asked for and stops what it is doing', async () => {
    const made = await stage.kernel.createToken({ principal: stage.robot.ref, by: stage.alice.ref });
    const robot = { ...stage.robot, tokenId: made.token_id };
    const waiting = stage.press('e1', stage.other, { principal: robot });
    const [approval] = await stage.asked();
    await allowAll();
    stage.page.afterInput = async () => {
      if (stage.page.targets.get('e2')!.value === 'ab') await stage.kernel.revokeToken(made.token_id, stage.alice.ref);
    };
    expect((await stage.refused(stage.enter('abcd', 'e2', {}, { principal: robot }).result)).code).toBe('CANCELLED');
    expect(stage.page.targets.get('e2')!.value).toBe('ab');
    expect((await stage.refused(waiting.result)).code).toBe('CANCELLED');
    expect(await stage.approval(approval!.approval_id)).toMatchObject({ status: 'withdrawn' });
  });
});

describe('the record', () => {
  it('can be made again row for row after all kinds of work', async () => {
    const one = stage.press();
    await stage.approve((await stage.asked())[0]!);
    await one.result;
    stage.enter('x');
    await stage.asked();
    await stage.gate.control(stage.page.id, { action: 'take' }, stage.alice);
    await allowAll();
    stage.other.afterInput = async () => stage.other.close();
    await stage.refused(stage.press('e1', stage.other).result);
    await settled();
    const tables = ['work', 'surfaces', 'policies', 'tokens', 'system'];
    const rows = () => Promise.all(tables.map((table) => stage.store.query(table, {})));
    const before = await rows();
    await stage.store.rebuild();
    expect(await rows()).toEqual(before);
    expect(await stage.store.verify()).toMatchObject({ ok: true, events: await stage.kernel.head() });
  });

  it('every event reaches subscribers with its position, in order', async () => {
    const { result } = stage.press();
    await stage.approve((await stage.asked())[0]!);
    await result;
    const seqs = stage.notes.flatMap((note) => (note.type === 'event' ? [note.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    const calls = stage.notes.flatMap((note) => (note.type === 'call' ? [note.call.outcome] : []));
    expect([calls[0], calls.at(-1)]).toEqual(['running', 'ok']);
    const counts = stage.notes.flatMap((note) => (note.type === 'surface' ? [note.surface.pending_approvals] : []));
    expect(counts).toContain(1);
    expect(counts.at(-1)).toBe(0);
  });
});
