import { expect } from 'vitest';
import { details, said, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap('confirm() freezes nothing: seen, read, answered both ways', 'dialogs', async (page) => {
  await page.perceive();
  const del = await page.ref('delete all');
  const opened = await page.press(del);
  expect(opened).toMatchObject({ changed: true, readiness: 'changing' });
  expect(opened.effects).toEqual([{ kind: 'dialog', detail: 'confirm: Really delete all?', ref: expect.any(String) }]);
  const answer = await page.perceive();
  expect(said(answer).slice(0, 3)).toEqual(['alertdialog "Really delete all?"', 'button "OK"', 'button "Cancel"']);
  // What is behind is still listed from the index.
  expect(said(answer)).toContain('button "Many alerts"');
  const ref = opened.effects![0]!.ref!;
  expect(details(await page.press(`${ref}-ok`))).toContain('total: none → deleted');
  const second = (await page.press(del)).effects![0]!.ref!;
  expect(details(await page.press(`${second}-cancel`))).toContain('total: deleted → kept');
  expect(await page.did()).toEqual(['deleted', 'kept']);
  expect(await page.heard('click')).toEqual(['click confirm', 'click confirm']);
});

trap('four alerts in a row are answered one by one', 'dialogs', async (page) => {
  let receipt = await page.press(await page.ref('many alerts'));
  for (let i = 1; i <= 4; i++) {
    const dialog = receipt.effects?.find(({ kind, ref }) => kind === 'dialog' && ref !== undefined);
    expect(dialog?.detail).toBe(`alert: Notice ${i}`);
    receipt = await page.press(`${dialog!.ref!}-ok`);
  }
  expect(details(receipt)).toContain('total: none → noticed');
  expect(receipt.readiness).toBe('settled');
  expect(await page.did()).toEqual(['noticed']);
});

trap('a confirm that leads to a prompt', 'dialogs', async (page) => {
  const confirm = (await page.press(await page.ref('confirm then prompt'))).effects![0]!;
  const prompt = (await page.press(`${confirm.ref!}-ok`)).effects!.find(({ detail }) => detail.startsWith('prompt'))!;
  expect(prompt.detail).toBe('prompt: New name?');
  expect((await page.perceive()).targets.find(({ role }) => role === 'textbox')).toMatchObject({ value: 'old' });
  await page.enter(`${prompt.ref!}-text`, 'Zoë');
  expect(details(await page.press(`${prompt.ref!}-ok`))).toContain('total: none → named Zoë');
  expect(await page.did()).toEqual(['named Zoë']);
});

trap('a select that asks before it changes', 'dialogs', async (page) => {
  const asked = await page.enter(await page.ref('plan'), 'Pro');
  const dialog = asked.effects?.find(({ kind }) => kind === 'dialog');
  expect(dialog?.detail).toBe('confirm: Change plan?');
  await page.press(`${dialog!.ref!}-cancel`);
  expect((await page.find('plan')).value).toBe('Basic');
  expect(await page.did()).toEqual(['plan Basic']);
});

trap('a checkbox whose handler asks and is refused stays as it was', 'dialogs', async (page) => {
  const agree = await page.ref('agree');
  const dialog = (await page.press(agree)).effects![0]!;
  await page.press(`${dialog.ref!}-cancel`);
  expect((await page.find('agree')).states ?? []).not.toContain('checked');
  expect(await page.truth('document.getElementById("agree").checked')).toBe(false);
});

trap('a confirm() of a frame of another origin', 'dialogs', async (page) => {
  const ask = await page.await('ask in frame');
  const dialog = (await page.press(ask.ref)).effects?.find(({ kind }) => kind === 'dialog');
  expect(dialog?.detail).toContain('From the frame?');
  await page.press(`${dialog!.ref!}-ok`);
  expect(await page.did('frame')).toEqual([true]);
});

trap(
  'an alert while the page loads: the page can be read and worked after its answer',
  'alert-at-once',
  async (page) => {
    const answer = await page.perceive();
    const dialog = answer.targets.find(({ role }) => role === 'alertdialog');
    expect(dialog?.name).toBe('Welcome, stranger');
    await page.press(`${dialog!.ref}-ok`);
    await page.press(await page.ref('go on'));
    expect(await page.did()).toEqual(['welcomed']);
    expect(await page.pressed()).toEqual(['b']);
  },
);

trap('beforeunload by a link: stay keeps the draft, leave goes on', 'dialogs', async (page) => {
  await page.enter(await page.ref('draft'), 'half a thought');
  const away = await page.ref('leave the page');
  const asked = await page.press(away);
  const dialog = asked.effects?.find(({ kind }) => kind === 'dialog');
  expect(dialog).toBeDefined();
  expect(said(await page.perceive())).toEqual(expect.arrayContaining(['button "Leave"', 'button "Stay"']));
  const stayed = await page.press(`${dialog!.ref!}-cancel`);
  expect(stayed.readiness).toBe('settled');
  expect(stayed.timing?.settled).toBeLessThan(3_000);
  expect(page.surface.describe()).toMatchObject({
    address: expect.stringContaining('/traps/dialogs.html'),
    readiness: 'settled',
  });
  expect((await page.find('draft')).value).toBe('half a thought');
  const again = (await page.press(away)).effects!.find(({ kind }) => kind === 'dialog')!;
  const left = await page.press(`${again.ref!}-ok`);
  expect(left.effects?.some(({ kind, detail }) => kind === 'navigated' && detail.includes('/blank.html'))).toBe(true);
  expect(page.surface.describe().address).toContain('/blank.html');
});
