import type { EventEnvelope } from '../../contracts/caop.ts';
import { isSignalboxError } from '../../contracts/errors.ts';
import type { CompactCommand } from '../../domain/caop/decideCompact.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { openLeaseOf } from '../../domain/caop/compactState.ts';
import type { CaopOptions } from './caopParts.ts';
import type { CompactLedger } from './compactLedger.ts';

/** Approvals that run out and leases that are never settled. Both survive a restart. */
export class CompactTimers implements Disposable {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;
  readonly #timers = new Map<string, Disposable>();
  readonly #subscription: Disposable;

  constructor(options: CaopOptions, ledger: CompactLedger) {
    this.#options = options;
    this.#ledger = ledger;
    this.#subscription = options.store.subscribe((placed) => {
      for (const { event } of placed) if (event.event_type.startsWith('compact.')) this.#see(event);
    });
  }

  /** Kernel-proxied steps that this host had in flight have an unknown outcome now. */
  async start(): Promise<void> {
    for (const work of await this.#ledger.query({ lease_state: 'open' }, 'lease_seq', 100_000)) {
      const lease = openLeaseOf(work);
      if (lease !== null && work.staged.execution_locus === 'KERNEL_PROXIED' && lease.host === this.#options.host) {
        await this.#expire(work.work_id, 'The process ended before the outcome was written down.');
      } else this.#watch(work);
    }
    for (const work of await this.#ledger.query({ approval_status: ['pending', 'granted'] }, 'approval_seq', 100_000))
      this.#watch(work);
  }

  #see(event: EventEnvelope): void {
    // The work is read once the append is through: the row says what to wait for.
    void this.#ledger
      .find(event.subject_id)
      .then((work) => {
        if (work !== null) this.#watch(work);
      })
      .catch((error: unknown) => this.#options.onBackgroundError(error, `watching ${event.subject_id}`));
  }

  #watch(work: CompactWork): void {
    this.#stop(work.work_id);
    const lease = openLeaseOf(work);
    if (lease !== null) {
      if (lease.state === 'open')
        this.#at(work.work_id, lease.lease_expires_at, () =>
          this.#expire(work.work_id, 'It was not settled within the time of its lease.'),
        );
      return;
    }
    const { approval } = work;
    const waits =
      approval?.status === 'pending' || (approval?.status === 'granted' && work.status === 'EXECUTE_PENDING');
    if (approval !== null && waits)
      this.#at(work.work_id, approval.expires_at, () =>
        this.#command(work.work_id, () => ({ type: 'time_out_approval' })),
      );
  }

  #at(workId: string, at: string, run: () => Promise<void>): void {
    const timer = this.#options.clock.schedule(Date.parse(at), () => {
      this.#timers.delete(workId);
      run().catch((error: unknown) => {
        // It ended by itself in the same moment: nothing is left to expire.
        const late = isSignalboxError(error) && error.code === 'INVALID_TRANSITION';
        if (!late) this.#options.onBackgroundError(error, `expiring ${workId}`);
      });
    });
    this.#timers.set(workId, timer);
  }

  #expire(workId: string, because: string): Promise<void> {
    return this.#command(workId, (work) => {
      const lease = openLeaseOf(work);
      return lease?.state === 'open' ? { type: 'expire_lease', invocation_id: lease.invocation_id, because } : null;
    });
  }

  #command(workId: string, commandOf: (work: CompactWork) => CompactCommand | null): Promise<void> {
    return this.#ledger.exclusive(async () => {
      const work = await this.#ledger.find(workId);
      const command = work === null ? null : commandOf(work);
      if (work === null || command === null) return;
      const { decision } = this.#ledger.decide(work, [command]);
      await this.#ledger.append([decision], work.staged.input.goal_id);
    });
  }

  #stop(workId: string): void {
    this.#timers.get(workId)?.[Symbol.dispose]();
    this.#timers.delete(workId);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    for (const workId of [...this.#timers.keys()]) this.#stop(workId);
  }
}
