import type { EventEnvelope } from '../contracts/caop.ts';
import { isSignalboxError } from '../contracts/errors.ts';
import type { EventPayload } from '../contracts/events.ts';
import type { WorkState } from '../domain/workState.ts';
import type { Clock } from './ports.ts';

export interface WorkTimers extends Disposable {
  /** Starts, moves and stops timers as the log grows. */
  see(event: EventEnvelope): void;
  watchApproval(work: WorkState): void;
  watchLease(work: WorkState): void;
}

interface Parts {
  readonly clock: Clock;
  readonly expireApproval: (workId: string) => Promise<unknown>;
  readonly expireLease: (workId: string) => Promise<unknown>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** One timer per work item: a pending or granted approval, then an open lease. */
export const workTimers = ({ clock, expireApproval, expireLease, onError }: Parts): WorkTimers => {
  const timers = new Map<string, Disposable>();

  const stop = (workId: string): void => {
    timers.get(workId)?.[Symbol.dispose]();
    timers.delete(workId);
  };
  const start = (workId: string, at: string, run: (workId: string) => Promise<unknown>): void => {
    stop(workId);
    const timer = clock.schedule(Date.parse(at), () => {
      timers.delete(workId);
      run(workId).catch((error: unknown) => {
        // It ended by itself in the same moment: nothing is left to expire.
        const late = isSignalboxError(error) && error.code === 'INVALID_TRANSITION';
        if (!late) onError(error, `expiring ${workId}`);
      });
    });
    timers.set(workId, timer);
  };

  return {
    see(event) {
      const workId = event.subject_id;
      switch (event.event_type) {
        case 'approval.requested':
        case 'approval.granted':
          return start(workId, (event.payload as EventPayload<'approval.granted'>).expires_at, expireApproval);
        case 'lease.opened':
          return start(workId, (event.payload as EventPayload<'lease.opened'>).expires_at, expireLease);
        case 'approval.denied':
        case 'approval.expired':
        case 'approval.voided':
        case 'approval.withdrawn':
        case 'receipt.settled':
        case 'lease.failed':
        case 'lease.expired':
          return stop(workId);
      }
    },
    watchApproval(work) {
      if (work.approval !== null) start(work.work_id, work.approval.expires_at, expireApproval);
    },
    watchLease(work) {
      if (work.lease !== null) start(work.work_id, work.lease.expires_at, expireLease);
    },
    [Symbol.dispose]() {
      for (const workId of [...timers.keys()]) stop(workId);
    },
  };
};
