import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ipcChannels, type HostBridge } from '../../electron/ipc.ts';
import { createElectronStandIn, type StandIn } from '../support/electronStandIn.ts';

/** The whole of `electron/main/main.ts`, with the real core, on a stand-in of Electron. */

let folder: string;
const argv = process.argv;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'signalbox-main-'));
});
afterEach(() => {
  process.argv = argv;
  vi.doUnmock('electron');
  vi.resetModules();
  rmSync(folder, { recursive: true, force: true });
});

const startMain = async (options: { isFirstInstance?: boolean } = {}): Promise<StandIn> => {
  const standIn = createElectronStandIn({ userData: path.join(folder, 'unused'), ...options });
  vi.doMock('electron', () => ({ ...standIn.electron }));
  process.argv = ['electron', '.', '--no-sandbox', '--port', '0', '--data', path.join(folder, 'data')];
  await import('../../electron/main/main.ts');
  return standIn;
};

const health = async (url: string): Promise<number | 'refused'> => {
  try {
    return (await fetch(new URL('/x/health', url))).status;
  } catch {
    return 'refused';
  }
};

describe('the main process', () => {
  it('hosts the core, hands its token to its window, and ends it when it quits', async () => {
    const standIn = await startMain();
    await vi.waitFor(() => expect(standIn.windows[0]?.visible).toBe(true), { timeout: 15_000, interval: 20 });
    const { webContents } = standIn.windows[0]!;
    const url = webContents.getURL();
    const run = path.join(folder, 'data/run.json');

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(await health(url)).toBe(200);
    const token = await standIn.invoke(ipcChannels.token, webContents.mainFrame);
    const me = await fetch(new URL('/x/me', url), { headers: { authorization: `Bearer ${String(token)}` } });
    expect(await me.json()).toMatchObject({ principal: { type: 'user' }, roles: expect.arrayContaining(['admin']) });
    // The person's token is on disk nowhere; run.json has the agent's.
    expect(readFileSync(run, 'utf8')).not.toContain(String(token));

    standIn.windows[0]!.personCloses();

    expect(await standIn.exited).toBe(0);
    expect(await health(url)).toBe('refused');
    expect(existsSync(run)).toBe(false);
    expect(standIn.errorBoxes).toEqual([]);
  });

  it('starts nothing when another one holds the data folder', async () => {
    const standIn = await startMain({ isFirstInstance: false });
    expect(await standIn.exited).toBe(0);
    expect(existsSync(path.join(folder, 'data/signalbox.db'))).toBe(false);
  });
});

describe('the preload', () => {
  const load = async (answer: unknown): Promise<{ name: string; bridge: HostBridge; asked: string[] }> => {
    const exposed: { name: string; bridge: HostBridge }[] = [];
    const asked: string[] = [];
    vi.doMock('electron', () => ({
      contextBridge: { exposeInMainWorld: (name: string, bridge: HostBridge) => exposed.push({ name, bridge }) },
      ipcRenderer: {
        invoke: async (channel: string) => {
          asked.push(channel);
          return answer;
        },
      },
    }));
    await import('../../electron/preload/preload.ts');
    expect(exposed).toHaveLength(1);
    return { ...exposed[0]!, asked };
  };

  it('gives the page one question and one word, nothing of Electron', async () => {
    const { name, bridge, asked } = await load('the-token');
    expect(name).toBe('signalbox');
    expect(Object.keys(bridge).toSorted()).toEqual(['platform', 'token']);
    expect(bridge.platform).toBe(process.platform);
    expect(await bridge.token()).toBe('the-token');
    expect(asked).toEqual([ipcChannels.token]);
  });

  it('says so when the host gives none', async () => {
    const { bridge } = await load(undefined);
    await expect(bridge.token()).rejects.toThrow('no token');
  });
});
