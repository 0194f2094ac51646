import { z } from 'zod';
import {
  approvalDecisionInput,
  approvalList,
  approvalStatus,
  approvalView,
  callList,
  callView,
  connectView,
  controlInput,
  healthView,
  leaseList,
  leaseResolutionInput,
  leaseState,
  leaseView,
  meView,
  openSurfaceBody,
  policyCreateInput,
  policyList,
  policyView,
  receiptList,
  receiptView,
  surfaceList,
  surfaceView,
  systemView,
  targetsView,
  tokenCreateInput,
  tokenList,
  tokenView,
  workList,
  workStatus,
  workView,
} from './console.ts';
import { caopRoutes } from './caopRoutes.ts';

/**
 * Every REST route of ours under `/x/`, declared once: the server's handlers, the typed client of
 * the console and the OpenAPI document all come from this table.
 *
 * `access`: `open` needs no token; `any` any valid token; `person` any principal but an agent;
 * `approver` and `admin` the role (admin includes approver).
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly access: 'open' | 'any' | 'person' | 'approver' | 'admin';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly status: number;
  /** Absent: not JSON (stream, picture) or no content. */
  readonly response?: z.ZodType;
  readonly errors: readonly number[];
}

const id = <N extends string>(name: N) =>
  z.object({ [name]: z.string().min(1).max(200) } as { readonly [K in N]: z.ZodString });
const page = { limit: z.coerce.number().int().min(1).max(500).default(100), cursor: z.string().optional() };
const surfaceParam = id('surface_id');

export const routes = {
  health: {
    method: 'get',
    path: '/x/health',
    summary: 'Whether the console is up.',
    access: 'open',
    status: 200,
    response: healthView,
    errors: [],
  },
  session: {
    method: 'post',
    path: '/x/session',
    summary: 'Exchange the single-use code of the opener URL for a token.',
    access: 'open',
    body: z.strictObject({ code: z.string() }),
    status: 200,
    response: z.object({ token: z.string(), principal: meView.shape.principal, roles: meView.shape.roles }),
    errors: [400, 401],
  },
  me: {
    method: 'get',
    path: '/x/me',
    summary: 'Who this token stands for.',
    access: 'any',
    status: 200,
    response: meView,
    errors: [],
  },
  system: {
    method: 'get',
    path: '/x/system',
    summary: 'Version, pause state, head of the log, what needs a person.',
    access: 'any',
    status: 200,
    response: systemView,
    errors: [],
  },
  pause: {
    method: 'put',
    path: '/x/pause',
    summary: 'Stop or resume every non-read-only verb of every agent. Survives restarts.',
    access: 'approver',
    body: z.strictObject({ paused: z.boolean() }),
    status: 200,
    response: systemView,
    errors: [400],
  },
  connect: {
    method: 'get',
    path: '/x/connect',
    summary: 'What to paste into an MCP client.',
    access: 'approver',
    status: 200,
    response: connectView,
    errors: [],
  },

  'surfaces.list': {
    method: 'get',
    path: '/x/surfaces',
    summary: 'Surfaces.',
    access: 'any',
    status: 200,
    response: surfaceList,
    errors: [],
  },
  'surfaces.open': {
    method: 'post',
    path: '/x/surfaces',
    summary: 'Open a surface.',
    access: 'approver',
    body: openSurfaceBody,
    status: 201,
    response: surfaceView,
    errors: [400],
  },
  'surfaces.get': {
    method: 'get',
    path: '/x/surfaces/{surface_id}',
    summary: 'One surface.',
    access: 'any',
    params: surfaceParam,
    status: 200,
    response: surfaceView,
    errors: [404],
  },
  'surfaces.close': {
    method: 'delete',
    path: '/x/surfaces/{surface_id}',
    summary: 'Close a surface.',
    access: 'approver',
    params: surfaceParam,
    status: 204,
    errors: [404],
  },
  'surfaces.targets': {
    method: 'get',
    path: '/x/surfaces/{surface_id}/targets',
    summary: 'What perceive gives, for a person.',
    access: 'person',
    params: surfaceParam,
    query: z.object({ query: z.string().optional(), limit: z.coerce.number().int().min(1).max(200).default(200) }),
    status: 200,
    response: targetsView,
    errors: [400, 404, 409],
  },
  'surfaces.picture': {
    method: 'get',
    path: '/x/surfaces/{surface_id}/picture',
    summary: 'A picture of the surface now (image/png).',
    access: 'person',
    params: surfaceParam,
    status: 200,
    errors: [400, 404, 409],
  },
  'surfaces.control': {
    method: 'post',
    path: '/x/surfaces/{surface_id}/control',
    summary: 'Take or hand back control of a surface.',
    access: 'approver',
    params: surfaceParam,
    body: controlInput,
    status: 200,
    response: surfaceView,
    errors: [400, 404, 409],
  },

  'approvals.list': {
    method: 'get',
    path: '/x/approvals',
    summary: 'Approvals, newest first; pending ones when no status is given.',
    access: 'any',
    query: z.object({ status: z.union([approvalStatus, z.literal('all')]).default('pending'), limit: page.limit }),
    status: 200,
    response: approvalList,
    errors: [400],
  },
  'approvals.get': {
    method: 'get',
    path: '/x/approvals/{approval_id}',
    summary: 'One approval.',
    access: 'any',
    params: id('approval_id'),
    status: 200,
    response: approvalView,
    errors: [404],
  },
  'approvals.decide': {
    method: 'post',
    path: '/x/approvals/{approval_id}/decision',
    summary: 'Approve, steer (change the arguments) or reject.',
    access: 'approver',
    params: id('approval_id'),
    body: approvalDecisionInput,
    status: 200,
    response: approvalView,
    errors: [400, 403, 404, 409, 422],
  },

  'work.list': {
    method: 'get',
    path: '/x/work',
    summary: 'Work items, newest first.',
    access: 'any',
    query: z.object({ ...page, status: workStatus.optional() }),
    status: 200,
    response: workList,
    errors: [400],
  },
  'work.get': {
    method: 'get',
    path: '/x/work/{work_id}',
    summary: 'One work item.',
    access: 'any',
    params: id('work_id'),
    status: 200,
    response: workView,
    errors: [404],
  },
  'leases.list': {
    method: 'get',
    path: '/x/leases',
    summary: 'Leases; open and expired ones when no state is given.',
    access: 'any',
    query: z.object({ state: leaseState.optional() }),
    status: 200,
    response: leaseList,
    errors: [400],
  },
  'leases.resolve': {
    method: 'post',
    path: '/x/leases/{work_id}/resolution',
    summary: 'Say what became of an unknown outcome.',
    access: 'approver',
    params: id('work_id'),
    body: leaseResolutionInput,
    status: 200,
    response: leaseView,
    errors: [400, 404, 409],
  },
  'receipts.list': {
    method: 'get',
    path: '/x/receipts',
    summary: 'Receipts, newest first.',
    access: 'any',
    query: z.object({ ...page, surface_id: z.string().optional() }),
    status: 200,
    response: receiptList,
    errors: [400],
  },
  'receipts.get': {
    method: 'get',
    path: '/x/receipts/{receipt_id}',
    summary: 'One receipt.',
    access: 'any',
    params: id('receipt_id'),
    status: 200,
    response: receiptView,
    errors: [404],
  },
  'calls.list': {
    method: 'get',
    path: '/x/calls',
    summary: 'The trace: every verb called, newest first.',
    access: 'any',
    query: z.object({
      ...page,
      surface_id: z.string().optional(),
      principal: z.string().optional(),
      verb: z.string().optional(),
    }),
    status: 200,
    response: callList,
    errors: [400],
  },
  'calls.get': {
    method: 'get',
    path: '/x/calls/{call_id}',
    summary: 'One call.',
    access: 'any',
    params: id('call_id'),
    status: 200,
    response: callView,
    errors: [404],
  },

  'tokens.list': {
    method: 'get',
    path: '/x/tokens',
    summary: 'Tokens (never their secrets).',
    access: 'admin',
    status: 200,
    response: tokenList,
    errors: [],
  },
  'tokens.create': {
    method: 'post',
    path: '/x/tokens',
    summary: 'Mint a token. Its secret is shown this once.',
    access: 'admin',
    body: tokenCreateInput,
    status: 201,
    response: z.object({
      token_id: z.string(),
      token: z.string(),
      principal: meView.shape.principal,
      roles: meView.shape.roles,
    }),
    errors: [400],
  },
  'tokens.revoke': {
    method: 'delete',
    path: '/x/tokens/{token_id}',
    summary: 'Revoke a token at once.',
    access: 'admin',
    params: id('token_id'),
    status: 200,
    response: tokenView,
    errors: [404],
  },

  'policies.list': {
    method: 'get',
    path: '/x/policies',
    summary: 'Policies in force and disabled ones.',
    access: 'person',
    status: 200,
    response: policyList,
    errors: [],
  },
  'policies.create': {
    method: 'post',
    path: '/x/policies',
    summary: 'Register a policy. An allow policy needs an expiry.',
    access: 'approver',
    body: policyCreateInput,
    status: 201,
    response: policyView,
    errors: [400, 409],
  },
  'policies.disable': {
    method: 'delete',
    path: '/x/policies/{policy_id}',
    summary: 'Disable a policy; it stays on the record.',
    access: 'approver',
    params: id('policy_id'),
    status: 200,
    response: policyView,
    errors: [404],
  },

  'artifacts.get': {
    method: 'get',
    path: '/x/artifacts/{sha256}',
    summary: 'Bytes of an artifact.',
    access: 'any',
    params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    status: 200,
    errors: [400, 404],
  },
  events: {
    method: 'get',
    path: '/x/events',
    summary: 'The event log as Server-Sent Events; resume with Last-Event-ID.',
    access: 'person',
    query: z.object({ after: z.coerce.number().int().min(0).optional() }),
    status: 200,
    errors: [400],
  },
  'class.json': {
    method: 'get',
    path: '/x/class.json',
    summary: 'The operator class document.',
    access: 'any',
    status: 200,
    response: z.record(z.string(), z.unknown()),
    errors: [],
  },

  ...caopRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
type RouteOf<N extends RouteName> = (typeof routes)[N];
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;
type Part<R, K extends string> = R extends Readonly<Record<K, infer V>> ? V : undefined;

/** Parsed parts as a handler sees them. */
export type RouteParams<N extends RouteName> = Output<Part<RouteOf<N>, 'params'>>;
export type RouteQuery<N extends RouteName> = Output<Part<RouteOf<N>, 'query'>>;
export type RouteBody<N extends RouteName> = Output<Part<RouteOf<N>, 'body'>>;
export type RouteResponse<N extends RouteName> = Output<Part<RouteOf<N>, 'response'>>;
/** Parts as a client gives them. */
export type RouteQueryInput<N extends RouteName> = Input<Part<RouteOf<N>, 'query'>>;
export type RouteBodyInput<N extends RouteName> = Input<Part<RouteOf<N>, 'body'>>;
