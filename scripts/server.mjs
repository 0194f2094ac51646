import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './run.mjs';

/**
 * @typedef {object} ServerInfo what `signalbox serve --json` prints when it listens
 * @property {string} url
 * @property {string} [opener_url]
 * @property {string} [data]
 */

/**
 * Starts `signalbox serve --json` from the build and waits until it listens.
 *
 * @param {readonly string[]} args
 * @returns {Promise<{ info: ServerInfo, ended: Promise<number>, stop: () => Promise<number> }>}
 */
export const startServer = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'bin/signalbox.mjs'), 'serve', '--json', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A process group of its own: Ctrl-C reaches only the starting script, which passes it on once.
      detached: true,
    });
    /** @type {Promise<number>} */
    const ended = new Promise((done) => child.on('close', (code) => done(code ?? 128)));
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      lines.on('line', (more) => console.log(more));
      try {
        resolve({ info: JSON.parse(line), ended, stop });
      } catch (cause) {
        void stop();
        reject(new Error(`signalbox serve --json printed this instead of JSON: ${line}`, { cause }));
      }
    });
    child.on('error', reject);
    void ended.then((code) => reject(new Error(`signalbox serve ended with exit code ${code} before it listened.`)));
  });
