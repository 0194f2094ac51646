import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { details, kinds, trapSuite } from '../../support/traps.ts';
import type { TrapPage } from '../../support/traps.ts';

const reached: string[] = [];
/** Stands for the console, whose port no page may reach. */
const console_ = createServer((req, res) => {
  reached.push(req.url ?? '');
  res.setHeader('access-control-allow-origin', '*').end('<title>Console</title>secret');
});
const consolePort = (): number => (console_.address() as AddressInfo).port;

afterAll(() => {
  console_.close();
  console_.closeAllConnections();
});
const suite = trapSuite(async () => {
  console_.listen(0, '127.0.0.1');
  await once(console_, 'listening');
  return [consolePort()];
});
const { trap } = suite;

const arrivals = (page: TrapPage): string[] =>
  page.site
    .hitsOf('/traps/arrived.html')
    .flatMap(({ method, query }) => (query.includes(`s=${page.session}`) ? [method] : []));

trap('a form that is sent navigates: what arrived is what was typed', 'go', async (page) => {
  await page.enter(await page.ref('word'), 'blå bær');
  const receipt = await page.press(await page.ref('send form'));
  expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
  expect(receipt.effects?.[0]).toMatchObject({ kind: 'navigated', detail: expect.stringContaining('"Arrived"') });
  expect(await page.did('arrived')).toEqual(['blå bær']);
  expect((await page.perceive()).text).toContain('word: blå bær');
});

trap('Enter in a field sends its form', 'go', async (page) => {
  const word = await page.ref('word');
  await page.enter(word, 'x');
  const receipt = await page.press(word, 'key:Enter');
  expect(kinds(receipt)).toContain('navigated');
  expect(await page.did('arrived')).toEqual(['x']);
  expect(arrivals(page)).toEqual(['GET']);
});

trap('a form without a button posts by Enter', 'go', async (page) => {
  const note = await page.ref('note');
  await page.enter(note, 'n');
  expect(kinds(await page.press(note, 'key:Enter'))).toContain('navigated');
  expect(arrivals(page)).toEqual(['POST']);
});

trap('history.pushState: the address is told, refs live on', 'go', async (page) => {
  const push = await page.ref('push a state');
  const receipt = await page.press(push);
  expect(details(receipt).join()).toMatch(/total: none → view \d/);
  expect(receipt.effects?.some(({ kind, detail }) => kind === 'navigated' && detail.includes('view=2'))).toBe(true);
  expect(page.surface.describe().address).toContain('view=2');
  const back = await page.press('back');
  expect(back.changed).toBe(true);
  expect(page.surface.describe().address).not.toContain('view=2');
  expect((await page.press(push)).changed).toBe(true);
});

trap('a hash link scrolls and is told; the document stays', 'go', async (page) => {
  const [hash, push] = [await page.ref('to the part'), await page.ref('push a state')];
  const receipt = await page.press(hash);
  expect(receipt.effects?.some(({ kind, detail }) => kind === 'navigated' && detail.includes('#part'))).toBe(true);
  expect(await page.truth('scrollY')).toBeGreaterThan(300);
  expect((await page.press(push)).blocked_by).toBeUndefined();
});

trap('a javascript: link runs as the page meant', 'go', async (page) => {
  const receipt = await page.press(await page.ref('script link'));
  expect(details(receipt)).toContain('total: none → script ran');
  expect(await page.did()).toEqual(['script']);
  await expect(page.navigate('javascript:alert(1)')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

trap('a javascript: link that writes a page', 'go', async (page) => {
  const receipt = await page.press(await page.ref('script page'));
  expect(receipt.changed).toBe(true);
  expect((await page.perceive()).text).toContain('Replaced');
});

trap('a redirect arrives where it leads', 'go', async (page) => {
  const receipt = await page.press(await page.ref('redirected'));
  expect(receipt.effects?.[0]).toMatchObject({
    kind: 'navigated',
    detail: expect.stringContaining('/traps/arrived.html'),
  });
  expect(receipt.readiness).toBe('settled');
});

trap('two navigations in a row: the last one counts', 'go', async (page) => {
  await page.press(await page.ref('go twice'));
  await page.site.until(() => page.site.did(page.session, 'arrived').length === 1, 'the second page');
  await page.settle();
  expect(page.surface.describe().address).toContain('/traps/arrived.html');
  expect((await page.perceive()).text).toContain('Arrived');
});

trap('location.replace leaves no page to go back to', 'go', async (page) => {
  expect(kinds(await page.press(await page.ref('replace')))).toContain('navigated');
  expect((await page.perceive()).targets.map(({ ref }) => ref)).not.toContain('back');
});

trap('meta refresh: loaded, then elsewhere by itself, told as late', 'go', async (page) => {
  const receipt = await page.press(await page.ref('refreshing page'));
  expect(receipt.effects?.[0]).toMatchObject({ kind: 'navigated' });
  await page.site.until(() => page.site.did(page.session, 'arrived').length === 1, 'the refresh');
  const settled = await page.settle();
  if (!details(receipt).join().includes('arrived.html'))
    expect(details({ effects: settled.late_effects }).join()).toContain('arrived.html');
  expect((await page.perceive()).text).toContain('Arrived');
});

trap('a download: told by name and size, the page stays', 'go', async (page) => {
  const receipt = await page.press(await page.ref('get the report'));
  const download = receipt.effects?.find(({ kind }) => kind === 'download');
  expect(download?.detail).toMatch(/^report.*\.csv, 8 bytes$/);
  const file = path.join(suite.bench.folder, 'downloads', download!.detail.replace(/, 8 bytes$/, ''));
  expect(await readFile(file, 'utf8')).toBe('a,b\n1,2\n');
  expect(await page.listed({ query: 'push a state' })).toHaveLength(1);
});

trap('a page behind HTTP authentication hangs nothing', 'go', async (page) => {
  const receipt = await page.press(await page.ref('the vault'));
  expect(receipt.timing?.settled).toBeLessThan(5_000);
  expect(details(receipt).join()).toMatch(/\/auth \((HTTP 401|net::ERR_INVALID_AUTH_CREDENTIALS)\)/);
  expect(receipt.readiness).toBe('settled');
  expect(kinds(await page.press('back'))).toContain('navigated');
  expect(await page.listed({ query: 'the vault' })).toHaveLength(1);
});

for (const [query, what, told] of [
  ['where am I', 'denied', 1],
  ['notify me', 'notify', 'denied'],
] as const) {
  trap(`a permission asked for (${query}) is denied and told`, 'go', async (page) => {
    const receipt = await page.press(await page.ref(query));
    expect(receipt.readiness).toBe('settled');
    expect(details(receipt).join()).toMatch(/denied/);
    expect(await page.did(what)).toEqual([told]);
  });
}

trap('print() opens nothing and freezes nothing', 'go', async (page) => {
  const receipt = await page.press(await page.ref('print it'));
  expect(receipt.readiness).toBe('settled');
  expect(await page.did()).toEqual(['printed']);
});

trap('a redirect to the console is refused, whoever follows it', 'go', async (page) => {
  const to = `${page.site.url}/redirect?to=${encodeURIComponent(`http://127.0.0.1:${consolePort()}/x`)}`;
  await expect(page.navigate(to)).rejects.toMatchObject({
    code: expect.stringMatching(/POLICY_DENIED|INVALID_REQUEST/),
  });
  await page.navigate(page.site.page('traps/go', page.session));
  await page.truth(`void (document.getElementById('redirect').href = ${JSON.stringify(to)})`);
  const receipt = await page.press(await page.ref('redirected'));
  expect(JSON.stringify(receipt)).not.toContain('secret');
  expect((await page.perceive()).text ?? '').not.toContain('secret');
  expect(reached).toEqual([]);
});

trap('a page that crashes: gone, a generation on, and works again', 'go', async (page) => {
  const push = await page.ref('push a state');
  const { generation } = page.surface.describe();
  const [target] = (await suite.bench.side.targets()).filter(({ url }) => url.includes(`s=${page.session}`));
  await suite.bench.side
    .within(target!.targetId, async (session) => {
      void suite.bench.side.send('Page.crash', {}, session).catch(() => undefined);
      await expect.poll(() => page.surface.describe().generation).toBe(generation! + 1);
    })
    .catch(() => undefined);
  await expect(page.press(push)).rejects.toMatchObject({ code: 'TARGET_GONE' });
  const again = await page.press(await page.ref('push a state'));
  expect(details(again).join()).toMatch(/total: none → view \d/);
  expect(page.surface.describe()).toMatchObject({ generation: generation! + 1, state: 'ready' });
});
