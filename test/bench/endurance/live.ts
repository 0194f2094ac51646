import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Stage } from '../../support/stage.ts';
import { cpuSeconds, quantile } from './usage.ts';
import { Viewer } from './viewer.ts';

/**
 * `npm run bench:live`: the live view at 1280x800 on a page that animates and on one that stands
 * still, with a quick and a slow viewer. Option: `--json FILE`. The waits are the spans measured over.
 */
const SPAN_MS = 10_000;
const { values } = parseArgs({ options: { json: { type: 'string' } } });

const stage = await Stage.open();
const pid = stage.signalbox.pid;

/** Processor use over one span, in percent of one core. */
const load = async (ms: number): Promise<number> => {
  const [from, at] = [cpuSeconds(pid), performance.now()];
  await pass(ms);
  return Math.round(((cpuSeconds(pid) - from) / ((performance.now() - at) / 1000)) * 1000) / 10;
};

const ages = (viewer: Viewer): number[] => viewer.frames.map(({ header, received }) => received - header.at);

const pressTimes = async (press: () => Promise<unknown>, count: number): Promise<number[]> => {
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const from = performance.now();
    await press();
    times.push(performance.now() - from);
  }
  return times;
};

try {
  const moving = await stage.trustedAt('animation');
  await moving.operator.perceive();
  const alone = await load(SPAN_MS);
  const viewer = await Viewer.open(stage.signalbox, moving.operator.surfaceId);
  await pass(1_000);
  viewer.frames.length = 0;
  const watched = await load(SPAN_MS);
  const frames = viewer.frames.length;
  const seen = ages(viewer);
  await viewer.close();

  const still = await stage.trustedAt('later');
  await still.operator.perceive();
  const stillViewer = await Viewer.open(stage.signalbox, still.operator.surfaceId);
  await pass(2_000);
  stillViewer.frames.length = 0;
  const stillLoad = await load(SPAN_MS / 2);
  const stillFrames = stillViewer.frames.length;
  await stillViewer.close();

  const button = await still.operator.find('change now');
  const press = (): Promise<unknown> => still.operator.press(button.ref);
  await pressTimes(press, 3);
  const without = await pressTimes(press, 20);
  const slow = await Viewer.open(stage.signalbox, still.operator.surfaceId, 2_000);
  const withSlow = await pressTimes(press, 20);
  await slow.close();

  const result = {
    at: new Date().toISOString(),
    animated: {
      framesPerSecond: Math.round((frames / (SPAN_MS / 1000)) * 10) / 10,
      frameAgeMs: { median: quantile(seen, 0.5), p99: quantile(seen, 0.99), max: Math.max(...seen) },
      coreUsePercent: { unwatched: alone, watched, added: Math.round((watched - alone) * 10) / 10 },
    },
    still: { frames: stillFrames, coreUsePercent: stillLoad },
    slowViewer: {
      pressMedianMs: { without: quantile(without, 0.5), with: quantile(withSlow, 0.5) },
      framesTaken: slow.frames.length,
    },
  };
  console.log(JSON.stringify(result, null, 2));
  if (values.json !== undefined) {
    mkdirSync(dirname(values.json), { recursive: true });
    writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await stage[Symbol.asyncDispose]();
}
