import type { DomainEvent } from '../contracts/events.ts';
import { eventPayloads, eventVersions } from '../contracts/events.ts';
import { isSignalboxError } from '../contracts/errors.ts';
import type { EventEnvelope } from '../contracts/caop.ts';
import type { EventStore, PlacedEvent, RowChange } from './eventStore.ts';
import type { Clock, Ids } from './ports.ts';

const WORKSPACE = 'personal';
const ATTEMPTS = 5;

/** Events for one stream, decided on its version. */
export interface Decision {
  readonly stream: string;
  readonly version: number;
  readonly events: readonly DomainEvent[];
}

export interface EventWriter {
  append(
    decisions: readonly Decision[],
    correlationId: string,
    also?: readonly RowChange[],
  ): Promise<readonly PlacedEvent[]>;
  /** Decides again on a conflict, at most five times in all. */
  retrying<T>(attempt: () => Promise<T>): Promise<T>;
  now(): string;
}

export const eventWriter = (parts: { store: EventStore; clock: Clock; ids: Ids }): EventWriter => {
  const now = (): string => new Date(parts.clock.now()).toISOString();

  const envelope = (stream: string, event: DomainEvent, correlationId: string): EventEnvelope => ({
    event_id: parts.ids.id('evt'),
    event_type: event.type,
    schema_version: String(eventVersions.get(event.type) ?? 1),
    occurred_at: now(),
    workspace_id: WORKSPACE,
    subject_id: stream,
    correlation_id: correlationId,
    // What is written must be readable by its own declaration for ever.
    payload: eventPayloads[event.type].parse(event.payload),
  });

  return {
    now,
    append: (decisions, correlationId, also) =>
      parts.store.append(
        decisions.map(({ stream, version, events }) => ({
          stream,
          expectedVersion: version,
          events: events.map((event) => envelope(stream, event, correlationId)),
        })),
        also,
      ),
    async retrying(attempt) {
      for (let left = ATTEMPTS - 1; ; left -= 1) {
        try {
          return await attempt();
        } catch (error) {
          const conflict = isSignalboxError(error) && error.code === 'STATE_VERSION_CONFLICT' && error.retryable;
          if (!conflict || left === 0) throw error;
        }
      }
    },
  };
};
