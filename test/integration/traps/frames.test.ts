import { expect } from 'vitest';
import { details, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

for (const kind of ['same', 'foreign', 'srcdoc', 'sandbox', 'scaled', 'shadow', 'nested'] as const) {
  trap(`a frame (${kind}): read, pressed and filled`, ['frames', { kind }], async (page) => {
    const pay = await page.await('pay here');
    const receipt = await page.press(pay.ref);
    if (kind !== 'srcdoc') expect(details(receipt)).toEqual(['paid: no → yes']);
    expect(await page.enter(await page.ref('card'), '4111')).toMatchObject({ changed: true, value_after: '4111' });
    expect(await page.did()).toEqual(['in frame']);
    expect(await page.heard('mousedown', 'click', 'input')).toEqual(['mousedown in', 'click in', 'input card="4111"']);
    if (kind === 'foreign') expect(pay.frame).toBe(page.site.otherUrl);
    if (kind === 'same') expect(pay.frame).toBeUndefined();
  });
}

trap('a frame far below is scrolled to, and inside it too', ['frames', { kind: 'below' }], async (page) => {
  const end = await page.await('end of frame');
  expect(end.in_view).toBe(false);
  await page.press(end.ref);
  await page.press(await page.ref('top button'));
  await page.press(await page.ref('pay here'));
  expect(await page.pressed()).toEqual(['end', 'top', 'in']);
});

trap('a frame covered in its parent: blocked by what covers it', ['frames', { kind: 'covered' }], async (page) => {
  const pay = await page.await('pay here');
  expect((await page.press(pay.ref)).blocked_by).toMatch(/"veil"/);
  expect(await page.heard()).toEqual([]);
});

trap('frames that nobody sees list nothing', ['frames', { kind: 'hidden' }], async (page) => {
  await page.perceive();
  await page.site.until(() => page.site.hitsOf('/traps/inner.html').length >= 2, 'both frames');
  await page.settle();
  expect(await page.listed({ query: 'pay here' })).toEqual([]);
  expect((await page.perceive()).text).not.toContain('paid');
});

trap('a frame without scripts is still read and pressed', ['frames', { kind: 'noscript' }], async (page) => {
  const link = await page.await('inside link');
  expect(await page.listed()).toContain('button "Pay here"');
  const receipt = await page.press(link.ref);
  expect(receipt).toMatchObject({ changed: true });
  await page.site.until(() => page.site.hitsOf('/traps/inner-two.html').length === 1, 'the link');
  await page.await('second page');
});

trap('a frame taken out and put in again: the old refs are gone', ['frames', { kind: 'foreign' }], async (page) => {
  const pay = await page.await('pay here');
  await page.tell('remove');
  await expect(page.press(pay.ref)).rejects.toMatchObject({ code: 'TARGET_GONE' });
  await page.tell('again');
  const again = await page.await('pay here');
  expect(again.ref).not.toBe(pay.ref);
  await expect(page.press(pay.ref)).rejects.toMatchObject({ code: 'TARGET_GONE' });
  await page.press(again.ref);
  expect(await page.pressed()).toEqual(['in']);
});

trap(
  'a frame that goes to another page: told, and its refs are gone',
  ['frames', { kind: 'foreign' }],
  async (page) => {
    const pay = await page.await('pay here');
    const receipt = await page.press(await page.ref('inside link'));
    expect(receipt).toMatchObject({ changed: true });
    await page.await('second page');
    await expect(page.press(pay.ref)).rejects.toMatchObject({ code: 'TARGET_GONE' });
    expect(page.surface.describe().address).toContain('/traps/frames.html');
  },
);

trap('a frame moved between look and press is pressed where it is', ['frames', { kind: 'foreign' }], async (page) => {
  const pay = await page.await('pay here');
  await page.tell('move');
  await page.press(pay.ref);
  expect(await page.pressed()).toEqual(['in']);
});
