import { z } from 'zod';
import { artifactRef, criterion, fact } from './base.ts';
import { principalRef } from '../principal.ts';

/** The full binding: observe, understand, commit, plan, execute, verify, record, review (CAOP v0.2). */

const time = z.iso.datetime({ offset: true });

export const executionState = z.enum([
  'CREATED',
  'READY',
  'RUNNING',
  'WAITING_APPROVAL',
  'BLOCKED',
  'VERIFYING',
  'FAILED',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
]);
export type ExecutionState = z.infer<typeof executionState>;

export const observationCreate = z.strictObject({
  source: z.strictObject({
    provider: z.string(),
    resource_id: z.string(),
  }),
  type: z.string(),
  occurred_at: time,
  payload_ref: artifactRef.optional(),
  idempotency_key: z.string(),
});
export type ObservationCreate = z.infer<typeof observationCreate>;

export const observationAccepted = z.strictObject({
  observation_id: z.string(),
  status: z.literal('accepted'),
  duplicate: z.boolean(),
});
export type ObservationAccepted = z.infer<typeof observationAccepted>;

export const contextResolveRequest = z.strictObject({
  observation_ids: z.array(z.string()).optional(),
  goal_id: z.string().optional(),
  scope: z.strictObject({
    workspace_id: z.string(),
    project_ids: z.array(z.string()).optional(),
  }),
  include: z.array(z.enum(['related_goals', 'open_commitments', 'relevant_policies', 'prior_decisions'])),
});
export type ContextResolveRequest = z.infer<typeof contextResolveRequest>;

export const contextBundle = z.strictObject({
  context_id: z.string(),
  state_version: z.number().int().min(0),
  related_goals: z.array(z.string()),
  open_commitments: z.array(z.string()),
  applicable_policies: z.array(z.string()),
  unresolved_questions: z.array(z.string()),
  retrieved_facts: z.array(fact).optional(),
  inferences: z
    .array(
      z.strictObject({
        statement: z.string(),
        based_on: z.array(z.string()),
      }),
    )
    .optional(),
});
export type ContextBundle = z.infer<typeof contextBundle>;

export const commitmentCreate = z.strictObject({
  goal_id: z.string(),
  objective: z.string(),
  success_criteria: z.array(criterion),
  deadline: time.optional(),
});
export type CommitmentCreate = z.infer<typeof commitmentCreate>;

export const commitment = z.strictObject({
  commitment_id: z.string(),
  goal_id: z.string().optional(),
  objective: z.string().optional(),
  success_criteria: z.array(criterion).optional(),
  deadline: time.optional(),
  status: z.enum(['open', 'completed', 'failed', 'cancelled', 'expired']),
  version: z.number().int().min(0),
});
export type Commitment = z.infer<typeof commitment>;

export const commitmentList = z.strictObject({
  data: z.array(commitment),
  next_cursor: z.string().nullable().optional(),
});
export type CommitmentList = z.infer<typeof commitmentList>;

export const planCreate = z.strictObject({
  commitment_id: z.string(),
  constraints: z
    .looseObject({
      require_approval_for_external_actions: z.boolean().optional(),
    })
    .optional(),
  preferred_capabilities: z.array(z.string()).optional(),
});
export type PlanCreate = z.infer<typeof planCreate>;

export const plan = z.strictObject({
  plan_id: z.string(),
  commitment_id: z.string().optional(),
  steps: z.array(
    z.strictObject({
      id: z.string(),
      capability: z.string(),
      depends_on: z.array(z.string()),
    }),
  ),
});
export type Plan = z.infer<typeof plan>;

export const executionCreate = z.strictObject({
  plan_id: z.string(),
  idempotency_key: z.string(),
  authorization_context: z.strictObject({
    principal_id: z.string(),
  }),
});
export type ExecutionCreate = z.infer<typeof executionCreate>;

export const executionAccepted = z.strictObject({
  execution_id: z.string(),
  status: z.literal('queued'),
  next_action: z.string().optional(),
});
export type ExecutionAccepted = z.infer<typeof executionAccepted>;

export const execution = z.strictObject({
  execution_id: z.string(),
  plan_id: z.string().optional(),
  state: executionState,
  state_version: z.number().int().min(0),
  correlation_id: z.string().optional(),
  updated_at: time.optional(),
});
export type Execution = z.infer<typeof execution>;

export const transitionRequest = z.strictObject({
  expected_state: executionState,
  target_state: executionState,
  verification_id: z.string().optional(),
  reason: z.string().optional(),
});
export type TransitionRequest = z.infer<typeof transitionRequest>;

export const transition = z.strictObject({
  transition_id: z.string(),
  execution_id: z.string(),
  from_state: executionState,
  to_state: executionState,
  state_version: z.number().int().min(0),
  actor: principalRef,
  reason: z.string().optional(),
  correlation_id: z.string(),
  occurred_at: time,
});
export type Transition = z.infer<typeof transition>;

export const resultSubmission = z.strictObject({
  output: z.unknown().optional(),
  evidence_refs: z.array(z.string()),
  idempotency_key: z.string(),
});
export type ResultSubmission = z.infer<typeof resultSubmission>;

export const verificationRequest = z.strictObject({
  execution_id: z.string(),
  criteria: z.array(z.string()),
});
export type VerificationRequest = z.infer<typeof verificationRequest>;

export const verification = z.strictObject({
  verification_id: z.string(),
  verdict: z.enum(['passed', 'failed']),
  evidence_refs: z.array(z.string()),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(['deterministic', 'model_rubric', 'human']),
      result: z.enum(['pass', 'fail']),
    }),
  ),
});
export type Verification = z.infer<typeof verification>;

export const recordCommit = z.strictObject({
  execution_id: z.string().optional(),
  verification_id: z.string().optional(),
  expected_state_version: z.number().int().min(0),
  changes: z.array(
    z.strictObject({
      entity_id: z.string(),
      operation: z.string(),
      value: z.unknown().optional(),
    }),
  ),
});
export type RecordCommit = z.infer<typeof recordCommit>;

export const recordCommitted = z.strictObject({
  transaction_id: z.string(),
  state_version: z.number().int().min(0),
  status: z.literal('committed'),
});
export type RecordCommitted = z.infer<typeof recordCommitted>;

export const reviewRequest = z.strictObject({
  goal_id: z.string(),
  review_type: z.enum(['progress', 'outcome', 'risk']),
  include: z.array(z.enum(['outcomes', 'unresolved_commitments', 'failures', 'next_actions'])).optional(),
});
export type ReviewRequest = z.infer<typeof reviewRequest>;

export const review = z.strictObject({
  review_id: z.string(),
  goal_status: z.enum(['active', 'paused', 'achieved', 'abandoned']),
  recommended_actions: z.array(
    z.strictObject({
      action: z.string(),
      requires_approval: z.boolean(),
    }),
  ),
});
export type Review = z.infer<typeof review>;

export const approvalDecision = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  scope: z.record(z.string(), z.unknown()).optional(),
  expires_at: time,
});
export type ApprovalDecision = z.infer<typeof approvalDecision>;

export const approval = z.strictObject({
  approval_id: z.string(),
  approval_request_id: z.string(),
  decision: z.enum(['approve', 'deny']),
  scope: z.record(z.string(), z.unknown()).optional(),
  approved_by: principalRef,
  expires_at: time,
});
export type Approval = z.infer<typeof approval>;
