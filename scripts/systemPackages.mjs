import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { findChromium, findInPath } from './chromium.mjs';
import { isMain, run } from './run.mjs';

/** @typedef {'start' | 'test'} Use */
/**
 * @typedef {object} SystemPackage
 * @property {string} name as a person would say it
 * @property {string} apt package of Debian and Ubuntu
 * @property {Partial<Record<Use, 'required' | 'wanted'>>} neededFor
 * @property {string} without what does not work when it is missing
 * @property {() => boolean} isThere
 */

const hasFonts = () =>
  ['/usr/share/fonts', '/usr/local/share/fonts'].some((f) => existsSync(f) && readdirSync(f).length > 0);

/** Debian keeps the server's programs off PATH, by version. */
const hasPostgres = () => {
  const base = '/usr/lib/postgresql';
  return existsSync(base) && readdirSync(base).some((version) => existsSync(`${base}/${version}/bin/initdb`));
};

/** @type {readonly SystemPackage[]} */
const table = [
  {
    name: 'Chromium',
    apt: 'chromium',
    neededFor: { start: 'wanted', test: 'required' },
    without: 'browser surfaces cannot be opened',
    isThere: () => findChromium() !== null,
  },
  {
    name: 'a font',
    apt: 'fonts-liberation',
    neededFor: { start: 'wanted', test: 'required' },
    without: 'pages show boxes instead of letters',
    isThere: () => process.platform !== 'linux' || hasFonts(),
  },
  {
    name: 'Xvfb',
    apt: 'xvfb',
    neededFor: { test: 'required' },
    without: 'what opens a window cannot be tested',
    isThere: () => process.platform !== 'linux' || findInPath('Xvfb') !== null,
  },
];

const hasApt = () =>
  process.platform === 'linux' && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
const isRoot = () => process.getuid?.() === 0;

/** @param {readonly SystemPackage[]} missing */
const installByApt = async (missing) => {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const names = missing.map((item) => item.apt);
  console.log(`Installing ${names.join(', ')} with apt-get …`);
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], { env });
};

/** @param {readonly SystemPackage[]} missing */
const sayHowToMend = (missing) => {
  for (const item of missing) console.error(`Missing: ${item.name}. Without it ${item.without}.`);
  const names = missing.map((item) => item.apt).join(' ');
  if (hasApt()) console.error(`Install with:\n\n  sudo apt-get update && sudo apt-get install -y ${names}\n`);
  else if (process.platform === 'darwin') console.error('Install with:\n\n  brew install --cask chromium\n');
  else console.error(`Install with your system's package manager (the Debian names are: ${names}).`);
  const named = process.env['SIGNALBOX_CHROMIUM'] || process.env['CHROMIUM_PATH'];
  console.error(
    named
      ? `The Chromium that is named, ${named}, is not there.`
      : 'A Chromium elsewhere can be named in SIGNALBOX_CHROMIUM.',
  );
};

/**
 * Checks what the use needs; installs what is missing when it may, else says how.
 *
 * @param {Use} use
 * @returns {Promise<boolean>} false: something required is missing
 */
export const checkSystemPackages = async (use) => {
  const needed = table.filter((item) => item.neededFor[use] !== undefined);
  const missing = () => needed.filter((item) => !item.isThere());
  if (missing().length > 0 && hasApt() && isRoot()) await installByApt(missing());
  const left = missing();
  if (left.length > 0) sayHowToMend(left);
  return left.every((item) => item.neededFor[use] !== 'required');
};

if (isMain(import.meta.url)) {
  // Tests need everything that starting needs.
  if (await checkSystemPackages('test')) console.log('System packages: all there.');
  else process.exitCode = 1;
}
