import { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, screen, session, shell } from 'electron';
import { compose } from '../../core/compose.ts';
import { runHost } from './host.ts';
import { parseHostFlags } from './hostFlags.ts';

const report = (message: string): void => void process.stderr.write(`signalbox: ${message}\n`);

// Not awaited: Electron becomes ready only after this module was evaluated.
runHost(
  { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, screen, session, shell },
  {
    flags: () => parseHostFlags(process.argv.slice(1)),
    platform: process.platform,
    startCore: compose,
    report,
  },
).catch((error: unknown) => {
  report(error instanceof Error ? error.message : String(error));
  app.exit(1);
});
