import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { EventEnvelope } from '../../core/contracts/caop.ts';
import type { SurfaceView } from '../../core/contracts/console.ts';
import type { Receipt } from '../../core/contracts/operatorClass.ts';
import type { Principal } from '../../core/contracts/principal.ts';
import { createGate } from '../../core/gate/createGate.ts';
import { createKernel } from '../../core/kernel/createKernel.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import type { Preflight, Surface, SurfaceProvider } from '../../core/kernel/ports.ts';
import { createFileArtifacts } from '../../core/stores/files/createFileArtifacts.ts';
import { randomIds } from '../../core/stores/files/randomIds.ts';
import { systemClock } from '../../core/stores/files/systemClock.ts';
import { openSqliteStore } from '../../core/stores/sqlite/openSqliteStore.ts';
import { repeat, summarize } from './samples.ts';
import type { Measured } from './samples.ts';

const nothing: Disposable = { [Symbol.dispose]: () => undefined };
const description: Omit<SurfaceView, 'holder' | 'busy' | 'pending_approvals'> = {
  id: 'sur_nothing',
  kind: 'other',
  label: 'Nothing',
  readiness: 'settled',
  generation: 1,
  state: 'ready',
  badges: [],
  live: false,
  facets: [],
};
const receipt: Receipt = {
  changed: true,
  readiness: 'settled',
  effects: [{ kind: 'text_appeared', detail: 'none → Sent 1' }],
};
const ready: Preflight = {
  kind: 'ready',
  reading: { ref: 'e1', role: 'button', name: 'Submit' },
  address: null,
  generation: 1,
};

/** A surface that takes no time, so that what is measured is the gate: policy, lease, receipt, trace. */
const instantSurface: Surface = {
  id: description.id,
  kind: 'other',
  facets: [],
  describe: () => description,
  perceive: async () => ({ targets: [], readiness: 'settled' }),
  settle: async () => ({ readiness: 'settled' }),
  capture: async () => {
    throw new Error('no picture');
  },
  snapshot: async () => null,
  preflight: async () => ready,
  perform: async (_call, guard) => {
    guard.before();
    guard.sent('nothing');
    return receipt;
  },
  watch: () => nothing,
  input: async () => undefined,
  onChange: () => nothing,
  close: async () => undefined,
};
const provider: SurfaceProvider = {
  kind: 'other',
  open: async () => instantSurface,
  onOpened: () => nothing,
  close: async () => undefined,
};

const agent: Principal = { ref: { type: 'agent', id: 'bench' }, roles: [], surfaces: null, tokenId: 'tok_bench' };
const person: Principal = {
  ref: { type: 'user', id: 'bench' },
  roles: ['admin'],
  surfaces: null,
  tokenId: 'tok_person',
};

const gateBench = async (folder: string, store: EventStore): Promise<readonly Measured[]> => {
  const clock = systemClock();
  const ids = randomIds();
  const kernel = await createKernel({ store, clock, ids, version: 'bench', autoApprove: true });
  const artifacts = createFileArtifacts({ folder: join(folder, 'artifacts') });
  const gate = await createGate({ kernel, providers: [provider], clock, ids, artifacts });
  try {
    const surface = await gate.openSurface({ kind: 'other' }, person);
    const context = { principal: agent, client: 'bench', signal: new AbortController().signal };
    const act = { surface_id: surface.id, target: 'e1', action: 'press' };
    return [
      await repeat(
        'gate overhead, act (policy, lease, receipt, trace; durable)',
        { runs: 200, warmUp: 20 },
        async () => {
          await gate.call('operator.act', act, context);
        },
      ),
      await repeat('gate overhead, perceive (scope, trace)', { runs: 300, warmUp: 20 }, async () => {
        await gate.call('operator.perceive', { surface_id: surface.id }, context);
      }),
    ];
  } finally {
    await gate.close();
    await kernel.close();
  }
};

const envelope = (n: number): EventEnvelope => ({
  event_id: `evt_bench${n}`,
  event_type: n % 2 === 0 ? 'system.resumed' : 'system.paused',
  schema_version: '1',
  occurred_at: new Date().toISOString(),
  workspace_id: 'personal',
  subject_id: 'bench',
  correlation_id: 'cor_bench',
  payload: { by: person.ref },
});

const appendBench = async (store: EventStore): Promise<readonly Measured[]> => {
  let n = 0;
  const append = async (count: number): Promise<void> => {
    const events = Array.from({ length: count }, () => envelope((n += 1)));
    await store.append([{ stream: 'bench', expectedVersion: n - count, events }]);
  };
  const single = await repeat('event append, one durable event', { runs: 500, warmUp: 20 }, () => append(1));
  const many = await repeat('event append, 100 in one transaction', { runs: 30, warmUp: 2 }, () => append(100));
  const started = performance.now();
  const verified = await store.verify();
  const took = performance.now() - started;
  if (!verified.ok) throw new Error(verified.fault);
  return [single, many, summarize(`chain verified, ${verified.events} events`, [took])];
};

/** The parts without a browser: the gate on a surface that takes no time, and the store on disk. */
export const coreBench = async (): Promise<readonly Measured[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  try {
    const gateStore = await openSqliteStore({ path: join(folder, 'gate', 'signalbox.db') });
    const gate = await gateBench(folder, gateStore);
    await gateStore.close();
    const store = await openSqliteStore({ path: join(folder, 'append', 'signalbox.db') });
    const append = await appendBench(store);
    await store.close();
    return [...gate, ...append];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
