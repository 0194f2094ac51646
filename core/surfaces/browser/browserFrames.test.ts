import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserBench } from '../../../test/support/browserSurface.ts';
import type { PageServer, Worked } from '../../../test/support/browserSurface.ts';

let bench: BrowserBench;
let server: PageServer;

beforeAll(async () => {
  bench = await BrowserBench.start();
  server = bench.server;
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  expect(bench.backgroundErrors).toEqual([]);
});
beforeEach(() => {
  server.events.length = 0;
});

const on = async (where: string, body: string): Promise<Worked> => bench.open(server.page(where, body));

test('frames of this and of another origin are read and worked as one page', async () => {
  server.page(
    '/inner',
    `<div style="height:40px"></div><button id=save onclick="total.textContent='yes'">Save inner</button><label>Inner name <input id=n></label><p>saved: <b id=total>no</b>`,
  );
  server.page(
    '/middle',
    `<p>middle</p><iframe src="${server.url}/inner" style="margin:10px;width:500px;height:200px"></iframe>`,
  );
  const page = await on(
    '/outer',
    `<h1>Outer</h1><button>Top</button><iframe src="${server.otherUrl}/middle" style="width:600px;height:300px;margin-top:900px"></iframe><button>Bottom</button>`,
  );
  await expect
    .poll(async () => (await page.perceive()).targets.map(({ name }) => name), { timeout: 10_000 })
    .toEqual(expect.arrayContaining(['Top', 'Save inner', 'Inner name', 'Bottom']));
  const { targets, text } = await page.perceive();
  const names = targets.map(({ name }) => name);
  expect(text).toContain('middle');
  // In view first, then reading order through the frames.
  expect(
    names.filter((name) => name !== undefined && ['Top', 'Save inner', 'Inner name', 'Bottom'].includes(name)),
  ).toEqual(['Top', 'Save inner', 'Inner name', 'Bottom']);
  const save = await page.find('save inner');
  expect(save.in_view).toBe(false);
  const receipt = await page.press(save.ref);
  expect(receipt.effects?.map(({ detail }) => detail)).toEqual(['saved: no → yes']);
  await server.until(() => server.of('click').length === 1, 'the click');
  expect(server.of('click')).toMatchObject([{ on: 'save', trusted: true, page: '/inner' }]);
  expect(await page.enter(await page.ref('inner name'), 'typed')).toMatchObject({ value_after: 'typed' });
  const after = await page.find('save inner');
  expect(after.in_view).toBe(true);
  expect(after.bounds?.y).toBeGreaterThan(40);
  await page.surface.close();
});

test('a target of a foreign frame names its origin, and what covers the frame blocks it', async () => {
  server.page('/foreign', `<button id=b>Pay</button>`);
  const page = await on(
    '/covered-frame',
    `<iframe src="${server.otherUrl}/foreign" style="width:300px;height:100px"></iframe>
     <div role=dialog aria-label=Offer style="position:fixed;inset:0;background:#fff9"></div>`,
  );
  await expect.poll(async () => (await page.perceive({ query: 'pay' })).targets.length, { timeout: 10_000 }).toBe(1);
  const pay = await page.find('pay');
  expect(pay.frame).toBe(server.otherUrl);
  expect((await page.press(pay.ref)).blocked_by).toMatch(/^dialog "Offer"/);
  expect(await page.preflight(pay.ref)).toMatchObject({ kind: 'blocked' });
  expect(server.of('mousedown')).toEqual([]);
  await page.surface.close();
});

test('closed shadow roots are read and worked', async () => {
  const page = await on(
    '/closed',
    `<x-card></x-card><script>
       customElements.define('x-card', class extends HTMLElement {
         constructor() { super(); const root = this.attachShadow({ mode: 'closed' }); root.innerHTML = '<button>Inside</button>';
           root.querySelector('button').onclick = () => did('pressed'); } });
     </script>`,
  );
  await page.press(await page.ref('inside'));
  await server.until(() => server.of('pressed').length === 1, 'the press');
  expect(server.of('click')).toMatchObject([{ trusted: true }]);
  await page.surface.close();
});

test('a list goes on where it was left, over frames, and a stale cursor is refused', async () => {
  const many = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `<button>Item ${from + i}</button>`).join(' ');
  server.page('/list-inner', many(30, 60));
  const page = await on(
    '/list',
    `${many(0, 30)}<iframe src="/list-inner" style="width:1200px;height:400px"></iframe>${many(60, 90)}`,
  );
  await expect
    .poll(async () => (await page.perceive({ query: 'item 45' })).targets.length, { timeout: 10_000 })
    .toBe(1);
  const seen: (string | undefined)[] = [];
  let cursor: string | undefined;
  let first: string | undefined;
  do {
    const answer = await page.perceive({ limit: 20, ...(cursor !== undefined && { cursor }) });
    expect(answer.targets.length).toBeLessThanOrEqual(20);
    seen.push(...answer.targets.map(({ name }) => name).filter((name) => name?.startsWith('Item')));
    cursor = answer.next_cursor;
    first ??= cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: 90 }, (_, i) => `Item ${i}`));

  const query = await page.perceive({ query: 'item', limit: 25 });
  expect(query.total).toBe(90);
  expect(query.targets).toHaveLength(25);
  await page.navigate(server.page('/list2', 'other'));
  await expect(page.perceive({ cursor: first! })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.perceive({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await page.surface.close();
});

test('the page and its history are targets', async () => {
  const page = await on('/one', `<button>Only</button>`);
  expect((await page.perceive()).targets.map(({ ref }) => ref).slice(1)).toEqual(['page', 'reload']);
  await page.navigate(server.page('/two', `<button>Back to start</button>`));
  expect((await page.perceive()).targets.map(({ ref }) => ref).slice(1)).toEqual(['page', 'back', 'reload']);
  expect((await page.perceive({ query: 'reload' })).targets.map(({ ref }) => ref)).toEqual(['reload']);
  expect((await page.perceive({ limit: 1 })).targets.map(({ name }) => name)).toEqual(['Back to start']);
  await page.surface.close();
});
