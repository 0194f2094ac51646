import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Operator } from '../../support/operator.ts';
import { Stage } from '../../support/stage.ts';
import { memory, openFiles, quantile } from './usage.ts';

/**
 * `npm run bench:soak`: eight agents work eight surfaces at once, and one surface takes ten thousand
 * acts; each page's own log and the process's memory tell what came of it.
 * Options: `--seconds 120`, `--acts 10000`, `--json FILE`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    acts: { type: 'string', default: '10000' },
    json: { type: 'string' },
  },
});
const AGENTS = 8;

interface Worker {
  readonly operator: Operator;
  readonly session: string;
  readonly mark: string;
  entered: number;
  pressed: number;
}

const work = async (worker: Worker, until: number): Promise<void> => {
  const { operator, mark } = worker;
  while (Date.now() < until) {
    const email = await operator.find('email', 'textbox');
    const receipt = await operator.enter(email.ref, `${mark}-${worker.entered}@example.com`);
    if (receipt.value_after !== `${mark}-${worker.entered}@example.com`) {
      throw new Error(`${mark} entered and reads ${receipt.value_after ?? 'nothing'}`);
    }
    worker.entered += 1;
    const submit = await operator.find('submit order', 'button');
    const sent = await operator.press(submit.ref);
    if (!sent.changed) throw new Error(`${mark}: an order changed nothing`);
    worker.pressed += 1;
  }
};

const crossTalk = (stage: Stage, workers: readonly Worker[]): number =>
  workers.reduce((sum, { session, mark, pressed }) => {
    const orders = stage.site.did(session, 'order');
    const foreign = orders.filter(({ data }) => !(data as { email: string }).email.startsWith(`${mark}-`)).length;
    return sum + foreign + Math.abs(orders.length - pressed);
  }, 0);

const together = async (stage: Stage, seconds: number): Promise<Record<string, unknown>> => {
  const workers: Worker[] = [];
  for (let i = 0; i < AGENTS; i += 1) {
    workers.push({ ...(await stage.trustedAt('form')), mark: `agent${i}`, entered: 0, pressed: 0 });
  }
  await Promise.all(workers.map((worker) => work(worker, Date.now() + 5_000)));
  const before = memory(stage.signalbox.pid);
  await Promise.all(workers.map((worker) => work(worker, Date.now() + seconds * 1_000)));
  const after = memory(stage.signalbox.pid);
  const orders = workers.reduce((sum, { pressed }) => sum + pressed, 0);
  return { agents: AGENTS, seconds, orders, crossTalk: crossTalk(stage, workers), memoryMiB: { before, after } };
};

const manyActs = async (stage: Stage, acts: number): Promise<Record<string, unknown>> => {
  const { operator } = await stage.trustedAt('later');
  const button = await operator.find('change now');
  const warm = Math.min(500, Math.ceil(acts / 10));
  const times: number[] = [];
  const some = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      const from = performance.now();
      await operator.press(button.ref);
      times.push(performance.now() - from);
    }
  };
  await some(warm);
  const pid = stage.signalbox.pid;
  const before = { ...memory(pid), files: openFiles(pid) };
  await some(acts - warm);
  const after = { ...memory(pid), files: openFiles(pid) };
  const tenth = Math.ceil(times.length / 10);
  return {
    acts,
    before,
    after,
    medianMs: { firstTenth: quantile(times.slice(0, tenth), 0.5), lastTenth: quantile(times.slice(-tenth), 0.5) },
  };
};

const stage = await Stage.open();
try {
  const result = {
    at: new Date().toISOString(),
    together: await together(stage, Number(values.seconds)),
    manyActs: await manyActs(stage, Number(values.acts)),
  };
  console.log(JSON.stringify(result, null, 2));
  if (values.json !== undefined) {
    mkdirSync(dirname(values.json), { recursive: true });
    writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await stage[Symbol.asyncDispose]();
}
