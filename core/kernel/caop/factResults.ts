import type { OutcomeVerification, SettlementResult } from '../../contracts/caop/compact.ts';
import type { AttestationTier } from '../../contracts/caop/base.ts';
import type { CompactLease, CompactWork } from '../../domain/caop/compactState.ts';
import type { NewFact } from './factLedger.ts';

/** Facts and answers that a receipt gives rise to. */

export const receiptFact = (
  work: CompactWork,
  lease: CompactLease,
  receipt: {
    readonly fact_id: string;
    readonly ok: boolean;
    readonly attestation: AttestationTier;
    readonly late: boolean;
    readonly output: Readonly<Record<string, unknown>> | null;
    readonly external_ref: string | null;
    readonly error: string | null;
  },
): NewFact => {
  const step = work.steps.find(({ step_index }) => step_index === lease.step_index);
  return {
    fact_id: receipt.fact_id,
    subject: `work/${work.work_id}`,
    predicate: receipt.ok ? 'receipt' : 'failure',
    object: {
      step_index: lease.step_index,
      capability_id: step?.capability_id ?? '',
      ...(receipt.external_ref === null ? {} : { external_ref: receipt.external_ref }),
      ...(receipt.output === null ? {} : { output: receipt.output }),
      ...(receipt.error === null ? {} : { error: receipt.error }),
      ...(receipt.late ? { late: true } : {}),
    },
    status: 'VERIFIED_FACT',
    kind: receipt.ok ? 'receipt' : 'failure',
    goal_id: work.staged.input.goal_id,
    work_id: work.work_id,
    principal: work.staged.principal,
    provenance: {
      work_id: work.work_id,
      invocation_id: lease.invocation_id,
      execution_locus: work.staged.execution_locus,
      attestation: receipt.attestation,
      verified_fields: receipt.ok ? [...(step?.required_receipt_fields ?? [])] : [],
    },
  };
};

/** Facts of the work itself, which become verified when its evidence does. */
export const ownFacts = (work: CompactWork): readonly string[] => [
  ...work.staged.derived_fact_ids,
  ...(work.staged.commitment_fact_id === null ? [] : [work.staged.commitment_fact_id]),
];

export const outcomeView = (work: CompactWork): OutcomeVerification | null => {
  const { outcome, check } = work;
  if (outcome === null || check === null) return null;
  return {
    work_id: work.work_id,
    invocation_id: outcome.invocation_id,
    sub_state: 'VERIFY_PHASE_2_DEFERRED',
    verification_capability_id: check.capability_id,
    success_predicate: check.success_predicate,
    check_due_at: outcome.check_due_at,
    status: outcome.status,
    ...(outcome.fact_ids.length === 0 ? {} : { fact_ids: [...outcome.fact_ids] }),
  };
};

export const settlementAnswer = (
  work: CompactWork,
  lease: CompactLease,
  settled: {
    readonly ok: boolean;
    readonly attestation: AttestationTier;
    readonly fact_ids: readonly string[];
    readonly thread_unlocked: boolean;
    readonly review: SettlementResult['review_outcome'] | undefined;
    readonly check_due_at: string | null;
  },
): SettlementResult => {
  const review = settled.ok ? settled.review : (settled.review ?? 'REPLAN_REQUIRED');
  const check = work.check;
  const base: SettlementResult = {
    work_id: work.work_id,
    invocation_id: lease.invocation_id,
    lifecycle_stage: settled.ok ? 'RECORD' : 'REVIEW',
    attestation: settled.attestation,
    fact_ids: [...settled.fact_ids],
    thread_unlocked: settled.thread_unlocked,
  };
  if (settled.check_due_at === null || check === null)
    return review === undefined ? base : { ...base, review_outcome: review };
  // The goal is not met before the outcome has been looked at, whatever the host says.
  const outcome_verification: OutcomeVerification = {
    work_id: work.work_id,
    invocation_id: lease.invocation_id,
    sub_state: 'VERIFY_PHASE_2_DEFERRED',
    verification_capability_id: check.capability_id,
    success_predicate: check.success_predicate,
    check_due_at: settled.check_due_at,
    status: 'PENDING',
  };
  return { ...base, sub_state: 'RECORDED_AWAITING_OUTCOME_VERIFY', outcome_verification };
};
