import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, expect, test } from '@playwright/test';
import { chromiumRootFlags } from '../../scripts/chromium.mjs';
import { findElectron, hasDisplay } from '../../scripts/start.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const executablePath = findElectron();

test('the desktop app opens the console in real Electron', async () => {
  test.skip(executablePath === null, 'Electron’s binary is not installed (npx install-electron fetches it).');
  test.skip(!hasDisplay(), 'Electron needs a display.');
  const data = await mkdtemp(path.join(tmpdir(), 'signalbox-electron-'));
  const app = await _electron.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: [...chromiumRootFlags(), root, '--port', '0', '--data', data],
  });
  try {
    const page = await app.firstWindow();
    await expect(page.getByRole('navigation').getByRole('link', { name: /inbox/i })).toBeVisible();
    const origin = new URL(page.url()).origin;

    const seen = await page.evaluate(async () => ({
      bridge: Object.keys((globalThis as { signalbox?: object }).signalbox ?? {}).toSorted(),
      node: typeof (globalThis as { require?: unknown }).require,
      opened: window.open('http://127.0.0.1:9/') === null,
    }));
    expect(seen).toEqual({ bridge: ['platform', 'token'], node: 'undefined', opened: true });

    await page.evaluate(() => window.location.assign('http://127.0.0.1:9/'));
    expect(new URL(page.url()).origin).toBe(origin);
    expect(app.windows()).toHaveLength(1);
  } finally {
    await app.close();
    await rm(data, { recursive: true, force: true });
  }
});
