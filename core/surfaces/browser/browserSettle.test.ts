import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserBench } from '../../../test/support/browserSurface.ts';
import type { PageServer, Worked } from '../../../test/support/browserSurface.ts';

let bench: BrowserBench;
let server: PageServer;

beforeAll(async () => {
  bench = await BrowserBench.start();
  server = bench.server;
  server.pages.set('/slow', (req, res) => {
    const ms = Number(new URL(req.url ?? '', 'http://x').searchParams.get('ms'));
    setTimeout(() => res.end('done'), ms);
  });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  expect(bench.backgroundErrors).toEqual([]);
});

const on = async (where: string, body: string): Promise<Worked> => bench.open(server.page(where, body));
const details = (effects: readonly { detail: string }[] | undefined): string[] =>
  (effects ?? []).map(({ detail }) => detail);

test('a request begun by the press is waited for, and what it brings is in the receipt', async () => {
  const page = await on(
    '/fetch',
    `<button onclick="fetch('/slow?ms=300').then((r) => r.text()).then((t) => (total.textContent = t))">Load</button><p>total: <b id=total>none</b>`,
  );
  const receipt = await page.press(await page.ref('load'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(details(receipt.effects)).toEqual(['total: none → done']);
  expect(receipt.timing?.settled).toBeGreaterThanOrEqual(300);
  expect(receipt.timing?.settled).toBeLessThan(4_000);
  await page.surface.close();
});

test('one request after another is waited for', async () => {
  const page = await on(
    '/chain',
    `<button onclick="fetch('/slow?ms=120').then(() => fetch('/slow?ms=120&b')).then(() => (total.textContent = 'both'))">Load</button><p>total: <b id=total>none</b>`,
  );
  expect(details((await page.press(await page.ref('load'))).effects)).toEqual(['total: none → both']);
  await page.surface.close();
});

test('a page that polls, one that streams and one that spins for ever settle all the same', async () => {
  const open: ServerResponse[] = [];
  server.pages.set('/poll-answer', (_req, res) => open.push(res));
  server.pages.set('/events', (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    open.push(res);
  });
  const page = await on(
    '/poll',
    `<style>@keyframes s { to { transform: rotate(1turn) } } i { display: inline-block; animation: s 1s infinite linear }</style>
     <i>o</i><button onclick="total.textContent='now'">Do</button><p>total: <b id=total>none</b>
     <button onclick="new EventSource('/events')">Listen</button>
     <script>(async () => { for (;;) await fetch('/poll-answer').then((r) => r.text()); })();</script>`,
  );
  const ref = await page.ref('do');
  // A poll ends in the middle of the act: the page asks again.
  page.guard.onSent = () => open.splice(0).forEach((res) => res.end('tick'));
  const receipt = await page.press(ref);
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(receipt.timing?.settled).toBeLessThan(4_000);
  page.guard.onSent = () => undefined;
  const listening = await page.press(await page.ref('listen'));
  expect(listening.readiness).toBe('settled');
  expect(listening.timing?.settled).toBeLessThan(4_000);
  open.forEach((res) => res.end());
  await page.surface.close();
});

test('what a timer did after a receipt comes as late effects of the next answer', async () => {
  const page = await on(
    '/timer',
    `<button onclick="setTimeout(() => { total.textContent = 'late'; did('late'); }, 300)">Later</button><button>Other</button><p>total: <b id=total>none</b>`,
  );
  const first = await page.press(await page.ref('later'));
  expect(first.changed).toBe(false);
  await server.until(() => server.of('late').length === 1, 'the timer');
  const second = await page.press(await page.ref('other'));
  expect(details(second.late_effects)).toEqual(['total: none → late']);
  expect(details(second.effects)).not.toContain('total: none → late');
  await page.surface.close();
});

test('settle waits for the page and says when it still moves', async () => {
  const page = await on(
    '/moving',
    `<button onclick="n = 0; t = setInterval(() => { box.append(document.createElement('p')); if (++n > 20) clearInterval(t); }, 10)">Go</button><div id=box></div>`,
  );
  expect(await page.surface.settle({ surface_id: page.surface.id, wait_ms: 3_000 }, page.ctx)).toEqual({
    readiness: 'settled',
  });
  await page.surface.close();
});

test('a slow handler is told as delivered, not as a failure', { timeout: 40_000 }, async () => {
  const page = await on(
    '/busy',
    `<button onclick="did('ordered'); const e = Date.now() + 11000; while (Date.now() < e);">Order</button>`,
  );
  const receipt = await page.press(await page.ref('order'));
  expect(receipt).toMatchObject({ changed: false, readiness: 'changing' });
  expect(details(receipt.effects)[0]).toMatch(/^the input was delivered/);
  await server.until(() => server.of('ordered').length === 1, 'the order');
  await page.surface.close();
});

test('a link navigates: the receipt says where to, and waits until it is there', async () => {
  server.pages.set('/next', (_req, res) => {
    setTimeout(
      () => res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Next page</title><h1>Next</h1>'),
      150,
    );
  });
  const page = await on('/link', `<a href=/next>Next</a> <a href="#here">Here</a>`);
  const here = await page.press(await page.ref('here'));
  expect(here).toMatchObject({ changed: true, readiness: 'settled' });
  expect(details(here.effects)).toContain(`"link" ${server.url}/link#here`);
  const receipt = await page.press(await page.ref('next'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(receipt.effects).toEqual([{ kind: 'navigated', detail: `"Next page" ${server.url}/next` }]);
  expect((await page.perceive()).text).toBe('Next');

  expect((await page.press('back')).effects?.[0]?.detail).toBe(`"link" ${server.url}/link#here`);
  expect((await page.press('forward')).effects?.[0]?.detail).toBe(`"Next page" ${server.url}/next`);
  expect(await page.press('reload')).toMatchObject({ changed: true, readiness: 'settled' });
  expect((await page.press('forward')).blocked_by).toMatch(/no page to go forward to/);
  await page.surface.close();
});

test('navigate answers with the page, with its status, or with a clear failure', async () => {
  const page = await bench.open();
  expect(await page.navigate(server.page('/here', 'Hello'))).toMatchObject({
    changed: true,
    readiness: 'settled',
    effects: [{ kind: 'navigated', detail: `"here" ${server.url}/here` }],
  });
  expect(page.surface.describe()).toMatchObject({ address: `${server.url}/here`, title: 'here', state: 'ready' });
  const missing = await page.navigate(`${server.url}/nowhere`);
  expect(missing.effects).toEqual([{ kind: 'navigated', detail: `"Missing" ${server.url}/nowhere (HTTP 404)` }]);
  const sent = page.guard.sentInputs.length;
  await expect(page.navigate('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.navigate('http://no-such-host.invalid/')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('net::ERR_NAME_NOT_RESOLVED'),
  });
  for (const url of ['javascript:alert(1)', 'ftp://x/', 'about:config', 'example.com'])
    await expect(page.navigate(url), url).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for (const url of ['file:///etc/passwd', 'chrome://version', 'devtools://x', 'view-source:http://x'])
    await expect(page.navigate(url), url).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  expect(page.guard.sentInputs).toHaveLength(sent);

  // The server may have acted on it: told as what happened, not as nothing sent.
  server.pages.set('/broken', (req) => req.socket.destroy());
  const broken = await page.navigate(`${server.url}/broken`);
  expect(broken).toMatchObject({
    changed: true,
    effects: [{ kind: 'navigated', detail: expect.stringContaining('net::ERR_EMPTY_RESPONSE') }],
  });
  await page.navigate(server.page('/dead-link', `<a href="http://127.0.0.1:9/">Dead</a>`));
  const dead = await page.press(await page.ref('dead'));
  expect(dead.effects).toEqual([
    { kind: 'navigated', detail: expect.stringMatching(/127\.0\.0\.1:9\/ \(net::ERR_\w+\)$/) },
  ]);
  await page.surface.close();
});

test('a page that never finishes loading is usable and said to be loading', { timeout: 40_000 }, async () => {
  const hanging: ServerResponse[] = [];
  server.pages.set('/hang.png', (_req, res) => hanging.push(res));
  const page = await bench.open();
  const receipt = await page.navigate(
    server.page(
      '/never-loaded',
      `<img src=/hang.png><button onclick="total.textContent='yes'">Do</button><p>total: <b id=total>none</b>`,
    ),
  );
  expect(receipt).toMatchObject({ changed: true, readiness: 'loading' });
  const pressed = await page.press(await page.ref('do'));
  expect(details(pressed.effects)).toEqual(['total: none → yes']);
  expect(pressed.timing?.settled).toBeLessThan(4_000);
  hanging.forEach((res) => res.end());
  await page.surface.close();
});
