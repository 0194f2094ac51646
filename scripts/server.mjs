import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './run.mjs';

/**
 * @typedef {object} ServerInfo what `signalbox serve --json` prints when it listens
 * @property {string} url
 * @property {string} opener_url
 */

/**
 * @param {string} line
 * @returns {ServerInfo}
 */
const parseInfo = (line) => {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`signalbox serve --json printed this instead of JSON: ${line}`, { cause });
  }
};

/**
 * Starts `signalbox serve --json` from the build. `started` resolves when it listens and rejects when
 * it ends before; `ended` gives its exit code; `stop` asks it to end.
 *
 * @param {readonly string[]} args
 */
export const startServer = (args) => {
  const child = spawn(process.execPath, [path.join(root, 'bin/signalbox.mjs'), 'serve', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own: Ctrl-C reaches only the starting script, which passes it on once.
    detached: true,
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 128));
  });
  /** @type {Promise<ServerInfo>} */
  const started = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      try {
        resolve(parseInfo(line));
      } catch (error) {
        child.kill('SIGTERM');
        reject(error);
      }
    });
    ended.then((code) => reject(new Error(`signalbox serve ended with exit code ${code} before it listened.`)), reject);
  });
  return { started, ended, stop: () => child.kill('SIGTERM') };
};
