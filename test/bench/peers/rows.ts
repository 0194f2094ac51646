import type { Answer, FormField, Job, Peer } from './peer.ts';

/** A measured cell: medians over `runs`, in ms and bytes; `failed` says why there is none. */
export interface Cell {
  readonly ms: number | null;
  readonly p95: number | null;
  readonly bytes: number | null;
  readonly calls: number;
  readonly runs: number;
  readonly failed?: string;
}

/** What the Signalbox column must not exceed (`baseline.md` of the design). */
export interface Must {
  readonly ms?: number;
  readonly bytes?: number;
  readonly calls?: number;
}

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly must: Must;
  readonly run: (peer: Peer, site: { page(query: string): string }) => Promise<Cell>;
}

const middle = (values: readonly number[], at: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
};

const round = (value: number): number => Math.round(value * 10) / 10;

const cell = (samples: readonly { ms: number; bytes: number; calls: number }[]): Cell => ({
  ms: round(
    middle(
      samples.map((s) => s.ms),
      0.5,
    ),
  ),
  p95: round(
    middle(
      samples.map((s) => s.ms),
      0.95,
    ),
  ),
  bytes: middle(
    samples.map((s) => s.bytes),
    0.5,
  ),
  calls: middle(
    samples.map((s) => s.calls),
    0.5,
  ),
  runs: samples.length,
});

const failed = (why: string, calls = 0): Cell => ({
  ms: null,
  p95: null,
  bytes: null,
  calls,
  runs: 0,
  failed: why.slice(0, 160),
});

const answers = async (runs: number, once: (run: number) => Promise<Answer>): Promise<Cell> => {
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const answer = await once(run);
    if (answer.isError) return failed(answer.text, 1);
    samples.push({ ms: answer.ms, bytes: answer.bytes, calls: 1 });
  }
  return cell(samples);
};

const jobs = async (runs: number, once: (run: number) => Promise<Job>): Promise<Cell> => {
  const samples: Job[] = [];
  for (let run = 0; run < runs; run += 1) {
    const job = await once(run);
    if (!job.done) return failed(job.note ?? 'not done', job.calls);
    samples.push(job);
  }
  return cell(samples);
};

/** A control past the first screens must be found before it can be pressed. */
const seen = async (peer: Peer, url: string, ...names: string[]): Promise<void> => {
  await peer.open(url);
  await peer.look();
  if (peer.name !== 'Signalbox') return;
  for (const name of names) await peer.find(name);
};

const lookAgain = (n: number, runs: number, must: Must): Row => ({
  id: `look-${n}`,
  title: `look at ${n.toLocaleString('en')}, again`,
  must,
  run: async (peer, site) => {
    await peer.open(site.page(`controls.html?n=${n}`));
    const first = await peer.look();
    if (first.isError) return failed(first.text, 1);
    return await answers(runs, () => peer.look());
  },
});

const lookFirst = (n: number, must: Must): Row => ({
  id: `first-${n}`,
  title: `look at ${n.toLocaleString('en')}, first`,
  must,
  run: async (peer, site) =>
    await answers(3, async () => {
      await peer.open(site.page(`controls.html?n=${n}`));
      return await peer.look();
    }),
});

const lookAfter = (button: string, id: string, title: string): Row => ({
  id,
  title,
  must: { ms: 10 },
  run: async (peer, site) => {
    await seen(peer, site.page('controls.html?n=10000'), button);
    return await answers(5, async () => {
      await peer.press(button, '');
      return await peer.look();
    });
  },
});

const press = (n: number, must: Must): Row => ({
  id: `press-${n}`,
  title: `press, synchronous change, until known, page of ${n.toLocaleString('en')}`,
  must,
  run: async (peer, site) => {
    await seen(peer, site.page(`controls.html?n=${n}`), 'Press me');
    return await jobs(n > 1000 ? 5 : 10, (run) => peer.press('Press me', `sync-${run + 1}`));
  },
});

const late = (ms: number, must: Must): Row => ({
  id: `late-${ms}`,
  title: `press whose change comes ${ms} ms later, until known`,
  must,
  run: async (peer, site) => {
    await seen(peer, site.page('later.html'), `Fetch in ${ms}`);
    return await jobs(5, (run) => peer.press(`Fetch in ${ms}`, `after ${ms} ${run + 1}`));
  },
});

const fields: readonly FormField[] = [
  { name: 'First name', kind: 'text', value: 'Ada' },
  { name: 'Last name', kind: 'text', value: 'Lovelace' },
  { name: 'City', kind: 'text', value: 'London' },
  { name: 'Plan', kind: 'select', value: 'Pro' },
  { name: 'Newsletter', kind: 'checkbox', value: 'true' },
];

export const rows: readonly Row[] = [
  lookAgain(100, 10, { ms: 10, bytes: 8_000 }),
  lookAgain(1_000, 10, { ms: 10, bytes: 8_000 }),
  lookAgain(10_000, 5, { ms: 20, bytes: 8_000 }),
  lookAfter('Change one', 'look-10000-changed', 'look at 10,000 after one change'),
  lookAfter('Insert a row', 'look-10000-inserted', 'look at 10,000 after one inserted row'),
  {
    id: 'find-10000',
    title: 'find one of 10,000 by name',
    must: { ms: 20, bytes: 500 },
    run: async (peer, site) => {
      await seen(peer, site.page('controls.html?n=10000'));
      return await answers(5, () => peer.find('Action 4001'));
    },
  },
  press(100, { ms: 75, calls: 1 }),
  press(10_000, { ms: 95, calls: 1 }),
  late(200, { ms: 290, calls: 1 }),
  late(800, { ms: 880, calls: 1 }),
  {
    id: 'type',
    title: 'type into a field',
    must: { ms: 40 },
    run: async (peer, site) => {
      await seen(peer, site.page('controls.html?n=100'), 'First name');
      return await answers(10, (run) => peer.type('First name', `Ada ${run}`));
    },
  },
  {
    id: 'form-1000',
    title: 'form of five controls on 1,000, submit, read the confirmation',
    must: { ms: 600, bytes: 12_000 },
    run: async (peer, site) =>
      await jobs(3, async () => {
        await peer.open(site.page('controls.html?n=1000'));
        return await peer.form(fields, 'Submit five', 'Thanks Ada');
      }),
  },
  {
    id: 'picture',
    title: 'picture 1280x800',
    must: { ms: 30 },
    run: async (peer, site) => {
      await peer.open(site.page('form.html'));
      return await answers(10, () => peer.picture());
    },
  },
  lookFirst(50_000, { ms: 500 }),
  lookAgain(50_000, 3, { ms: 40, bytes: 8_000 }),
];
