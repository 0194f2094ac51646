import { expect } from 'vitest';
import { details, kinds, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap('a menu that opens on hover: hovered, listed, pressed', 'pointer', async (page) => {
  expect(await page.listed({ query: 'tablets' })).toEqual([]);
  const hovered = await page.act(await page.ref('products'), 'hover');
  expect(hovered.changed).toBe(true);
  expect(details(hovered).join()).toContain('Tablets');
  await page.press(await page.ref('tablets'));
  expect(await page.pressed()).toEqual(['tablets']);
  expect(await page.truth('location.hash')).toBe('#tablets');
});

trap('a tooltip by style alone appears and is told', 'pointer', async (page) => {
  expect((await page.perceive()).text).not.toContain('555');
  const receipt = await page.act(await page.ref('help'), 'hover');
  expect(details(receipt).join()).toContain('Call us at 555');
  expect(await page.heard('mousedown')).toEqual([]);
});

trap('a double press is one double click', 'pointer', async (page) => {
  await page.press(await page.ref('open file'), 'double');
  expect(await page.did()).toEqual(['opened']);
  expect(await page.heard('dblclick')).toEqual(['dblclick dbl']);
  expect(await page.heard('click')).toHaveLength(2);
});

trap('a right press opens a menu of the page', 'pointer', async (page) => {
  const receipt = await page.press(await page.ref('row menu'), 'right');
  expect(details(receipt).join()).toContain('Rename');
  await page.press(await page.ref('rename'));
  expect(await page.did()).toEqual(['rename']);
});

trap('chords reach the page as one', 'pointer', async (page) => {
  await page.press('page', 'key:Control+Shift+K');
  expect(await page.did()).toEqual(['chord']);
  expect(await page.heard('keydown')).toEqual(['keydown Control', 'keydown Shift', 'keydown K']);
});

trap('a focus trap holds the keys, and the receipts say where the focus is', 'pointer', async (page) => {
  const one = await page.ref('one');
  const receipt = await page.press(one, 'key:Tab');
  expect(kinds(receipt)).toContain('focus_moved');
  expect((await page.find('two')).states).toContain('focused');
  await page.press('page', 'key:Tab');
  expect((await page.find('one')).states).toContain('focused');
});

trap('a canvas is announced, worked by a point in it, and its change seen', 'pointer', async (page) => {
  const board = await page.find('board');
  expect(board).toMatchObject({ role: 'canvas', note: expect.stringContaining('300x120') });
  const receipt = await page.press(board.ref, 'at:120,40');
  expect(receipt.changed).toBe(true);
  expect(await page.did('dot')).toEqual([[120, 40]]);
  await expect(page.press(board.ref, 'at:120')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

trap('buttons and links of svg', 'pointer', async (page) => {
  await page.press(await page.ref('pen'));
  await page.press(await page.ref('svg link'));
  expect(await page.did()).toEqual(['pen']);
  expect(await page.truth('location.hash')).toBe('#svg');
});

trap('areas of an image map are pressed in their own part', 'pointer', async (page) => {
  const south = await page.find('south');
  expect(south.role).toBe('link');
  await page.press(south.ref);
  expect(await page.truth('location.hash')).toBe('#south');
  await page.press(await page.ref('north'));
  expect(await page.truth('location.hash')).toBe('#north');
  expect(await page.pressed()).toEqual(['south', 'north']);
});

trap('details: folded content is not listed, unfolded it is', 'pointer', async (page) => {
  expect(await page.listed({ query: 'track parcel' })).toEqual([]);
  const summary = await page.find('delivery details');
  expect(summary.states).toContain('collapsed');
  const receipt = await page.press(summary.ref);
  expect(details(receipt).join()).toContain('Sent on Monday');
  await page.press(await page.ref('track parcel'));
  expect(await page.pressed()).toEqual(['sum', 'track']);
});

trap('a card dragged by HTML drag and drop', 'pointer', async (page) => {
  const receipt = await page.press(await page.ref('write tests'), `drag_to:${await page.ref('done column')}`);
  expect(receipt.changed).toBe(true);
  expect(await page.did()).toEqual(['dropped']);
  expect(await page.truth('task1.parentElement.id')).toBe('zone');
});

trap('a slider of pointer events is dragged to a point', 'pointer', async (page) => {
  const thumb = await page.find('price');
  const { x, y } = thumb.bounds!;
  const receipt = await page.press(thumb.ref, `drag_to:${x + 150},${y + 10}`);
  expect(receipt.changed).toBe(true);
  expect(await page.did('price')).toEqual(['50']);
  expect((await page.find('price')).value).toBe('50');
});

for (const id of ['zoomed', 'scaled', 'rotated', 'tilted', 'wrapped', 'clipped'] as const) {
  trap(`under zoom, transform and clip: ${id}`, 'transforms', async (page) => {
    await page.press(await page.ref(id === 'wrapped' ? 'link that is long enough' : id));
    expect(await page.pressed()).toEqual([id]);
  });
}

trap('right to left, scrolled out to the left', 'transforms', async (page) => {
  const second = await page.find('שני');
  expect(second.in_view).toBe(false);
  await page.press(second.ref);
  await page.press(await page.ref('ראשון'));
  expect(await page.pressed()).toEqual(['r2', 'r1']);
});
