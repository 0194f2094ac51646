import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const unixNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const macApps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const windowsApps = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
];

/** @param {string} file */
const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * @param {string} name
 * @returns {string | null} the first executable of that name in PATH
 */
export const findInPath = (name) =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name))
    .find(isExecutable) ?? null;

/** @returns {string[]} */
const candidates = () => {
  if (process.platform === 'darwin') return macApps;
  if (process.platform === 'win32') {
    const roots = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']];
    return roots.flatMap((root) => (root === undefined ? [] : windowsApps.map((app) => path.join(root, app))));
  }
  return unixNames.flatMap((name) => findInPath(name) ?? []);
};

/**
 * The Chromium to use, or null. `SIGNALBOX_CHROMIUM` or `CHROMIUM_PATH` overrides the lookup, as in
 * `core/surfaces/browser/findChromium.ts`.
 *
 * @returns {string | null}
 */
export const findChromium = () => {
  const chosen = process.env['SIGNALBOX_CHROMIUM'] || process.env['CHROMIUM_PATH'] || '';
  if (chosen !== '') return isExecutable(chosen) ? chosen : null;
  return candidates().find(isExecutable) ?? null;
};

/**
 * Chromium refuses to run its sandbox as root.
 *
 * @returns {string[]}
 */
export const chromiumRootFlags = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);
