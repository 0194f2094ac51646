import { expect } from 'vitest';
import { details, kinds, trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;
const on = (kind: string): [string, Record<string, string>] => ['timing', { kind }];

trap('a button that slides in is pressed once it stands', on('slide'), async (page) => {
  const b = await page.ref('slides in');
  await page.tell('go');
  await page.press(b);
  expect(await page.did()).toEqual(['pressed']);
});

trap('a button that never rests: said after a second, nothing sent', on('ever'), async (page) => {
  const b = await page.ref('never rests');
  const began = performance.now();
  const receipt = await page.press(b);
  expect(receipt.blocked_by).toMatch(/itself: it is still moving after 1 s$/);
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(await page.heard()).toEqual([]);
});

trap(
  'a control that appears later is told, in time or as late effect, and can be pressed',
  on('late'),
  async (page) => {
    const first = await page.press(await page.ref('show later'));
    const late = await page.await('zebra');
    const receipt = await page.press(late.ref);
    expect(details({ effects: [...(first.effects ?? []), ...(receipt.late_effects ?? [])] }).join()).toContain('Zebra');
    expect(details(receipt)).toContain('total: none → late');
    expect(await page.did()).toEqual(['late']);
  },
);

trap('a page that was empty at the first look', 'late-control', async (page) => {
  expect(await page.listed()).toEqual([]);
  await page.tell('show');
  await page.press(await page.ref('at last'));
  expect(await page.pressed()).toEqual(['b']);
});

trap('removed on mousedown: the press is told as it was', on('removed'), async (page) => {
  const receipt = await page.press(await page.ref('vanishes'));
  expect(receipt).toMatchObject({ changed: true });
  expect(details(receipt)).toContain('total: none → down');
  expect(await page.did()).toEqual(['down']);
  expect(await page.pressed()).toEqual(['b']);
});

trap(
  'replaced by a twin between check and press: what was pressed is what the page says',
  on('replaced'),
  async (page) => {
    const b = await page.ref('replaced');
    const receipt = await page.press(b);
    // The pointer arrives, the page puts another element there: the press is on the twin, and told.
    expect(await page.pressed()).toEqual(['twin']);
    expect(await page.did()).toEqual(['twin']);
    expect(details(receipt)).toContain('total: none → twin');
    await expect(page.press(b)).rejects.toMatchObject({ code: 'TARGET_GONE' });
  },
);

trap('a ticker is background: marked, and no change of ours', on('ticker'), async (page) => {
  const nothing = await page.ref('nothing');
  await expect.poll(() => page.truth<number>('Number(ticks.textContent)')).toBeGreaterThan(4);
  const idle = await page.press(nothing);
  expect(idle).toMatchObject({ changed: false, readiness: 'settled' });
  expect(kinds(idle).every((kind) => kind === 'background')).toBe(true);
  const done = await page.press(await page.ref('do'));
  expect(done).toMatchObject({ changed: true, readiness: 'settled' });
  expect(done.effects?.filter(({ kind }) => kind !== 'background').map(({ detail }) => detail)).toEqual([
    'total: none → done',
  ]);
});

for (const kind of ['poll', 'stream', 'raf'] as const) {
  trap(`a page that goes on for ever (${kind}) settles all the same`, on(kind), async (page) => {
    const receipt = await page.press(await page.ref('do'));
    expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
    expect(details(receipt)).toContain('total: none → done');
    expect(receipt.timing?.settled).toBeLessThan(3_000);
    expect(await page.settle(3_000)).toMatchObject({ readiness: 'settled' });
    expect(await page.did()).toEqual(['done']);
  });
}

trap('a request begun by the press and answered after 2 s is waited for', on('slowfetch'), async (page) => {
  const receipt = await page.press(await page.ref('order'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(details(receipt)).toEqual(['total: none → ordered']);
  expect(receipt.timing?.settled).toBeGreaterThanOrEqual(1_990);
});

trap('what a timer does later is told with the next answer, once', on('timer'), async (page) => {
  const first = await page.press(await page.ref('remind me'));
  expect(first).toMatchObject({ changed: false, readiness: 'settled' });
  await page.site.until(() => page.site.did(page.session, 'reminded').length === 1, 'the timer');
  const settled = await page.settle();
  expect(details({ effects: settled.late_effects })).toEqual(['total: none → reminded']);
  expect((await page.press(await page.ref('other'))).late_effects).toBeUndefined();
});

trap('a search that waits for the typist and then asks: told in time or as late', on('debounce'), async (page) => {
  const receipt = await page.press(await page.ref('search'));
  await page.site.until(() => page.site.did(page.session, 'found').length === 1, 'the answer');
  const effects = receipt.changed ? receipt.effects : (await page.settle()).late_effects;
  expect(details({ effects })).toEqual(['total: none → found']);
});

for (const [kind, last] of [
  ['slow', 'taken'],
  ['busy', 'order'],
] as const) {
  trap(`a handler that blocks for 3 s (${kind}): said as delivered`, on(kind), async (page) => {
    const receipt = await page.press(await page.ref('order now'));
    expect(receipt.blocked_by).toBeUndefined();
    expect(page.guard.sentInputs.map((sent) => sent.replace(/ (at|to) .*/, ''))).toContain('mouse release');
    if (kind === 'slow') expect(details(receipt)).toContain('total: none → taken');
    else expect(receipt.changed).toBe(false);
    expect((await page.did()).at(-1)).toBe(last);
    expect(await page.heard('click')).toEqual(['click b']);
  });
}

trap('cancelled before the input: nothing is sent, then or later', on('slide'), async (page) => {
  const b = await page.ref('slides in');
  const cancel = new AbortController();
  page.signal = cancel.signal;
  await page.tell('go');
  const pressing = page.press(b).catch((error: unknown) => error);
  cancel.abort();
  expect(await pressing).toMatchObject({ code: 'CANCELLED' });
  page.signal = new AbortController().signal;
  expect(await page.settle()).toMatchObject({ readiness: 'settled' });
  expect(page.guard.sentInputs).toEqual([]);
  expect(await page.heard()).toEqual([]);
});

trap('a counter that moves with every frame is waited for', on('progress'), async (page) => {
  const receipt = await page.press(await page.ref('start'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(details(receipt)).toEqual(['total: none → 100 %']);
});

trap('a toast that goes by itself: its coming is told', on('toast'), async (page) => {
  const receipt = await page.press(await page.ref('copy'));
  expect(details(receipt).join()).toContain('Copied');
});

trap('a panel that fades in: settled when it stands, then pressed', on('fade'), async (page) => {
  const receipt = await page.press(await page.ref('open panel'));
  expect(receipt.timing?.settled).toBeGreaterThanOrEqual(390);
  expect(details(receipt).join()).toContain('In panel');
  await page.press(await page.ref('in panel'));
  expect(await page.pressed()).toEqual(['b', 'in']);
});

trap('a handler that changes nothing in the end: changed is false', on('same'), async (page) => {
  const receipt = await page.press(await page.ref('save'));
  expect(receipt).toMatchObject({ changed: false, readiness: 'settled' });
  expect(await page.heard('click')).toEqual(['click b']);
});
