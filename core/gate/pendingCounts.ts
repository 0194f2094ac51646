import type { EventEnvelope } from '../contracts/caop.ts';
import type { EventPayload } from '../contracts/events.ts';
import type { WorkState } from '../domain/workState.ts';
import { callOf } from '../domain/workState.ts';

/** Approvals that wait for a person, by surface: kept as the log grows, so that lists need no query. */
export class PendingCounts {
  /** Surface of each work item that was staged and has not ended. */
  readonly #surfaces = new Map<string, string>();
  readonly #pending = new Set<string>();

  load(work: WorkState): void {
    const surfaceId = callOf(work).surface?.id;
    if (surfaceId === undefined) return;
    this.#surfaces.set(work.work_id, surfaceId);
    if (work.approval?.status === 'pending') this.#pending.add(work.work_id);
  }

  on(surfaceId: string): number {
    let count = 0;
    for (const workId of this.#pending) if (this.#surfaces.get(workId) === surfaceId) count += 1;
    return count;
  }

  /** The surface whose count changed, if one did. */
  see(event: EventEnvelope): string | null {
    const workId = event.subject_id;
    switch (event.event_type) {
      case 'work.staged': {
        const surface = (event.payload as EventPayload<'work.staged'>).call.surface;
        if (surface !== null) this.#surfaces.set(workId, surface.id);
        return null;
      }
      case 'approval.requested':
        this.#pending.add(workId);
        return this.#surfaces.get(workId) ?? null;
      case 'approval.granted':
      case 'approval.denied':
      case 'approval.expired':
      case 'approval.voided':
      case 'approval.withdrawn':
      case 'lease.opened':
      case 'work.refused':
        return this.#end(workId);
      default:
        return null;
    }
  }

  #end(workId: string): string | null {
    const surfaceId = this.#surfaces.get(workId) ?? null;
    const was = this.#pending.delete(workId);
    this.#surfaces.delete(workId);
    return was ? surfaceId : null;
  }
}
