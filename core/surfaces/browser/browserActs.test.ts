import { writeFile } from 'node:fs/promises';
import path from 'node:path';
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
  server.requests.length = 0;
});

const on = async (where: string, body: string): Promise<Worked> => bench.open(server.page(where, body));

test('a press reaches the page as trusted events and the receipt says what it changed', async () => {
  const page = await on(
    '/press',
    `<button id=b onclick="total.textContent='Sent 1'">Send</button><p>total: <b id=total>none</b>`,
  );
  const receipt = await page.press(await page.ref('send'));

  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(receipt.effects?.map(({ detail }) => detail)).toEqual(['total: none → Sent 1']);
  expect(receipt.timing?.acted).toBeLessThan(1_000);
  await server.until(() => server.events.length === 3, 'the click');
  expect(server.events.map(({ type, on, trusted }) => [type, on, trusted])).toEqual([
    ['mousedown', 'b', true],
    ['mouseup', 'b', true],
    ['click', 'b', true],
  ]);
  expect(page.guard.sentInputs.map((sent) => sent.replace(/ (at|to) .*/, ''))).toEqual([
    'mouse move',
    'mouse press',
    'mouse release',
  ]);
  await page.surface.close();
});

test('double, right, at and keys', async () => {
  const page = await on(
    '/ways',
    `<button id=b style="width:200px;height:60px">Pad</button><input id=f aria-label=Field>`,
  );
  const pad = await page.find('pad');
  await page.press(pad.ref, 'double');
  await page.press(pad.ref, 'right');
  await page.press(pad.ref, 'at:10,20');
  const field = await page.ref('field');
  await page.press(field, 'key:Shift+a');
  await page.press(field, 'key:b');
  await page.press(field, 'key:Control+A');
  await page.press(field, 'key:Backspace');
  await page.press('page', 'key:Tab');
  await server.until(() => server.of('keydown').length === 7 && server.of('input', 'f').length === 3, 'all keys');

  expect(server.of('dblclick', 'b')).toHaveLength(1);
  expect(server.of('contextmenu', 'b')).toHaveLength(1);
  expect(server.of('mousedown', 'b').at(-1)?.data).toEqual([(pad.bounds?.x ?? 0) + 10, (pad.bounds?.y ?? 0) + 20]);
  expect(server.of('keydown').map(({ data }) => data)).toEqual(['Shift', 'A', 'b', 'Control', 'a', 'Backspace', 'Tab']);
  expect(server.of('input', 'f').map(({ data }) => data)).toEqual(['A', 'Ab', '']);
  await expect(page.press(field, 'key:Nonsense')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.press(field, 'sideways')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await page.surface.close();
});

test('enter_text replaces the content of every kind of field', async () => {
  const page = await on(
    '/fields',
    `<label>Name <input id=n value=old></label>
     <label>Notes <textarea id=a>old</textarea></label>
     <div id=r contenteditable role=textbox aria-label=Rich>old</div>
     <label>Size <select id=s><option>Small<option>Large</select></label>
     <label>Day <input id=d type=date></label>
     <label>Count <input id=c type=number></label>
     <label>Loud <input id=l type=range min=0 max=10 value=1></label>
     <label>Key <input id=p type=password value=hunter2></label>`,
  );
  const name = await page.enter(await page.ref('name'), 'Zoë 漢 👩‍🚀');
  expect(name).toMatchObject({ changed: true, value_after: 'Zoë 漢 👩‍🚀' });
  expect((await page.enter(await page.ref('notes'), 'one\ntwo')).value_after).toBe('one\ntwo');
  expect((await page.enter(await page.ref('rich'), 'one\ntwo')).value_after?.split(/\n+/)).toEqual(['one', 'two']);
  expect((await page.enter(await page.ref('size'), 'Large')).value_after).toBe('Large');
  expect((await page.enter(await page.ref('day'), '2026-02-28')).value_after).toBe('2026-02-28');
  expect((await page.enter(await page.ref('count'), '42')).value_after).toBe('42');
  expect((await page.enter(await page.ref('loud'), '7')).value_after).toBe('7');
  expect((await page.enter(await page.ref('name'), '')).value_after).toBe('');
  await server.until(() => server.of('input', 'l').length > 0, 'the range');
  expect(server.of('input', 'n').every(({ trusted }) => trusted)).toBe(true);

  const password = await page.enter(await page.ref('key'), 'correct horse');
  expect(JSON.stringify(password)).not.toContain('horse');
  expect(password.value_after).toBe('••••');
  expect(page.guard.sentInputs.join()).not.toContain('horse');
  expect(JSON.stringify(await page.perceive())).not.toContain('horse');
  const preflight = await page.preflight(await page.ref('key'), 'enter_text', 'x');
  expect(preflight).toMatchObject({ kind: 'ready', reading: { password: true } });

  const sent = page.guard.sentInputs.length;
  await expect(page.enter(await page.ref('name'), 'a\nb')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.enter(await page.ref('size'), 'Huge')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(page.guard.sentInputs).toHaveLength(sent);
  await page.surface.close();
});

test('a file field takes files of the uploads folder and none from outside', async () => {
  const page = await on('/file', `<label>Photo <input id=f type=file onchange="did('file', f.files[0].name)"></label>`);
  await writeFile(path.join(bench.folder, 'cat.txt'), 'meow');
  const field = await page.ref('photo');
  expect(await page.enter(field, 'cat.txt')).toMatchObject({ changed: true });
  await server.until(() => server.of('file').length === 1, 'the file');
  expect(server.of('file')[0]?.data).toBe('cat.txt');
  await expect(page.enter(field, '/etc/hostname')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await page.surface.close();
});

test('a checkbox behind its own styled label is pressed where a person would press it', async () => {
  const page = await on(
    '/hidden-box',
    `<style>#c{position:absolute;opacity:0;width:1px;height:1px}</style><input id=c type=checkbox><label for=c id=l>Newsletter</label>`,
  );
  const box = await page.find('newsletter');
  expect(box.role).toBe('checkbox');
  expect(await page.press(box.ref)).toMatchObject({ changed: true });
  expect((await page.find('newsletter')).states).toContain('checked');
  await page.surface.close();
});

test('covered, disabled and read-only say so at once and send nothing', async () => {
  const page = await on(
    '/blocked',
    `<button id=b>Buy</button><button id=d disabled>Pay</button><input id=r readonly value=fixed aria-label=Fixed>
     <div role=dialog aria-label="Cookie consent" style="position:fixed;inset:0;background:#fff9"></div>`,
  );
  const began = performance.now();
  const covered = await page.press(await page.ref('buy'));
  expect(covered).toMatchObject({ changed: false, readiness: 'settled' });
  expect(covered.blocked_by).toMatch(/^dialog "Cookie consent" \([a-z]+\d+\)$/);
  expect(performance.now() - began).toBeLessThan(3_000);
  expect((await page.press(await page.ref('pay'))).blocked_by).toMatch(/disabled/);
  expect((await page.enter(await page.ref('fixed'), 'x')).blocked_by).toMatch(/read-only/);
  const preflight = await page.preflight(await page.ref('buy'));
  expect(preflight).toMatchObject({ kind: 'blocked', receipt: { changed: false, blocked_by: covered.blocked_by } });
  expect(page.guard.sentInputs).toEqual([]);
  expect(server.of('mousedown')).toEqual([]);
  await page.surface.close();
});

test('a removed element is TARGET_GONE with candidates, in this document and after it', async () => {
  const page = await on(
    '/gone',
    `<button id=b onclick="w.innerHTML='<button>Save draft</button>'">Go</button><div id=w><button>Save</button></div>`,
  );
  const save = await page.ref('save');
  await page.press(await page.ref('go'));
  page.guard.sentInputs.length = 0;
  const gone = await page.press(save).catch((error: unknown) => error);
  expect(gone).toMatchObject({ code: 'TARGET_GONE', details: { was: { role: 'button', name: 'Save' } } });
  expect(gone).toMatchObject({ details: { candidates: [{ role: 'button', name: 'Save draft' }] } });

  await page.navigate(server.page('/gone2', '<button>Save</button>'));
  page.guard.sentInputs.length = 0;
  const left = await page.press(save).catch((error: unknown) => error);
  expect(left).toMatchObject({ code: 'TARGET_GONE', details: { candidates: [{ role: 'button', name: 'Save' }] } });
  await expect(page.press('zz99')).rejects.toMatchObject({ code: 'TARGET_GONE', details: { candidates: [] } });
  expect(page.guard.sentInputs).toEqual([]);
  await page.surface.close();
});

test('a recycled row is TARGET_CHANGED with both readings and nothing is sent', async () => {
  const page = await on(
    '/rows',
    `<ul><li><a id=n href=#>Invoice Alpha</a> <button id=x>Delete</button></li></ul>
     <button onclick="setTimeout(() => n.textContent='Invoice Bravo', 0)">Next</button>`,
  );
  const del = await page.find('delete');
  expect(del.row).toBe('Invoice Alpha');
  await page.press(await page.ref('next'));
  page.guard.sentInputs.length = 0;
  await expect(page.press(del.ref)).rejects.toMatchObject({
    code: 'TARGET_CHANGED',
    details: { shown: { row: 'Invoice Alpha' }, now: { row: 'Invoice Bravo' } },
  });
  expect(page.guard.sentInputs).toEqual([]);
  expect(server.of('click', 'x')).toEqual([]);
  await page.surface.close();
});

test('scroll and hover', async () => {
  const page = await on(
    '/scroll',
    `<button id=h onmouseenter="tip.textContent='shown'">Menu</button><p>tip: <b id=tip>none</b></p><div style="height:5000px"></div><button id=e>End</button>`,
  );
  expect((await page.act(await page.ref('menu'), 'hover')).effects?.[0]?.detail).toBe('tip: none → shown');
  const down = await page.act('page', 'scroll', '400');
  expect(down).toMatchObject({ changed: true });
  expect(down.effects?.map(({ kind }) => kind)).toContain('scrolled');
  expect(await page.act('page', 'scroll', 'bottom')).toMatchObject({ changed: true });
  expect(await page.act('page', 'scroll', 'bottom')).toMatchObject({ changed: false });
  await expect(page.act('page', 'scroll', 'sideways')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect((await page.find('end')).in_view).toBe(true);
  await page.surface.close();
});

test('a drag by mouse events, and a native one', async () => {
  const page = await on(
    '/drag',
    `<div id=k role=button tabindex=0 aria-label=Knob style="position:absolute;left:50px;top:50px;width:40px;height:40px;background:red"></div>
     <div id=s role=button tabindex=0 aria-label=Stone draggable=true style="position:absolute;left:50px;top:200px;width:40px;height:40px;background:blue"></div>
     <div id=z role=button tabindex=0 aria-label=Basket style="position:absolute;left:300px;top:200px;width:120px;height:90px;background:green"></div>
     <script>
       k.onmousedown = () => { onmousemove = (e) => { k.style.left = e.clientX + 'px'; }; onmouseup = () => { onmousemove = null; did('moved', k.style.left); onmouseup = null; }; };
       s.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'stone');
       z.ondragover = (e) => e.preventDefault();
       z.ondrop = (e) => { e.preventDefault(); did('dropped', e.dataTransfer.getData('text/plain')); z.textContent = 'full'; };
     </script>`,
  );
  expect(await page.press(await page.ref('knob'), 'drag_to:400,70')).toMatchObject({ changed: true });
  await server.until(() => server.of('moved').length === 1, 'the knob');
  expect(server.of('moved')[0]?.data).toBe('400px');

  const receipt = await page.press(await page.ref('stone'), `drag_to:${await page.ref('basket')}`);
  expect(receipt).toMatchObject({ changed: true });
  await server.until(() => server.of('dropped').length === 1, 'the drop');
  expect(server.of('dropped')[0]?.data).toBe('stone');
  await page.surface.close();
});

test('a takeover stops typing and dragging where it is', async () => {
  const page = await on(
    '/stop',
    `<textarea id=a aria-label=Essay></textarea><div id=k role=button aria-label=Knob tabindex=0 style="width:40px;height:40px"></div>`,
  );
  const essay = await page.ref('essay');
  page.guard.stopAt = 2;
  await expect(page.enter(essay, 'x'.repeat(1_000))).rejects.toMatchObject({ code: 'CONTROLLED_BY_HUMAN' });
  expect(page.guard.sentInputs).toEqual(['text of 200 characters', 'text of 200 characters']);
  await server.until(() => server.of('input', 'a').length === 2, 'the second piece');
  expect(String(server.of('input', 'a')[1]?.data)).toHaveLength(400);

  page.guard = Object.assign(page.guard, { stopAt: 5 });
  page.guard.sentInputs.length = 0;
  await expect(page.press(await page.ref('knob'), 'drag_to:600,400')).rejects.toMatchObject({
    code: 'CONTROLLED_BY_HUMAN',
  });
  expect(page.guard.sentInputs).toHaveLength(5);
  await server.until(() => server.of('mousedown').length === 1, 'the press');
  expect(server.of('mouseup')).toEqual([]);
  await page.surface.close();
});

test('a call cancelled before its input sends nothing', async () => {
  const page = await on('/cancel', `<button id=b>Send</button>`);
  const ref = await page.ref('send');
  const cancel = new AbortController();
  page.signal = cancel.signal;
  cancel.abort('withdraw');
  await expect(page.press(ref)).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(page.navigate(server.page('/never', ''))).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(page.guard.sentInputs).toEqual([]);
  expect(server.of('mousedown')).toEqual([]);
  expect(server.requests).not.toContain('/never');
  await page.surface.close();
});
