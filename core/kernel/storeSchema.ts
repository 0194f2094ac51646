import { eventPayloads, eventVersions } from '../contracts/events.ts';
import type { DomainEvent, EventPayload, EventType } from '../contracts/events.ts';
import { SignalboxError } from '../contracts/errors.ts';
import { principalKey } from '../contracts/principal.ts';
import type { WorkState } from '../domain/workState.ts';
import { callOf, evolveWork, isWorkEvent } from '../domain/workState.ts';
import type { Json, PlacedEvent, Row, RowChange, RowReader, StoreSchema, TableDeclaration } from './eventStore.ts';
import { caopTables } from './caop/caopTables.ts';
import { isCaopEvent, projectCaop } from './caop/caopProjection.ts';

/**
 * The tables beside the log, and how each event changes them. A work item keeps its whole state as
 * JSON next to the columns that lists are made by, so that what a decision reads is what was projected.
 */

const text = 'text' as const;
const integer = 'integer' as const;
const json = 'json' as const;

const tables = {
  work: {
    name: 'work',
    key: 'work_id',
    columns: {
      work_id: text,
      seq: integer,
      status: text,
      principal: text,
      surface_id: text,
      verb: text,
      arguments_hash: text,
      idempotency_key: text,
      approval_id: text,
      approval_seq: integer,
      approval_status: text,
      lease_state: text,
      receipt_id: text,
      receipt_seq: integer,
      state: json,
    },
    indexes: [
      ['seq'],
      ['status', 'seq'],
      ['principal', 'seq'],
      ['principal', 'idempotency_key'],
      ['approval_id'],
      ['approval_status', 'approval_seq'],
      ['lease_state', 'seq'],
      ['receipt_id'],
      ['receipt_seq'],
    ],
    chained: true,
  },
  surfaces: {
    name: 'surfaces',
    key: 'surface_id',
    columns: { surface_id: text, seq: integer, kind: text, label: text, closed: integer, epoch: integer, holder: json },
    indexes: [],
    chained: true,
  },
  policies: {
    name: 'policies',
    key: 'policy_id',
    columns: { policy_id: text, seq: integer, policy: json },
    indexes: [['seq']],
    chained: true,
  },
  tokens: {
    name: 'tokens',
    key: 'token_id',
    columns: { token_id: text, seq: integer, token_hash: text, label: text, revoked_at: text, token: json },
    indexes: [['token_hash'], ['seq']],
    chained: true,
  },
  system: {
    name: 'system',
    key: 'name',
    columns: { name: text, value: json },
    indexes: [],
    chained: true,
  },
  calls: {
    name: 'calls',
    key: 'call_id',
    columns: {
      call_id: text,
      n: integer,
      principal: text,
      surface_id: text,
      verb: text,
      outcome: text,
      work_id: text,
      view: json,
    },
    indexes: [
      ['surface_id', 'n'],
      ['principal', 'n'],
      ['verb', 'n'],
      ['outcome', 'n'],
      ['work_id', 'n'],
    ],
    chained: false,
    sequence: 'n',
  },
  lease_sent: {
    name: 'lease_sent',
    key: 'sent_id',
    columns: { sent_id: text, work_id: text, n: integer, what: text },
    indexes: [['work_id', 'n']],
    chained: false,
  },
  lease_nonces: {
    name: 'lease_nonces',
    key: 'work_id',
    columns: { work_id: text, nonce: text },
    indexes: [],
    chained: false,
  },
  token_use: {
    name: 'token_use',
    key: 'token_id',
    columns: { token_id: text, at: text },
    indexes: [],
    chained: false,
  },
} as const satisfies Record<string, TableDeclaration>;

/** Rows hold JSON; a domain state is JSON by construction. */
export const asJson = (value: unknown): Json => value as Json;

/** A text column that is never null. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : '';
};

export const stateOf = (row: Row): WorkState => row['state'] as unknown as WorkState;

const isEventType = (type: string): type is EventType => Object.hasOwn(eventPayloads, type);

export const domainEventOf = (placed: PlacedEvent): DomainEvent => {
  const { event_type, payload } = placed.event;
  if (!isEventType(event_type)) {
    throw new SignalboxError(
      'INTERNAL',
      `The log holds an event of type ${event_type}, which this version does not know.`,
    );
  }
  return { type: event_type, payload: payload as EventPayload<EventType> } as DomainEvent;
};

const projectWork = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: work_id, occurred_at: at } = placed.event;
  const before = read.get('work', work_id);
  const work = evolveWork(before === null ? null : stateOf(before), event, { work_id, version: placed.version, at });
  if (work === null) return [];
  const row: Row = {
    work_id,
    seq: before?.['seq'] ?? placed.seq,
    status: work.status,
    principal: principalKey(work.staged.principal),
    surface_id: callOf(work).surface?.id ?? null,
    verb: work.staged.verb,
    arguments_hash: work.staged.arguments_hash,
    idempotency_key: work.staged.idempotency_key,
    approval_id: work.approval?.approval_id ?? null,
    approval_seq: before?.['approval_seq'] ?? (work.approval === null ? null : placed.seq),
    approval_status: work.approval?.status ?? null,
    lease_state: work.lease?.state ?? null,
    receipt_id: work.receipt?.receipt_id ?? null,
    receipt_seq: before?.['receipt_seq'] ?? (work.receipt === null ? null : placed.seq),
    state: asJson(work),
  };
  return [{ op: 'put', table: 'work', row }];
};

const projectSurface = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: surface_id, occurred_at: since } = placed.event;
  const before: Row = read.get('surfaces', surface_id) ?? {
    surface_id,
    seq: placed.seq,
    kind: 'other',
    label: null,
    closed: 0,
    epoch: 0,
    holder: null,
  };
  const put = (set: Row): readonly RowChange[] => [{ op: 'put', table: 'surfaces', row: { ...before, ...set } }];
  switch (event.type) {
    case 'surface.opened':
      return put({ kind: event.payload.kind, label: event.payload.label, closed: 0 });
    case 'surface.closed':
      return put({ closed: 1, holder: null });
    case 'surface.control_taken': {
      const { by, epoch, private: isPrivate } = event.payload;
      return put({ epoch, holder: { principal: asJson(by), since, private: isPrivate } });
    }
    case 'surface.control_released':
      return put({ epoch: event.payload.epoch, holder: null });
    default:
      return [];
  }
};

const projectPolicy = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: policy_id, occurred_at: at } = placed.event;
  const before = read.get('policies', policy_id);
  const seq = before?.['seq'] ?? placed.seq;
  if (event.type === 'policy.registered') {
    const policy = asJson(event.payload.policy);
    return [{ op: 'put', table: 'policies', row: { policy_id, seq, policy } }];
  }
  if (event.type !== 'policy.disabled' || before === null) return [];
  const policy = { ...(before['policy'] as Row), disabled_at: at };
  return [{ op: 'put', table: 'policies', row: { policy_id, seq, policy } }];
};

const projectToken = (placed: PlacedEvent, event: DomainEvent): readonly RowChange[] => {
  const { subject_id: token_id, occurred_at: at } = placed.event;
  if (event.type === 'token.revoked') {
    return [{ op: 'patch', table: 'tokens', key: token_id, set: { revoked_at: at } }];
  }
  if (event.type !== 'token.created') return [];
  const { token_hash, principal, roles, surfaces, label, expires_at } = event.payload;
  const token = asJson({ principal, roles, surfaces, expires_at, created_at: at });
  return [
    { op: 'put', table: 'tokens', row: { token_id, seq: placed.seq, token_hash, label, revoked_at: null, token } },
  ];
};

const projectSystem = (placed: PlacedEvent, event: DomainEvent): readonly RowChange[] => {
  const put = (name: string, value: Json): readonly RowChange[] => [
    { op: 'put', table: 'system', row: { name, value } },
  ];
  switch (event.type) {
    case 'system.started':
      return put('started', { ...event.payload, at: placed.event.occurred_at });
    case 'system.paused':
      return put('paused', { by: asJson(event.payload.by), at: placed.event.occurred_at });
    case 'system.resumed':
      return put('paused', null);
    default:
      return [];
  }
};

const project = (placed: PlacedEvent, read: RowReader): readonly RowChange[] => {
  const event = domainEventOf(placed);
  if (isCaopEvent(event.type)) return projectCaop(placed, event, read);
  if (isWorkEvent(event.type)) return projectWork(placed, event, read);
  switch (event.type.split('.')[0]) {
    case 'surface':
      return projectSurface(placed, event, read);
    case 'policy':
      return projectPolicy(placed, event, read);
    case 'token':
      return projectToken(placed, event);
    default:
      return projectSystem(placed, event);
  }
};

export const storeSchema: StoreSchema = {
  tables: [...Object.values(tables), ...Object.values(caopTables)],
  versions: eventVersions,
  project,
};
