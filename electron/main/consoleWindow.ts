import path from 'node:path';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { ElectronApi, HostWindow } from './electronApi.ts';
import { recallWindow, rememberWindow, smallestWindow } from './windowState.ts';

/** A page that crashes again within this time (ms) of its reload is not reloaded a second time. */
const RELOAD_ONCE_WITHIN = 60_000;

/** Backgrounds of `renderer/ui/tokens.css`, so that the window does not flash before the page is there. */
const background = { dark: '#0d1015', light: '#f5f6f8' };

const windowOptions = (electron: ElectronApi, dataFolder: string): BrowserWindowConstructorOptions => {
  const remembered = recallWindow(dataFolder, electron.screen);
  return {
    title: 'Signalbox',
    ...(remembered?.bounds ?? { width: 1_440, height: 900 }),
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: electron.nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    webPreferences: {
      preload: path.join(import.meta.dirname, '../preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
    },
  };
};

const reloadOnceAfterCrash = (electron: ElectronApi, window: HostWindow, url: string): void => {
  let reloadedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const now = performance.now();
    if (now - reloadedAt < RELOAD_ONCE_WITHIN) {
      electron.dialog.showErrorBox(
        'The console window crashed twice',
        `Agents, approvals and the record are not affected: they live in the main process. ` +
          `Close this window and start Signalbox again, or open ${url} in a browser. (${details.reason})`,
      );
      return;
    }
    reloadedAt = now;
    window.webContents.reload();
  });
};

/** Opens the console's window. Its contents are guarded where every contents is: in `host.ts`. */
export const openConsoleWindow = (
  electron: ElectronApi,
  console: { readonly url: string; readonly dataFolder: string },
): HostWindow => {
  const window = new electron.BrowserWindow(windowOptions(electron, console.dataFolder));
  if (recallWindow(console.dataFolder, electron.screen)?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => rememberWindow(console.dataFolder, window));
  reloadOnceAfterCrash(electron, window, console.url);
  return window;
};
