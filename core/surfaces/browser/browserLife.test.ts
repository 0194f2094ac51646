import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserBench } from '../../../test/support/browserSurface.ts';
import type { PageServer, Worked } from '../../../test/support/browserSurface.ts';
import type { LiveFrame } from '../../kernel/ports.ts';
import { findChromium } from './findChromium.ts';
import { launchChromium } from './launchChromium.ts';

let bench: BrowserBench;
let server: PageServer;
const reached: string[] = [];
/** Stands for the console. */
const console_ = createServer((req, res) => {
  reached.push(req.url ?? '');
  res.setHeader('access-control-allow-origin', '*');
  res.end('<title>Console</title>secret');
});
let consolePort = 0;

beforeAll(async () => {
  console_.listen(0, '127.0.0.1');
  await once(console_, 'listening');
  consolePort = (console_.address() as AddressInfo).port;
  bench = await BrowserBench.start(() => ({ blockedPorts: () => [consolePort] }));
  server = bench.server;
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  console_.close();
  console_.closeAllConnections();
  expect(bench.backgroundErrors).toEqual([]);
});
beforeEach(() => {
  server.events.length = 0;
  reached.length = 0;
});

const on = async (where: string, body: string): Promise<Worked> => bench.open(server.page(where, body));
const processesOf = (pid: number): string =>
  execFileSync('ps', ['-o', 'pid=,stat=,args=', '-g', String(pid)], { encoding: 'utf8' });

test('a surface is idle until it is used', async () => {
  const page = await on('/lazy', 'Hello');
  expect(page.surface.describe()).toMatchObject({
    state: 'idle',
    live: false,
    generation: 1,
    address: `${server.url}/lazy`,
  });
  expect(await page.surface.snapshot()).toBeNull();
  expect(server.requests).not.toContain('/lazy');
  const states: string[] = [];
  page.surface.onChange(() => states.push(page.surface.describe().state));
  await page.perceive();
  expect(states).toContain('launching');
  expect(page.surface.describe()).toMatchObject({ state: 'ready', live: true, title: 'lazy', readiness: 'settled' });
  await page.surface.close();
  expect(page.surface.describe().state).toBe('gone');
  await expect(page.perceive()).rejects.toMatchObject({ code: 'SURFACE_GONE' });
});

test('the console is out of reach for pages, frames, scripts, sockets, workers and redirects', async () => {
  const names = ['127.0.0.1', '127.0.0.2', 'localhost', 'app.localhost', '0.0.0.0', '[::1]', '2130706433'];
  server.pages.set('/redirect', (_req, res) =>
    res.writeHead(302, { location: `http://127.0.0.1:${consolePort}/redirected` }).end(),
  );
  const page = await on(
    '/reach',
    `<button onclick="go()">Go</button><p>done: <b id=total>no</b><a href="http://127.0.0.1:${consolePort}/link">Link</a>
     <a target=_blank href="http://localhost:${consolePort}/tab">Tab</a><iframe src="http://127.0.0.1:${consolePort}/frame"></iframe>
     <img src="http://127.0.0.1:${consolePort}/img">
     <script>
       const names = ${JSON.stringify(names)};
       const ws = (n) => new Promise((r) => { const s = new WebSocket('ws://' + n + ':${consolePort}/ws'); s.onopen = s.onerror = r; });
       const worker = () => new Promise((r) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:${consolePort}/worker').then(() => postMessage(1), () => postMessage(0))"]))); w.onmessage = r; });
       async function go() {
         for (const n of names) { await fetch('http://' + n + ':${consolePort}/fetch', { mode: 'no-cors' }).catch(() => {}); await ws(n); }
         await fetch('/redirect', { mode: 'no-cors' }).catch(() => {});
         await worker();
         did('tried'); total.textContent = 'yes';
       }
     </script>`,
  );
  await page.press(await page.ref('go'));
  await server.until(() => server.of('tried').length === 1, 'all tries');
  await page.press(await page.ref('tab'));
  await page.press(await page.ref('link'));
  for (const name of names)
    await expect(page.navigate(`http://${name}:${consolePort}/`), name).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
  await expect(page.navigate(`${server.url}/redirect`)).rejects.toMatchObject({
    code: expect.stringMatching(/DENIED|INVALID/),
  });
  expect(reached).toEqual([]);
  await expect(bench.provider.open({ kind: 'browser', url: `http://localhost:${consolePort}/` })).rejects.toMatchObject(
    {
      code: 'POLICY_DENIED',
    },
  );
  await Promise.all([...bench.opened.map((surface) => surface.close()), page.surface.close()]);
});

test('a crash before the input is SURFACE_GONE, after it OUTCOME_UNKNOWN, and the surface opens again', async () => {
  const page = await on('/crash', `<button id=b>Send</button>`);
  const ref = await page.ref('send');
  const crash = (): Promise<unknown> => page.navigate('chrome://crash').catch((error: unknown) => error);
  expect(await crash()).toMatchObject({ code: 'POLICY_DENIED' });

  page.guard.onSent = (n) => {
    if (n === 3) crashRenderers(bench);
  };
  await server.until(() => true, 'nothing');
  await expect(page.press(ref, 'double')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  page.guard.onSent = () => undefined;
  await expect.poll(() => page.surface.describe().state).toBe('idle');
  expect(page.surface.describe()).toMatchObject({ generation: 2, live: false, address: `${server.url}/crash` });

  const again = await page.find('send');
  expect(page.surface.describe()).toMatchObject({ state: 'ready', generation: 2 });
  expect(await page.press(again.ref)).toMatchObject({ readiness: 'settled' });
  await expect(page.press(ref)).rejects.toMatchObject({ code: 'TARGET_GONE' });

  const blocked = page.surface.perceive({ surface_id: page.surface.id, limit: 5, query: 'send' }, page.ctx);
  crashRenderers(bench);
  await blocked.then(
    () => undefined,
    (error: unknown) => expect(error).toMatchObject({ code: 'SURFACE_GONE' }),
  );
  await page.surface.close();
});

/** Kills what draws pages, as the system does when memory runs out. */
const crashRenderers = (of: BrowserBench): void => {
  expect(of.backgroundErrors).toEqual([]);
  const own = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`signalbox-browser-${process.pid}-`) || line.includes('--type=renderer'));
  const inGroup = new Set(
    own
      .filter((line) => line.includes(`signalbox-browser-${process.pid}-`))
      .map((line) => groupOf(Number(line.trim().split(/\s+/)[0]))),
  );
  for (const line of own) {
    const pid = Number(line.trim().split(/\s+/)[0]);
    if (line.includes('--type=renderer') && inGroup.has(groupOf(pid))) process.kill(pid, 'SIGKILL');
  }
};
const groupOf = (pid: number): number => {
  try {
    return Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  } catch {
    return -1;
  }
};

test('pictures and the live view', async () => {
  const page = await on('/live', `<button onclick="document.body.style.background='red'">Red</button>`);
  const picture = await page.surface.capture(page.ctx);
  expect(picture).toMatchObject({ width: 1280, height: 800, mediaType: 'image/png' });
  expect([...picture.bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  const snapshot = await page.surface.snapshot();
  expect(snapshot).toMatchObject({ mediaType: 'image/jpeg' });
  expect(snapshot?.bytes[0]).toBe(0xff);

  const frames: { frame: LiveFrame; done: () => void }[] = [];
  const watching = page.surface.watch((frame, done) => frames.push({ frame, done }));
  await expect.poll(() => frames.length, { timeout: 10_000 }).toBe(1);
  expect(frames[0]?.frame).toMatchObject({ width: 1280, height: 800, mediaType: 'image/jpeg' });
  // The first is not consumed: no second one comes, whatever the page draws.
  await page.press(await page.ref('red'));
  expect(frames).toHaveLength(1);
  frames[0]?.done();
  await expect.poll(() => frames.length, { timeout: 10_000 }).toBeGreaterThan(1);
  watching[Symbol.dispose]();
  const count = frames.length;
  frames.forEach(({ done }) => done());
  await page.press(await page.ref('red'));
  expect(frames).toHaveLength(count);
  await page.surface.close();
});

test('a person in control works the page by mouse, keys and text', async () => {
  const page = await on(
    '/hand',
    `<input id=f aria-label=Field style="position:absolute;left:10px;top:10px;width:200px;height:30px">`,
  );
  await page.perceive();
  const mouse = { type: 'mouse', x: 50, y: 25, button: 'left', clicks: 1, modifiers: 0 } as const;
  await page.surface.input({ ...mouse, action: 'move' });
  await page.surface.input({ ...mouse, action: 'down' });
  await page.surface.input({ ...mouse, action: 'up' });
  await page.surface.input({ type: 'key', action: 'down', key: 'a', code: 'KeyA', modifiers: 0 });
  await page.surface.input({ type: 'key', action: 'up', key: 'a', code: 'KeyA', modifiers: 0 });
  await page.surface.input({ type: 'text', text: 'é漢' });
  await page.surface.input({ type: 'wheel', x: 50, y: 25, delta_x: 0, delta_y: 10 });
  await expect.poll(async () => (await page.find('field')).value).toBe('aé漢');
  await server.until(() => server.of('wheel').length === 1, 'the wheel');
  expect(server.of('click', 'f')).toMatchObject([{ trusted: true }]);
  await page.surface.close();
});

test('surfaces without a profile share nothing; a named profile is kept', async () => {
  const url = server.page(
    '/jar',
    `<p>jar: <b id=total></b><button onclick="document.cookie='a=1;max-age=999';total.textContent=document.cookie">Set</button><script>total.textContent = document.cookie || 'empty'</script>`,
  );
  const first = await bench.open(url);
  await first.press(await first.ref('set'));
  const second = await bench.open(url);
  expect((await second.perceive()).text).toContain('empty');

  const named = await bench.open(url, { profile: 'work' });
  await named.press(await named.ref('set'));
  await named.surface.close();
  const later = await bench.open(url, { profile: 'work' });
  await expect.poll(async () => (await later.perceive()).text, { timeout: 10_000 }).toContain('a=1');
  await Promise.all([first, second, later].map(({ surface }) => surface.close()));
});

test('a remote browser is worked by its address; its own tabs are left alone', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'signalbox-remote-'));
  const running = await launchChromium({
    executablePath: await findChromium(),
    headless: true,
    profile,
    args: ['--remote-debugging-port=0'],
  });
  const port = async (): Promise<string> =>
    (await readFile(path.join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0] ?? '';
  await expect.poll(port, { timeout: 10_000 }).toMatch(/^\d+$/);
  const endpoint = `http://127.0.0.1:${await port()}`;
  const own = (await (await fetch(`${endpoint}/json/new?about:blank`, { method: 'PUT' })).json()) as { id: string };
  const remote = await BrowserBench.start(() => ({ endpoint, blockedPorts: () => [consolePort] }));
  const page = await remote.open(
    remote.server.page('/remote', `<button>Far</button><img src="http://localhost:${consolePort}/img">`),
  );
  expect(await page.press(await page.ref('far'))).toMatchObject({ readiness: 'settled' });
  expect(page.surface.describe().badges).toEqual(['Remote browser']);
  await expect(page.navigate(`http://127.0.0.1:${consolePort}/`)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  await remote[Symbol.asyncDispose]();
  const left = (await (await fetch(`${endpoint}/json/list`)).json()) as { id: string; type: string }[];
  expect(left.filter(({ type }) => type === 'page').map(({ id }) => id)).toEqual([own.id]);
  expect(reached).toEqual([]);
  await running.close();
  await rm(profile, { recursive: true, force: true });
  const nobody = await BrowserBench.start(() => ({ endpoint }));
  const lost = await nobody.open();
  await expect(lost.perceive()).rejects.toMatchObject({ code: 'SURFACE_GONE' });
  expect(lost.surface.describe().state).toBe('failed');
  await nobody[Symbol.asyncDispose]();
});

test('the browser ends with its owner and leaves nothing behind', async () => {
  const before = new Set(readdirSync(tmpdir()).filter((name) => name.startsWith('signalbox-browser-')));
  const launched = await launchChromium({ executablePath: await findChromium(), headless: true, args: [] });
  expect(processesOf(launched.pid)).toContain('--remote-debugging-pipe');
  await launched.close();
  expect(
    readdirSync(tmpdir()).filter((name) => name.startsWith(`signalbox-browser-${process.pid}-`) && !before.has(name)),
  ).toEqual([]);
  await expect(launchChromium({ executablePath: '/no/such/browser', headless: true, args: [] })).rejects.toMatchObject({
    code: 'SURFACE_GONE',
  });
});

test('a browser killed with its owner: nothing runs on', async () => {
  const module = new URL('./launchChromium.ts', import.meta.url).pathname;
  const program = `import(${JSON.stringify(module)}).then(async ({ launchChromium }) => {
    const b = await launchChromium({ executablePath: ${JSON.stringify(await findChromium())}, headless: true, args: [] });
    b.transport.onMessage = () => { console.log(b.pid); setInterval(() => {}, 1000); };
    b.transport.send(JSON.stringify({ id: 1, method: 'Browser.getVersion' }));
  });`;
  const { spawn } = await import('node:child_process');
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(owner.stdout, 'data')) as [Buffer];
  const pid = Number(String(said).trim());
  expect(pid).toBeGreaterThan(1);
  owner.kill('SIGKILL');
  const alive = (): boolean => {
    try {
      return !/^Z|^$/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim());
    } catch {
      return false;
    }
  };
  await expect.poll(alive, { timeout: 10_000 }).toBe(false);
});
