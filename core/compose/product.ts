import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SignalboxError } from '../contracts/errors.ts';

/** Folder of the product: where its package.json stands, above the sources or the build. */
const findRoot = (): string => {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new SignalboxError('INTERNAL', 'Signalbox does not find its own package.json.');
    folder = above;
  }
  return folder;
};

const productRoot = findRoot();

export const productVersion = (
  JSON.parse(readFileSync(path.join(productRoot, 'package.json'), 'utf8')) as { version: string }
).version;

/** The built console, or null when it is not built. */
export const builtRenderer = (): string | null => {
  const folder = path.join(productRoot, 'dist', 'renderer');
  return existsSync(path.join(folder, 'index.html')) ? folder : null;
};

/** What an MCP client starts to join a console on this data folder. */
export const stdioCommand = (dataFolder: string | null): { command: string; args: string[] } => ({
  command: process.versions['electron'] === undefined ? process.execPath : 'node',
  args: [path.join(productRoot, 'bin', 'signalbox.mjs'), 'mcp', ...(dataFolder === null ? [] : ['--data', dataFolder])],
});
