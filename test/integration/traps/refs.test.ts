import { expect } from 'vitest';
import { said, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap(
  'a list without keys is drawn again: the node of another item is not pressed',
  ['rerender', { how: 'unkeyed' }],
  async (page) => {
    const charlie = await page.find('delete letter charlie');
    expect(charlie).toMatchObject({ role: 'button', name: 'Delete', row: 'Letter Charlie' });
    await page.tell('prepend', 'Zulu');
    await expect(page.press(charlie.ref)).rejects.toMatchObject({
      code: 'TARGET_CHANGED',
      details: { shown: { row: 'Letter Charlie' }, now: { row: 'Letter Bravo' } },
    });
    expect(page.guard.sentInputs).toEqual([]);
    expect(await page.heard()).toEqual([]);
    const again = await page.find('delete letter charlie');
    await page.press(again.ref);
    expect(await page.did('deleted')).toEqual(['Charlie']);
  },
);

trap('a list with keys is drawn again: the ref goes with its item', ['rerender', { how: 'keyed' }], async (page) => {
  const charlie = await page.ref('delete letter charlie');
  await page.tell('prepend', 'Zulu');
  const receipt = await page.press(charlie);
  expect(receipt.blocked_by).toBeUndefined();
  expect(await page.pressed()).toEqual(['delete-Charlie']);
  expect(await page.did('deleted')).toEqual(['Charlie']);
});

trap(
  'a list written anew with the same words: gone, not re-matched, with candidates',
  ['rerender', { how: 'html' }],
  async (page) => {
    const charlie = await page.ref('delete letter charlie');
    await page.tell('again');
    const gone = (await page.press(charlie).catch((error: unknown) => error)) as {
      code: string;
      details: { candidates: { ref: string; row: string; name: string }[] };
    };
    expect(gone).toMatchObject({ code: 'TARGET_GONE', details: { was: { row: 'Letter Charlie' } } });
    expect(await page.heard()).toEqual([]);
    expect(gone.details.candidates.length).toBeLessThanOrEqual(3);
    // The one that reads the same comes first, and its ref works at once.
    expect(gone.details.candidates[0]).toMatchObject({ name: 'Delete', row: 'Letter Charlie' });
    await page.press(gone.details.candidates[0]!.ref);
    expect(await page.did('deleted')).toEqual(['Charlie']);
  },
);

trap('rows of a virtual list are recycled by scrolling: the old ref is refused', '../rows', async (page) => {
  const first = await page.find('delete invoice charlie a');
  expect(first.row).toBe('Invoice Charlie A');
  await page.act(first.ref, 'scroll', '340');
  const refused = await page.press(first.ref).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'TARGET_CHANGED', details: { shown: { row: 'Invoice Charlie A' } } });
  expect(await page.did('deleted')).toEqual([]);
  expect(await page.pressed()).toEqual([]);
});

trap('Follow that became Unfollow is known from the receipt: pressed again without a look', 'follow', async (page) => {
  const follow = await page.ref('follow');
  const first = await page.press(follow);
  expect(first.changed).toBe(true);
  expect(JSON.stringify(first.effects)).toContain('Follow → Unfollow');
  expect(await page.press(follow)).toMatchObject({ changed: true });
  expect(await page.did()).toEqual(['followed', 'unfollowed']);
});

trap('a name changed outside an act is refused once, with both readings', 'follow', async (page) => {
  const follow = await page.ref('follow');
  await page.tell('rename', 'Block this person');
  await expect(page.press(follow)).rejects.toMatchObject({
    code: 'TARGET_CHANGED',
    details: { shown: { name: 'Follow' }, now: { name: 'Block this person' } },
  });
  expect(await page.heard()).toEqual([]);
});

trap('a counter in the name and an age in the row are no other reading', 'follow', async (page) => {
  const [like, mute] = [await page.ref('like'), await page.ref('mute ada')];
  await page.tell('count', 4);
  expect((await page.press(like)).blocked_by).toBeUndefined();
  expect((await page.press(mute)).blocked_by).toBeUndefined();
  expect(await page.did()).toEqual(['liked', 'muted']);
});

trap('another role on the same element is another reading', 'follow', async (page) => {
  const save = await page.ref('save');
  await page.tell('role', 'switch');
  await expect(page.press(save)).rejects.toMatchObject({
    code: 'TARGET_CHANGED',
    details: { shown: { role: 'button' }, now: { role: 'switch' } },
  });
  expect(await page.pressed()).toEqual([]);
});

trap('sixty equal names: the row tells them apart', 'duplicates', async (page) => {
  const answer = await page.perceive({ query: 'Delete in row Invoice 1042' });
  expect(answer.targets.map(({ name, row }) => [name, row])).toEqual([['Delete', 'Invoice 1042']]);
  await page.press(answer.targets[0]!.ref);
  expect(await page.pressed()).toEqual(['d1042']);
});

trap('equal names in forms, sections, fieldsets and cards', 'duplicates', async (page) => {
  for (const [query, id] of [
    ['Submit of the billing form', 'bill'],
    ['submit button in the shipping form', 'ship'],
    ['newsletter submit', 'news'],
    ['choose the pro plan', 'pro'],
    ['Choose Team plan', 'team'],
    ['edit invoice 1007', 'e1007'],
  ] as const) {
    const answer = await page.perceive({ query });
    expect(answer.targets, query).toHaveLength(1);
    await page.press(answer.targets[0]!.ref);
    expect((await page.pressed()).at(-1), query).toBe(id);
  }
});

trap('the next page of a table leaves no ref to another row', 'pager', async (page) => {
  const bea = await page.find('remove bea');
  const next = await page.press(await page.ref('next page'));
  expect(next.changed).toBe(true);
  const gone = await page.press(bea.ref).catch((error: unknown) => error);
  expect(gone).toMatchObject({ code: 'TARGET_GONE', details: { was: { name: 'Remove', row: 'Bea' } } });
  expect(await page.pressed()).toEqual(['next']);
  expect(said(await page.perceive({ query: 'remove' }))).toHaveLength(3);
});
