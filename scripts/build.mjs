import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { build as esbuild } from 'esbuild';
import { withBuildLock } from './buildLock.mjs';
import { isMain, packageScript, root, runNode } from './run.mjs';

const dist = path.join(root, 'dist');
const stampFile = path.join(dist, 'build.stamp');

/** What a build reads. Anything else may change without a rebuild. */
const sourceFolders = ['core', 'electron', 'renderer'];
const sourceFiles = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'scripts/buildPageAgent.mjs',
  'assets/icons/icon.svg',
];
const isSource = (/** @type {string} */ file) =>
  !/\.test\.tsx?$|\.generated\.|README\.md$|\.tsbuildinfo$/.test(file) && !file.includes('node_modules');

/** Hash of every source's path and bytes: the same sources give the same stamp, whenever touched. */
const stampOfSources = () => {
  const hash = createHash('sha256').update(process.version);
  const inFolders = sourceFolders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  );
  for (const file of [...inFolders.filter(isSource), ...sourceFiles].toSorted()) {
    const full = path.join(root, file);
    if (existsSync(full)) hash.update(`\0${file}\0`).update(readFileSync(full));
  }
  return hash.digest('hex');
};

/** Standard output belongs to whoever asked for the build: it may be a line of JSON or MCP messages. */
const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
const toStderr = { quietOutput: true };

const isBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOfSources();

/**
 * Compiled files whose source is gone would still be importable.
 *
 * @param {string} folder
 */
const removeStale = (folder) => {
  const out = path.join(dist, folder);
  if (!existsSync(out)) return;
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    const match = /^(.*?)(\.d\.ts|\.js|\.js\.map)$/.exec(entry.name);
    if (!entry.isFile() || match?.[1] === undefined || entry.name.includes('.generated.')) continue;
    const inside = path.relative(out, entry.parentPath);
    if (!existsSync(path.join(root, folder, inside, `${match[1]}.ts`))) rmSync(path.join(entry.parentPath, entry.name));
  }
};

/**
 * @param {string} what
 * @param {Promise<number>} exit
 */
const mustEndWell = async (what, exit) => {
  const code = await exit;
  if (code !== 0) throw new Error(`${what} failed with exit code ${code}; its messages are above.`);
};

const pageAgent = async () => {
  await mustEndWell('The page agent bundle', runNode(path.join(root, 'scripts/buildPageAgent.mjs'), [], toStderr));
  const to = path.join(dist, 'core/surfaces/browser');
  mkdirSync(to, { recursive: true });
  for (const name of ['pageAgent.generated.js', 'pageAgent.generated.d.ts'])
    await copyFile(path.join(root, 'core/surfaces/browser', name), path.join(to, name));
};

const compile = async () => {
  await mustEndWell(
    'TypeScript',
    runNode(packageScript('typescript/bin/tsc'), ['-b', 'core', 'electron', '--pretty'], toStderr),
  );
  removeStale('core');
  removeStale('electron');
};

/** A sandboxed preload must be one CommonJS file. */
const preload = () =>
  esbuild({
    absWorkingDir: root,
    entryPoints: ['electron/preload/preload.ts'],
    outfile: 'dist/electron/preload/preload.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['electron'],
    logLevel: 'warning',
  });

const renderer = () =>
  mustEndWell(
    'The renderer bundle',
    runNode(packageScript('vite/bin/vite.js'), ['build', 'renderer', '--logLevel', 'warn'], toStderr),
  );

/** @type {readonly (readonly [string, () => Promise<unknown>])[]} */
const steps = [
  ['page agent', pageAgent],
  ['core and electron', compile],
  ['preload', preload],
  ['renderer', renderer],
];

/** The stamp is taken before, removed first and written last: an interrupted build is never taken for whole. */
const buildAll = async () => {
  const stamp = stampOfSources();
  mkdirSync(dist, { recursive: true });
  rmSync(stampFile, { force: true });
  const began = performance.now();
  for (const [name, step] of steps) {
    const from = performance.now();
    await step();
    say(`  ${name.padEnd(18)} ${((performance.now() - from) / 1000).toFixed(1)} s`);
  }
  writeFileSync(stampFile, stamp);
  say(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
};

/**
 * Builds `dist/` unless it is already what the sources say. Throws when a step fails.
 *
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<'built' | 'up to date'>}
 */
export const ensureBuilt = async ({ force = false } = {}) => {
  if (!force && isBuilt()) return 'up to date';
  return withBuildLock(path.join(root, 'node_modules/.signalbox-build.lock'), async () => {
    // Another process may have built the same sources while this one waited.
    if (!force && isBuilt()) return 'up to date';
    say('Building …');
    await buildAll();
    return 'built';
  });
};

if (isMain(import.meta.url)) {
  try {
    const outcome = await ensureBuilt({ force: process.argv.includes('--force') });
    if (outcome === 'up to date') say('dist/ is up to date.');
  } catch (error) {
    console.error(`Build failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
