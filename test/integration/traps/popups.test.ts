import { expect } from 'vitest';
import { details, kinds, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

for (const [query, id] of [
  ['open a window', 'open'],
  ['open a tab', 'blank'],
  ['open apart', 'noopener'],
  ['open small', 'features'],
  ['send to a tab', 'send'],
] as const) {
  trap(`"${query}" (${id}) gives a surface that can be worked`, 'popups', async (page) => {
    const receipt = await page.press(await page.ref(query));
    expect(receipt).toMatchObject({ changed: true });
    const popup = suite.bench.popup(page);
    const opened = receipt.effects?.find(({ kind }) => kind === 'opened_surface');
    expect(opened).toMatchObject({ ref: popup.surface.id, detail: expect.stringContaining('/traps/popup.html') });
    expect(await page.pressed()).toEqual([id]);
    const closed = await popup.press((await popup.await('allow')).ref);
    expect(kinds(closed)).toContain('closed_surface');
    expect(popup.surface.describe().state).toBe('gone');
    const alone = id === 'noopener' || id === 'blank' || id === 'send';
    await page.site.until(() => page.site.did(page.session, 'allowed').length === 1, 'the press in the tab');
    expect(page.site.did(page.session, 'allowed')[0]?.data).toBe(alone);
    await expect(popup.perceive()).rejects.toMatchObject({ code: 'SURFACE_GONE' });
  });
}

trap('a window of another origin tells its opener and closes: the opener shows it', 'popups', async (page) => {
  await page.press(await page.ref('sign in elsewhere'));
  const popup = suite.bench.popup(page);
  expect(popup.surface.describe().address).toContain(page.site.otherUrl);
  await popup.press((await popup.await('allow')).ref);
  await page.site.until(() => page.site.did(page.session, 'message').length === 1, 'the message');
  expect(page.site.did(page.session, 'message')[0]?.data).toBe('token 7');
  expect((await page.perceive()).text).toContain('token 7');
});

trap('a window written by its opener is read and pressed', 'popups', async (page) => {
  const receipt = await page.press(await page.ref('open and write'));
  expect(kinds(receipt)).toContain('opened_surface');
  const popup = suite.bench.popup(page);
  await popup.press((await popup.await('written button')).ref);
  expect(await page.did()).toEqual(['written press']);
});

trap(
  'one press that opens three: what Chromium lets through is a surface, the rest is nothing',
  'popups',
  async (page) => {
    const receipt = await page.press(await page.ref('open three'));
    const refs = receipt.effects?.filter(({ kind }) => kind === 'opened_surface').map(({ ref }) => ref);
    const [opened] = (await page.did('three')) as boolean[][];
    expect(refs).toHaveLength(opened!.filter(Boolean).length);
    expect(refs).toEqual([suite.bench.popup(page).surface.id]);
    expect(receipt.readiness).toBe('settled');
  },
);

trap('a window closed as soon as it opens: told, and nothing hangs', 'popups', async (page) => {
  const receipt = await page.press(await page.ref('open and close'));
  expect(receipt.readiness).toBe('settled');
  expect(receipt.timing?.settled).toBeLessThan(4_000);
  await page.press(await page.ref('open a tab'));
  expect(details(await page.press(await page.ref('open a window')))[0]).toContain('/traps/popup.html');
});
