import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { coreBench } from './coreBench.ts';
import { surfaceBench } from './surfaceBench.ts';
import type { Measured } from './samples.ts';

/** `npm run bench [-- --json FILE] [--only core|surfaces]`. Kept at test/bench/results/<date>.json when no file is given. */
const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });
const started = new Date();
const [loadBefore] = loadavg();

const row = (name: string, ...cells: readonly string[]): string =>
  `${name.padEnd(62)}${cells.map((cell) => cell.padStart(11)).join('')}`;
const print = (results: readonly Measured[]): void => {
  for (const { name, p50, p95, max, runs, bytes } of results)
    console.log(
      row(name, p50.toFixed(2), p95.toFixed(2), max.toFixed(2), String(runs), bytes === undefined ? '' : String(bytes)),
    );
};

console.log(row('milliseconds', 'p50', 'p95', 'max', 'runs', 'bytes'));
const results: Measured[] = [];
let facts: Readonly<Record<string, number>> = {};
if (values.only !== 'surfaces') {
  const core = await coreBench();
  print(core);
  results.push(...core);
}
if (values.only !== 'core') {
  const surfaces = await surfaceBench(print);
  results.push(...surfaces.results);
  facts = surfaces.facts;
  for (const [name, value] of Object.entries(facts)) console.log(row(name, String(value)));
}

const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const report = {
  date: started.toISOString(),
  seconds: Math.round((Date.now() - started.getTime()) / 1000),
  signalbox: version,
  machine: {
    node: process.version,
    platform: `${process.platform} ${release()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_before: loadBefore,
  },
  facts,
  results,
};
const file = path.resolve(
  values.json ?? path.join(import.meta.dirname, 'results', `${report.date.slice(0, 19).replaceAll(':', '-')}.json`),
);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
console.log(`\nKept in ${path.relative(process.cwd(), file)} (${report.seconds} s)`);
