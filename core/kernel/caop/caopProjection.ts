import type { Commitment } from '../../contracts/caop/execution.ts';
import type { DomainEvent, EventPayload } from '../../contracts/events.ts';
import { principalKey } from '../../contracts/principal.ts';
import type { CompactEvent, CompactWork } from '../../domain/caop/compactState.ts';
import { evolveCompact, isCompactEvent, openLeaseOf } from '../../domain/caop/compactState.ts';
import type { Json, PlacedEvent, Row, RowChange, RowReader } from '../eventStore.ts';
import { projectExecution } from './executionRows.ts';
import { projectFacts } from './factRows.ts';

const json = (value: unknown): Json => value as Json;
const put = (table: string, row: Row): readonly RowChange[] => [{ op: 'put', table, row }];

export const compactOf = (row: Row): CompactWork => row['state'] as unknown as CompactWork;

/** The obligation behind compact work closes by evidence only: a receipt, a passed check, a confirmation. */
const commitmentStatusOf = (work: CompactWork): Commitment['status'] => {
  if (work.status === 'EXECUTE_COMPLETED')
    return work.staged.hold_record && work.confirmed_by === null ? 'open' : 'completed';
  return work.status === 'CANCELLED' || work.superseded_by !== null ? 'cancelled' : 'open';
};

const commitmentChange = (work: CompactWork, placed: PlacedEvent, read: RowReader): readonly RowChange[] => {
  const { commitment_id, input, principal } = work.staged;
  const before = read.get('commitments', commitment_id);
  const status = commitmentStatusOf(work);
  if (before?.['status'] === status) return [];
  const { title, due_at } = input.commitment;
  return put('commitments', {
    commitment_id,
    seq: before?.['seq'] ?? placed.seq,
    goal_id: input.goal_id,
    status,
    principal: principalKey(principal),
    work_id: work.work_id,
    version: Number(before?.['version'] ?? 0) + 1,
    commitment: json({ objective: title, success_criteria: [], ...(due_at === undefined ? {} : { deadline: due_at }) }),
  });
};

const projectCompact = (placed: PlacedEvent, event: CompactEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: work_id, occurred_at: at } = placed.event;
  const before = read.get('compact_work', work_id);
  const work = evolveCompact(before === null ? null : compactOf(before), event, {
    work_id,
    version: placed.version,
    at,
  });
  if (work === null) return [];
  const lease = openLeaseOf(work);
  const opened = event.type === 'compact.dispatched' ? placed.seq : (before?.['lease_seq'] ?? null);
  const asked = event.type === 'compact.approval_requested' || (before === null && work.approval !== null);
  const row: Row = {
    work_id,
    seq: before?.['seq'] ?? placed.seq,
    status: work.status,
    principal: principalKey(work.staged.principal),
    goal_id: work.staged.input.goal_id,
    parent_work_id: work.staged.input.parent_work_id ?? null,
    commitment_fact_id: work.staged.commitment_fact_id,
    approval_id: work.approval?.approval_id ?? null,
    approval_seq: asked ? placed.seq : (before?.['approval_seq'] ?? null),
    approval_status: work.approval?.status ?? null,
    execution_locus: work.staged.execution_locus,
    lease_state: lease?.state ?? null,
    lease_seq: lease === null ? null : opened,
    check_due_at: work.outcome?.status === 'PENDING' ? work.outcome.check_due_at : null,
    blocked_seq: work.status === 'CANDIDATE_PROPOSAL' ? (before?.['seq'] ?? placed.seq) : null,
    state: json(work),
  };
  return [
    ...put('compact_work', row),
    ...commitmentChange(work, placed, read),
    ...(event.type === 'compact.expired' ? expiry(event.payload, at) : []),
  ];
};

const expiry = ({ invocation_id, capability_id }: EventPayload<'compact.expired'>, at: string): readonly RowChange[] =>
  put('lease_expiries', { invocation_id, capability_id, at });

const projectGoal = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: goal_id, occurred_at: at } = placed.event;
  if (event.type === 'goal.created') {
    const { goal, sla } = event.payload;
    return put('goals', {
      goal_id,
      seq: placed.seq,
      status: goal.status,
      goal: json(goal),
      sla: json(sla),
      missed_at: null,
    });
  }
  const before = read.get('goals', goal_id);
  if (before === null) return [];
  const goal = { ...(before['goal'] as Row), updatedAt: at };
  switch (event.type) {
    case 'goal.changed':
      return put('goals', { ...before, status: event.payload.status, goal: { ...goal, status: event.payload.status } });
    case 'goal.sla_set':
      return put('goals', { ...before, sla: json(event.payload.sla), missed_at: null, goal });
    case 'goal.pulse_missed':
      return put('goals', { ...before, missed_at: event.payload.due_at });
    default:
      return [];
  }
};

const projectBook = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id, occurred_at: at } = placed.event;
  // Names that people choose are streams of their own kind: `capability:…`, `commit_policy:…`.
  const id = subject_id.replace(/^(capability|commit_policy):/, '');
  switch (event.type) {
    case 'capability.registered': {
      const seq = read.get('capabilities', id)?.['seq'] ?? placed.seq;
      return put('capabilities', { capability_id: id, seq, withdrawn: 0, capability: json(event.payload) });
    }
    case 'capability.withdrawn':
      return [{ op: 'patch', table: 'capabilities', key: id, set: { withdrawn: 1 } }];
    case 'commit_policy.registered': {
      const policy_id = event.payload.policy.policy_id;
      const seq = read.get('commit_policies', policy_id)?.['seq'] ?? placed.seq;
      return put('commit_policies', {
        policy_id,
        seq,
        withdrawn: 0,
        policy: json({ ...event.payload, registered_at: at }),
      });
    }
    case 'commit_policy.withdrawn':
      return [{ op: 'patch', table: 'commit_policies', key: id, set: { withdrawn: 1 } }];
    case 'observation.received': {
      const { observation, principal, dedupe } = event.payload;
      const row = {
        observation_id: id,
        seq: placed.seq,
        dedupe,
        principal: principalKey(principal),
        observation: json(observation),
      };
      return put('observations', row);
    }
    default:
      return [];
  }
};

const families: ReadonlySet<string> = new Set([
  'goal',
  'observation',
  'capability',
  'commit_policy',
  'commitment',
  'plan',
  'execution',
  'verification',
  'question',
  'facts',
  'record',
  'compact',
]);
export const isCaopEvent = (type: string): boolean => families.has(type.split('.')[0] ?? '');

export const projectCaop = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  if (isCompactEvent(event)) return projectCompact(placed, event, read);
  switch (event.type) {
    case 'facts.changed':
      return projectFacts(event.payload.change, placed.seq, read);
    case 'record.committed':
      return projectFacts(event.payload.change, placed.seq, read);
    default:
      return event.type.startsWith('goal.')
        ? projectGoal(placed, event, read)
        : [...projectBook(placed, event, read), ...projectExecution(placed, event, read)];
  }
};
