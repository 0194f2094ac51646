import { z } from 'zod';
import { artifactRef, attestationTier } from './base.ts';
import { executionLocus, loopDriver } from './capability.ts';
import { epistemicStatus } from './bitemporal.ts';

/** The compact binding: pulse, stage, dispatch, settle (CAOP v0.2). */

const time = z.iso.datetime({ offset: true });

export const executeSubState = z.enum([
  'EXECUTE_PENDING',
  'EXECUTE_DISPATCHED',
  'EXECUTE_COMPLETED',
  'EXECUTE_EXPIRED',
  'EXECUTE_FAILED',
]);
export type ExecuteSubState = z.infer<typeof executeSubState>;

export const commitSubState = z.literal('COMMIT_AWAITING_APPROVAL');
export type CommitSubState = z.infer<typeof commitSubState>;

export const verifySubState = z.enum(['VERIFY_PHASE_1_IMMEDIATE', 'VERIFY_PHASE_2_DEFERRED']);
export type VerifySubState = z.infer<typeof verifySubState>;

export const recordSubState = z.literal('RECORDED_AWAITING_OUTCOME_VERIFY');
export type RecordSubState = z.infer<typeof recordSubState>;

export const dispatchStep = z.strictObject({
  step: z.number().int().min(1),
  action: z.enum(['INVOKE_HOST_NATIVE_TOOL', 'CALL_CAOP_TOOL']),
  target_capability: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  tool_name: z.string().optional(),
  required_nonce: z.string().optional(),
  required_receipt_fields: z.array(z.string()).optional(),
});
export type DispatchStep = z.infer<typeof dispatchStep>;

export const dispatchDirective = z.strictObject({
  work_id: z.string(),
  lifecycle_stage: z.literal('EXECUTE'),
  sub_state: executeSubState,
  turn_directive: z.literal('INCOMPLETE_TURN_CONTINUATION_REQUIRED'),
  DO_NOT_RESPOND_TO_USER_YET: z.boolean(),
  directive: z.strictObject({
    invocation_id: z.string(),
    execution_locus: executionLocus,
    idempotency_key: z.string(),
    lease_expires_at: time,
    mandatory_next_steps: z.array(dispatchStep),
  }),
});
export type DispatchDirective = z.infer<typeof dispatchDirective>;

export const goalPulseSLA = z.strictObject({
  goal_id: z.string(),
  loop_driver: loopDriver,
  expected_pulse_interval_seconds: z.number().int().min(1),
  grace_period_seconds: z.number().int().min(0),
  last_pulse_at: time.optional(),
});
export type GoalPulseSLA = z.infer<typeof goalPulseSLA>;

export const compactionMode = z
  .enum(['FACT_POINTERS_ONLY', 'SUMMARY_WITH_LINEAGE', 'FULL_RAW_ARTIFACTS'])
  .default('SUMMARY_WITH_LINEAGE');
export type CompactionMode = z.infer<typeof compactionMode>;

export const isolationPolicy = z.strictObject({
  execution_scope: z.literal('ISOLATED_SUBAGENT_CONTEXT'),
  return_contract: z.literal('DISTILLED_FACTS_AND_ARTIFACT_REF_ONLY'),
  max_token_budget: z.number().int().min(1).optional(),
  prune_raw_traces_on_record: z.boolean().optional(),
  trace_hash: z.string().optional(),
  retention_policy: z.string().optional(),
});
export type IsolationPolicy = z.infer<typeof isolationPolicy>;

export const distilledReturnPayload = z.strictObject({
  artifact_ref: artifactRef.optional(),
  promoted_fact_ids: z.array(z.string()),
  compacted_summary: z.string(),
  trace_hash: z.string().optional(),
  retention_policy: z.string().optional(),
});
export type DistilledReturnPayload = z.infer<typeof distilledReturnPayload>;

export const childWork = z.strictObject({
  work_id: z.string(),
  parent_work_id: z.string(),
  isolation_policy: isolationPolicy,
  distilled_return_payload: distilledReturnPayload.optional(),
});
export type ChildWork = z.infer<typeof childWork>;

export const stageWorkInput = z.looseObject({
  goal_id: z.string(),
  supersedes_work_id: z.string().optional(),
  understanding: z.looseObject({
    intent_summary: z.string(),
    derived_facts: z.array(
      z.looseObject({
        subject: z.string(),
        predicate: z.string(),
        object: z.record(z.string(), z.unknown()),
        depends_on_fact_ids: z.array(z.string()).optional(),
        depends_on_alternatives: z.array(z.array(z.string())).optional(),
        valid_from: time.optional(),
      }),
    ),
  }),
  commitment: z.looseObject({
    title: z.string(),
    rationale: z.string(),
    owner_principal_id: z.string().optional(),
    due_at: time.optional(),
    reversible: z.boolean(),
  }),
  plan_steps: z.array(
    z.looseObject({
      step_index: z.number().int(),
      capability_id: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
  ),
  parent_work_id: z.string().optional(),
  isolation_policy: isolationPolicy.optional(),
});
export type StageWorkInput = z.infer<typeof stageWorkInput>;

export const steeringDelta = z.looseObject({
  patched_step_arguments: z
    .array(
      z.looseObject({
        step_index: z.number().int(),
        argument_overrides: z.record(z.string(), z.unknown()),
      }),
    )
    .optional(),
  added_policy_constraints: z.array(z.string()).optional(),
  rationale: z.string().optional(),
});
export type SteeringDelta = z.infer<typeof steeringDelta>;

export const phase2DeferredCheck = z.looseObject({
  check_after_seconds: z.number().int(),
  verification_capability_id: z.string(),
  success_predicate: z.string(),
});
export type Phase2DeferredCheck = z.infer<typeof phase2DeferredCheck>;

export const twoPhaseVerification = z.looseObject({
  phase_1_immediate: z.literal('REQUIRE_NONCE_AND_ARTIFACT').optional(),
  phase_2_deferred: phase2DeferredCheck.optional(),
});
export type TwoPhaseVerification = z.infer<typeof twoPhaseVerification>;

export const dispatchWorkInput = z.looseObject({
  work_id: z.string(),
  decision: z.enum(['APPROVE_AND_DISPATCH', 'APPROVE_WITH_STEERING_DELTA', 'REJECT_WORK']),
  approval_note: z.string().optional(),
  steering_delta: steeringDelta.optional(),
  two_phase_verification: twoPhaseVerification.optional(),
});
export type DispatchWorkInput = z.infer<typeof dispatchWorkInput>;

export const settleReceiptInput = z.looseObject({
  work_id: z.string(),
  invocation_id: z.string(),
  idempotency_key: z.string(),
  nonce: z.string(),
  status: z.enum(['SUCCEEDED', 'FAILED', 'USER_CONFIRMED_OVERRIDE']),
  external_ref: z.string().optional(),
  raw_output: z.record(z.string(), z.unknown()).optional(),
  error_detail: z.string().optional(),
  review_outcome: z.enum(['GOAL_SATISFIED', 'PARTIAL_PROGRESS', 'REPLAN_REQUIRED']).optional(),
  distilled_return_payload: distilledReturnPayload.optional(),
});
export type SettleReceiptInput = z.infer<typeof settleReceiptInput>;

export const stageWorkResult = z.strictObject({
  work_id: z.string(),
  lifecycle_stage: z.enum(['COMMIT', 'EXECUTE']),
  sub_state: z.enum(['COMMIT_AWAITING_APPROVAL', 'EXECUTE_PENDING']),
  epistemic_status: epistemicStatus.optional(),
});
export type StageWorkResult = z.infer<typeof stageWorkResult>;

export const outcomeVerification = z.strictObject({
  work_id: z.string(),
  invocation_id: z.string().optional(),
  sub_state: verifySubState,
  verification_capability_id: z.string(),
  success_predicate: z.string(),
  check_due_at: time,
  status: z.enum(['PENDING', 'PASSED', 'FAILED']),
  fact_ids: z.array(z.string()).optional(),
});
export type OutcomeVerification = z.infer<typeof outcomeVerification>;

export const settlementResult = z.strictObject({
  work_id: z.string(),
  invocation_id: z.string(),
  lifecycle_stage: z.enum(['RECORD', 'REVIEW']),
  attestation: attestationTier,
  fact_ids: z.array(z.string()).optional(),
  thread_unlocked: z.boolean(),
  review_outcome: z.enum(['GOAL_SATISFIED', 'PARTIAL_PROGRESS', 'REPLAN_REQUIRED']).optional(),
  sub_state: recordSubState.optional(),
  outcome_verification: outcomeVerification.optional(),
});
export type SettlementResult = z.infer<typeof settlementResult>;

export const dispatchWorkResult = z.union([dispatchDirective, settlementResult]);
export type DispatchWorkResult = z.infer<typeof dispatchWorkResult>;

export const dispatchWorkInputV02 = z.looseObject({
  work_id: z.string(),
  decision: z.enum(['APPROVE_AND_DISPATCH', 'APPROVE_WITH_STEERING_DELTA', 'REJECT_WORK']),
  steering_delta: z
    .looseObject({
      patched_step_arguments: z
        .array(
          z.looseObject({
            step_index: z.number().int(),
            argument_overrides: z.record(z.string(), z.unknown()),
          }),
        )
        .optional(),
      added_policy_constraints: z.array(z.string()).optional(),
      rationale: z.string().optional(),
    })
    .optional(),
  two_phase_verification: z
    .looseObject({
      phase_1_immediate: z.literal('REQUIRE_NONCE_AND_ARTIFACT').optional(),
      phase_2_deferred: z
        .looseObject({
          check_after_seconds: z.number().int(),
          verification_capability_id: z.string(),
          success_predicate: z.string(),
        })
        .optional(),
    })
    .optional(),
});
export type DispatchWorkInputV02 = z.infer<typeof dispatchWorkInputV02>;
