import { z } from 'zod';
import { eventEnvelope } from './caop.ts';
import { openSurfaceInput } from './ownTools.ts';
import { bounds, perceiveOutput, receiptObject, surfaceObject } from './operatorClass.ts';
import { principalRef, role } from './principal.ts';

/**
 * What the console and other clients see: views over the kernel's read models, request bodies, and
 * the WebSocket messages. Times are ISO 8601 UTC strings; durations are milliseconds.
 */

const time = z.iso.datetime();
const json = z.record(z.string(), z.unknown());

// ---- surfaces -----------------------------------------------------------------------------------

export const surfaceState = z.enum(['idle', 'launching', 'ready', 'gone', 'failed']);

export const surfaceView = surfaceObject.extend({
  /** `idle`: listed, launched on first use. */
  state: surfaceState,
  title: z.string().optional(),
  /** The person who has taken control, if one has. */
  holder: z.object({ principal: principalRef, since: time, private: z.boolean() }).optional(),
  pending_approvals: z.number().int(),
  /** The agent whose verb runs on it now, and which. */
  busy: z.object({ principal: principalRef, verb: z.string(), since: time }).optional(),
  /** The surface that opened this one (popup, target=_blank). */
  opener: z.string().optional(),
  /** Plain words on what this surface cannot do or is not protected by. */
  badges: z.array(z.string()),
  live: z.boolean(),
});
export type SurfaceView = z.infer<typeof surfaceView>;

// ---- approvals ----------------------------------------------------------------------------------

/** The target as it was read when the approval was asked for. Bound into the approval. */
export const targetReading = z.object({
  ref: z.string(),
  role: z.string(),
  name: z.string().optional(),
  row: z.string().optional(),
  frame: z.string().optional(),
  bounds: bounds.optional(),
  /** A field whose text is never shown, stored or logged. */
  password: z.boolean().optional(),
});
export type TargetReading = z.infer<typeof targetReading>;

/** Why a call was allowed, denied or asked about: which rule, which version, and what decided. */
export const policyDecision = z.object({
  effect: z.enum(['allow', 'deny', 'require_approval']),
  policy_id: z.string().nullable(),
  policy_version: z.string().nullable(),
  /** One plain sentence. */
  because: z.string(),
  /** The values the deciding condition read. */
  values: json,
  /** Every policy that matched, with its version. */
  matched: z.array(z.object({ policy_id: z.string(), version: z.string() })),
});
export type PolicyDecision = z.infer<typeof policyDecision>;

export const approvalStatus = z.enum(['pending', 'granted', 'denied', 'expired', 'void', 'withdrawn', 'used']);
export type ApprovalStatus = z.infer<typeof approvalStatus>;

/** Four separate lights (`console.md`): each is `no`, `yes`, or `failed`. */
export const lights = z.object({
  approved: z.enum(['no', 'yes', 'failed']),
  executed: z.enum(['no', 'yes', 'failed', 'unknown']),
  receipted: z.enum(['no', 'yes', 'failed']),
  verified: z.enum(['no', 'yes', 'failed']),
});
export type Lights = z.infer<typeof lights>;

export const recentCall = z.object({
  call_id: z.string(),
  at: time,
  verb: z.string(),
  summary: z.string(),
  outcome: z.string(),
});

export const approvalView = z.object({
  approval_id: z.string(),
  work_id: z.string(),
  status: approvalStatus,
  requested_by: principalRef,
  requested_at: time,
  expires_at: time,
  surface_id: z.string().nullable(),
  surface_label: z.string().nullable(),
  surface_kind: z.string().nullable(),
  address: z.string().nullable(),
  verb: z.string(),
  /** Exactly what the agent proposed. */
  arguments: json,
  /** What will be or was performed, when a person changed it. */
  steered_arguments: json.nullable(),
  target: targetReading.nullable(),
  policy: policyDecision,
  /** What it would do, in one plain sentence. */
  would: z.string(),
  /** Artifact of the surface as it was when asked (image/jpeg or image/png), when there is one. */
  picture: z.object({ sha256: z.string(), width: z.number(), height: z.number() }).nullable(),
  /** What the same agent did just before, newest first, at most 5. */
  recent: z.array(recentCall),
  /** Send this back with the decision; a stale one is refused, so nobody approves what they did not see. */
  binding_hash: z.string(),
  /** Whether the asking call (or an await_work) is still attached. */
  attached: z.boolean(),
  quorum: z.object({ needed: z.number().int(), votes: z.array(principalRef) }),
  decision: z
    .object({
      by: principalRef,
      decision: z.enum(['approve', 'steer', 'reject']),
      at: time,
      reason: z.string().nullable(),
    })
    .nullable(),
  /** For `void`: what changed since. For `withdrawn`: why. */
  ended_because: z.string().nullable(),
  lights,
});
export type ApprovalView = z.infer<typeof approvalView>;

export const approvalDecisionInput = z.strictObject({
  decision: z.enum(['approve', 'steer', 'reject']),
  /** Reject: required, told to the agent. Steer: the rationale, required. Approve: optional note. */
  reason: z.string().max(4_000).optional(),
  /** Steer: RFC 7396 merge patch on the arguments. */
  steering_delta: json.optional(),
  expires_at: time.optional(),
  binding_hash: z.string(),
});
export type ApprovalDecisionInput = z.infer<typeof approvalDecisionInput>;

// ---- work, leases, receipts, calls --------------------------------------------------------------

export const workStatus = z.enum([
  'CANDIDATE_PROPOSAL',
  'COMMIT_AWAITING_APPROVAL',
  'EXECUTE_PENDING',
  'EXECUTE_DISPATCHED',
  'EXECUTE_COMPLETED',
  'EXECUTE_EXPIRED',
  'EXECUTE_FAILED',
  'CANCELLED',
]);
export type WorkStatus = z.infer<typeof workStatus>;

export const workView = z.object({
  work_id: z.string(),
  status: workStatus,
  staged_by: principalRef,
  staged_at: time,
  updated_at: time,
  surface_id: z.string().nullable(),
  verb: z.string(),
  arguments: json,
  executed_arguments: json.nullable(),
  approval_id: z.string().nullable(),
  receipt_id: z.string().nullable(),
  /** Why it ended, when it did not end with a receipt. */
  ended_because: z.string().nullable(),
  policy: policyDecision,
  lights,
});
export type WorkView = z.infer<typeof workView>;

export const leaseState = z.enum(['open', 'settled', 'expired', 'resolved']);
export const leaseView = z.object({
  work_id: z.string(),
  invocation_id: z.string(),
  holder: principalRef,
  surface_id: z.string().nullable(),
  verb: z.string(),
  arguments: json,
  /** As it was read before the input. */
  target: targetReading.nullable(),
  state: leaseState,
  opened_at: time,
  /** While open: when it runs out. Once expired: when the outcome was given up. */
  expires_at: time,
  /** Only the holder sees it. */
  required_nonce: z.string().nullable(),
  /** What had been sent to the surface, in order, as far as it was written down. */
  sent: z.array(z.string()),
  resolution: z
    .object({
      outcome: z.enum(['happened', 'did_not_happen', 'compensate']),
      by: principalRef,
      at: time,
      note: z.string(),
    })
    .nullable(),
});
export type LeaseView = z.infer<typeof leaseView>;

export const leaseResolutionInput = z.strictObject({
  outcome: z.enum(['happened', 'did_not_happen', 'compensate']),
  /** What the person saw that makes them sure. Kept on the record. */
  note: z.string().min(1).max(4_000),
});
export type LeaseResolutionInput = z.infer<typeof leaseResolutionInput>;

export const receiptView = z.object({
  receipt_id: z.string(),
  work_id: z.string(),
  call_id: z.string().nullable(),
  principal: principalRef,
  surface_id: z.string().nullable(),
  surface_label: z.string().nullable(),
  verb: z.string(),
  /** Proposed by the agent. */
  arguments: json,
  /** Performed. Differs from `arguments` only when a person steered it. */
  executed_arguments: json,
  target: targetReading.nullable(),
  receipt: receiptObject,
  attestation: z.enum(['HOST_ASSERTED', 'KERNEL_ATTESTED', 'USER_CONFIRMED']),
  approved_by: principalRef.nullable(),
  at: time,
});
export type ReceiptView = z.infer<typeof receiptView>;

export const callOutcome = z.enum(['ok', 'blocked', 'pending', 'refused', 'error', 'unknown', 'running']);

/** One line of the trace: every verb called, read-only ones too. */
export const callView = z.object({
  call_id: z.string(),
  /** Position in the trace; grows by one, never reused. */
  n: z.number().int(),
  at: time,
  duration_ms: z.number().nullable(),
  principal: principalRef,
  client: z.string().nullable(),
  surface_id: z.string().nullable(),
  verb: z.string(),
  arguments: json,
  read_only: z.boolean(),
  outcome: callOutcome,
  /** Error code when refused or failed. */
  code: z.string().nullable(),
  /** One short line for lists. */
  summary: z.string(),
  /** Structured result (receipt, or counts for a reading), or the error. */
  result: json.nullable(),
  work_id: z.string().nullable(),
  receipt_id: z.string().nullable(),
  pictures: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
});
export type CallView = z.infer<typeof callView>;

// ---- tokens, policies, system -------------------------------------------------------------------

export const tokenView = z.object({
  token_id: z.string(),
  principal: principalRef,
  roles: z.array(role),
  surfaces: z.array(z.string()).nullable(),
  label: z.string().nullable(),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
});
export type TokenView = z.infer<typeof tokenView>;

export const tokenCreateInput = z.strictObject({
  principal: z.strictObject({
    type: z.enum(['user', 'agent', 'service']),
    id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/),
  }),
  roles: z.array(role).optional(),
  expires_at: time.optional(),
  surfaces: z.array(z.string()).min(1).optional(),
  label: z.string().max(120).optional(),
});

export const policyView = z.object({
  policy_id: z.string(),
  version: z.string(),
  title: z.string(),
  scope: z.string(),
  /** CEL over `{capability, arguments, surface, target, principal, now}`. */
  condition: z.string(),
  effect: z.enum(['allow', 'deny', 'require_approval']),
  enforcement: z.enum(['advisory', 'enforced']),
  expires_at: time.nullable(),
  created_by: principalRef,
  created_at: time,
  disabled_at: time.nullable(),
});
export type PolicyView = z.infer<typeof policyView>;

export const policyCreateInput = z.strictObject({
  policy_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/)
    .optional(),
  title: z.string().min(1).max(200),
  scope: z.string().default('*'),
  condition: z.string().min(1).max(8_000),
  effect: z.enum(['allow', 'deny', 'require_approval']),
  enforcement: z.enum(['advisory', 'enforced']).default('enforced'),
  /** Required for `allow`. */
  expires_at: time.optional(),
});
export type PolicyCreateInput = z.infer<typeof policyCreateInput>;

export const systemView = z.object({
  version: z.string(),
  started_at: time,
  now: time,
  /** Position of the newest event in the log. */
  head: z.number().int(),
  paused: z.object({ by: principalRef, at: time }).nullable(),
  /** Set while `--auto-approve` is in force. */
  auto_approve: z.object({ until: time, policy_id: z.string() }).nullable(),
  needs_you: z.number().int(),
  data: z.string(),
  host: z.string(),
});
export type SystemView = z.infer<typeof systemView>;

export const meView = z.object({ principal: principalRef, roles: z.array(role) });
export type MeView = z.infer<typeof meView>;

/** What to paste into an MCP client. `token` is the agent's, never a person's. */
export const connectView = z.object({
  mcp_url: z.string(),
  agent_token: z.string(),
  /** Command and arguments that start `signalbox mcp` joined to this console. */
  stdio: z.object({ command: z.string(), args: z.array(z.string()) }),
});
export type ConnectView = z.infer<typeof connectView>;

export const healthView = z.object({
  status: z.enum(['ok', 'degraded']),
  product: z.literal('signalbox'),
  version: z.string(),
  checks: z.record(z.string(), z.string()),
});

// ---- human input on a surface in control --------------------------------------------------------

/** Coordinates are CSS pixels of the surface, origin top left. Keys use DOM `KeyboardEvent` names. */
export const humanInput = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mouse'),
    action: z.enum(['move', 'down', 'up']),
    x: z.number(),
    y: z.number(),
    button: z.enum(['left', 'middle', 'right', 'none']).default('left'),
    clicks: z.number().int().min(0).max(3).default(1),
    modifiers: z.number().int().min(0).max(15).default(0),
  }),
  z.strictObject({
    type: z.literal('wheel'),
    x: z.number(),
    y: z.number(),
    delta_x: z.number(),
    delta_y: z.number(),
  }),
  z.strictObject({
    type: z.literal('key'),
    action: z.enum(['down', 'up']),
    key: z.string(),
    code: z.string(),
    modifiers: z.number().int().min(0).max(15).default(0),
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().max(10_000) }),
]);
export type HumanInput = z.infer<typeof humanInput>;

export const controlInput = z.strictObject({
  action: z.enum(['take', 'release']),
  /** While private, agents and other viewers get no perception of the surface. */
  private: z.boolean().optional(),
  /** Told to the agent at hand-back. */
  note: z.string().max(2_000).optional(),
});
export type ControlInput = z.infer<typeof controlInput>;

// ---- WebSocket ----------------------------------------------------------------------------------

export const wsClientMessage = z.discriminatedUnion('type', [
  /** First message. `after`: the last event position seen; events after it are sent before `live`. */
  z.strictObject({ type: z.literal('hello'), token: z.string(), after: z.number().int().min(0).optional() }),
  z.strictObject({ type: z.literal('watch'), surface_id: z.string(), max_width: z.number().int().optional() }),
  z.strictObject({ type: z.literal('unwatch'), surface_id: z.string() }),
  /** A frame was drawn; the next may be sent. */
  z.strictObject({ type: z.literal('frame_ack'), surface_id: z.string(), frame: z.number().int() }),
  z.strictObject({ type: z.literal('input'), surface_id: z.string(), input: humanInput }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type WsClientMessage = z.infer<typeof wsClientMessage>;

export const wsServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), principal: principalRef, head: z.number().int(), now: time }),
  /** A durable event of the log, each exactly once, in order. */
  z.object({ type: z.literal('event'), seq: z.number().int(), event: eventEnvelope }),
  /** Volatile: a surface's description changed. */
  z.object({ type: z.literal('surface'), surface: surfaceView }),
  z.object({ type: z.literal('surface_removed'), surface_id: z.string() }),
  /** Volatile: a call began or ended. */
  z.object({ type: z.literal('call'), call: callView }),
  z.object({ type: z.literal('watch_ended'), surface_id: z.string(), reason: z.string() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('pong'), now: time }),
]);
export type WsServerMessage = z.infer<typeof wsServerMessage>;

/**
 * Live frames are binary messages: u32 big-endian length of the header, the header as UTF-8 JSON
 * (this schema), then the JPEG bytes. The next frame of a surface is sent after its `frame_ack`;
 * meanwhile only the newest is kept.
 */
export const frameHeader = z.object({
  surface_id: z.string(),
  frame: z.number().int(),
  /** Size of the surface in CSS pixels; the picture may be scaled. */
  width: z.number(),
  height: z.number(),
  at: z.number(),
  media_type: z.enum(['image/jpeg', 'image/png']),
});
export type FrameHeader = z.infer<typeof frameHeader>;

// ---- lists --------------------------------------------------------------------------------------

export const surfaceList = z.object({ surfaces: z.array(surfaceView) });
export const approvalList = z.object({ approvals: z.array(approvalView) });
export const workList = z.object({ work: z.array(workView), next_cursor: z.string().optional() });
export const leaseList = z.object({ leases: z.array(leaseView) });
export const receiptList = z.object({ receipts: z.array(receiptView), next_cursor: z.string().optional() });
export const callList = z.object({ calls: z.array(callView), next_cursor: z.string().optional() });
export const tokenList = z.object({ tokens: z.array(tokenView) });
export const policyList = z.object({ policies: z.array(policyView) });
export const openSurfaceBody = z.strictObject(openSurfaceInput.shape);
export { perceiveOutput as targetsView };
