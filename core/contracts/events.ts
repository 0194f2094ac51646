import { z } from 'zod';
import { caopEventPayloads } from './caopEvents.ts';
import { approvalDecisionInput, leaseResolutionInput, policyDecision, policyView, targetReading } from './console.ts';
import { receiptObject } from './operatorClass.ts';
import { principalRef, role } from './principal.ts';

/**
 * Every event of the log, declared once: its type, the newest version of its payload, the payload.
 * `subject_id` of the envelope is the stream: a work item, a surface, a policy, a token, or `system`.
 * A payload is final once released: a change is a new version with an upcaster.
 */

const time = z.iso.datetime();
const json = z.record(z.string(), z.unknown());
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const policyVersion = z.object({ policy_id: z.string(), version: z.string() });

/** What an approval is a claim about: anything of it changed at dispatch voids the approval. */
export const binding = z.object({
  verb: z.string(),
  /** As recorded: text for a password field is replaced by its mask. */
  arguments: json,
  policies: z.array(policyVersion),
  surface: z.object({ id: z.string(), generation: z.number().int(), epoch: z.number().int() }).nullable(),
  /** Origin, path and query. */
  address: z.string().nullable(),
  target: z
    .object({
      role: z.string(),
      name: z.string().nullable(),
      row: z.string().nullable(),
      frame: z.string().nullable(),
    })
    .nullable(),
});
export type Binding = z.infer<typeof binding>;

export const surfaceLabel = z.object({ id: z.string(), kind: z.string(), label: z.string().nullable() });

/** The part of a request that a steer replaces as a whole. */
export const boundCall = z.object({
  arguments: json,
  /** The text to enter is kept out of the log, in memory only. */
  sensitive: z.boolean(),
  surface: surfaceLabel.nullable(),
  target: targetReading.nullable(),
  /** What it would do, in one plain sentence. */
  would: z.string(),
  binding,
  binding_hash: sha256,
});
export type BoundCall = z.infer<typeof boundCall>;

const pictureRef = z.object({ sha256, width: z.number(), height: z.number() });

export const eventPayloads = {
  'work.staged': z.object({
    principal: principalRef,
    token_id: z.string(),
    /** Surfaces the staging token may reach; null is all. */
    scope: z.array(z.string()).nullable(),
    client: z.string().nullable(),
    call_id: z.string(),
    verb: z.string(),
    call: boundCall,
    /** Joins an identical retry; over the arguments as recorded. */
    arguments_hash: sha256,
    idempotency_key: z.string().nullable(),
    policy: policyDecision,
  }),
  /** A policy forbids it: nothing was or will be sent. */
  'work.refused': z.object({ code: z.string(), because: z.string() }),
  'approval.requested': z.object({
    approval_id: z.string(),
    expires_at: time,
    picture: pictureRef.nullable(),
    quorum: z.number().int(),
  }),
  'approval.granted': z.object({
    approval_id: z.string(),
    by: principalRef,
    decision: approvalDecisionInput.shape.decision.exclude(['reject']),
    reason: z.string().nullable(),
    expires_at: time,
    /** For a steer: what will be performed instead. */
    steered: boundCall.nullable(),
  }),
  'approval.denied': z.object({ approval_id: z.string(), by: principalRef, reason: z.string() }),
  'approval.expired': z.object({ approval_id: z.string() }),
  'approval.voided': z.object({
    approval_id: z.string(),
    code: z.string(),
    because: z.string(),
    differences: z.array(z.string()),
  }),
  'approval.withdrawn': z.object({ approval_id: z.string(), because: z.string() }),
  'lease.opened': z.object({
    invocation_id: z.string(),
    nonce_hash: sha256,
    host: z.string(),
    expires_at: time,
    approved_by: principalRef.nullable(),
    attestation: z.enum(['HOST_ASSERTED', 'KERNEL_ATTESTED', 'USER_CONFIRMED']),
  }),
  'receipt.settled': z.object({
    receipt_id: z.string(),
    invocation_id: z.string(),
    receipt: receiptObject,
    /** What went to the surface, in order. */
    sent: z.array(z.string()),
    /** The lease had already expired. */
    late: z.boolean(),
    /** Code of what stopped the input in the middle. */
    interrupted: z.string().nullable(),
  }),
  /** It failed and nothing was sent. */
  'lease.failed': z.object({
    invocation_id: z.string(),
    code: z.string(),
    because: z.string(),
    details: json,
  }),
  /** Nobody knows whether it happened. */
  'lease.expired': z.object({ invocation_id: z.string(), because: z.string(), sent: z.array(z.string()) }),
  'lease.resolved': z.object({
    invocation_id: z.string(),
    outcome: leaseResolutionInput.shape.outcome,
    by: principalRef,
    note: z.string(),
    /** A receipt confirmed by the person, when it happened. */
    receipt_id: z.string().nullable(),
  }),

  'surface.opened': z.object({
    kind: z.string(),
    label: z.string().nullable(),
    opener: z.string().nullable(),
    by: principalRef.nullable(),
  }),
  'surface.closed': z.object({ because: z.string(), by: principalRef.nullable() }),
  'surface.control_taken': z.object({ by: principalRef, epoch: z.number().int(), private: z.boolean() }),
  'surface.control_released': z.object({ by: principalRef, epoch: z.number().int(), note: z.string().nullable() }),

  'policy.registered': z.object({ policy: policyView }),
  'policy.disabled': z.object({ by: principalRef, because: z.string() }),

  'token.created': z.object({
    token_hash: sha256,
    principal: principalRef,
    roles: z.array(role),
    surfaces: z.array(z.string()).nullable(),
    label: z.string().nullable(),
    expires_at: time.nullable(),
    by: principalRef,
  }),
  'token.revoked': z.object({ by: principalRef, because: z.enum(['revoked', 'rotated']) }),

  'system.started': z.object({ version: z.string(), host: z.string() }),
  'system.paused': z.object({ by: principalRef }),
  'system.resumed': z.object({ by: principalRef }),

  ...caopEventPayloads,
} as const satisfies Record<string, z.ZodObject>;

export type EventType = keyof typeof eventPayloads;
export type EventPayload<T extends EventType> = z.infer<(typeof eventPayloads)[T]>;
export type DomainEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayload<T> } }[EventType];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;

/** Newest payload version of each type; all are at their first. */
export const eventVersions: ReadonlyMap<string, number> = new Map(Object.keys(eventPayloads).map((type) => [type, 1]));
