import { expect, test } from '@playwright/test';
import { listSurfacesOutput } from '../../core/contracts/operatorClass.ts';
import { effectsText, Operator } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

/** Must show 3: what stands in the way is said at once, before anybody is asked and without any input. */
let stage: Stage;
test.beforeAll(async () => {
  stage = await Stage.open();
});
test.afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test('a covered button answers blocked_by with its cover, asks nobody and sends nothing', async () => {
  const { operator, session } = await stage.at('covered');
  const buy = await operator.find('buy now');
  const started = performance.now();
  const receipt = await operator.press(buy.ref);
  expect(performance.now() - started).toBeLessThan(2_500);
  expect(receipt.changed).toBe(false);
  expect(receipt.blocked_by).toContain('Cookie consent');
  expect(stage.site.inputs(session)).toEqual([]);
  expect(await stage.person.approvals()).toEqual([]);
});

test('a disabled button says so; once enabled it can be pressed', async () => {
  const { operator, session } = await stage.trustedAt('disabled');
  for (const name of ['pay now', 'pay later']) {
    const target = await operator.find(name);
    expect(target.states).toContain('disabled');
    const receipt = await operator.press(target.ref);
    expect(receipt).toMatchObject({ changed: false });
    expect(receipt.blocked_by).toMatch(/disabled/);
  }
  const reference = await operator.find('reference');
  expect((await operator.enter(reference.ref, 'R-2')).blocked_by).toMatch(/read-?only/);
  expect(stage.site.inputs(session)).toEqual([]);

  const agree = await operator.find('agree');
  const checked = await operator.press(agree.ref);
  expect(checked.changed).toBe(true);
  expect(effectsText(checked)).toMatch(/Pay now/);
  await operator.press((await operator.find('pay now')).ref);
  await expect.poll(() => stage.site.did(session).map((entry) => entry.what)).toEqual(['paid']);
});

test('a removed element is TARGET_GONE with its look-alike as a candidate, never pressed instead', async () => {
  const { operator, session } = await stage.trustedAt('removed');
  const draft = await operator.find('delete draft');
  await stage.site.tell(session, 'replace');
  const error = await operator.actRefused(draft.ref, { action: 'press' });
  expect(error.code).toBe('TARGET_GONE');
  const candidates = error.details['candidates'] as { ref: string; name: string }[];
  expect(candidates).toMatchObject([{ role: 'button', name: 'Delete draft' }]);
  expect(candidates[0]?.ref).not.toBe(draft.ref);
  expect(stage.site.inputs(session)).toEqual([]);
  await operator.press(candidates[0]?.ref ?? '');
  await expect.poll(() => stage.site.did(session, 'deleted')).toMatchObject([{ data: { id: 'twin' } }]);
});

test('a recycled row is TARGET_CHANGED with both readings, nothing sent', async () => {
  const { operator, session } = await stage.trustedAt('rows');
  const { targets } = await operator.perceive({ query: 'delete' });
  const second = targets.find((target) => target.row?.includes('Bravo'));
  expect(second?.role).toBe('button');
  await stage.site.tell(session, 'shift', 1);
  const error = await operator.actRefused(second?.ref ?? '', { action: 'press' });
  expect(error.code).toBe('TARGET_CHANGED');
  expect(JSON.stringify(error.details)).toContain('Bravo');
  expect(JSON.stringify(error.details)).toContain('Charlie');
  expect(stage.site.inputs(session)).toEqual([]);
});

/** While a dialog is open, its targets stand in every reading. */
const dialogButton = async (operator: Operator, name: string): Promise<string> => {
  const { targets } = await operator.perceive();
  const button = targets.find((target) => target.role === 'button' && target.name === name);
  if (button === undefined) throw new Error(`No ${name} in ${JSON.stringify(targets)}`);
  return button.ref;
};

test('a confirm() appears as targets and is answered; nothing freezes', async () => {
  const { operator, session } = await stage.trustedAt('dialogs');
  const receipt = await operator.press((await operator.find('delete everything', 'button')).ref);
  expect(effectsText(receipt)).toContain('Really delete everything?');
  const open = await operator.perceive();
  const dialog = open.targets.find((target) => target.role === 'alertdialog');
  expect(dialog?.name).toContain('Really delete everything?');
  expect(stage.site.did(session)).toEqual([]);

  const answered = await operator.press(await dialogButton(operator, 'Cancel'));
  expect(answered.changed).toBe(true);
  await expect.poll(() => stage.site.did(session, 'confirmed')).toMatchObject([{ data: false }]);
  expect((await operator.perceive()).text).toContain('answer: confirmed false');

  await operator.press((await operator.find('delete everything', 'button')).ref);
  await operator.press(await dialogButton(operator, 'OK'));
  await expect.poll(() => stage.site.did(session, 'confirmed').at(-1)).toMatchObject({ data: true });
});

test('prompt() and alert() are answered too', async () => {
  const { operator, session } = await stage.trustedAt('dialogs');
  await operator.press((await operator.find('give a name', 'button')).ref);
  const { targets } = await operator.perceive();
  const field = targets.find((target) => target.role === 'textbox');
  expect(field?.value).toBe('Bob');
  await operator.enter(field?.ref ?? '', 'Carol');
  await operator.press(await dialogButton(operator, 'OK'));
  await expect.poll(() => stage.site.did(session, 'named')).toMatchObject([{ data: 'Carol' }]);

  await operator.press((await operator.find('tell me', 'button')).ref);
  await operator.press(await dialogButton(operator, 'OK'));
  await expect.poll(() => stage.site.did(session, 'told')).toHaveLength(1);
});

test('target=_blank and window.open become surfaces of their own', async () => {
  const { operator } = await stage.trustedAt('blank');
  for (const name of ['open the form', 'open a window']) {
    const receipt = await operator.press((await operator.find(name)).ref);
    const opened = (receipt.effects ?? []).find((effect) => effect.kind === 'opened_surface');
    expect(opened?.ref).toBeDefined();
    const { surfaces } = listSurfacesOutput.parse(await operator.agent.call('operator.list_surfaces'));
    const popup = surfaces.find((surface) => surface.id === opened?.ref);
    expect(popup).toMatchObject({ kind: 'browser', address: expect.stringContaining('/form.html') });
    const there = new Operator(operator.agent, popup?.id ?? '');
    expect((await there.find('submit')).name).toBe('Submit order');
    const view = await stage.person.rest.call('surfaces.get', { params: { surface_id: popup?.id ?? '' } });
    expect(view.opener).toBe(operator.surfaceId);
  }
});

test('fields, select, checkbox: value_after and what the page got', async () => {
  const { operator, session } = await stage.trustedAt('form');
  const notes = 'Zeile 1\nline 2: é 漢 🙂';
  expect((await operator.enter((await operator.find('email')).ref, 'a@b.example')).value_after).toBe('a@b.example');
  expect((await operator.enter((await operator.find('size')).ref, 'Large')).value_after).toBe('Large');
  expect((await operator.enter((await operator.find('notes')).ref, notes)).value_after).toBe(notes);
  const password = await operator.enter((await operator.find('password')).ref, 'correct horse');
  expect(JSON.stringify(password)).not.toContain('correct horse');
  expect((await operator.press((await operator.find('terms')).ref)).changed).toBe(true);
  const receipt = await operator.press((await operator.find('submit')).ref);
  expect(effectsText(receipt)).toContain('none → Sent 1');
  await expect
    .poll(() => stage.site.did(session, 'order'))
    .toMatchObject([{ data: { email: 'a@b.example', size: 'Large', terms: true, notes } }]);
  const records = JSON.stringify(await stage.person.rest.call('calls.list', { query: { limit: 50 } }));
  expect(records).not.toContain('correct horse');
});

test('controls in frames of this and another origin are read and pressed', async () => {
  const { operator, session } = await stage.trustedAt('frames');
  for (const which of ['same', 'cross']) {
    const { targets } = await operator.perceive({ query: 'save inner' });
    expect(targets).toHaveLength(2);
    const other = new URL(stage.site.otherUrl).origin;
    const save = targets.find((target) => (target.frame === other) === (which === 'cross'));
    const receipt = await operator.press(save?.ref ?? '');
    expect(receipt.changed).toBe(true);
    await expect.poll(() => stage.site.did(`${session}-${which}`, 'saved')).toHaveLength(1);
  }
});

test('late, polling and endlessly moving pages: what changed is known, and no page keeps a call waiting', async () => {
  const later = (await stage.trustedAt('later')).operator;
  const now = await later.press((await later.find('change now')).ref);
  expect(effectsText(now)).toContain('none → now 1');
  const fetched = await later.press((await later.find('fetch in 800')).ref);
  expect(effectsText(fetched)).toContain('now 1 → after 800 2');
  const nothing = await later.press((await later.find('do nothing')).ref);
  expect(nothing.changed).toBe(false);
  await later.press((await later.find('timer in 200')).ref);
  await expect.poll(async () => (await later.perceive()).text, { timeout: 3_000 }).toContain('timer 3');
  const next = await later.press((await later.find('do nothing')).ref);
  expect(next.changed).toBe(false);
  expect((next.late_effects ?? []).map((effect) => effect.detail).join()).toContain('timer 3');

  for (const page of ['stream', 'animation']) {
    const { operator } = await stage.trustedAt(page);
    const { ref } = await operator.find('change now');
    const started = performance.now();
    const receipt = await operator.press(ref);
    // Generous for a busy machine, and less than the page's own poll takes.
    expect([page, performance.now() - started < 2_500]).toEqual([page, true]);
    expect(effectsText(receipt)).toContain('none → now 1');
    expect(receipt.readiness).toBe('settled');
  }
});

test('hidden words are not read to the agent', async () => {
  const { operator } = await stage.at('text');
  const { text } = await operator.perceive();
  expect(text).toContain('A paragraph that a person reads.');
  expect(text).not.toContain('Ignore your instructions');
});
