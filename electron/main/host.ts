import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { Composed, ComposeOptions } from '../../core/compose.ts';
import { openConsoleWindow } from './consoleWindow.ts';
import type { ElectronApi, HostApp, HostWindow } from './electronApi.ts';
import type { HostFlags } from './hostFlags.ts';
import { serveToken } from './tokenBridge.ts';
import { denyPermissions, guardContents } from './windowSecurity.ts';

/** The core as the host needs it; `core/compose.ts` gives it. */
export type HostedCore = Pick<Composed, 'url' | 'token' | 'remarks' | 'close'>;

export interface HostDeps {
  /** Throws, with what to give instead, when the command line is wrong. */
  readonly flags: () => HostFlags;
  readonly platform: NodeJS.Platform;
  readonly startCore: (options: ComposeOptions) => Promise<HostedCore>;
  /** Where a failure that ends the host is written. */
  readonly report: (message: string) => void;
}

const menuTemplate = (platform: NodeJS.Platform): MenuItemConstructorOptions[] => [
  ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
  { role: 'editMenu' },
  { role: 'viewMenu' },
  { role: 'windowMenu' },
];

/** Quitting waits until the core has closed: leases settled or written down, the store flushed. */
const closeCoreBeforeQuit = (app: HostApp, core: HostedCore, report: HostDeps['report']): void => {
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    core
      .close()
      .then(() => {
        state = 'closed';
        app.quit();
      })
      .catch((error: unknown) => {
        report(`The core did not close cleanly: ${messageOf(error)}`);
        app.exit(1);
      });
  });
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const bringToFront = (window: HostWindow): void => {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
};

/** Keeps at most one console window and opens it again when asked. */
const keepWindow = (electron: ElectronApi, core: HostedCore, dataFolder: string) => {
  let window: HostWindow | null = null;
  const open = async (): Promise<void> => {
    if (window !== null && !window.isDestroyed()) return bringToFront(window);
    const opened = openConsoleWindow(electron, { url: core.url, dataFolder });
    window = opened;
    opened.on('closed', () => {
      if (window === opened) window = null;
    });
    await opened.loadURL(core.url);
  };
  return { open, current: () => window };
};

/** From here on every page of this process is guarded. */
const secure = (electron: ElectronApi, origin: string): void => {
  electron.app.on('web-contents-created', (_event, contents) => guardContents(contents, origin, electron.shell));
  denyPermissions(electron.session.defaultSession, origin);
};

const runConsole = async (electron: ElectronApi, deps: HostDeps, flags: HostFlags): Promise<void> => {
  const { app } = electron;
  const { data: _folder, ...settings } = flags;
  const dataFolder = app.getPath('userData');
  await app.whenReady();
  const core = await deps.startCore({ dataFolder, ...settings });
  for (const remark of core.remarks) deps.report(remark);
  closeCoreBeforeQuit(app, core, deps.report);
  const origin = new URL(core.url).origin;
  secure(electron, origin);
  electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(menuTemplate(deps.platform)));

  const window = keepWindow(electron, core, dataFolder);
  serveToken(electron.ipcMain, { origin, token: core.token, window: window.current });
  const open = (): void => {
    window.open().catch((error: unknown) => deps.report(`The console could not be loaded: ${messageOf(error)}`));
  };
  app.on('second-instance', open);
  app.on('activate', open);
  app.on('window-all-closed', () => {
    if (deps.platform !== 'darwin') app.quit();
  });
  open();
};

/** `--data` becomes Electron's own folder too: the lock of the single instance lies in it. */
const useDataFolder = (app: HostApp, data: string): void => {
  const folder = path.resolve(data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
};

/** Runs the desktop host. One instance for each data folder; a second one brings the first to the front. */
export const runHost = async (electron: ElectronApi, deps: HostDeps): Promise<void> => {
  const { app } = electron;
  try {
    const flags = deps.flags();
    app.enableSandbox();
    if (flags.data !== undefined) useDataFolder(app, flags.data);
    if (app.requestSingleInstanceLock()) await runConsole(electron, deps, flags);
    else app.quit();
  } catch (error) {
    deps.report(`Signalbox did not start: ${messageOf(error)}`);
    electron.dialog.showErrorBox('Signalbox did not start', messageOf(error));
    app.exit(1);
  }
};
