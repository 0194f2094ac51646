import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalView } from '../../core/contracts/console.ts';
import { SignalboxError } from '../../core/contracts/errors.ts';
import type { Principal } from '../../core/contracts/principal.ts';
import type { GateOptions } from '../../core/gate/createGate.ts';
import { createGate } from '../../core/gate/createGate.ts';
import type { CallContext, Gate, GateNote, VerbResult } from '../../core/gate/gate.ts';
import { createKernel } from '../../core/kernel/createKernel.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import type { GateKernel } from '../../core/kernel/gateKernel.ts';
import { createFileArtifacts } from '../../core/stores/files/createFileArtifacts.ts';
import { randomIds } from '../../core/stores/files/randomIds.ts';
import { openSqliteStore } from '../../core/stores/sqlite/openSqliteStore.ts';
import { FakeProvider } from './fakeSurface.ts';
import type { FakeSurface } from './fakeSurface.ts';
import { ManualClock, settled } from './manualClock.ts';

const PATIENCE_MS = 5_000;

export const until = async (true_: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  while (!(await true_())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** A call under way, as its caller holds it. */
export interface Pending {
  readonly result: Promise<VerbResult>;
  readonly abort: AbortController;
  readonly news: number[];
}

export const person = (id: string, roles: Principal['roles'] = ['approver']): Principal => ({
  ref: { type: 'user', id },
  roles,
  surfaces: null,
  tokenId: `tok_${id}`,
});
export const agent = (id: string): Principal => ({
  ref: { type: 'agent', id },
  roles: [],
  surfaces: null,
  tokenId: `tok_${id}`,
});

/** Kernel and gate on a real SQLite file, with fake pages and a clock that is told the time. */
export class GateStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-gate-'));
  readonly clock = new ManualClock();
  readonly ids = randomIds();
  readonly notes: GateNote[] = [];
  readonly errors: unknown[] = [];
  provider!: FakeProvider;
  store!: EventStore;
  kernel!: GateKernel;
  gate!: Gate;
  readonly alice = person('alice');
  readonly bob = person('bob');
  readonly robot = agent('robot');

  static async open(options: Partial<GateOptions> & { autoApprove?: boolean } = {}): Promise<GateStage> {
    const stage = new GateStage();
    await stage.start(options);
    return stage;
  }

  async start(
    options: Partial<GateOptions> & { autoApprove?: boolean; surfaceIds?: readonly string[] } = {},
  ): Promise<void> {
    const { autoApprove = false, surfaceIds = [], ...gateOptions } = options;
    const { clock, ids } = this;
    const onBackgroundError = (error: unknown): void => void this.errors.push(error);
    this.provider = new FakeProvider(surfaceIds);
    this.store = await openSqliteStore({ path: join(this.folder, 'signalbox.db') });
    this.kernel = await createKernel({
      store: this.store,
      clock,
      ids,
      version: 'test',
      host: 'here',
      autoApprove,
      onBackgroundError,
    });
    this.gate = await createGate({
      kernel: this.kernel,
      providers: [this.provider],
      clock,
      ids,
      artifacts: createFileArtifacts({ folder: join(this.folder, 'artifacts') }),
      initialSurfaces: [
        { kind: 'browser', label: 'First' },
        { kind: 'browser', label: 'Second' },
      ],
      onBackgroundError,
      ...gateOptions,
    });
    this.gate.subscribe((note) => this.notes.push(note));
  }

  get page(): FakeSurface {
    return this.provider.opened[0]!;
  }
  get other(): FakeSurface {
    return this.provider.opened[1]!;
  }

  begin(verb: string, args: Record<string, unknown>, context: Partial<CallContext> = {}): Pending {
    const abort = new AbortController();
    const news: number[] = [];
    const ctx: CallContext = {
      principal: this.robot,
      client: 'test 1',
      signal: abort.signal,
      onWaiting: ({ waited_ms }) => news.push(waited_ms),
      ...context,
    };
    const result = verb === 'signalbox.await_work' ? this.gate.awaitWork(args, ctx) : this.gate.call(verb, args, ctx);
    result.catch(() => undefined);
    return { result, abort, news };
  }

  call(
    verb: string,
    args: Record<string, unknown>,
    context: Partial<CallContext> = {},
  ): Promise<Record<string, unknown>> {
    return this.begin(verb, args, context).result.then(({ output }) => output);
  }

  /** The error that a call ends with. */
  async refused(call: Promise<unknown>): Promise<SignalboxError> {
    const error = await call.then(
      (value) => new Error(`It was answered: ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    );
    if (error instanceof SignalboxError) return error;
    throw error;
  }

  press(target = 'e1', surface: FakeSurface = this.page, context: Partial<CallContext> = {}): Pending {
    return this.begin('operator.act', { surface_id: surface.id, target, action: 'press' }, context);
  }
  enter(value: string, target = 'e2', more: Record<string, unknown> = {}, context: Partial<CallContext> = {}): Pending {
    const args = { surface_id: this.page.id, target, action: 'enter_text', value, ...more };
    return this.begin('operator.act', args, context);
  }

  /** The approvals that wait, oldest first, once all that can happen has. */
  async asked(count = 1): Promise<ApprovalView[]> {
    const pending = async (): Promise<ApprovalView[]> =>
      [...(await this.gate.approvals(this.alice, 'pending', 100))].reverse();
    // Pictures are written to a real disk, which the manual clock knows nothing of.
    await until(async () => (await pending()).length >= count, `${count} approvals to wait`);
    await settled();
    const waiting = await pending();
    if (waiting.length !== count) throw new Error(`${waiting.length} approvals wait, not ${count}.`);
    return waiting;
  }
  async approve(approval: ApprovalView, by: Principal = this.alice): Promise<ApprovalView> {
    return this.gate.decide(approval.approval_id, { decision: 'approve', binding_hash: approval.binding_hash }, by);
  }
  async approval(approvalId: string): Promise<ApprovalView> {
    return this.gate.approval(approvalId, this.alice);
  }
  async eventTypes(): Promise<string[]> {
    return (await this.kernel.events(0, 1_000)).map(({ event }) => event.event_type);
  }

  /** As after a kill: nothing is told, nothing is finished; then a new process on the same file. */
  async killAndRestart(options: Parameters<GateStage['start']>[0] = {}): Promise<void> {
    await this.kernel.close();
    await this.store.close();
    await this.start(options);
  }
  async drop(): Promise<void> {
    await this.gate.close();
    await this.kernel.close();
    await this.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await settled();
    await this.drop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
