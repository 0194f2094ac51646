import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { appText } from '../../renderer/app/strings.ts';
import { Console } from '../support/console.ts';
import { allGone, descendants } from '../support/processes.ts';
import { Signalbox } from '../support/signalbox.ts';

/** Must show 1: `npm start` ends with a usable console, and says which way it took and why. */
const root = path.resolve(import.meta.dirname, '../..');

class Started {
  readonly child: ChildProcess;
  output = '';
  readonly #wake = new Set<() => void>();

  constructor(data: string, env: NodeJS.ProcessEnv) {
    this.child = spawn('npm', ['start', '--', '--data', data, '--port', '0'], { cwd: root, env, detached: true });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        for (const wake of this.#wake) wake();
      });
  }

  async says(pattern: RegExp): Promise<RegExpExecArray> {
    return await new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.output);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found);
      };
      const timer = setTimeout(() => {
        reject(new Error(`npm start did not say ${String(pattern)}: ${this.output}`));
      }, 60_000);
      this.#wake.add(look);
      look();
    });
  }

  /** Ctrl-C reaches the whole foreground group, as in a terminal; nothing may be left of it. */
  async interrupt(): Promise<void> {
    const all = descendants(this.child.pid ?? 0);
    const exited = once(this.child, 'exit');
    process.kill(-(this.child.pid ?? 0), 'SIGINT');
    await exited;
    const left = await allGone(all, 10_000);
    for (const orphan of left) process.kill(orphan.pid, 'SIGKILL');
    expect(left).toEqual([]);
  }
}

let data: string;
test.beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'signalbox-start-'));
});
test.afterEach(async () => {
  await rm(data, { recursive: true, force: true });
});

const without = (...names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));

test('without a display it prints an address that signs a person in, and Ctrl-C ends it all', async ({ page }) => {
  const started = new Started(data, without('DISPLAY', 'WAYLAND_DISPLAY'));
  const [, why] = await started.says(/Signalbox opens by the printed address: (.+)/);
  expect(why).toContain('no display');
  const [opener] = await started.says(/http:\/\/\S+#code=\S+/);
  await page.goto(opener);
  await expect(page.getByRole('navigation', { name: appText.navigation })).toBeVisible();
  expect(page.url()).not.toContain('code=');
  const token = await page.evaluate(() => sessionStorage.getItem('signalbox.token'));
  expect(token).not.toBeNull();
  await page.reload();
  await expect(page.getByRole('navigation', { name: appText.navigation })).toBeVisible();
  await started.interrupt();
});

test('with a display it opens a window of its own', async () => {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  try {
    const [number] = (await once(display.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const env = { ...without('WAYLAND_DISPLAY'), DISPLAY: `:${number.toString().trim()}` };
    const started = new Started(data, env);
    const [, way] = await started.says(/Signalbox opens by (.+?):/);
    expect(['the Electron window', 'a Chromium app window']).toContain(way);
    await started.says(/Console +http/);
    // The window has signed itself in when its socket is there: the opener's code is then used up.
    await expect
      .poll(() => descendants(started.child.pid ?? 0).filter((each) => each.command.includes('--type=renderer')).length)
      .toBeGreaterThan(0);
    await started.interrupt();
  } finally {
    display.kill('SIGTERM');
  }
});

test('the opener URL of serve works once', async ({ page, browser }) => {
  const signalbox = await Signalbox.start({ data });
  const { console } = await Console.byOpener(page, signalbox);
  expect(console.page.url()).not.toContain('code=');
  const second = await (await browser.newContext()).newPage();
  await second.goto(signalbox.opener);
  await expect(second.getByText(appText.signIn.reasons.bad_code)).toBeVisible();
  await expect(second.getByRole('navigation')).toHaveCount(0);
  await signalbox.stop({ keepData: true });
});
