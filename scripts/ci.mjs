import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isMain, root, runNode } from './run.mjs';
import { startServer } from './server.mjs';
import { lastLine, sum } from './test.mjs';

/** @typedef {import('./test.mjs').Counts} Counts */

const checker = path.join(root, '../shared/conformance/check.mjs');

/** Documents the server has, by the checker's mode. */
const documents = { class: '/x/class.json', caop: '/openapi.json' };

/** @returns {Promise<Counts>} */
const npmTest = async () => {
  const file = path.join(root, 'test-results/counts.json');
  rmSync(file, { force: true });
  const code = await runNode(path.join(root, 'scripts/test.mjs'), []);
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  /** @type {Counts} */
  const counts = JSON.parse(readFileSync(file, 'utf8'));
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
};

/**
 * @param {string} mode
 * @param {string} url
 * @param {string} token
 * @param {string} folder
 */
const conforms = async (mode, url, token, folder) => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  const file = path.join(folder, `${mode}.json`);
  writeFileSync(file, await answer.text());
  return spawnSync(process.execPath, [checker, mode, '--file', file], { stdio: 'inherit' }).status === 0;
};

/**
 * One test for each document of the running server.
 *
 * @returns {Promise<Counts>}
 */
const conformance = async () => {
  if (!existsSync(checker)) {
    console.log('\nConformance: skipped, its checker is not beside this checkout.');
    return { passed: 0, failed: 0, skipped: Object.keys(documents).length };
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'signalbox-conformance-'));
  const data = path.join(folder, 'data');
  const server = startServer(['--port', '0', '--data', data]);
  try {
    await server.started;
    /** @type {{ url: string, agentToken: string }} */
    const { url, agentToken } = JSON.parse(readFileSync(path.join(data, 'run.json'), 'utf8'));
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const [mode, document] of Object.entries(documents)) {
      console.log(`\n── conformance: ${mode}`);
      const ok = await conforms(mode, new URL(document, url).href, agentToken, folder);
      counts[ok ? 'passed' : 'failed'] += 1;
    }
    return counts;
  } finally {
    server.stop();
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
  }
};

if (isMain(import.meta.url)) {
  const parts = [await npmTest()];
  try {
    parts.push(await conformance());
  } catch (error) {
    console.error(`Conformance: ${error instanceof Error ? error.message : String(error)}`);
    parts.push({ passed: 0, failed: 1, skipped: 0 });
  }
  const counts = sum(parts);
  process.exitCode = counts.failed === 0 ? 0 : 1;
  console.log(`\n${lastLine(counts)}`);
}
