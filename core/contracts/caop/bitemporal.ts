import { z } from 'zod';
import { entityRef, attestationTier } from './base.ts';
import { executionLocus } from './capability.ts';

/** Facts in two times, and what happens to them when a premise goes (CAOP v0.2, state). */

const time = z.iso.datetime({ offset: true });

export const epistemicStatus = z.enum(['CANDIDATE_PROPOSAL', 'RATIFIED_COMMITMENT', 'VERIFIED_FACT']);
export type EpistemicStatus = z.infer<typeof epistemicStatus>;

export const freshness = z.enum(['CURRENT', 'STALE_UPSTREAM_PREMISE']);
export type Freshness = z.infer<typeof freshness>;

export const dependsOnAlternatives = z.array(z.array(z.string()));
export type DependsOnAlternatives = z.infer<typeof dependsOnAlternatives>;

export const invalidationContext = z.strictObject({
  invalidated_by_fact_id: z.string(),
  invalidated_at: time,
  reason: z.string().optional(),
});
export type InvalidationContext = z.infer<typeof invalidationContext>;

export const factProvenance = z.strictObject({
  work_id: z.string(),
  invocation_id: z.string().optional(),
  execution_locus: executionLocus,
  attestation: attestationTier,
  verified_fields: z.array(z.string()).optional(),
});
export type FactProvenance = z.infer<typeof factProvenance>;

export const bitemporalFact = z.strictObject({
  fact_id: z.string(),
  subject: entityRef,
  predicate: z.string(),
  object: z.unknown(),
  epistemic_status: epistemicStatus,
  freshness: freshness,
  depends_on_fact_ids: z.array(z.string()),
  depends_on_alternatives: dependsOnAlternatives.optional(),
  invalidation_context: invalidationContext.nullable().optional(),
  valid_time: z.strictObject({
    start: time,
    end: time.nullable().optional(),
  }),
  transaction_time: z.strictObject({
    recorded_at: time,
    superseded_at: time.nullable().optional(),
  }),
  provenance: factProvenance.optional(),
});
export type BitemporalFact = z.infer<typeof bitemporalFact>;

export const stateConfig = z.strictObject({
  workspace_id: z.string(),
  max_invalidation_subgraph: z.number().int().min(1),
});
export type StateConfig = z.infer<typeof stateConfig>;
