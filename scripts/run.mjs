import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * A package's own executable script, run by this Node: no shell, no lookup in PATH.
 *
 * @param {string} file inside node_modules
 */
export const packageScript = (file) => path.join(root, 'node_modules', file);

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] added to this process's
 * @property {boolean} [quietOutput] its standard output goes to our standard error
 */

/**
 * Runs a command to its end, output straight through.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code; 127 when it could not be started, 128 when a signal ended it
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', options.quietOutput === true ? 2 : 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 128));
  });

/**
 * Runs a script with this Node.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export const runNode = (script, args, options = {}) => run(process.execPath, [script, ...args], options);

/**
 * Whether this module is the one Node was asked to run.
 *
 * @param {string} url `import.meta.url` of the caller
 */
export const isMain = (url) => process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(url);
