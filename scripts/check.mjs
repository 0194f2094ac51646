import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isMain, packageScript, root, runNode } from './run.mjs';

/** @typedef {{ readonly name: string, readonly run: () => Promise<number> }} Step */

const scanned = ['core', 'electron', 'renderer'];

/**
 * dependency-cruiser ends with 0 when it could read nothing (an unknown TypeScript version makes it
 * so), therefore the count of modules is checked as well.
 */
const layering = async () => {
  const args = [packageScript('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.mjs'];
  const shown = await runNode(/** @type {string} */ (args[0]), [
    ...args.slice(1),
    '--output-type',
    'err-long',
    ...scanned,
  ]);
  const result = spawnSync(process.execPath, [...args, '--output-type', 'json', ...scanned], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  /** @type {{ summary?: { totalCruised?: number, totalDependenciesCruised?: number } }} */
  const report = JSON.parse(result.stdout);
  const modules = report.summary?.totalCruised ?? 0;
  const dependencies = report.summary?.totalDependenciesCruised ?? 0;
  if (modules < 10 || dependencies < 10) {
    console.error(
      `dependency-cruiser read ${modules} modules and ${dependencies} imports: it is not reading the sources.`,
    );
    return 1;
  }
  return shown;
};

/** @type {readonly Step[]} */
const steps = [
  { name: 'page agent', run: () => runNode(path.join(root, 'scripts/buildPageAgent.mjs'), []) },
  { name: 'types (tsc -b)', run: () => runNode(packageScript('typescript/bin/tsc'), ['-b', '--pretty']) },
  {
    name: 'lint (oxlint)',
    run: () => runNode(packageScript('oxlint/bin/oxlint'), ['--type-aware', '--deny-warnings']),
  },
  { name: 'layers (dependency-cruiser)', run: layering },
  { name: 'unused (knip)', run: () => runNode(packageScript('knip/bin/knip.js'), ['--no-progress']) },
  {
    name: 'format (prettier)',
    run: () => runNode(packageScript('prettier/bin/prettier.cjs'), ['--check', '--log-level', 'warn', '.']),
  },
  { name: 'tests (vitest)', run: () => runNode(packageScript('vitest/vitest.mjs'), ['run']) },
];

/** Runs every step even when one fails, then says which did. `--no-tests` leaves the last one out. */
const check = async () => {
  const results = [];
  for (const step of steps) {
    if (process.argv.includes('--no-tests') && step.name.startsWith('tests')) continue;
    console.log(`\n── ${step.name}`);
    const began = performance.now();
    const code = await step.run();
    results.push({ name: step.name, ok: code === 0, seconds: (performance.now() - began) / 1000 });
  }
  console.log('');
  for (const { name, ok, seconds } of results)
    console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(30)} ${seconds.toFixed(1)} s`);
  return results.every(({ ok }) => ok);
};

if (isMain(import.meta.url)) process.exitCode = (await check()) ? 0 : 1;
