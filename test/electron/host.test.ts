import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ComposeOptions } from '../../core/compose.ts';
import { ipcChannels } from '../../electron/ipc.ts';
import { runHost, type HostedCore } from '../../electron/main/host.ts';
import { parseHostFlags, type HostFlags } from '../../electron/main/hostFlags.ts';
import { createElectronStandIn, frameAt, type StandIn, type StandInOptions } from '../support/electronStandIn.ts';

const origin = 'http://127.0.0.1:8787';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'signalbox-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly standIn: StandIn;
  readonly reports: readonly string[];
  readonly startedWith: readonly ComposeOptions[];
  readonly closings: () => number;
}

const start = async (
  options: Partial<StandInOptions> & {
    flags?: () => HostFlags;
    close?: () => Promise<void>;
    startCore?: () => Promise<HostedCore>;
    platform?: NodeJS.Platform;
  } = {},
): Promise<Started> => {
  const standIn = createElectronStandIn({ userData: folder, ...options });
  const reports: string[] = [];
  const startedWith: ComposeOptions[] = [];
  let closings = 0;
  await runHost(standIn.electron, {
    flags: options.flags ?? (() => ({})),
    platform: options.platform ?? 'linux',
    report: (message) => reports.push(message),
    startCore: async (coreOptions) => {
      startedWith.push(coreOptions);
      if (options.startCore !== undefined) return options.startCore();
      return {
        url: origin,
        token: 'the-person-token',
        remarks: ['Port 8787 is in use.'],
        close: async () => {
          closings += 1;
          await options.close?.();
        },
      };
    },
  });
  return { standIn, reports, startedWith, closings: () => closings };
};

describe('the console window', () => {
  it('opens on the console, sandboxed and isolated, after the core listens', async () => {
    const { standIn, startedWith } = await start();

    expect(standIn.sandboxEnabled()).toBe(true);
    expect(startedWith).toEqual([{ dataFolder: folder }]);
    expect(standIn.windows).toHaveLength(1);
    const window = standIn.windows[0]!;
    expect(window.webContents.getURL()).toBe(origin);
    expect(window.visible).toBe(true);
    expect(window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(path.basename(window.options.webPreferences!.preload!)).toBe('preload.cjs');
  });

  it('passes --port and --data on: the data folder is also Electron’s', async () => {
    const data = path.join(folder, 'elsewhere');
    const { standIn, startedWith } = await start({ flags: () => ({ port: 9_000, data, autoApprove: true }) });

    expect(startedWith).toEqual([{ dataFolder: data, port: 9_000, autoApprove: true }]);
    expect(standIn.userData()).toBe(data);
  });

  it('passes on what the core has to say', async () => {
    expect((await start()).reports).toEqual(['Port 8787 is in use.']);
  });

  it('does not open when the command line is wrong; the message says what to give', async () => {
    const { standIn, startedWith } = await start({ flags: () => parseHostFlags(['--port', 'x']) });
    expect(await standIn.exited).toBe(1);
    expect(startedWith).toEqual([]);
    expect(standIn.errorBoxes[0]!.content).toContain('--port x is not a port');
  });

  it('comes back where it was left, in a file only its owner can read', async () => {
    const first = await start();
    first.standIn.windows[0]!.bounds = { x: 40, y: 60, width: 1_000, height: 700 };
    first.standIn.windows[0]!.maximized = true;
    first.standIn.windows[0]!.personCloses();

    expect(JSON.parse(readFileSync(path.join(folder, 'window.json'), 'utf8'))).toEqual({
      bounds: { x: 40, y: 60, width: 1_000, height: 700 },
      maximized: true,
    });
    expect(statSync(path.join(folder, 'window.json')).mode & 0o777).toBe(0o600);
    const again = await start();
    expect(again.standIn.windows[0]!.options).toMatchObject({ x: 40, y: 60, width: 1_000, height: 700 });
    expect(again.standIn.windows[0]!.maximized).toBe(true);
  });

  it.each([
    ['on a display that is gone', '{"bounds":{"x":5000,"y":60,"width":1000,"height":700},"maximized":false}'],
    ['smaller than usable', '{"bounds":{"x":0,"y":0,"width":10,"height":10},"maximized":false}'],
    ['of another shape', '{"bounds":{"x":"left"},"maximized":1}'],
    ['cut off', '{"bounds":'],
  ])('opens at its default size when the remembered place is %s', async (_what, text) => {
    writeFileSync(path.join(folder, 'window.json'), text);
    const { standIn } = await start();

    expect(standIn.windows[0]!.options).toMatchObject({ width: 1_440, height: 900 });
    expect(standIn.windows[0]!.options.x).toBeUndefined();
  });
});

describe('a second instance', () => {
  it('ends at once without starting a core', async () => {
    const { standIn, startedWith } = await start({ isFirstInstance: false });

    expect(startedWith).toEqual([]);
    expect(standIn.windows).toHaveLength(0);
    expect(await standIn.exited).toBe(0);
  });

  it('brings the first one to the front', async () => {
    const { standIn } = await start();
    const window = standIn.windows[0]!;
    window.minimized = true;
    window.visible = false;

    standIn.secondInstance();

    expect(standIn.windows).toHaveLength(1);
    expect([window.minimized, window.visible, window.focused]).toEqual([false, true, 1]);
  });
});

describe('what a page cannot do', () => {
  it.each([
    'https://elsewhere.test/',
    'file:///etc/passwd',
    'data:text/html,x',
    'http://127.0.0.1:9999/',
    'about:blank',
  ])('leave the console for %s', async (url) => {
    const { standIn } = await start();
    const { webContents } = standIn.windows[0]!;

    expect(webContents.pageNavigates(url)).toBe(false);
    expect(webContents.pageNavigates(url, 'will-redirect')).toBe(false);
    expect(webContents.getURL()).toBe(origin);
  });

  it('but it may go from one page of the console to another', async () => {
    const { standIn } = await start();
    expect(standIn.windows[0]!.webContents.pageNavigates(`${origin}/inbox`)).toBe(true);
  });

  it.each([
    ['https://elsewhere.test/page', ['https://elsewhere.test/page']],
    ['http://elsewhere.test/', []],
    ['https://user:secret@elsewhere.test/', []],
    ['file:///etc/passwd', []],
    ['javascript:alert(1)', []],
    ['not a url', []],
    [`https://elsewhere.test/${'x'.repeat(2_100)}`, []],
    [`${origin}/`, []],
  ])('open a window on %s; only plain https goes to the person’s browser', async (url, external) => {
    const { standIn } = await start();

    expect(standIn.windows[0]!.webContents.pageOpens(url)).toBe('deny');
    expect(standIn.openedExternally).toEqual(external);
    expect(standIn.windows).toHaveLength(1);
  });

  it('attach a guest, or do any of this from another contents', async () => {
    const { standIn } = await start();
    expect(standIn.windows[0]!.webContents.pageAttachesGuest()).toBe(false);
    const other = standIn.otherContents();
    expect(other.pageNavigates('https://elsewhere.test/')).toBe(false);
    expect(other.pageOpens('http://elsewhere.test/')).toBe('deny');
    expect(other.pageAttachesGuest()).toBe(false);
  });

  it('get a permission, except to put text on the clipboard', async () => {
    const { standIn } = await start();

    expect(standIn.asksPermission('media', `${origin}/`)).toBe(false);
    expect(standIn.asksPermission('notifications', `${origin}/`)).toBe(false);
    expect(standIn.checksPermission('geolocation', origin)).toBe(false);
    expect(standIn.asksDevice()).toBe(false);
    expect(standIn.asksPermission('clipboard-sanitized-write', `${origin}/connect`)).toBe(true);
    expect(standIn.checksPermission('clipboard-sanitized-write', origin)).toBe(true);
    expect(standIn.asksPermission('clipboard-sanitized-write', 'https://elsewhere.test/')).toBe(false);
    expect(standIn.checksPermission('clipboard-sanitized-write', 'https://elsewhere.test')).toBe(false);
  });
});

describe('the token', () => {
  it('goes to the main frame of the console window', async () => {
    const { standIn } = await start();
    const { mainFrame } = standIn.windows[0]!.webContents;
    await expect(standIn.invoke(ipcChannels.token, mainFrame)).resolves.toBe('the-person-token');
  });

  it('goes to no other frame, not even one that shows the console', async () => {
    const { standIn } = await start();
    const refusal = /Only the console window/;
    await expect(standIn.invoke(ipcChannels.token, frameAt(`${origin}/`))).rejects.toThrow(refusal);
    await expect(standIn.invoke(ipcChannels.token, standIn.otherContents().mainFrame)).rejects.toThrow(refusal);
    await expect(standIn.invoke(ipcChannels.token, null)).rejects.toThrow(refusal);
  });

  it('stays in when the window’s frame shows anything but the console', async () => {
    const { standIn } = await start();
    const { webContents } = standIn.windows[0]!;
    webContents.mainFrame = frameAt('https://elsewhere.test/');
    await expect(standIn.invoke(ipcChannels.token, webContents.mainFrame)).rejects.toThrow(/Only the console/);
  });

  it('stays in after the window was closed', async () => {
    const { standIn } = await start({ platform: 'darwin' });
    const window = standIn.windows[0]!;
    const { mainFrame } = window.webContents;
    window.personCloses();
    await expect(standIn.invoke(ipcChannels.token, mainFrame)).rejects.toThrow(/Only the console/);
  });
});

describe('the end', () => {
  it('closes the core once, and ends only after it', async () => {
    let finish: () => void = () => undefined;
    const closing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { standIn, closings } = await start({ close: () => closing });
    let ended = false;
    void standIn.exited.then(() => {
      ended = true;
    });

    standIn.windows[0]!.personCloses();
    standIn.quit();
    await Promise.resolve();
    expect([ended, closings()]).toEqual([false, 1]);
    finish();

    expect(await standIn.exited).toBe(0);
    expect(closings()).toBe(1);
  });

  it('says so, with exit code 1, when the core does not close', async () => {
    const { standIn, reports } = await start({ close: () => Promise.reject(new Error('disk full')) });
    standIn.quit();
    expect(await standIn.exited).toBe(1);
    expect(reports.slice(1)).toEqual(['The core did not close cleanly: disk full']);
  });

  it('is not the closing of the window on macOS; the dock opens it again', async () => {
    const { standIn, closings } = await start({ platform: 'darwin' });
    standIn.windows[0]!.personCloses();
    expect([standIn.windows.length, closings()]).toEqual([0, 0]);
    standIn.activate();
    expect(standIn.windows).toHaveLength(1);
    expect(standIn.menu()[0]).toEqual({ role: 'appMenu' });
  });

  it('comes at once, with what was wrong, when the core cannot start', async () => {
    const { standIn, reports } = await start({
      startCore: () => Promise.reject(new Error('Port 8787 is in use: choose another with --port.')),
    });
    expect(await standIn.exited).toBe(1);
    expect(standIn.errorBoxes).toEqual([
      { title: 'Signalbox did not start', content: 'Port 8787 is in use: choose another with --port.' },
    ]);
    expect(reports).toHaveLength(1);
    expect(standIn.windows).toHaveLength(0);
  });
});

describe('a crash of the page', () => {
  it('reloads it once, and then says where the console still is', async () => {
    const { standIn } = await start();
    const { webContents } = standIn.windows[0]!;

    webContents.crashes();
    expect([webContents.reloads, standIn.errorBoxes.length]).toEqual([1, 0]);
    webContents.crashes('oom');

    expect(webContents.reloads).toBe(1);
    expect(standIn.errorBoxes[0]!.content).toContain(origin);
    expect(standIn.errorBoxes[0]!.content).toContain('oom');
  });

  it('is not what a clean exit is', async () => {
    const { standIn } = await start();
    standIn.windows[0]!.webContents.crashes('clean-exit');
    expect(standIn.windows[0]!.webContents.reloads).toBe(0);
  });
});
