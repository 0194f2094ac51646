import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserBench, Worked } from '../../../test/support/browserSurface.ts';
import type { PageServer } from '../../../test/support/browserSurface.ts';

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
  bench.opened.length = 0;
});

const on = async (where: string, body: string): Promise<Worked> => bench.open(server.page(where, body));

test('confirm() appears as targets, holds everything else up, and is answered', async () => {
  const page = await on(
    '/confirm',
    `<button onclick="total.textContent = confirm('Delete all?') ? 'deleted' : 'kept'">Delete</button><button>Other</button><p>total: <b id=total>none</b>`,
  );
  await page.perceive();
  const [del, other] = [await page.ref('delete'), await page.ref('other')];
  const opened = await page.press(del);
  expect(opened).toMatchObject({ changed: true, readiness: 'changing' });
  expect(opened.effects).toEqual([{ kind: 'dialog', detail: 'confirm: Delete all?', ref: 'dialog-1' }]);

  const { targets, readiness } = await page.perceive();
  expect(readiness).toBe('changing');
  expect(targets.slice(0, 3).map(({ ref, role, name }) => [ref, role, name])).toEqual([
    ['dialog-1', 'alertdialog', 'Delete all?'],
    ['dialog-1-ok', 'button', 'OK'],
    ['dialog-1-cancel', 'button', 'Cancel'],
  ]);
  expect(targets.map(({ ref }) => ref)).toContain(other);
  const sent = page.guard.sentInputs.length;
  expect((await page.press(other)).blocked_by).toBe('alertdialog "Delete all?" (dialog-1): answer it first');
  expect(page.guard.sentInputs).toHaveLength(sent);
  await expect(page.surface.capture(page.ctx)).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(await page.preflight('dialog-1-ok')).toMatchObject({ kind: 'ready', reading: { role: 'button', name: 'OK' } });

  const answered = await page.press('dialog-1-ok');
  expect(answered).toMatchObject({ changed: true, readiness: 'settled' });
  expect(answered.effects?.map(({ detail }) => detail)).toEqual(['dialog accepted', 'total: none → deleted']);
  await page.press(del);
  expect((await page.press('dialog-2-cancel')).effects?.at(-1)?.detail).toBe('total: deleted → kept');
  await expect(page.press('dialog-2-ok')).rejects.toMatchObject({ code: 'TARGET_GONE' });
  await page.surface.close();
});

test('prompt() takes a text; alert() of a timer does not freeze anything', async () => {
  const page = await on(
    '/prompt',
    `<button onclick="total.textContent = prompt('Your name?', 'nobody')">Ask</button><p>total: <b id=total>none</b>
     <button onclick="setTimeout(() => { alert('Time'); total.textContent = 'after'; }, 100)">Timer</button>`,
  );
  await page.press(await page.ref('ask'));
  expect(await page.enter('dialog-1-text', 'Ada')).toMatchObject({ changed: true, readiness: 'changing' });
  expect((await page.perceive()).targets[1]).toMatchObject({ role: 'textbox', value: 'Ada' });
  expect((await page.press('dialog-1-ok')).effects?.at(-1)?.detail).toBe('total: none → Ada');

  const settled = new Promise<void>((resolve) => {
    const subscription = page.surface.onChange(() => {
      if (page.surface.describe().readiness !== 'changing') return;
      subscription[Symbol.dispose]();
      resolve();
    });
  });
  await page.press(await page.ref('timer'));
  await settled;
  await expect.poll(async () => (await page.perceive()).targets[0]?.role).toBe('alertdialog');
  expect(await page.surface.snapshot()).toBeNull();
  expect(await page.press('dialog-2-ok')).toMatchObject({ changed: true, readiness: 'settled' });
  expect((await page.perceive()).text).toContain('after');
  await page.surface.close();
});

test('beforeunload asks before a navigation goes on', async () => {
  const page = await on(
    '/unload',
    `<label>Text <input id=f></label><script>onbeforeunload = (e) => e.preventDefault()</script>`,
  );
  await page.enter(await page.ref('text'), 'draft');
  await page.press(await page.ref('text'));
  const receipt = await page.navigate(server.page('/after', 'After'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'changing', effects: [{ kind: 'dialog' }] });
  const ref = receipt.effects?.[0]?.ref ?? '';
  expect((await page.perceive()).targets.map(({ name }) => name)).toEqual(expect.arrayContaining(['Leave', 'Stay']));
  const left = await page.press(`${ref}-ok`);
  expect(left.effects?.at(-1)).toEqual({ kind: 'navigated', detail: `"after" ${server.url}/after` });
  await page.surface.close();
});

test('target=_blank and window.open become surfaces with their opener; closing is seen', async () => {
  server.page('/child', `<h1>Child</h1><button onclick="window.close()">Close me</button>`);
  const page = await on(
    '/opener',
    `<a href=/child target=_blank>Open tab</a><button onclick="window.open('/child')">Open window</button>`,
  );
  const receipt = await page.press(await page.ref('open tab'));
  expect(bench.opened).toHaveLength(1);
  const child = new Worked(bench.opened[0]!);
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(receipt.effects).toEqual([
    { kind: 'opened_surface', detail: `new tab "child" ${server.url}/child`, ref: child.surface.id },
  ]);
  expect(child.surface.describe()).toMatchObject({
    opener: page.surface.id,
    state: 'ready',
    address: `${server.url}/child`,
  });
  await child.surface.settle({ surface_id: child.surface.id, wait_ms: 5_000 }, child.ctx);
  expect((await child.perceive()).text).toContain('Child');

  await page.press(await page.ref('open window'));
  const second = new Worked(bench.opened[1]!);
  // The tab in front does not put the one behind to sleep.
  expect((await page.press(await page.ref('open window'))).timing?.settled).toBeLessThan(4_000);
  await second.surface.settle({ surface_id: second.surface.id, wait_ms: 5_000 }, second.ctx);
  const closed = await second.press(await second.ref('close me'));
  expect(closed).toMatchObject({ changed: true, effects: [{ kind: 'closed_surface' }] });
  expect(second.surface.describe().state).toBe('gone');
  await expect(second.perceive()).rejects.toMatchObject({ code: 'SURFACE_GONE' });
  expect(page.surface.describe().state).toBe('ready');
  await Promise.all([...bench.opened.map((surface) => surface.close()), page.surface.close()]);
});

test('downloads land in the folder under their own name', async () => {
  server.pages.set('/report.csv', (_req, res) => {
    res
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="re:port.csv"' })
      .end('a,b\n1,2\n');
  });
  const page = await on(
    '/download',
    `<a href=/report.csv>Report</a> <a href=/report.csv target=_blank>In a tab</a> <a href=/report.csv download=mine.csv>Mine</a>`,
  );
  const receipt = await page.press(await page.ref('report'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  const name = receipt.effects?.find(({ kind }) => kind === 'download')?.detail.replace(/, 8 bytes$/, '') ?? '';
  expect(name).toMatch(/^re.port\.csv$/);
  expect(await readFile(path.join(bench.folder, 'downloads', name), 'utf8')).toBe('a,b\n1,2\n');
  const tab = await page.press(await page.ref('in a tab'));
  expect(tab.effects?.map(({ kind }) => kind)).toContain('download');
  const again = await page.press(await page.ref('mine'));
  expect(again.effects?.map(({ kind }) => kind)).toContain('download');
  await page.surface.close();
});
