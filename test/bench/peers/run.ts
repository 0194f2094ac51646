import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from '../../../core/surfaces/browser/findChromium.ts';
import { command } from '../../support/signalbox.ts';
import { Site } from '../../support/site/site.ts';
import { DevtoolsMcp } from './devtoolsMcp.ts';
import type { Peer } from './peer.ts';
import { PlaywrightMcp } from './playwrightMcp.ts';
import { rows } from './rows.ts';
import type { Cell, Row } from './rows.ts';
import { SignalboxPeer } from './signalboxPeer.ts';

/**
 * `npm run bench:browser`: the rows of the baseline, for each peer, in one run, on the same pages and
 * the same Chromium, over MCP on stdio. Options: `--json FILE`, `--only a,b` (rows), `--peers a,b`.
 */
const { values } = parseArgs({
  options: { json: { type: 'string' }, only: { type: 'string' }, peers: { type: 'string' } },
});

const chromium = await findChromium();
const starters: Record<string, () => Promise<Peer>> = {
  signalbox: () => SignalboxPeer.start(command),
  playwright: () => PlaywrightMcp.start(chromium),
  devtools: () => DevtoolsMcp.start(chromium),
};

type Column = Record<string, Cell>;
interface PeerResult {
  readonly name: string;
  readonly tools: Peer['tools'];
  readonly memory: { readonly idle: number; readonly afterTenLooks: number };
  readonly cells: Column;
}

const measure = async (row: Row, peer: Peer, site: Site): Promise<Cell> => {
  try {
    return await row.run(peer, { page: (query) => `${site.url}/${query}` });
  } catch (error) {
    return { ms: null, p95: null, bytes: null, calls: 0, runs: 0, failed: String(error).slice(0, 160) };
  }
};

const tenLooks = async (peer: Peer, site: Site): Promise<number> => {
  await peer.open(`${site.url}/controls.html?n=10000`);
  for (let i = 0; i < 10; i += 1) await peer.look();
  return peer.memory();
};

const runPeer = async (start: () => Promise<Peer>, chosen: readonly Row[], site: Site): Promise<PeerResult> => {
  const peer = await start();
  try {
    await peer.open(`${site.url}/blank.html`);
    const idle = peer.memory();
    const afterTenLooks = await tenLooks(peer, site);
    const cells: Column = {};
    for (const row of chosen) {
      cells[row.id] = await measure(row, peer, site);
      const cell = cells[row.id];
      console.error(
        `${peer.name}: ${row.title}: ${cell?.failed ?? `${cell?.ms ?? 0} ms, ${cell?.bytes ?? 0} bytes, ${cell?.calls ?? 0} calls`}`,
      );
    }
    return { name: peer.name, tools: peer.tools, memory: { idle, afterTenLooks }, cells };
  } finally {
    await peer.close();
  }
};

const judge = (row: Row, cell: Cell | undefined): string => {
  if (cell === undefined) return '–';
  if (cell.ms === null || cell.bytes === null) return 'missed';
  const over =
    (row.must.ms !== undefined && cell.ms > row.must.ms) ||
    (row.must.bytes !== undefined && cell.bytes > row.must.bytes) ||
    (row.must.calls !== undefined && cell.calls > row.must.calls);
  return over ? 'missed' : 'met';
};

const show = (cell: Cell | undefined): string => {
  if (cell === undefined) return '–';
  if (cell.ms === null) return `failed: ${cell.failed ?? ''}`.replaceAll('\n', ' ').slice(0, 60);
  return `${cell.ms} ms (${Math.round((cell.bytes ?? 0) / 4)} tokens${cell.calls > 1 ? `, ${cell.calls} calls` : ''})`;
};

const only = values.only?.split(',');
const chosen = rows.filter((row) => only === undefined || only.includes(row.id));
const peers = (values.peers ?? 'signalbox,playwright,devtools').split(',');
const site = await Site.start();
const results: PeerResult[] = [];
try {
  for (const name of peers) {
    const start = starters[name];
    if (start === undefined) throw new Error(`No peer called ${name}: choose of ${Object.keys(starters).join(', ')}`);
    results.push(await runPeer(start, chosen, site));
  }
} finally {
  await site[Symbol.asyncDispose]();
}

console.log(`| | ${results.map((r) => r.name).join(' | ')} | must | |`);
console.log(`| --- | ${results.map(() => '---').join(' | ')} | --- | --- |`);
const own = results.find((r) => r.name === 'Signalbox');
for (const row of chosen) {
  const must = [
    row.must.ms === undefined ? '' : `≤ ${row.must.ms} ms`,
    row.must.bytes === undefined ? '' : `≤ ${row.must.bytes} bytes`,
  ];
  const line = [
    row.title,
    ...results.map((r) => show(r.cells[row.id])),
    must.filter(Boolean).join(', '),
    judge(row, own?.cells[row.id]),
  ];
  console.log(`| ${line.join(' | ')} |`);
}
console.log(
  `| tools/list after start | ${results.map((r) => `${Math.round(r.tools.ms)} ms (${Math.round(r.tools.bytes / 4)} tokens)`).join(' | ')} | ≤ 300 ms, ≤ 2000 tokens | |`,
);
console.log(
  `| server memory, idle → after 10 looks at 10,000 | ${results.map((r) => `${r.memory.idle} → ${r.memory.afterTenLooks} MiB`).join(' | ')} | < 150 MiB | |`,
);

if (values.json !== undefined) {
  mkdirSync(dirname(values.json), { recursive: true });
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    chromium,
  };
  writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`);
}
