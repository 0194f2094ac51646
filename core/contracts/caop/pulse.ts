import { z } from 'zod';
import { conformanceProfileId, capabilityStub, hydratedCapability } from './capability.ts';
import { epistemicStatus, freshness } from './bitemporal.ts';
import { executeSubState, compactionMode, outcomeVerification } from './compact.ts';

/** What a pulse takes and answers (CAOP v0.2, compact binding). */

const time = z.iso.datetime({ offset: true });

export const pulseInput = z.looseObject({
  scope_goal_ids: z.array(z.string()).optional(),
  unobserved_events: z
    .array(
      z.looseObject({
        source: z.string(),
        summary: z.string(),
        external_ref: z.string().optional(),
        supersedes_fact_id: z.string().optional(),
      }),
    )
    .optional(),
  compaction_mode: compactionMode,
  hydrate_capability_ids: z.array(z.string()).optional(),
});
export type PulseInput = z.infer<typeof pulseInput>;

export const pulseInputV02 = z.looseObject({
  scope_goal_ids: z.array(z.string()).optional(),
  compaction_mode: z
    .enum(['FACT_POINTERS_ONLY', 'SUMMARY_WITH_LINEAGE', 'FULL_RAW_ARTIFACTS'])
    .default('SUMMARY_WITH_LINEAGE'),
  hydrate_capability_ids: z.array(z.string()).optional(),
});
export type PulseInputV02 = z.infer<typeof pulseInputV02>;

export const openLease = z.strictObject({
  work_id: z.string(),
  invocation_id: z.string(),
  sub_state: executeSubState,
  required_nonce: z.string(),
  lease_expires_at: time.optional(),
});
export type OpenLease = z.infer<typeof openLease>;

export const staleCommitment = z.strictObject({
  work_id: z.string(),
  fact_id: z.string(),
  title: z.string(),
  epistemic_status: epistemicStatus,
  freshness: freshness,
  invalidated_by_fact_id: z.string().optional(),
  summary: z.string().optional(),
});
export type StaleCommitment = z.infer<typeof staleCommitment>;

export const unassignedBlocker = z.strictObject({
  work_id: z.string(),
  title: z.string(),
  missing_hook: z.string(),
});
export type UnassignedBlocker = z.infer<typeof unassignedBlocker>;

export const rankedNextAction = z.strictObject({
  rank: z.number().int().min(1),
  work_id: z.string(),
  action_type: z.string(),
  blocking_dependents_count: z.number().int().min(0).optional(),
  recommended_prompt: z.string().optional(),
});
export type RankedNextAction = z.infer<typeof rankedNextAction>;

export const systemAdvisory = z.strictObject({
  code: z.literal('STAGE_UPGRADE_RECOMMENDED'),
  capability_id: z.string().optional(),
  message: z.string(),
});
export type SystemAdvisory = z.infer<typeof systemAdvisory>;

export const resumeBrief = z.strictObject({
  unsettled_leases: z.array(openLease),
  stale_commitments: z.array(staleCommitment),
  unassigned_blockers: z.array(unassignedBlocker),
  ranked_next_actions: z.array(rankedNextAction),
  system_advisories: z.array(systemAdvisory),
});
export type ResumeBrief = z.infer<typeof resumeBrief>;

export const pulseResponse = z.strictObject({
  pulse_timestamp: time,
  workspace_stage_profile: conformanceProfileId,
  resume_brief: resumeBrief,
  capability_stubs: z.array(capabilityStub).optional(),
  hydrated_capabilities: z.array(hydratedCapability).optional(),
  outcome_verifications: z.array(outcomeVerification).optional(),
});
export type PulseResponse = z.infer<typeof pulseResponse>;
