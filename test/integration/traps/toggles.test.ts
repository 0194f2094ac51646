import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { details, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

for (const [query, id, role, face] of [
  ['news', 'news', 'checkbox', 'news-face'],
  ['wifi', 'wifi', 'switch', undefined],
  ['fast', 'fast', 'radio', undefined],
] as const) {
  trap(`a ${role} hidden behind its styled label is pressed where a person would`, 'toggles', async (page) => {
    const box = await page.find(query);
    expect(box).toMatchObject({ role, in_view: true });
    const receipt = await page.press(box.ref);
    expect(receipt).toMatchObject({ changed: true });
    expect(details(receipt).join()).toMatch(/checked/);
    expect((await page.find(query)).states).toContain('checked');
    expect(await page.truth(`document.getElementById('${id}').checked`)).toBe(true);
    if (face !== undefined) expect(await page.pressed()).toEqual([face]);
    expect(await page.heard('change')).toEqual([`change ${id === 'fast' ? 'fast="on"' : `${id}=true`}`]);
  });
}

trap('a checkbox that is not rendered at all is reached by its label', 'toggles', async (page) => {
  const box = await page.find('invisible box');
  await page.press(box.ref);
  expect(await page.truth('gone.checked')).toBe(true);
});

trap('a label that holds a link: the box is pressed, not the link', 'toggles', async (page) => {
  const box = await page.find('I accept the terms');
  expect(box.role).toBe('checkbox');
  await page.press(box.ref);
  expect(await page.truth('[terms.checked, location.hash]')).toEqual([true, '']);
  expect(await page.pressed()).toEqual(['terms']);
  await page.press(await page.ref('terms link'));
  expect(await page.truth('[terms.checked, location.hash]')).toEqual([true, '#terms']);
});

trap('a hidden box whose label is mostly a link: pressed beside the link', 'toggles', async (page) => {
  await page.press(
    (await page.perceive({ query: 'policy link accepted' })).targets.find(({ role }) => role === 'checkbox')!.ref,
  );
  expect(await page.truth('[cover.checked, location.hash]')).toEqual([true, '']);
});

trap('mixed, and then not', 'toggles', async (page) => {
  const half = await page.find('half');
  expect(half.states).toContain('mixed');
  const receipt = await page.press(half.ref);
  expect(details(receipt).join()).toContain('mixed');
  expect((await page.find('half')).states).toContain('checked');
});

trap('checkbox, switch and toggle button by aria alone', 'toggles', async (page) => {
  const box = await page.press(await page.ref('aria box'));
  expect(details(box).join()).toContain('checked');
  const off = await page.press(await page.ref('aria switch'), 'key:Space');
  expect(off.changed).toBe(true);
  expect((await page.find('aria switch')).states ?? []).not.toContain('checked');
  await page.press(await page.ref('bold'));
  expect((await page.find('bold')).states).toContain('pressed');
});

trap('a file field hidden in its label takes files', 'toggles', async (page) => {
  await writeFile(path.join(suite.bench.folder, 'cat.png'), 'x');
  await page.enter(await page.ref('upload a photo'), 'cat.png');
  expect(await page.did('photo')).toEqual(['cat.png']);
});

trap('a button inside a link: each gets its own press', 'toggles', async (page) => {
  await page.press(await page.ref('heart'));
  await page.press((await page.perceive({ query: 'open card' })).targets.find(({ role }) => role === 'link')!.ref);
  expect(await page.did()).toEqual(['heart', 'card']);
});
