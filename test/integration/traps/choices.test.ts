import { expect } from 'vitest';
import { details, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap('a combobox with suggestions: typed, then an option pressed', 'choices', async (page) => {
  const combo = await page.find('airport');
  expect(combo).toMatchObject({ role: 'combobox', states: ['collapsed'] });
  const typed = await page.enter(combo.ref, 'os');
  expect(typed).toMatchObject({ changed: true, value_after: 'os' });
  expect(details(typed).join()).toContain('Oslo');
  expect(await page.listed({ query: 'option' })).toEqual(['option "Oslo"', 'option "Osaka"']);
  const chosen = await page.press(await page.ref('osaka'));
  expect(details(chosen).join()).toContain('"os" → "Osaka"');
  expect(await page.did('airport')).toEqual(['Osaka']);
});

trap('a combobox by keys: the active option is told and taken', 'choices', async (page) => {
  const combo = await page.ref('airport');
  await page.enter(combo, 'a');
  await page.press(combo, 'key:ArrowDown');
  await page.press(combo, 'key:ArrowDown');
  expect((await page.find('athens')).states).toContain('selected');
  const taken = await page.press(combo, 'key:Enter');
  expect(details(taken).join()).toContain('"a" → "Athens"');
  expect(await page.did('airport')).toEqual(['Athens']);
  expect(await page.heard('keydown')).toEqual(['keydown ArrowDown', 'keydown ArrowDown', 'keydown Enter']);
});

trap('a button that opens a listbox', 'choices', async (page) => {
  const drop = await page.ref('choose a colour');
  const opened = await page.press(drop);
  expect(details(opened).join()).toContain('expanded');
  expect((await page.press(await page.ref('blue'))).blocked_by).toMatch(/it is disabled$/);
  const chosen = await page.press(await page.ref('green'));
  expect(details(chosen).join()).toContain('Choose a colour → Green');
  expect(await page.did('colour')).toEqual(['Green']);
});

trap('a dropdown of plain elements, known by the pointer alone', 'choices', async (page) => {
  await page.press(await page.ref('select size'));
  await page.press(await page.ref('large size'));
  expect(await page.did('size')).toEqual(['Large size']);
  expect((await page.perceive({ query: 'large size' })).targets).toHaveLength(1);
});

trap('a select with groups picks by label', 'choices', async (page) => {
  const pet = await page.find('pet');
  expect(pet).toMatchObject({ role: 'combobox', value: 'Choose' });
  expect(pet.options).toEqual(expect.arrayContaining(['Dog', 'Cat']));
  expect(await page.enter(pet.ref, 'cat')).toMatchObject({ changed: true, value_after: 'Cat' });
  expect(await page.did('pet')).toEqual(['c']);
});

trap('a disabled option and one of a disabled group are refused, nothing happens', 'choices', async (page) => {
  const pet = await page.ref('pet');
  await expect(page.enter(pet, 'Fish')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.enter(pet, 'Dodo')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.enter(pet, 'Unicorn')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('Cat'),
  });
  expect((await page.find('pet')).options).toEqual(expect.arrayContaining(['Fish (disabled)', 'Dodo (disabled)']));
  expect(await page.did()).toEqual([]);
});

trap('a multiple select takes one label a line', 'choices', async (page) => {
  const extras = await page.find('extras');
  expect(extras.role).toBe('listbox');
  expect(await page.enter(extras.ref, 'Lunch\nTaxi')).toMatchObject({ value_after: 'Lunch, Taxi' });
  expect(await page.enter(extras.ref, 'Seat')).toMatchObject({ value_after: 'Seat' });
  expect(await page.did('extras')).toEqual([['Lunch', 'Taxi'], ['Seat']]);
});

trap('a field with a datalist is typed into', 'choices', async (page) => {
  const field = await page.find('browser');
  expect(field.role).toBe('combobox');
  expect(await page.enter(field.ref, 'Firefox')).toMatchObject({ value_after: 'Firefox' });
  expect(await page.truth('data.value')).toBe('Firefox');
});

trap('a menu button: items are listed once open, one is pressed, Escape closes', 'choices', async (page) => {
  expect(await page.listed({ query: 'menuitem' })).toEqual([]);
  const more = await page.ref('actions button');
  await page.press(more);
  expect(await page.listed({ query: 'menuitem' })).toEqual(['menuitem "Duplicate"', 'menuitem "Remove"']);
  await page.press(await page.ref('duplicate'));
  await page.press(more);
  await page.press('page', 'key:Escape');
  expect(await page.listed({ query: 'menuitem' })).toEqual([]);
  expect(await page.did('action')).toEqual(['Duplicate']);
});
