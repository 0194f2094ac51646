import type { IpcMainInvokeEvent } from 'electron';
import { ipcChannels } from '../ipc.ts';
import type { ElectronApi, HostWindow } from './electronApi.ts';

/** The asking frame is the main frame of the console's window, and it shows the console. */
const isConsole = (event: IpcMainInvokeEvent, window: HostWindow | null, origin: string): boolean => {
  const frame = event.senderFrame;
  if (frame === null || window === null || window.isDestroyed()) return false;
  return frame === window.webContents.mainFrame && URL.canParse(frame.url) && new URL(frame.url).origin === origin;
};

/** Hands the person's token to the console's own page and to nobody else. */
export const serveToken = (
  ipcMain: ElectronApi['ipcMain'],
  console: { readonly origin: string; readonly token: string; readonly window: () => HostWindow | null },
): void => {
  ipcMain.handle(ipcChannels.token, (event) => {
    if (!isConsole(event, console.window(), console.origin))
      throw new Error('Only the console window may ask for the token.');
    return console.token;
  });
};
