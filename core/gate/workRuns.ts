import type { EventEnvelope } from '../contracts/caop.ts';
import type { EventPayload } from '../contracts/events.ts';
import { SignalboxError, isSignalboxError } from '../contracts/errors.ts';
import type { WorkState } from '../domain/workState.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock } from '../kernel/ports.ts';
import type { Background } from './background.ts';
import type { CallRecord } from './callRecorder.ts';
import type { Deferred } from './deferred.ts';
import { deferred } from './deferred.ts';
import type { CallContext } from './gate.ts';
import { isOver, pendingError } from './workOutcome.ts';

const WAITING_NEWS_MS = 5_000;
const SHUTDOWN_MS = 2_000;

/** A caller that waits for the outcome. */
interface Attachment {
  readonly failed: Deferred<never>;
}

/** One work item while this process looks after it: who waits, and whether it is being performed. */
export interface WorkRun {
  readonly workId: string;
  /** When the call arrived (epoch ms). */
  readonly arrival: number;
  readonly tokenId: string;
  readonly done: Deferred<WorkState>;
  readonly attachments: Set<Attachment>;
  /** Stops the input between two primitives. */
  readonly abort: AbortController;
  /** Text kept out of the log: as proposed, and as steered. */
  secret: string | null;
  steeredSecret: string | null;
  granted: boolean;
  performing: boolean;
  over: boolean;
  absence: Disposable | null;
  /** The line of the first call in the trace. */
  record: CallRecord | null;
  /** The first caller is there and will write that line itself. */
  attended: boolean;
}

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly absentTtlMs: number;
  /** Opens the lease and performs; throws when it cannot be tried now (paused). */
  readonly perform: (run: WorkRun) => Promise<void>;
  /** The outcome is known and nobody of the first call is there to write it into the trace. */
  readonly onUnattendedEnd: (run: WorkRun, work: WorkState) => Promise<void>;
  readonly background: Background;
  readonly onError: (error: unknown, doing: string) => void;
}

const ENDINGS: ReadonlySet<string> = new Set([
  'work.refused',
  'approval.denied',
  'approval.expired',
  'approval.voided',
  'approval.withdrawn',
  'receipt.settled',
  'lease.failed',
  'lease.expired',
]);

export class WorkRuns {
  readonly #parts: Parts;
  readonly #runs = new Map<string, WorkRun>();
  readonly #performances = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  create(workId: string, arrival: number, tokenId: string): WorkRun {
    const run: WorkRun = {
      workId,
      arrival,
      tokenId,
      done: deferred(),
      attachments: new Set(),
      abort: new AbortController(),
      secret: null,
      steeredSecret: null,
      granted: false,
      performing: false,
      over: false,
      absence: null,
      record: null,
      attended: false,
    };
    this.#runs.set(workId, run);
    return run;
  }

  /** The run of undecided or unperformed work, taken up again after a restart. */
  adopt(work: WorkState): WorkRun {
    const known = this.#runs.get(work.work_id);
    if (known !== undefined) return known;
    const run = this.create(work.work_id, Date.parse(work.staged_at), work.staged.token_id);
    run.granted = work.status === 'EXECUTE_PENDING';
    this.#startAbsence(run);
    return run;
  }

  drop(run: WorkRun): void {
    run.over = true;
    run.absence?.[Symbol.dispose]();
    this.#runs.delete(run.workId);
  }

  get(workId: string): WorkRun | undefined {
    return this.#runs.get(workId);
  }

  isAttached(workId: string): boolean {
    return (this.#runs.get(workId)?.attachments.size ?? 0) > 0;
  }

  ofToken(tokenId: string): readonly WorkRun[] {
    return [...this.#runs.values()].filter((run) => run.tokenId === tokenId);
  }

  see(event: EventEnvelope): void {
    const run = this.#runs.get(event.subject_id);
    if (run === undefined) return;
    if (event.event_type === 'approval.granted') {
      run.granted = true;
      if (run.attachments.size > 0) this.start(run, () => this.#parts.perform(run));
    } else if (ENDINGS.has(event.event_type)) {
      this.#parts.kernel
        .findWork(run.workId)
        .then((work) => (work !== null && isOver(work) ? this.#finish(run, work) : undefined))
        .catch((error: unknown) => run.done.reject(error));
    }
  }

  #finish(run: WorkRun, work: WorkState): void {
    if (run.over) return;
    this.drop(run);
    const { attended } = run;
    run.done.resolve(work);
    if (attended) return;
    this.#parts.background.run(
      this.#parts.onUnattendedEnd(run, work),
      `writing the end of ${run.workId} into the trace`,
    );
  }

  /** Once at a time. A failure to begin leaves the approval as it is and is told to those who wait. */
  start(run: WorkRun, perform: () => Promise<void>): void {
    if (run.performing || run.over) return;
    run.performing = true;
    const performance = perform().finally(() => {
      run.performing = false;
      this.#performances.delete(performance);
    });
    this.#performances.add(performance);
    performance.catch((error: unknown) => {
      for (const attachment of run.attachments) attachment.failed.reject(error);
      if (run.attachments.size === 0) this.#parts.onError(error, `performing ${run.workId}`);
    });
  }

  /** Waits for the outcome; `waitMs` counts only while a person is waited for. */
  async attach(run: WorkRun, ctx: CallContext, waitMs: number): Promise<WorkState> {
    const attachment: Attachment = { failed: deferred() };
    run.attachments.add(attachment);
    run.absence?.[Symbol.dispose]();
    run.absence = null;
    const held: Disposable[] = [];
    try {
      if (run.granted) this.start(run, () => this.#parts.perform(run));
      this.#newsWhileWaiting(run, ctx, held);
      return await Promise.race([
        run.done.promise,
        attachment.failed.promise,
        this.#leaving(run, ctx, held),
        this.#outOfPatience(run, waitMs, held),
      ]);
    } finally {
      for (const one of held) one[Symbol.dispose]();
      run.attachments.delete(attachment);
      if (run.attachments.size === 0) this.#startAbsence(run);
    }
  }

  #newsWhileWaiting(run: WorkRun, ctx: CallContext, held: Disposable[]): void {
    const { clock, kernel, onError } = this.#parts;
    const began = clock.now();
    let timer: Disposable | null = null;
    held.push({ [Symbol.dispose]: () => timer?.[Symbol.dispose]() });
    const tell = async (): Promise<void> => {
      if (run.over || run.performing || ctx.onWaiting === undefined) return;
      const approvalId = (await kernel.findWork(run.workId))?.approval?.approval_id;
      const waited = clock.now() - began;
      if (approvalId !== undefined && !run.over && !run.performing) {
        const message = `Waiting for a person to decide (${Math.round(waited / 1_000)} s).`;
        ctx.onWaiting({ work_id: run.workId, approval_id: approvalId, waited_ms: waited, message });
      }
    };
    const again = (): void => {
      tell().catch((error: unknown) => onError(error, 'telling a caller that it waits'));
      timer = clock.schedule(clock.now() + WAITING_NEWS_MS, again);
    };
    again();
  }

  #outOfPatience(run: WorkRun, waitMs: number, held: Disposable[]): Promise<never> {
    const { clock, kernel } = this.#parts;
    const began = clock.now();
    const refused = deferred<never>();
    held.push(
      clock.schedule(began + waitMs, () => {
        // What is being performed is over soon, and by itself; a lease bounds it.
        if (run.performing || run.over) return;
        kernel.findWork(run.workId).then(
          (work) => {
            if (work !== null && !run.performing) refused.reject(pendingError(work, clock.now() - began));
          },
          (error: unknown) => refused.reject(error),
        );
      }),
    );
    return refused.promise;
  }

  #leaving(run: WorkRun, { signal }: CallContext, held: Disposable[]): Promise<never> {
    const left = deferred<never>();
    const leave = (): void => {
      const withdraws = signal.reason === 'withdraw' && run.attachments.size === 1;
      if (!withdraws) {
        left.reject(new SignalboxError('CANCELLED', 'The caller has left; the request stands.'));
        return;
      }
      this.withdraw(run, 'The client cancelled the call.').then(
        () =>
          left.reject(
            new SignalboxError('CANCELLED', 'Cancelled by the client.', { details: { work_id: run.workId } }),
          ),
        (error: unknown) => left.reject(error),
      );
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    held.push({ [Symbol.dispose]: () => signal.removeEventListener('abort', leave) });
    return left.promise;
  }

  /** Before the input: it is not performed after all. During it: it stops at the next primitive. */
  async withdraw(run: WorkRun, because: string): Promise<void> {
    run.abort.abort(because);
    if (run.performing) return;
    try {
      await this.#parts.kernel.command(run.workId, { type: 'withdraw', because });
    } catch (error) {
      // Decided or begun in the same moment: the abort above stops it before its next input.
      if (!isSignalboxError(error) || error.code !== 'INVALID_TRANSITION') throw error;
    }
  }

  #startAbsence(run: WorkRun): void {
    if (run.over || run.performing || run.absence !== null) return;
    const { clock, absentTtlMs, background } = this.#parts;
    run.absence = clock.schedule(clock.now() + absentTtlMs, () => {
      run.absence = null;
      if (run.attachments.size > 0) return;
      const because = `Nobody waited for it for ${Math.round(absentTtlMs / 60_000)} minutes.`;
      background.run(this.withdraw(run, because), `withdrawing ${run.workId}`);
    });
  }

  /** Revoking a token withdraws what it asked for and stops what it is doing. */
  seeRevocation(event: EventEnvelope): void {
    if ((event.payload as EventPayload<'token.revoked'>).because !== 'revoked') return;
    for (const run of this.ofToken(event.subject_id)) {
      this.#parts.background.run(
        this.withdraw(run, 'The token it came with was revoked.'),
        `withdrawing ${run.workId}`,
      );
    }
  }

  /** Stops what is being performed at its next input and waits, not for long, until that is written down. */
  async stop(): Promise<void> {
    for (const run of this.#runs.values()) if (run.performing) run.abort.abort('The console is shutting down.');
    const { clock } = this.#parts;
    const patience = deferred<void>();
    const timer = clock.schedule(clock.now() + SHUTDOWN_MS, () => patience.resolve());
    await Promise.race([Promise.allSettled(this.#performances), patience.promise]);
    timer[Symbol.dispose]();
  }

  close(): void {
    for (const run of [...this.#runs.values()]) {
      this.drop(run);
      run.done.reject(
        new SignalboxError('CANCELLED', 'The console is shutting down. The request stands; ask again later.'),
      );
    }
  }
}
