import { expect } from 'vitest';
import { trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap(
  'a dialog over a button: said at once by its name, pressed away, then the button works',
  ['overlay', { kind: 'dialog' }],
  async (page) => {
    const pay = await page.ref('pay now');
    const began = performance.now();
    const covered = await page.press(pay);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(covered).toMatchObject({
      changed: false,
      blocked_by: expect.stringMatching(/^dialog "Cookie consent" \(\w+\)$/),
    });
    expect(covered.effects).toBeUndefined();
    expect(await page.heard()).toEqual([]);
    expect(await page.press(await page.ref('accept all'))).toMatchObject({ changed: true });
    await page.press(pay);
    expect(await page.heard('click')).toEqual(['click accept', 'click pay']);
  },
);

for (const kind of ['transparent', 'opacity-zero', 'spinner'] as const) {
  trap(
    `a layer over everything (${kind}) gets no press meant for what is below`,
    ['overlay', { kind }],
    async (page) => {
      const receipt = await page.press(await page.ref('pay now'));
      expect(receipt).toMatchObject({ changed: false });
      expect(receipt.blocked_by).toMatch(
        kind === 'spinner' ? /^progressbar "Loading orders"/ : /^\S+ "cover" \(\w+\)$/,
      );
      expect(page.guard.sentInputs).toEqual([]);
      expect(await page.heard()).toEqual([]);
    },
  );
}

trap(
  'a layer that lets presses through does not stand in the way',
  ['overlay', { kind: 'no-pointer' }],
  async (page) => {
    await page.press(await page.ref('pay now'));
    expect(await page.heard()).toEqual(['mousedown pay', 'mouseup pay', 'click pay']);
  },
);

trap('a target without pointer events says so itself', ['overlay', { kind: 'target-no-pointer' }], async (page) => {
  const receipt = await page.press(await page.ref('pay now'));
  expect(receipt.blocked_by).toMatch(/button "Pay now" \(\w+\) itself: it takes no pointer input/);
  expect(await page.heard()).toEqual([]);
});

trap('half covered: pressed where it is free', ['overlay', { kind: 'partial' }], async (page) => {
  await page.press(await page.ref('pay now'));
  expect(await page.pressed()).toEqual(['pay']);
});

trap('under a sticky header and a fixed footer: brought out, then pressed', 'sticky', async (page) => {
  const [third, ninth] = [await page.ref('step 3'), await page.ref('step 9')];
  await page.tell('under', 'b3');
  await page.press(third);
  await page.press(ninth);
  await page.press(await page.ref('menu'));
  await page.press(await page.ref('chat'));
  expect(await page.pressed()).toEqual(['b3', 'b9', 'menu', 'chat']);
});

trap('a modal dialog: only itself is listed, what is behind is blocked by it', 'modal', async (page) => {
  const behind = await page.ref('behind');
  const opened = await page.press(await page.ref('open'));
  expect(opened.effects?.[0]).toMatchObject({ kind: 'dialog', detail: expect.stringContaining('Delete the file?') });
  expect(await page.listed()).toEqual(['button "Delete"', 'button "Keep"']);
  expect((await page.press(behind)).blocked_by).toMatch(/^dialog "Delete the file\?"/);
  expect(await page.press(await page.ref('keep'))).toMatchObject({ changed: true });
  await page.press(behind);
  expect(await page.pressed()).toEqual(['open', 'no', 'behind']);
});

trap('a dialog by aria with the rest inert: the rest is not listed and not pressed', 'modal', async (page) => {
  const inApp = await page.ref('in the app');
  await page.press(await page.ref('settings'));
  expect(await page.listed()).not.toContain('button "In the app"');
  expect((await page.press(inApp)).blocked_by).toMatch(/itself: it is inert$/);
  await page.press(await page.ref('close settings'));
  await page.press(inApp);
  expect(await page.pressed()).toEqual(['open-aria', 'close', 'inside-app']);
});

for (const where of ['open', 'closed', 'nested', 'frame', 'foreign'] as const) {
  trap(`a consent overlay (${where}) is listed, blocks, and can be pressed`, ['consent', { where }], async (page) => {
    const reject = await page.await('reject all');
    expect(await page.listed()).toEqual(expect.arrayContaining(['button "Accept all"', 'button "Reject all"']));
    expect((await page.perceive()).text).toContain('873 partners');
    const shop = await page.ref('shop');
    const blocked = await page.press(shop);
    expect(blocked.blocked_by).toBeDefined();
    expect(await page.did()).toEqual([]);
    expect(await page.press(reject.ref)).toMatchObject({ changed: true });
    await page.press(shop);
    expect(await page.did()).toEqual(['rejected', 'shopped']);
  });
}

trap('a link stretched over its card covers a control below and not one above', 'stretched', async (page) => {
  expect((await page.press(await page.ref('share'))).blocked_by).toMatch(/^link "Read more"/);
  await page.press(await page.ref('save'));
  await page.press(await page.ref('read more'));
  expect(await page.pressed()).toEqual(['above', 'more']);
});

trap('disabled, read-only, inert: each says why, nothing is sent', 'unusable', async (page) => {
  const because = async (query: string, text?: string): Promise<string | undefined> => {
    const ref = await page.ref(query);
    return (await (text === undefined ? page.press(ref) : page.enter(ref, text))).blocked_by;
  };
  expect(await because('send')).toMatch(/it is disabled$/);
  expect(await because('note', 'x')).toMatch(/it is disabled$/);
  expect(await because('publish')).toMatch(/it is disabled$/);
  expect(await because('old link')).toMatch(/it is disabled$/);
  expect(await because('locked', 'x')).toMatch(/it is read-only$/);
  const listed = await page.perceive();
  expect(listed.targets.map(({ name }) => name)).not.toContain('Inert one');
  expect(listed.targets.map(({ name }) => name)).not.toContain('Invisible');
  expect(listed.omitted?.hidden).toBeGreaterThanOrEqual(2);
  expect(listed.targets.find(({ name }) => name === 'Send')?.states).toContain('disabled');
  expect(page.guard.sentInputs).toEqual([]);
  expect(await page.heard()).toEqual([]);
});

trap('disabled now, enabled later; hidden after it was shown', 'unusable', async (page) => {
  const soon = await page.ref('soon');
  expect((await page.press(soon)).blocked_by).toMatch(/it is disabled$/);
  await page.tell('enable');
  await page.press(soon);
  await page.tell('hide');
  expect((await page.press(soon)).blocked_by).toMatch(/it is hidden$/);
  expect(await page.pressed()).toEqual(['soon']);
});
