import { z } from 'zod';
import { attestationTier, criterion, failedHook, goal, policyRegistration } from './caop/base.ts';
import { bitemporalFact, epistemicStatus } from './caop/bitemporal.ts';
import { capabilityRegistration, executionLocus } from './caop/capability.ts';
import { distilledReturnPayload, goalPulseSLA, settlementResult, stageWorkInput } from './caop/compact.ts';
import { observationCreate, plan, transition, verification as verificationObject } from './caop/execution.ts';
import { policyDecision } from './console.ts';
import { principalRef, role } from './principal.ts';

/** Events of the CAOP kernel. The stream is the entity's id; facts and records share the stream `state`. */

const time = z.iso.datetime();
const json = z.record(z.string(), z.unknown());
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

// ---- facts ---------------------------------------------------------------------------------------

export const factKind = z.enum(['derived', 'commitment', 'receipt', 'observed', 'failure', 'outcome', 'recorded']);
export type FactKind = z.infer<typeof factKind>;

export const recordedFact = z.object({
  fact: bitemporalFact,
  kind: factKind,
  goal_id: z.string().nullable(),
  work_id: z.string().nullable(),
  /** Who may see it as their own. */
  principal: principalRef,
});
export type RecordedFact = z.infer<typeof recordedFact>;

/** One change of the state, whole: what was written and everything that follows from it. */
export const factChange = z.object({
  /** Transaction time of all of it. */
  at: time,
  recorded: z.array(recordedFact),
  superseded: z.array(z.object({ fact_id: z.string(), by_fact_id: z.string() })),
  invalidated: z.array(z.object({ fact_id: z.string(), by_fact_id: z.string(), reason: z.string() })),
  restored: z.array(z.string()),
  /** A further fact that holds up a premise: `premise_id` joins group `group` of `fact_id`. */
  supported: z.array(z.object({ fact_id: z.string(), group: z.number().int(), premise_id: z.string() })),
  promoted: z.array(z.object({ fact_id: z.string(), status: epistemicStatus })),
  /** Pointers kept by facts that a child scope handed to its parent. */
  handed_up: z.array(
    z.object({
      fact_id: z.string(),
      work_id: z.string(),
      invocation_ids: z.array(z.string()),
      trace_hash: z.string().nullable(),
    }),
  ),
});
export type FactChange = z.infer<typeof factChange>;

// ---- compact work --------------------------------------------------------------------------------

export const planStep = z.object({
  step_index: z.number().int(),
  capability_id: z.string(),
  arguments: json,
  receipt_lease_seconds: z.number().int(),
  required_receipt_fields: z.array(z.string()),
});
export type PlanStep = z.infer<typeof planStep>;

export const approvalTerms = z.object({
  approval_id: z.string(),
  expires_at: time,
  /** How long each round lasts, for the round after an escalation. */
  round_seconds: z.number().int(),
  quorum: z.number().int(),
  required_roles: z.array(z.string()),
  escalate_to: z.string().nullable(),
});
export type ApprovalTerms = z.infer<typeof approvalTerms>;

export const deferredCheck = z.object({
  check_after_seconds: z.number().int(),
  capability_id: z.string(),
  arguments: json,
  success_predicate: z.string(),
});
export type DeferredCheck = z.infer<typeof deferredCheck>;

const stepsPatched = z.array(z.object({ step_index: z.number().int(), arguments: json }));

export const caopEventPayloads = {
  'goal.created': z.object({ goal, sla: goalPulseSLA.nullable() }),
  'goal.changed': z.object({ status: goal.shape.status, by: principalRef, because: z.string() }),
  'goal.sla_set': z.object({ sla: goalPulseSLA, by: principalRef }),
  'goal.pulse_missed': z.object({ due_at: time }),

  'observation.received': z.object({ observation: observationCreate, principal: principalRef, dedupe: z.string() }),

  'capability.registered': z.object({
    registration: capabilityRegistration,
    summary: z.string(),
    side_effect_level: z.enum(['none', 'reversible', 'irreversible']),
    by: principalRef,
  }),
  'capability.withdrawn': z.object({ by: principalRef }),

  'commit_policy.registered': z.object({
    policy: policyRegistration,
    version: z.string(),
    routing: z
      .object({
        required_roles: z.array(role),
        min_quorum: z.number().int(),
        expiration_seconds: z.number().int(),
        escalate_to_role_on_timeout: role.nullable(),
      })
      .nullable(),
    by: principalRef,
  }),
  'commit_policy.withdrawn': z.object({ by: principalRef }),

  'commitment.created': z.object({
    goal_id: z.string(),
    objective: z.string(),
    success_criteria: z.array(criterion),
    deadline: z.string().nullable(),
    principal: principalRef,
  }),
  'commitment.closed': z.object({
    status: z.enum(['completed', 'failed', 'cancelled', 'expired']),
    by: principalRef,
    verification_id: z.string().nullable(),
  }),
  'plan.created': z.object({ plan, constraints: json, principal: principalRef, goal_id: z.string() }),

  'execution.started': z.object({
    plan_id: z.string(),
    commitment_id: z.string(),
    goal_id: z.string(),
    principal: principalRef,
    idempotency_key: z.string(),
    /** Set when the plan asks for a person's yes before anything external. */
    approval: approvalTerms.nullable(),
  }),
  'execution.transitioned': z.object({ transition, verification_id: z.string().nullable() }),
  'execution.result_submitted': z.object({
    output: z.unknown(),
    evidence_refs: z.array(z.string()),
    idempotency_key: z.string(),
    body_hash: sha256,
    transition,
  }),
  'verification.evaluated': z.object({
    verification: verificationObject,
    execution_id: z.string(),
    principal: principalRef,
  }),
  'question.asked': z.object({ execution_id: z.string(), question: z.string(), principal: principalRef }),
  'question.answered': z.object({ answer: z.enum(['yes', 'no']), note: z.string().nullable(), by: principalRef }),

  'facts.changed': z.object({ because: z.string(), by: principalRef, change: factChange }),
  'record.committed': z.object({
    transaction_id: z.string(),
    by: principalRef,
    execution_id: z.string().nullable(),
    verification_id: z.string().nullable(),
    changes: z.array(z.object({ entity_id: z.string(), operation: z.string(), value: z.unknown() })),
    change: factChange,
  }),

  'compact.staged': z.object({
    principal: principalRef,
    roles: z.array(role),
    token_id: z.string(),
    surfaces: z.array(z.string()).nullable(),
    input: stageWorkInput,
    execution_locus: executionLocus,
    steps: z.array(planStep),
    policy: policyDecision,
    commit_policies: z.array(z.object({ policy_id: z.string(), version: z.string() })),
    failed_hooks: z.array(failedHook),
    approval: approvalTerms.nullable(),
    binding_hash: sha256,
    commitment_id: z.string(),
    commitment_fact_id: z.string().nullable(),
    derived_fact_ids: z.array(z.string()),
    premise_fact_ids: z.array(z.string()),
    /** A person must confirm before anything counts as verified. */
    hold_record: z.boolean(),
  }),
  'compact.hooks_failed': z.object({ failed_hooks: z.array(failedHook), by: principalRef }),
  'compact.steered': z.object({
    by: principalRef,
    before: stepsPatched,
    after: stepsPatched,
    rationale: z.string().nullable(),
    constraints: z.array(z.object({ text: z.string(), enforced: z.boolean() })),
    binding_hash: sha256,
  }),
  'compact.approval_requested': z.object({ approval: approvalTerms }),
  'compact.voted': z.object({ by: principalRef, note: z.string().nullable(), scope: json.nullable() }),
  'compact.approved': z.object({
    by: principalRef,
    decision: z.enum(['approve', 'steer']),
    note: z.string().nullable(),
    scope: json.nullable(),
    expires_at: time,
  }),
  'compact.rejected': z.object({ by: principalRef, reason: z.string().nullable(), invocation_id: z.string() }),
  'compact.approval_escalated': z.object({ role: z.string(), expires_at: time }),
  'compact.approval_expired': z.object({}),
  'compact.approval_voided': z.object({ because: z.string(), fact_ids: z.array(z.string()) }),
  'compact.withdrawn': z.object({ because: z.string() }),
  'compact.superseded': z.object({ by_work_id: z.string() }),
  'compact.check_set': z.object({ check: deferredCheck, by: principalRef }),
  'compact.dispatched': z.object({
    step_index: z.number().int(),
    invocation_id: z.string(),
    idempotency_key: z.string(),
    nonce_hash: sha256,
    lease_expires_at: time,
    host: z.string(),
  }),
  'compact.expired': z.object({ invocation_id: z.string(), because: z.string(), capability_id: z.string() }),
  'compact.settled': z.object({
    invocation_id: z.string(),
    status: z.enum(['SUCCEEDED', 'FAILED', 'USER_CONFIRMED_OVERRIDE']),
    by: principalRef,
    attestation: attestationTier,
    late: z.boolean(),
    body_hash: sha256,
    raw_output: json.nullable(),
    external_ref: z.string().nullable(),
    error_detail: z.string().nullable(),
    fact_ids: z.array(z.string()),
    distilled: distilledReturnPayload.nullable(),
    /** When the outcome is to be checked; only with the last step of work that asks for it. */
    check_due_at: time.nullable(),
    answer: settlementResult,
  }),
  'compact.outcome_checked': z.object({
    status: z.enum(['PASSED', 'FAILED']),
    output: z.unknown(),
    because: z.string(),
    fact_ids: z.array(z.string()),
  }),
  'compact.confirmed': z.object({ by: principalRef, note: z.string(), fact_ids: z.array(z.string()) }),
} as const satisfies Record<string, z.ZodObject>;
