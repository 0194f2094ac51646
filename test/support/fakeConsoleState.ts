import type {
  ApprovalDecisionInput,
  ApprovalView,
  CallView,
  LeaseView,
  MeView,
  PolicyView,
  ReceiptView,
  SurfaceView,
  SystemView,
  TokenView,
  WorkView,
  WsServerMessage,
} from '../../core/contracts/console.ts';
import type { PerceiveOutput } from '../../core/contracts/operatorClass.ts';
import type { RouteName } from '../../core/contracts/routes.ts';

/** A refusal as the REST error envelope carries it. */
export class FakeFault extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const START = new Date().toISOString();
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** The scripted world behind `FakeConsoleServer`. Tests change it through its methods; each tells the sockets. */
export class FakeState {
  me: MeView = { principal: { type: 'user', id: 'local' }, roles: ['admin'] };
  surfaces: SurfaceView[] = [];
  approvals: ApprovalView[] = [];
  leases: LeaseView[] = [];
  work: WorkView[] = [];
  receipts: ReceiptView[] = [];
  /** Newest first. */
  calls: CallView[] = [];
  tokens: TokenView[] = [];
  policies: PolicyView[] = [];
  targets: PerceiveOutput = { targets: [], readiness: 'settled' };
  paused: SystemView['paused'] = null;
  autoApprove: SystemView['auto_approve'] = null;
  picture: Uint8Array = new Uint8Array();
  pictureType: 'image/jpeg' | 'image/png' = 'image/jpeg';
  head = 0;
  events: Extract<WsServerMessage, { type: 'event' }>[] = [];
  onMessage: (message: WsServerMessage) => void = () => undefined;
  #frame = 0;

  /** Appends to the log and tells the sockets. */
  event(type: string, subject = 'wrk_1'): void {
    this.head += 1;
    const message = {
      type: 'event' as const,
      seq: this.head,
      event: {
        event_id: `evt_${this.head}`,
        event_type: type,
        schema_version: '1',
        occurred_at: new Date().toISOString(),
        workspace_id: 'personal',
        subject_id: subject,
        correlation_id: subject,
        payload: {},
      },
    };
    this.events.push(message);
    this.onMessage(message);
  }

  ask(approval: ApprovalView): void {
    this.approvals = [approval, ...this.approvals];
    this.event('approval.requested', approval.approval_id);
  }

  changeApproval(id: string, part: Partial<ApprovalView>): void {
    this.approvals = this.approvals.map((each) => (each.approval_id === id ? { ...each, ...part } : each));
    this.event('approval.changed', id);
  }

  putSurface(surface: SurfaceView): void {
    const others = this.surfaces.filter((each) => each.id !== surface.id);
    this.surfaces = [...others, surface];
    this.onMessage({ type: 'surface', surface });
  }

  addCall(call: CallView, tell = true): void {
    this.calls = [call, ...this.calls.filter((each) => each.n !== call.n)].toSorted((a, b) => b.n - a.n);
    if (tell) this.onMessage({ type: 'call', call });
  }

  hasFrame(surfaceId: string): boolean {
    return this.picture.length > 0 && this.surfaces.some((each) => each.id === surfaceId && each.live);
  }

  frameBytes(surfaceId: string): Buffer {
    const size = this.surfaces.find((each) => each.id === surfaceId)?.size ?? { width: 1_280, height: 800 };
    this.#frame += 1;
    const header = Buffer.from(
      JSON.stringify({ surface_id: surfaceId, frame: this.#frame, ...size, at: 0, media_type: this.pictureType }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    return Buffer.concat([length, header, this.picture]);
  }

  answer(
    name: RouteName,
    params: Readonly<Record<string, string>>,
    query: Readonly<Record<string, unknown>>,
    body: unknown,
  ): unknown {
    switch (name) {
      case 'me':
        return this.me;
      case 'system':
        return this.#system();
      case 'pause':
        return this.#pause((body as { paused: boolean }).paused);
      case 'connect':
        return {
          mcp_url: 'http://127.0.0.1:8787/mcp',
          agent_token: 'agent-token-for-pasting',
          stdio: { command: 'signalbox', args: ['mcp', '--data', '/home/you/signalbox'] },
        };
      case 'surfaces.list':
        return { surfaces: this.surfaces };
      case 'surfaces.open':
        return this.#open(body as { url?: string; label?: string });
      case 'surfaces.close':
        this.surfaces = this.surfaces.filter((each) => each.id !== params['surface_id']);
        this.onMessage({ type: 'surface_removed', surface_id: params['surface_id'] ?? '' });
        return undefined;
      case 'surfaces.targets':
        return this.#findTargets(query['query']);
      case 'surfaces.picture':
      case 'artifacts.get':
        return this.picture;
      case 'surfaces.control':
        return this.#control(params['surface_id'] ?? '', body as { action: string; private?: boolean });
      case 'approvals.list':
        return { approvals: this.#approvalsOf(query['status']) };
      case 'approvals.get':
        return this.#find(this.approvals, (each) => each.approval_id === params['approval_id']);
      case 'approvals.decide':
        return this.#decide(params['approval_id'] ?? '', body as ApprovalDecisionInput);
      case 'work.get':
        return this.#find(this.work, (each) => each.work_id === params['work_id']);
      case 'leases.list':
        return { leases: this.leases.filter((each) => each.state === query['state']) };
      case 'leases.resolve':
        return this.#resolve(params['work_id'] ?? '', body as { outcome: 'happened'; note: string });
      case 'receipts.list':
        return {
          receipts: this.receipts.filter(
            (each) => query['surface_id'] === undefined || each.surface_id === query['surface_id'],
          ),
        };
      case 'receipts.get':
        return this.#find(this.receipts, (each) => each.receipt_id === params['receipt_id']);
      case 'calls.list':
        return this.#callPage(query);
      case 'calls.get':
        return this.#find(this.calls, (each) => each.call_id === params['call_id']);
      case 'tokens.list':
        return { tokens: this.tokens };
      case 'tokens.create':
        return this.#mint(body as { principal: TokenView['principal']; roles?: TokenView['roles'] });
      case 'tokens.revoke':
        return this.#revoke(params['token_id'] ?? '');
      case 'policies.list':
        return { policies: this.policies };
      case 'policies.create':
        return this.#createPolicy(body as PolicyView);
      case 'policies.disable':
        return this.#disablePolicy(params['policy_id'] ?? '');
      default:
        throw new FakeFault(404, 'NOT_FOUND', `${name} is not part of the stand-in.`);
    }
  }

  #find<T>(list: readonly T[], is: (each: T) => boolean): T {
    const found = list.find(is);
    if (found === undefined) throw new FakeFault(404, 'NOT_FOUND', 'There is no such object.');
    return found;
  }

  #system(): SystemView {
    return {
      version: '0.1.0',
      started_at: START,
      now: new Date().toISOString(),
      head: this.head,
      paused: this.paused,
      auto_approve: this.autoApprove,
      needs_you: 0,
      data: '/home/you/signalbox',
      host: 'desk',
    };
  }

  #pause(paused: boolean): SystemView {
    this.paused = paused ? { by: this.me.principal, at: new Date().toISOString() } : null;
    this.event(paused ? 'pause.set' : 'pause.lifted');
    return this.#system();
  }

  #open(body: { url?: string; label?: string }): SurfaceView {
    const surface: SurfaceView = {
      id: `sur_${this.surfaces.length + 1}`,
      kind: 'browser',
      label: body.label ?? 'New page',
      address: body.url ?? 'about:blank',
      readiness: 'settled',
      state: 'ready',
      pending_approvals: 0,
      badges: [],
      live: true,
      size: { width: 1_280, height: 800 },
    };
    this.putSurface(surface);
    return surface;
  }

  #control(id: string, body: { action: string; private?: boolean }): SurfaceView {
    const { holder: _, ...surface } = this.#find(this.surfaces, (each) => each.id === id);
    const next: SurfaceView =
      body.action === 'release'
        ? surface
        : {
            ...surface,
            holder: {
              principal: this.me.principal,
              since: new Date().toISOString(),
              private: body.private ?? false,
            },
          };
    this.surfaces = this.surfaces.map((each) => (each.id === id ? next : each));
    this.onMessage({ type: 'surface', surface: next });
    return next;
  }

  #findTargets(query: unknown): PerceiveOutput {
    if (typeof query !== 'string') return this.targets;
    const found = this.targets.targets.filter((each) =>
      `${each.role} ${each.name ?? ''}`.toLowerCase().includes(query.toLowerCase()),
    );
    return { ...this.targets, targets: found, total: found.length };
  }

  #approvalsOf(status: unknown): readonly ApprovalView[] {
    return status === 'all' ? this.approvals : this.approvals.filter((each) => each.status === status);
  }

  #decide(id: string, input: ApprovalDecisionInput): ApprovalView {
    const approval = this.#find(this.approvals, (each) => each.approval_id === id);
    if (approval.status !== 'pending') {
      throw new FakeFault(409, 'INVALID_TRANSITION', `user:other decided it already.`);
    }
    if (approval.binding_hash !== input.binding_hash) {
      throw new FakeFault(409, 'STATE_VERSION_CONFLICT', 'It is not what it was when you looked.');
    }
    const rejected = input.decision === 'reject';
    this.changeApproval(id, {
      status: rejected ? 'denied' : 'granted',
      steered_arguments: input.decision === 'steer' ? { ...approval.arguments, ...input.steering_delta } : null,
      decision: {
        by: this.me.principal,
        decision: input.decision,
        at: new Date().toISOString(),
        reason: input.reason ?? null,
      },
      lights: { ...approval.lights, approved: rejected ? 'failed' : 'yes' },
    });
    return this.#find(this.approvals, (each) => each.approval_id === id);
  }

  #resolve(id: string, body: { outcome: 'happened'; note: string }): LeaseView {
    this.leases = this.leases.map((each) =>
      each.work_id === id
        ? {
            ...each,
            state: 'resolved',
            resolution: { ...body, by: this.me.principal, at: new Date().toISOString() },
          }
        : each,
    );
    this.event('lease.resolved', id);
    return this.#find(this.leases, (each) => each.work_id === id);
  }

  #callPage(query: Readonly<Record<string, unknown>>): { calls: readonly CallView[]; next_cursor?: string } {
    const before = typeof query['cursor'] === 'string' ? Number(query['cursor']) : Number.POSITIVE_INFINITY;
    const limit = Number(query['limit'] ?? 100);
    const fits = this.calls.filter(
      (each) =>
        each.n < before &&
        (query['surface_id'] === undefined || each.surface_id === query['surface_id']) &&
        (query['verb'] === undefined || each.verb === query['verb']) &&
        (query['principal'] === undefined || `${each.principal.type}:${each.principal.id}` === query['principal']),
    );
    const calls = fits.slice(0, limit);
    const last = calls.at(-1);
    return fits.length > limit && last !== undefined ? { calls, next_cursor: String(last.n) } : { calls };
  }

  #mint(body: { principal: TokenView['principal']; roles?: TokenView['roles'] }): unknown {
    const token: TokenView = {
      token_id: `tok_${this.tokens.length + 1}`,
      principal: body.principal,
      roles: body.roles ?? [],
      surfaces: null,
      label: null,
      created_at: new Date().toISOString(),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    };
    this.tokens = [...this.tokens, token];
    this.event('token.created', token.token_id);
    return { token_id: token.token_id, token: 'sb_secret-shown-once', principal: token.principal, roles: token.roles };
  }

  #revoke(id: string): TokenView {
    this.tokens = this.tokens.map((each) => (each.token_id === id ? { ...each, revoked_at: soon(0) } : each));
    this.event('token.revoked', id);
    return this.#find(this.tokens, (each) => each.token_id === id);
  }

  #createPolicy(body: PolicyView): PolicyView {
    const policy: PolicyView = {
      policy_id: `policy-${this.policies.length + 1}`,
      version: '1',
      title: body.title,
      scope: body.scope,
      condition: body.condition,
      effect: body.effect,
      enforcement: body.enforcement,
      expires_at: body.expires_at ?? null,
      created_by: this.me.principal,
      created_at: new Date().toISOString(),
      disabled_at: null,
    };
    this.policies = [...this.policies, policy];
    this.event('policy.created', policy.policy_id);
    return policy;
  }

  #disablePolicy(id: string): PolicyView {
    this.policies = this.policies.map((each) => (each.policy_id === id ? { ...each, disabled_at: soon(0) } : each));
    if (this.autoApprove?.policy_id === id) this.autoApprove = null;
    this.event('policy.disabled', id);
    return this.#find(this.policies, (each) => each.policy_id === id);
  }
}
