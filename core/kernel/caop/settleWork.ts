import type { DistilledReturnPayload, SettleReceiptInput, SettlementResult } from '../../contracts/caop/compact.ts';
import type { AttestationTier } from '../../contracts/caop/base.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { EventPayload } from '../../contracts/events.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import { mayApprove, samePrincipal } from '../../contracts/principal.ts';
import type { CompactLease, CompactWork } from '../../domain/caop/compactState.ts';
import { doneSteps } from '../../domain/caop/compactState.ts';
import { sha256Hex } from '../chainHash.ts';
import type { CaopOptions } from './caopParts.ts';
import { forbidden, invalid } from './caopErrors.ts';
import { requireActor, requirePerson } from './caopPrincipals.ts';
import type { CompactLedger } from './compactLedger.ts';
import { hashOf } from './compactLedger.ts';
import { ownFacts, receiptFact, settlementAnswer } from './factResults.ts';
import type { FactPlan } from './factLedger.ts';

export interface Settlement {
  readonly nonce: string;
  readonly idempotency_key: string;
  readonly body_hash: string;
  readonly status: SettleReceiptInput['status'];
  readonly by: PrincipalRef;
  readonly attestation: AttestationTier;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly external_ref: string | null;
  readonly error: string | null;
  readonly review: SettlementResult['review_outcome'] | undefined;
  readonly distilled: DistilledReturnPayload | null;
}

const mismatch = (work: CompactWork, message: string, details: Record<string, unknown>): SignalboxError =>
  new SignalboxError('CAOP_422_VERIFY_ARTIFACT_MISMATCH', message, { details: { work_id: work.work_id, ...details } });

/** VERIFY → RECORD → REVIEW. */
export class Settler {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;

  constructor(options: CaopOptions, ledger: CompactLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  settle(input: SettleReceiptInput, principal: Principal): Promise<SettlementResult> {
    requireActor(principal);
    return this.#ledger.exclusive(() => this.#settle(input, principal));
  }

  /** A person's word on an unknown outcome. Null: no such compact work. */
  async resolve(
    workId: string,
    resolution: { outcome: 'happened' | 'did_not_happen' | 'compensate'; note: string },
    principal: Principal,
  ): Promise<CompactWork | null> {
    if ((await this.#ledger.find(workId)) === null) return null;
    requirePerson(principal, 'say what became of it');
    return this.#ledger.exclusive(async () => {
      const work = await this.#ledger.visible(workId, principal);
      const lease = work.leases.find(({ state }) => state === 'expired');
      const nonce = await this.#ledger.nonceOf(workId);
      if (lease === undefined || nonce === null) {
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          'Only an expired lease, whose outcome is unknown, is resolved by a person.',
          { details: { status: work.status } },
        );
      }
      const happened = resolution.outcome === 'happened';
      await this.write(work, lease, {
        nonce,
        idempotency_key: lease.idempotency_key,
        body_hash: hashOf({ resolution, invocation_id: lease.invocation_id }),
        status: happened ? 'USER_CONFIRMED_OVERRIDE' : 'FAILED',
        by: principal.ref,
        attestation: 'USER_CONFIRMED',
        output: null,
        external_ref: null,
        error: happened ? null : `${resolution.outcome.replaceAll('_', ' ')}: ${resolution.note}`,
        review: undefined,
        distilled: null,
      });
      return this.#ledger.visible(workId, principal);
    });
  }

  async #settle(input: SettleReceiptInput, principal: Principal): Promise<SettlementResult> {
    const work = await this.#ledger.visible(input.work_id, principal);
    this.#refuseForeign(work, input, principal);
    const body_hash = hashOf(input);
    const lease = work.leases.find(({ invocation_id }) => invocation_id === input.invocation_id);
    if (lease === undefined) {
      throw mismatch(work, `${work.work_id} has no invocation ${input.invocation_id}. Take it from the directive.`, {
        invocation_id: input.invocation_id,
      });
    }
    if (lease.settlement?.body_hash === body_hash) return lease.settlement.answer;
    if (lease.state !== 'settled' && lease.nonce_hash === sha256Hex(input.nonce))
      this.#refuseMissingFields(work, lease, input);
    const distilled = await this.#distilled(work, input);
    return this.write(work, lease, {
      nonce: input.nonce,
      idempotency_key: input.idempotency_key,
      body_hash,
      status: input.status,
      by: principal.ref,
      attestation: input.status === 'USER_CONFIRMED_OVERRIDE' ? 'USER_CONFIRMED' : 'HOST_ASSERTED',
      output: input.raw_output ?? null,
      external_ref: input.external_ref ?? null,
      error: input.status === 'FAILED' ? (input.error_detail ?? 'The host says that it failed, and not why.') : null,
      review: input.review_outcome,
      distilled,
    });
  }

  /** Agents settle their own host-delegated steps; people confirm by override, or settle what they staged. */
  #refuseForeign(work: CompactWork, input: SettleReceiptInput, principal: Principal): void {
    const own = samePrincipal(work.staged.principal, principal.ref);
    if (input.status === 'USER_CONFIRMED_OVERRIDE') {
      if (mayApprove(principal)) return;
      throw forbidden(
        "USER_CONFIRMED_OVERRIDE is a person's word. Settle with SUCCEEDED or FAILED, or ask a person to confirm.",
      );
    }
    if (work.staged.execution_locus === 'KERNEL_PROXIED') {
      throw forbidden(
        'The kernel performs and settles this itself. After an unknown outcome a person settles it with USER_CONFIRMED_OVERRIDE.',
      );
    }
    if (!own) throw forbidden("This step is somebody else's. A person may settle it with USER_CONFIRMED_OVERRIDE.");
  }

  #refuseMissingFields(work: CompactWork, lease: CompactLease, input: SettleReceiptInput): void {
    if (input.status !== 'SUCCEEDED') return;
    const step = work.steps.find(({ step_index }) => step_index === lease.step_index);
    const missing = (step?.required_receipt_fields ?? []).filter((field) => !isGiven(input.raw_output?.[field]));
    if (missing.length === 0) return;
    throw mismatch(work, `Receipt raw_output is missing required_receipt_fields: ${missing.join(', ')}.`, {
      invocation_id: lease.invocation_id,
      missing_fields: missing,
    });
  }

  async #distilled(work: CompactWork, input: SettleReceiptInput): Promise<DistilledReturnPayload | null> {
    const payload = input.distilled_return_payload;
    if (payload === undefined) return null;
    if (work.staged.input.parent_work_id === undefined) {
      throw invalid('distilled_return_payload', `${work.work_id} has no parent to return to. Leave it out.`);
    }
    const rows = await this.#ledger.facts.rows(payload.promoted_fact_ids);
    const foreign = payload.promoted_fact_ids.filter((id) => rows.get(id)?.['work_id'] !== work.work_id);
    if (foreign.length > 0) {
      throw new SignalboxError(
        'CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID',
        `These are no facts of ${work.work_id}: ${foreign.join(', ')}. Promote facts that this child has derived or recorded.`,
        {
          details: { unknown_fact_ids: foreign },
        },
      );
    }
    return payload;
  }

  /** One append: the settlement, its facts, and what becomes verified by it. */
  async write(work: CompactWork, lease: CompactLease, settlement: Settlement): Promise<SettlementResult> {
    const ok = settlement.status !== 'FAILED';
    const done = new Set([...doneSteps(work), lease.step_index]);
    const last = ok && work.steps.every(({ step_index }) => done.has(step_index));
    const check_due_at =
      last && work.check !== null
        ? new Date(this.#options.clock.now() + work.check.check_after_seconds * 1_000).toISOString()
        : null;
    const fact_id = this.#options.ids.id('fct');
    const unlocked = (await this.#ledger.blocking(work.staged.principal, work.work_id)) === null;
    const answer = settlementAnswer(work, lease, {
      ok,
      attestation: settlement.attestation,
      fact_ids: [fact_id],
      thread_unlocked: unlocked,
      review: settlement.review,
      check_due_at,
    });
    const event: EventPayload<'compact.settled'> = {
      invocation_id: lease.invocation_id,
      status: settlement.status,
      by: settlement.by,
      attestation: settlement.attestation,
      late: false,
      body_hash: settlement.body_hash,
      raw_output: settlement.output === null ? null : { ...settlement.output },
      external_ref: settlement.external_ref,
      error_detail: settlement.error,
      fact_ids: [fact_id],
      distilled: settlement.distilled,
      check_due_at,
      answer,
    };
    const { decision } = this.#ledger.decide(work, [
      {
        type: 'settle',
        nonce_hash: sha256Hex(settlement.nonce),
        idempotency_key: settlement.idempotency_key,
        settlement: event,
      },
    ]);
    const { output, external_ref, error, attestation } = settlement;
    const fact = receiptFact(work, lease, {
      fact_id,
      ok,
      attestation,
      late: lease.state === 'expired',
      output,
      external_ref,
      error,
    });
    const verified = last && check_due_at === null && !work.staged.hold_record;
    const plan: FactPlan = {
      record: [fact],
      promote: verified ? ownFacts(work).map((id) => ({ fact_id: id, status: 'VERIFIED_FACT' })) : [],
      hand_up: this.#handedUp(work, lease, settlement.distilled),
    };
    const change = await this.#ledger.factDecision(plan, `settled ${lease.invocation_id}`, settlement.by);
    await this.#ledger.append([decision, ...change], work.staged.input.goal_id, [
      { op: 'delete', table: 'lease_nonces', key: work.work_id },
    ]);
    return answer;
  }

  #handedUp(
    work: CompactWork,
    lease: CompactLease,
    distilled: DistilledReturnPayload | null,
  ): NonNullable<FactPlan['hand_up']> {
    if (distilled === null) return [];
    const invocation_ids = [
      ...new Set([...work.leases.map(({ invocation_id }) => invocation_id), lease.invocation_id]),
    ];
    const trace_hash = distilled.trace_hash ?? work.staged.input.isolation_policy?.trace_hash ?? null;
    return distilled.promoted_fact_ids.map((fact_id) => ({
      fact_id,
      work_id: work.work_id,
      invocation_ids,
      trace_hash,
    }));
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
