import type { SettlementResult } from '../../contracts/caop/compact.ts';
import { isSignalboxError, SignalboxError } from '../../contracts/errors.ts';
import type { ErrorCode } from '../../contracts/errors.ts';
import type { Principal } from '../../contracts/principal.ts';
import { canonicalJson } from '../../domain/canonicalJson.ts';
import type { CompactLease, CompactWork } from '../../domain/caop/compactState.ts';
import { nextStep, openLeaseOf } from '../../domain/caop/compactState.ts';
import { sha256Hex } from '../chainHash.ts';
import type { CaopOptions } from './caopParts.ts';
import { KERNEL } from './caopParts.ts';
import type { CompactLedger } from './compactLedger.ts';
import { lockedBy } from './compactLedger.ts';
import type { Settler } from './settleWork.ts';

/** What the gate says when it knows that nothing, or all that was asked, was done. Anything else is unknown. */
const unknownOutcome: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN', 'INTERNAL', 'TIMEOUT']);

type Tried =
  | { readonly kind: 'done'; readonly output: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string };

/** Steps that the kernel performs itself: through the gate, one after the other, to the first that fails. */
export class ProxiedRunner {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #settler: Settler;

  constructor(options: CaopOptions, ledger: CompactLedger, settler: Settler) {
    this.#options = options;
    this.#ledger = ledger;
    this.#settler = settler;
  }

  async run(workId: string): Promise<SettlementResult> {
    for (;;) {
      const { work, lease, nonce } = await this.#ledger.exclusive(() => this.#open(workId));
      const tried = await this.#try(work, lease);
      if (tried.kind === 'unknown') {
        await this.#ledger.exclusive(() => this.#expire(workId, lease.invocation_id, tried.because));
        throw lockedBy({ work_id: workId, invocation_id: lease.invocation_id, nonce: null });
      }
      const answer = await this.#ledger.exclusive(() => this.#settle(workId, lease, nonce, tried));
      const after = await this.#ledger.find(workId);
      if (tried.kind === 'failed' || after === null || nextStep(after) === null) return answer;
    }
  }

  async #open(workId: string): Promise<{ work: CompactWork; lease: CompactLease; nonce: string }> {
    const { ids, clock, host } = this.#options;
    const work = await this.#ledger.find(workId);
    const step = work === null ? null : nextStep(work);
    if (work === null || step === null)
      throw new SignalboxError('INVALID_TRANSITION', `${workId} has nothing left to perform.`);
    const nonce = ids.secret();
    const lease = {
      invocation_id: ids.id('inv'),
      idempotency_key: `idem_${workId}_step_${step.step_index}`,
      nonce_hash: sha256Hex(nonce),
      lease_expires_at: new Date(clock.now() + step.receipt_lease_seconds * 1_000).toISOString(),
      host,
    };
    const { decision, after } = this.#ledger.decide(work, [{ type: 'dispatch', lease }]);
    await this.#ledger.append([decision], work.staged.input.goal_id, [
      { op: 'put', table: 'lease_nonces', row: { work_id: workId, nonce } },
    ]);
    const opened = openLeaseOf(after);
    if (opened === null) throw new SignalboxError('INTERNAL', 'A dispatched step has no lease.');
    return { work: after, lease: opened, nonce };
  }

  async #try(work: CompactWork, lease: CompactLease): Promise<Tried> {
    const step = work.steps.find(({ step_index }) => step_index === lease.step_index);
    if (step === undefined) return { kind: 'failed', because: 'The step is gone from the plan.' };
    try {
      const output = await this.#options.proxied.run({
        capability_id: step.capability_id,
        arguments: step.arguments,
        principal: this.#stager(work),
      });
      const blocked = output['blocked_by'];
      if (typeof blocked === 'string') return { kind: 'failed', because: `Nothing was sent: ${blocked}` };
      return { kind: 'done', output };
    } catch (error) {
      const code = isSignalboxError(error) ? error.code : 'INTERNAL';
      const because = `${code}: ${isSignalboxError(error) ? error.message : 'Something failed inside.'}`;
      if (!isSignalboxError(error)) this.#options.onBackgroundError(error, `performing a step of ${work.work_id}`);
      return unknownOutcome.has(code) ? { kind: 'unknown', because } : { kind: 'failed', because };
    }
  }

  /** The stager, with the authority of the person who approved the plan, when one did. */
  #stager(work: CompactWork): Principal {
    const { principal, roles, surfaces, token_id } = work.staged;
    const by = work.approval?.decision?.by ?? null;
    return {
      ref: principal,
      roles,
      surfaces,
      tokenId: token_id,
      ...(by === null ? {} : { authority: { by, work_id: work.work_id } }),
    };
  }

  async #expire(workId: string, invocation_id: string, because: string): Promise<void> {
    const work = await this.#ledger.find(workId);
    if (work === null || openLeaseOf(work)?.state !== 'open') return;
    const { decision } = this.#ledger.decide(work, [{ type: 'expire_lease', invocation_id, because }]);
    await this.#ledger.append([decision], work.staged.input.goal_id);
  }

  async #settle(
    workId: string,
    lease: CompactLease,
    nonce: string,
    tried: Exclude<Tried, { kind: 'unknown' }>,
  ): Promise<SettlementResult> {
    const work = await this.#ledger.find(workId);
    if (work === null) throw new SignalboxError('INTERNAL', 'The work is gone while it ran.');
    return this.#settler.write(work, lease, {
      nonce,
      idempotency_key: lease.idempotency_key,
      body_hash: sha256Hex(canonicalJson({ invocation_id: lease.invocation_id, tried: tried.kind })),
      status: tried.kind === 'done' ? 'SUCCEEDED' : 'FAILED',
      by: KERNEL,
      attestation: 'KERNEL_ATTESTED',
      output: tried.kind === 'done' ? tried.output : null,
      external_ref: null,
      error: tried.kind === 'done' ? null : tried.because,
      review: undefined,
      distilled: null,
    });
  }
}
