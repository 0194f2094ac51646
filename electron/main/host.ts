import type { MenuItemConstructorOptions } from 'electron';
import { openConsoleWindow } from './consoleWindow.ts';
import type { ElectronApi, HostApp, HostWindow } from './electronApi.ts';
import type { HostFlags } from './hostFlags.ts';
import { serveToken } from './tokenBridge.ts';
import { denyPermissions, guardContents } from './windowSecurity.ts';

/** The core as the host needs it; `core/compose.ts` gives it. */
export interface HostedCore {
  /** Address of the console, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Bearer token of the person at this console. */
  readonly token: string;
  close(): Promise<void>;
}

export interface HostDeps {
  readonly flags: HostFlags;
  readonly platform: NodeJS.Platform;
  readonly startCore: (options: { readonly dataFolder: string; readonly port?: number }) => Promise<HostedCore>;
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

const runConsole = async (electron: ElectronApi, deps: HostDeps, dataFolder: string): Promise<void> => {
  const { app } = electron;
  await app.whenReady();
  const { port } = deps.flags;
  const core = await deps.startCore({ dataFolder, ...(port === undefined ? {} : { port }) });
  closeCoreBeforeQuit(app, core, deps.report);
  const origin = new URL(core.url).origin;
  app.on('web-contents-created', (_event, contents) => guardContents(contents, origin, electron.shell));
  denyPermissions(electron.session.defaultSession, origin);
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

/** Runs the desktop host. One instance for each data folder; a second one brings the first to the front. */
export const runHost = async (electron: ElectronApi, deps: HostDeps): Promise<void> => {
  const { app } = electron;
  app.enableSandbox();
  if (deps.flags.data !== undefined) app.setPath('userData', deps.flags.data);
  if (!app.requestSingleInstanceLock()) return app.quit();
  try {
    await runConsole(electron, deps, app.getPath('userData'));
  } catch (error) {
    deps.report(`Signalbox did not start: ${messageOf(error)}`);
    electron.dialog.showErrorBox('Signalbox did not start', messageOf(error));
    app.exit(1);
  }
};
