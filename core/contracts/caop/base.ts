import { z } from 'zod';
import { principalRef } from '../principal.ts';

/** Names, goals, facts of the state, and policies as they are written down (CAOP v0.2, common objects). */

const time = z.iso.datetime({ offset: true });

export const entityRef = z.string();
export type EntityRef = z.infer<typeof entityRef>;

export const evidenceRef = z.string();
export type EvidenceRef = z.infer<typeof evidenceRef>;

export const artifactRef = z.string();
export type ArtifactRef = z.infer<typeof artifactRef>;

export const expression = z.string();
export type Expression = z.infer<typeof expression>;

export const criterion = z.looseObject({
  type: z.string(),
});
export type Criterion = z.infer<typeof criterion>;

export const constraint = z.looseObject({
  type: z.string(),
});
export type Constraint = z.infer<typeof constraint>;

export const authorizationPolicy = z.strictObject({
  requiredScopes: z.array(z.string()).optional(),
  policyIds: z.array(z.string()).optional(),
});
export type AuthorizationPolicy = z.infer<typeof authorizationPolicy>;

export const goal = z.strictObject({
  id: z.string(),
  objective: z.string(),
  owner: principalRef,
  successCriteria: z.array(criterion),
  constraints: z.array(constraint),
  status: z.enum(['active', 'paused', 'achieved', 'abandoned']),
  createdAt: time,
  updatedAt: time,
});
export type Goal = z.infer<typeof goal>;

export const workItem = z.strictObject({
  id: z.string(),
  goalId: z.string(),
  description: z.string(),
  dependencies: z.array(z.string()),
  status: z.enum(['pending', 'ready', 'running', 'blocked', 'completed', 'failed', 'cancelled']),
  assignedCapability: z.string().optional(),
  result: artifactRef.optional(),
  deadline: time.optional(),
});
export type WorkItem = z.infer<typeof workItem>;

export const fact = z.strictObject({
  id: z.string(),
  subject: entityRef,
  predicate: z.string(),
  object: z.unknown(),
  source: evidenceRef,
  observedAt: time,
  validFrom: time.optional(),
  validTo: time.optional(),
  confidence: z.number().min(0).max(1).optional(),
});
export type Fact = z.infer<typeof fact>;

export const attestationTier = z.enum(['HOST_ASSERTED', 'KERNEL_ATTESTED', 'USER_CONFIRMED']);
export type AttestationTier = z.infer<typeof attestationTier>;

export const preCommitHook = z.strictObject({
  hook_id: z.string(),
  target_path: z.string(),
  condition: z.string(),
  error_code: z.string(),
});
export type PreCommitHook = z.infer<typeof preCommitHook>;

export const caopPolicy = z.strictObject({
  id: z.string(),
  scope: z.string(),
  condition: expression,
  effect: z.enum(['allow', 'deny', 'require_approval']),
  version: z.string(),
  enforcement: z.enum(['advisory', 'enforced']),
  minimum_attestation: attestationTier.optional(),
  pre_commit_hooks: z.array(preCommitHook).optional(),
});
export type CaopPolicy = z.infer<typeof caopPolicy>;

export const policyRegistration = z.strictObject({
  policy_id: z.string(),
  scope_goal_types: z.array(z.string()).optional(),
  minimum_attestation: attestationTier.optional(),
  require_human_approval: z.boolean().optional(),
  pre_commit_hooks: z.array(preCommitHook),
});
export type PolicyRegistration = z.infer<typeof policyRegistration>;

export const failedHook = z.strictObject({
  hook_id: z.string(),
  error_code: z.string(),
  remediation: z.string(),
});
export type FailedHook = z.infer<typeof failedHook>;

export const approvalRoutingRule = z.strictObject({
  policyId: z.string(),
  requiredRoles: z.array(z.string()),
  minQuorum: z.number().int().min(1),
  expirationSeconds: z.number().int().min(1),
  escalateToRoleOnTimeout: z.string().optional(),
});
export type ApprovalRoutingRule = z.infer<typeof approvalRoutingRule>;

export const metricNode = z.strictObject({
  id: z.string(),
  name: z.string(),
  formula: z.string().optional(),
  parentMetricId: z.string().optional(),
  childMetricIds: z.array(z.string()),
  owner: principalRef,
  baselineCadence: z.enum(['hourly', 'daily', 'weekly', 'monthly']),
  varianceThresholds: z.strictObject({
    warningDeltaPct: z.number(),
    criticalDeltaPct: z.number(),
  }),
});
export type MetricNode = z.infer<typeof metricNode>;
