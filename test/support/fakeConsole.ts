import type { SurfaceView } from '../../core/contracts/console.ts';
import { SignalboxError } from '../../core/contracts/errors.ts';
import { verbByName } from '../../core/contracts/operatorClass.ts';
import { parseOrThrow } from '../../core/contracts/parse.ts';
import type { Principal } from '../../core/contracts/principal.ts';
import type { EventEnvelope } from '../../core/contracts/caop.ts';
import type { ApiDeps } from '../../core/api/apiDeps.ts';
import type { CallContext, Gate, GateNote, VerbResult } from '../../core/gate/gate.ts';
import type { CaopKernel } from '../../core/kernel/caop/caopKernel.ts';
import type { Kernel, StoredEvent } from '../../core/kernel/kernel.ts';
import type { HumanInput } from '../../core/contracts/console.ts';
import type { LiveFrame } from '../../core/kernel/ports.ts';
import { randomIds } from '../../core/stores/files/randomIds.ts';
import { systemClock } from '../../core/stores/files/systemClock.ts';
import { startApiServer, type ApiServer } from '../../core/api/apiServer.ts';

/**
 * The api over a kernel and a gate of a few lines: what it parses, checks and formats can be tested
 * without a store or a browser. An `operator.act` waits until the test decides it.
 */
export interface WaitingAct {
  readonly args: unknown;
  readonly context: CallContext;
  approve(): void;
  refuse(error: SignalboxError): void;
  /** Resolves with the abort reason when the caller is gone. */
  readonly gone: Promise<unknown>;
}

/** No plans: what the merged lists ask of the CAOP kernel, and nothing else. */
const noPlans = {
  approvals: { list: async () => [], get: async () => null, decideView: async () => null },
  work: { page: async () => ({ work: [] }), view: async () => null, leases: async () => [], needsYou: async () => 0 },
  settler: { resolve: async () => null },
  withdrawAll: async () => undefined,
} as unknown as CaopKernel;

export interface FakeConsole extends AsyncDisposable {
  readonly api: ApiServer;
  readonly tokens: { readonly user: string; readonly viewer: string; readonly agent: string; readonly second: string };
  readonly calls: { verb: string; args: unknown; context: CallContext }[];
  readonly inputs: HumanInput[];
  readonly logged: { fields: object; message: string }[];
  readonly subscribers: () => number;
  append(type: string, payload?: Record<string, unknown>): number;
  note(note: GateNote): void;
  revoke(token: string): void;
  frame(surfaceId: string, frame: LiveFrame): Promise<void>;
  /** The next act that waits. */
  nextAct(): Promise<WaitingAct>;
}

export const surfaceView = (id: string, label = 'Page'): SurfaceView => ({
  id,
  kind: 'browser',
  label,
  state: 'ready',
  pending_approvals: 0,
  badges: [],
  live: true,
  readiness: 'settled',
});

const principal = (type: 'user' | 'agent', id: string, roles: Principal['roles']): Principal => ({
  ref: { type, id },
  roles,
  surfaces: null,
  tokenId: `tok_${type}_${id}`,
});

const envelope = (seq: number, type: string, payload: Record<string, unknown>): EventEnvelope => ({
  event_id: `evt_${seq}`,
  event_type: type,
  schema_version: '1',
  occurred_at: new Date().toISOString(),
  workspace_id: 'personal',
  subject_id: `work_${seq}`,
  correlation_id: `work_${seq}`,
  payload,
});

class FakeWorld {
  readonly principals = new Map<string, Principal>([
    ['user-token', principal('user', 'local', ['admin'])],
    ['viewer-token', principal('user', 'watcher', ['viewer'])],
    ['agent-token', principal('agent', 'default', [])],
    ['second-token', principal('agent', 'second', [])],
  ]);
  readonly events: StoredEvent[] = [];
  readonly listeners = new Set<(note: GateNote) => void>();
  readonly calls: FakeConsole['calls'] = [];
  readonly inputs: HumanInput[] = [];
  readonly watchers = new Map<string, (frame: LiveFrame, done: () => void) => void>();
  readonly acts: WaitingAct[] = [];
  readonly actWaiters: ((act: WaitingAct) => void)[] = [];
  paused: { by: Principal['ref']; at: string } | null = null;
  readonly answersDetached: boolean;

  constructor(answersDetached: boolean) {
    this.answersDetached = answersDetached;
  }

  append(type: string, payload: Record<string, unknown> = {}): number {
    const seq = this.events.length + 1;
    const event = envelope(seq, type, payload);
    this.events.push({ seq, event, hash: String(seq) });
    this.note({ type: 'event', seq, event });
    return seq;
  }

  note(note: GateNote): void {
    for (const listener of this.listeners) listener(note);
  }

  act(args: unknown, context: CallContext): Promise<VerbResult> {
    return new Promise((resolve, reject) => {
      const started = Date.now();
      const tell = (): void =>
        context.onWaiting?.({
          work_id: 'work_1',
          approval_id: 'apr_1',
          waited_ms: Date.now() - started,
          message: 'Waiting for a person.',
        });
      tell();
      const timer = setInterval(tell, 20);
      const settle = (run: () => void) => () => {
        clearInterval(timer);
        run();
      };
      const gone = new Promise<unknown>((left) => {
        const leave = settle(() => {
          left(context.signal.reason);
          if (context.signal.reason === 'withdraw' || this.answersDetached)
            reject(new SignalboxError('CANCELLED', 'The caller is gone.'));
        });
        if (context.signal.aborted) leave();
        context.signal.addEventListener('abort', leave);
      });
      const act: WaitingAct = {
        args,
        context,
        gone,
        approve: settle(() => resolve({ output: { changed: true, readiness: 'settled', effects: [] } })),
        refuse: (error) => settle(() => reject(error))(),
      };
      const waiter = this.actWaiters.shift();
      if (waiter === undefined) this.acts.push(act);
      else waiter(act);
    });
  }

  async call(verb: string, args: unknown, context: CallContext): Promise<VerbResult> {
    this.calls.push({ verb, args, context });
    const declaration = verbByName.get(verb);
    if (declaration !== undefined) parseOrThrow(declaration.input, args, `arguments of ${verb}`);
    switch (verb) {
      case 'operator.list_surfaces':
        return { output: { surfaces: [{ id: 'sfc_1', kind: 'browser', label: 'Page' }] } };
      case 'operator.perceive':
        return { output: { targets: [{ ref: 'e1', role: 'button', name: 'Send' }], readiness: 'settled' } };
      case 'operator.capture':
        return {
          output: { width: 2, height: 1 },
          picture: { width: 2, height: 1, bytes: Uint8Array.of(137, 80, 78, 71), mediaType: 'image/png' },
        };
      case 'operator.act':
        return this.act(args, context);
      case 'operator.settle':
        throw new TypeError('something nobody foresaw at /secret/path');
      default:
        throw new SignalboxError('NOT_SUPPORTED', `${verb} is not supported here.`, { details: { facet: 'x' } });
    }
  }

  surface(id: string): SurfaceView {
    if (id !== 'sfc_1') throw new SignalboxError('SURFACE_GONE', `There is no surface ${id}.`);
    return surfaceView(id);
  }
}

const fakeKernel = (world: FakeWorld): Kernel =>
  ({
    authenticate: async (token: string) => world.principals.get(token) ?? null,
    tokens: async () =>
      [...world.principals.values()].map(({ ref, roles, tokenId }) => ({ token_id: tokenId, principal: ref, roles })),
    createToken: async (input: { principal: Principal['ref'] }) => {
      world.append('token.minted');
      return { token_id: 'tok_new', token: 'made', principal: input.principal, roles: [] };
    },
    events: async (after: number, limit: number) => world.events.slice(after, after + limit),
    head: async () => world.events.length,
    paused: async () => world.paused,
    setPaused: async (paused: boolean, by: Principal) => {
      world.paused = paused ? { by: by.ref, at: new Date().toISOString() } : null;
    },
    autoApprove: async () => null,
    needsYou: async () => 0,
    policies: async () => [],
    leases: async () => [],
    calls: async () => ({ calls: [] }),
    receipts: async () => ({ receipts: [] }),
    call: async () => {
      throw new Error('broken at /secret/path');
    },
  }) as unknown as Kernel;

const fakeGate = (world: FakeWorld): Gate =>
  ({
    call: (verb: string, args: unknown, context: CallContext) => world.call(verb, args, context),
    look: (args: unknown, context: CallContext) => world.call('operator.perceive', args, context),
    awaitWork: (args: unknown, context: CallContext) => world.act(args, context),
    surfaces: () => [surfaceView('sfc_1')],
    surface: (id: string) => world.surface(id),
    closeSurface: async (id: string) => void world.surface(id),
    approvals: async () => [],
    input: async (_id: string, input: HumanInput, by: Principal) => {
      if (by.ref.id !== 'local') throw new SignalboxError('FORBIDDEN', 'You are not in control.');
      world.inputs.push(input);
    },
    watch: (id: string, _by: Principal, onFrame: (frame: LiveFrame, done: () => void) => void) => {
      world.surface(id);
      world.watchers.set(id, onFrame);
      return { [Symbol.dispose]: () => void world.watchers.delete(id) };
    },
    subscribe: (listener: (note: GateNote) => void) => {
      world.listeners.add(listener);
      return { [Symbol.dispose]: () => void world.listeners.delete(listener) };
    },
  }) as unknown as Gate;

export interface FakeConsoleOptions {
  readonly rendererFolder?: string;
  /** False: a detached call is left without an answer, as by a console that dies. */
  readonly answersDetached?: boolean;
}

export const startFakeConsole = async (options: FakeConsoleOptions = {}): Promise<FakeConsole> => {
  const world = new FakeWorld(options.answersDetached ?? true);
  const logged: FakeConsole['logged'] = [];
  const record = (fields: object, message: string): void => void logged.push({ fields, message });
  const deps: ApiDeps = {
    kernel: fakeKernel(world),
    gate: fakeGate(world),
    caop: noPlans,
    artifacts: {
      put: async () => ({ sha256: '', bytes: 0 }),
      get: async (sha256) =>
        sha256 === 'a'.repeat(64) ? { bytes: Uint8Array.of(1, 2, 3), mediaType: 'image/png' } : null,
    },
    clock: systemClock(),
    ids: randomIds(),
    log: { info: record, warn: record, error: record },
    host: {
      version: '0.0.0-test',
      startedAt: new Date().toISOString(),
      dataFolder: '/nowhere',
      hostName: 'test',
      rendererFolder: options.rendererFolder ?? null,
      user: { token: 'user-token', principal: { type: 'user', id: 'local' }, roles: ['admin'] },
      agent: { token: 'agent-token', tokenId: 'tok_agent_default' },
      stdio: { command: 'node', args: ['bin/signalbox.mjs', 'mcp'] },
    },
  };
  const api = await startApiServer(deps, 0);
  return {
    api,
    tokens: { user: 'user-token', viewer: 'viewer-token', agent: 'agent-token', second: 'second-token' },
    calls: world.calls,
    inputs: world.inputs,
    logged,
    subscribers: () => world.listeners.size,
    append: (type, payload) => world.append(type, payload),
    note: (note) => world.note(note),
    revoke: (token) => void world.principals.delete(token),
    frame: (surfaceId, frame) => new Promise((done) => world.watchers.get(surfaceId)?.(frame, done)),
    nextAct: () => {
      const act = world.acts.shift();
      return act === undefined ? new Promise((resolve) => world.actWaiters.push(resolve)) : Promise.resolve(act);
    },
    [Symbol.asyncDispose]: () => api.close(),
  };
};

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
