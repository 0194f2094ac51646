import { expect } from 'vitest';
import { said, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

trap(
  'ten thousand controls: an answer of bounded size that says what it left out',
  ['huge', { n: 10_000 }],
  async (page) => {
    const answer = await page.perceive();
    expect(answer.targets).toHaveLength(50);
    expect(answer.total).toBe(10_000);
    expect(answer.omitted?.offscreen_beyond_limit).toBeGreaterThanOrEqual(9_950);
    expect(answer.text?.length).toBeLessThanOrEqual(1_200);
    expect(bytes(answer)).toBeLessThan(8_000);
    expect(bytes(await page.perceive({ limit: 200, text_limit: 0 }))).toBeLessThan(28_000);
  },
);

trap('one of ten thousand by name, in a few hundred bytes, and pressed', ['huge', { n: 10_000 }], async (page) => {
  const answer = await page.perceive({ query: 'archive report 8731' });
  expect(said(answer)).toEqual(['button "Archive report 8731"']);
  expect(bytes(answer)).toBeLessThan(500);
  const receipt = await page.press(answer.targets[0]!.ref);
  expect(receipt.blocked_by).toBeUndefined();
  expect(bytes(receipt)).toBeLessThan(1_000);
  expect(await page.heard()).toEqual(['mousedown b8731', 'mouseup b8731', 'click b8731']);
});

trap('names, values and lists of options beyond all measure are cut', 'long', async (page) => {
  const answer = await page.perceive();
  expect(bytes(answer)).toBeLessThan(6_000);
  const button = answer.targets.find(({ name }) => name?.startsWith('Accept'));
  expect(button?.name?.length).toBeLessThanOrEqual(200);
  expect(answer.targets.find(({ name }) => name === 'Country')?.options).toHaveLength(50);
  expect(answer.targets.find(({ name }) => name === 'Essay')?.value?.length).toBeLessThanOrEqual(250);
  // The whole name still finds it.
  expect((await page.perceive({ query: 'conditions finally' })).targets[0]?.ref).toBe(button?.ref);
  const receipt = await page.press(button!.ref);
  expect(bytes(receipt)).toBeLessThan(1_000);
  expect(await page.pressed()).toEqual(['long']);
});

trap('an option beyond those listed is still picked', 'long', async (page) => {
  const receipt = await page.enter(await page.ref('country'), 'Country 2741');
  expect(receipt.value_after).toBe('Country 2741');
  expect(await page.truth('document.getElementById("country").selectedIndex')).toBe(2741);
});

trap('a control fifteen hundred levels deep is found and pressed', 'long', async (page) => {
  await page.press(await page.ref('bottom of the well'));
  expect(await page.pressed()).toEqual(['bottom']);
});
