import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { chromiumRootFlags, findChromium } from './chromium.mjs';
import { isMain, root, runNode } from './run.mjs';
import { startServer } from './server.mjs';
import { checkSystemPackages } from './systemPackages.mjs';

/**
 * Electron's binary, or null. Its own `index.js` would download a missing one, so that is not asked.
 *
 * @returns {string | null}
 */
export const findElectron = () => {
  const folder = path.join(root, 'node_modules/electron');
  const pathFile = path.join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = path.join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? binary : null;
};

/** @typedef {{ kind: 'electron' | 'chromium', binary: string, why: string } | { kind: 'address', why: string }} Way */

/**
 * @param {{ electron: string | null, chromium: string | null, display: boolean }} found
 * @returns {Way}
 */
export const chooseWay = ({ electron, chromium, display }) => {
  if (!display) return { kind: 'address', why: 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)' };
  if (electron !== null) return { kind: 'electron', binary: electron, why: 'its binary is installed' };
  const noElectron = "Electron's binary is not installed (`npx install-electron` fetches it)";
  if (chromium !== null) return { kind: 'chromium', binary: chromium, why: noElectron };
  return { kind: 'address', why: `${noElectron} and no Chromium was found` };
};

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);

/** npm repeats the terminal's signal within milliseconds: that is one Ctrl-C, not two. */
const ONE_SIGNAL_MS = 500;

/**
 * Passes on each request to end; the core ends cleanly at the first and at once at the second.
 *
 * @param {() => void} pass
 */
const onEndSignal = (pass) => {
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      const now = performance.now();
      if (now - last > ONE_SIGNAL_MS) pass();
      last = now;
    });
};

/**
 * @param {string} binary
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
const startElectron = (binary, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(binary, [...chromiumRootFlags(), root, ...args], { stdio: 'inherit' });
    onEndSignal(() => child.kill('SIGTERM'));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 128));
  });

/** How long the helpers of a closed window may go on writing to its profile. */
const HELPERS_MS = 3_000;

/**
 * Helpers of Chromium outlive it for a moment; what is left of the group after a while is ended.
 *
 * @param {number} leader
 */
const groupEnded = async (leader) => {
  const isThere = () => {
    try {
      return process.kill(-leader, 0);
    } catch {
      return false;
    }
  };
  const until = performance.now() + HELPERS_MS;
  while (isThere() && performance.now() < until) await pause(50);
  if (isThere()) process.kill(-leader, 'SIGKILL');
};

/**
 * A window without browser controls on a profile of its own.
 *
 * @param {string} binary
 * @param {string} openerUrl
 */
const openAppWindow = (binary, openerUrl) => {
  const rootFlags = chromiumRootFlags();
  // Else a bar about the missing sandbox covers the top of the console.
  const windowFlags = rootFlags.length > 0 ? [...rootFlags, '--test-type'] : [];
  const profile = mkdtempSync(path.join(tmpdir(), 'signalbox-window-'));
  const child = spawn(
    binary,
    [
      `--app=${openerUrl}`,
      `--user-data-dir=${profile}`,
      '--class=Signalbox',
      '--no-first-run',
      '--no-default-browser-check',
      '--window-size=1440,900',
      ...windowFlags,
    ],
    // A process group of its own: Ctrl-C reaches only this script, which ends the window after the core.
    { stdio: 'ignore', detached: true },
  );
  /** @type {Promise<string>} */
  const closed = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? 'it was closed' : `it ended with exit code ${code}`));
  });
  return {
    closed,
    close: async () => {
      child.kill('SIGTERM');
      await closed;
      if (child.pid !== undefined) await groupEnded(child.pid);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/**
 * @param {import('./server.mjs').ServerInfo} info
 * @param {boolean} withOpener
 */
const printAddress = (info, withOpener) => {
  console.log(`\n  Console   ${info.url}`);
  if (withOpener)
    console.log(`  Open      ${info.opener_url}\n            (signs you in; works once, within a minute)`);
  console.log('  End       Ctrl-C\n');
};

/**
 * @param {Way} way not Electron
 * @param {readonly string[]} args
 */
const serve = async (way, args) => {
  const server = startServer(args);
  let ending = false;
  onEndSignal(() => {
    ending = true;
    server.stop();
  });
  let info;
  try {
    info = await server.started;
  } catch (error) {
    // Its own message is on standard error already.
    const code = await server.ended;
    if (ending || code !== 0) return code;
    throw error;
  }
  const window = way.kind === 'chromium' ? openAppWindow(way.binary, info.opener_url) : null;
  printAddress(info, window === null);
  void window?.closed.then((why) => {
    if (!ending) console.log(`The window is gone (${why}); the console still runs at ${info.url}. Ctrl-C ends it.`);
  });
  const code = await server.ended;
  ending = true;
  await window?.close();
  return code;
};

const start = async () => {
  const args = process.argv.slice(2);
  await checkSystemPackages('start');
  await ensureBuilt();
  if (args.includes('--help')) return runNode(path.join(root, 'bin/signalbox.mjs'), ['serve', '--help']);
  const way = chooseWay({ electron: findElectron(), chromium: findChromium(), display: hasDisplay() });
  const names = { electron: 'the Electron window', chromium: 'a Chromium app window', address: 'the printed address' };
  console.log(`Signalbox opens by ${names[way.kind]}: ${way.why}.`);
  return way.kind === 'electron' ? startElectron(way.binary, args) : serve(way, args);
};

if (isMain(import.meta.url)) {
  try {
    process.exitCode = await start();
  } catch (error) {
    console.error(`Signalbox did not start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
