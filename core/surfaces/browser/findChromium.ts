import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { SignalboxError } from '../../contracts/errors.ts';

const unixNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const windowsApps = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

const isExecutable = async (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

const installed = (env: NodeJS.ProcessEnv): string[] => {
  if (process.platform === 'darwin') return macApps;
  if (process.platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return roots.flatMap((root) => (root === undefined ? [] : windowsApps.map((app) => join(root, app))));
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return unixNames.flatMap((name) => folders.map((folder) => join(folder, name)));
};

/** Playwright's own download, when there is one. Imported only when needed: it is large. */
const playwrightChromium = async (): Promise<string> => (await import('playwright-core')).chromium.executablePath();

/**
 * Path of the Chromium to launch: `chosen`, else `SIGNALBOX_CHROMIUM` or `CHROMIUM_PATH`, else an
 * installed Chromium, Chrome or Edge, else Playwright's.
 */
export const findChromium = async (chosen?: string, env: NodeJS.ProcessEnv = process.env): Promise<string> => {
  for (const named of [chosen, env['SIGNALBOX_CHROMIUM'], env['CHROMIUM_PATH']]) {
    if (named === undefined || named === '') continue;
    if (await isExecutable(named)) return named;
    throw new SignalboxError('NOT_SUPPORTED', `There is no browser program at ${named}. Correct that setting.`);
  }
  for (const candidate of installed(env)) if (await isExecutable(candidate)) return candidate;
  const downloaded = await playwrightChromium();
  if (downloaded !== '' && (await isExecutable(downloaded))) return downloaded;
  throw new SignalboxError(
    'NOT_SUPPORTED',
    'No Chromium was found. Install chromium, Google Chrome or Microsoft Edge, or set CHROMIUM_PATH to one.',
  );
};
