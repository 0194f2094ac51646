import { expect } from 'vitest';
import { details, kinds, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap('a row far down a pane is brought into view and pressed', 'scrolling', async (page) => {
  const row = await page.find('pane row 35');
  expect(row.in_view).toBe(false);
  const receipt = await page.press(row.ref);
  // Our own scrolling into view is no effect.
  expect(kinds(receipt)).not.toContain('scrolled');
  expect(await page.pressed()).toEqual(['p35']);
});

trap('panes inside panes', 'scrolling', async (page) => {
  await page.press(await page.ref('deep inside'));
  expect(await page.pressed()).toEqual(['deep']);
});

trap('rows under the sticky head of a pane', 'scrolling', async (page) => {
  for (const n of [20, 3, 10]) await page.press(await page.ref(`sticky row ${n}`));
  expect(await page.pressed()).toEqual(['s20', 's3', 's10']);
});

trap('columns to the right, and back', 'scrolling', async (page) => {
  await page.press(await page.ref('column 11'));
  await page.press(await page.ref('column 0'));
  expect(await page.pressed()).toEqual(['w11', 'w0']);
  const right = await page.act(await page.ref('column 0'), 'scroll', 'right');
  expect(right).toMatchObject({ changed: true });
  expect(kinds(right)).toContain('scrolled');
  expect(await page.truth('wide.scrollLeft')).toBeGreaterThan(100);
});

trap('slides that snap', 'scrolling', async (page) => {
  await page.press(await page.ref('slide 6'));
  await page.press(await page.ref('slide 1'));
  expect(await page.pressed()).toEqual(['n6', 'n1']);
});

trap('a pane is scrolled by its own ref: down, by pixels, to the ends', 'scrolling', async (page) => {
  const pane = await page.ref('pane row 2');
  const down = await page.act(pane, 'scroll', 'down');
  expect(down.changed).toBe(true);
  const at = await page.truth<number>('pane.scrollTop');
  expect(at).toBeGreaterThan(50);
  await page.act(pane, 'scroll', '37');
  expect(await page.truth('pane.scrollTop')).toBe(at + 37);
  await page.act(pane, 'scroll', 'bottom');
  expect(await page.truth('pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1')).toBe(true);
  expect(await page.act(pane, 'scroll', 'bottom')).toMatchObject({ changed: false });
  await page.act(pane, 'scroll', 'top');
  expect(await page.truth('[pane.scrollTop, scrollY]')).toEqual([0, 0]);
});

trap('a virtual list: its length is said, it is scrolled until the item appears', 'scrolling', async (page) => {
  const list = await page.find('people');
  expect(list).toMatchObject({ role: 'list', note: expect.stringContaining('of 400') });
  expect((await page.perceive()).omitted?.virtual).toBeGreaterThanOrEqual(385);
  let found = await page.perceive({ query: 'call person 57' });
  const rowOf = (): string | undefined => found.targets[0]?.row;
  for (let steps = 0; rowOf() !== 'Person 57' && steps < 40; steps++) {
    await page.act(list.ref, 'scroll', 'down');
    found = await page.perceive({ query: 'call person 57' });
  }
  expect(rowOf()).toBe('Person 57');
  // Rendered below the edge: scrolling to it makes this list draw all of its rows anew.
  expect(found.targets[0]?.in_view).toBe(false);
  const gone = (await page.press(found.targets[0]!.ref).catch((error: unknown) => error)) as {
    details: { candidates: { ref: string; row: string }[] };
  };
  expect(gone).toMatchObject({ code: 'TARGET_GONE', details: { was: { name: 'Call', row: 'Person 57' } } });
  expect(await page.pressed()).toEqual([]);
  const [same] = gone.details.candidates;
  expect(same?.row).toBe('Person 57');
  await page.press(same!.ref);
  expect(await page.did('called')).toEqual(['call57']);
});

trap('a page that loads more at its end: what came is in the receipt', 'scrolling', async (page) => {
  const first = await page.act('page', 'scroll', 'bottom');
  expect(details(first).join()).toContain('Loaded 1');
  expect(first.readiness).toBe('settled');
  const second = await page.act('page', 'scroll', 'bottom');
  expect(details(second).join()).toContain('Loaded 2');
  await page.press(await page.ref('loaded 1'));
  expect(await page.pressed()).toEqual(['m1']);
});

trap('into_view scrolls and presses nothing', 'scrolling', async (page) => {
  const row = await page.ref('pane row 30');
  expect(await page.act(row, 'scroll', 'into_view')).toMatchObject({ changed: true });
  expect((await page.find('pane row 30')).in_view).toBe(true);
  expect(await page.heard()).toEqual([]);
});
