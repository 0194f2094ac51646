import { z } from 'zod';
import { authorizationPolicy, attestationTier } from './base.ts';

/** What can be invoked, by whom, and how far its evidence goes (CAOP v0.2, capabilities and conformance profiles). */

export const executionLocus = z.enum(['HOST_DELEGATED', 'KERNEL_PROXIED']);
export type ExecutionLocus = z.infer<typeof executionLocus>;

export const authCustodian = z.enum(['CLIENT_SESSION', 'CREASURA_VAULT']);
export type AuthCustodian = z.infer<typeof authCustodian>;

export const promotionPolicy = z.strictObject({
  max_expired_leases_before_stage2_prompt: z.number().int().min(1),
  rolling_window_days: z.number().int().min(1),
});
export type PromotionPolicy = z.infer<typeof promotionPolicy>;

export const capability = z.strictObject({
  id: z.string(),
  operations: z.array(z.string()),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()),
  authorization: authorizationPolicy,
  executionMode: z.enum(['interactive', 'background', 'scheduled']),
  provider: z.string(),
});
export type Capability = z.infer<typeof capability>;

export const capabilityDescriptor = z.strictObject({
  id: z.string(),
  provider: z.string(),
  operations: z.array(z.string()),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()),
  supportsAsync: z.boolean(),
  supportsResume: z.boolean(),
  supportsCancellation: z.boolean(),
  authorizationRequired: z.boolean(),
  sideEffectLevel: z.enum(['none', 'reversible', 'irreversible']),
  execution_locus: executionLocus.optional(),
  auth_custodian: authCustodian.optional(),
  receipt_lease_seconds: z.number().int().min(1).optional(),
  required_receipt_fields: z.array(z.string()).optional(),
  promotion_policy: promotionPolicy.optional(),
});
export type CapabilityDescriptor = z.infer<typeof capabilityDescriptor>;

export const capabilityInvocation = z.strictObject({
  invocationId: z.string(),
  capabilityId: z.string(),
  input: z.unknown(),
  contextRefs: z.array(z.string()),
  authorizationRef: z.string().optional(),
  idempotencyKey: z.string(),
});
export type CapabilityInvocation = z.infer<typeof capabilityInvocation>;

export const capabilityResult = z.strictObject({
  invocationId: z.string(),
  status: z.enum(['completed', 'failed', 'pending', 'requires_approval']),
  output: z.unknown().optional(),
  evidenceRefs: z.array(z.string()),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
    })
    .optional(),
});
export type CapabilityResult = z.infer<typeof capabilityResult>;

export const loopDriver = z.enum(['CLIENT_POLLED', 'KERNEL_MANAGED']);
export type LoopDriver = z.infer<typeof loopDriver>;

export const conformanceProfileId = z.enum(['CAOP-STAGE-1', 'CAOP-STAGE-2', 'CAOP-STAGE-3']);
export type ConformanceProfileId = z.infer<typeof conformanceProfileId>;

export const conformanceProfile = z.strictObject({
  id: conformanceProfileId,
  loop_driver: loopDriver,
  auth_custodian: authCustodian,
  execution_locus: executionLocus,
  max_attestation: attestationTier,
  v0_1_conformance_level: z.enum(['L2', 'L3']),
});
export type ConformanceProfile = z.infer<typeof conformanceProfile>;

export const capabilityRegistration = z.strictObject({
  capability_id: z.string(),
  version: z.string(),
  execution_locus: executionLocus,
  auth_custodian: authCustodian,
  receipt_lease_seconds: z.number().int().min(1),
  required_receipt_fields: z.array(z.string()),
  promotion_policy: promotionPolicy,
  input_schema: z.record(z.string(), z.unknown()).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
});
export type CapabilityRegistration = z.infer<typeof capabilityRegistration>;

export const capabilityStub = z.strictObject({
  capability_id: z.string(),
  summary: z.string(),
});
export type CapabilityStub = z.infer<typeof capabilityStub>;

export const hydratedCapability = z.strictObject({
  capability_id: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});
export type HydratedCapability = z.infer<typeof hydratedCapability>;
