import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { isMain, packageScript, root, runNode } from './run.mjs';
import { checkSystemPackages } from './systemPackages.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/**
 * @typedef {object} Runner
 * @property {string} name
 * @property {string} report where its JSON report goes
 * @property {string} script
 * @property {readonly string[]} args
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(report: string) => Counts} count
 */

const results = path.join(root, 'test-results');
const countsFile = path.join(results, 'counts.json');

/**
 * A file that could not be loaded holds no test at all in the report; it counts as one failure.
 *
 * @param {string} text
 * @returns {Counts}
 */
export const countVitest = (text) => {
  /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const report = JSON.parse(text);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  };
};

/**
 * A flaky test passed only when repeated: that is a failure here. `errors` are faults outside tests.
 *
 * @param {string} text
 * @returns {Counts}
 */
export const countPlaywright = (text) => {
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} */
  const { stats, errors } = JSON.parse(text);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
};

/** @type {readonly Runner[]} */
const runners = [
  {
    name: 'vitest',
    report: path.join(results, 'vitest.json'),
    script: packageScript('vitest/vitest.mjs'),
    args: ['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/vitest.json'],
    count: countVitest,
  },
  {
    name: 'playwright',
    report: path.join(results, 'playwright.json'),
    script: packageScript('@playwright/test/cli.js'),
    args: ['test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(results, 'playwright.json') },
    count: countPlaywright,
  },
];

/**
 * A runner that crashed, wrote no report, ran nothing, or failed without naming a test counts as one failure.
 *
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
export const honest = (counts, code) =>
  counts.failed === 0 && (code !== 0 || counts.passed === 0) ? { ...counts, failed: 1 } : counts;

/**
 * @param {Runner} runner
 * @returns {Promise<Counts>}
 */
const runRunner = async (runner) => {
  console.log(`\n── ${runner.name}`);
  rmSync(runner.report, { force: true });
  const code = await runNode(runner.script, runner.args, runner.env === undefined ? {} : { env: runner.env });
  if (!existsSync(runner.report)) {
    console.error(`${runner.name} ended with exit code ${code} and wrote no report.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const counts = honest(runner.count(readFileSync(runner.report, 'utf8')), code);
  console.log(`${runner.name}: ${lastLine(counts)}`);
  return counts;
};

/** @param {Counts} counts */
export const lastLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** @param {readonly Counts[]} parts */
export const sum = (parts) =>
  parts.reduce(
    (total, part) => ({
      passed: total.passed + part.passed,
      failed: total.failed + part.failed,
      skipped: total.skipped + part.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** @returns {Promise<Counts>} */
const test = async () => {
  if (!(await checkSystemPackages('test'))) return { passed: 0, failed: 1, skipped: 0 };
  try {
    await ensureBuilt();
  } catch (error) {
    console.error(`Build failed: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const parts = [];
  for (const runner of runners) parts.push(await runRunner(runner));
  return sum(parts);
};

if (isMain(import.meta.url)) {
  mkdirSync(results, { recursive: true });
  rmSync(countsFile, { force: true });
  const counts = await test();
  writeFileSync(countsFile, JSON.stringify(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
  console.log(`\n${lastLine(counts)}`);
}
