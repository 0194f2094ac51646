import type { Execution, Plan, Verification } from '../../contracts/caop/execution.ts';
import type { ApprovalTerms } from '../../contracts/caopEvents.ts';
import type { DomainEvent, EventPayload } from '../../contracts/events.ts';
import { principalKey, type PrincipalRef } from '../../contracts/principal.ts';
import type { Vote } from '../../domain/caop/approvalVotes.ts';
import type { Json, PlacedEvent, Row, RowChange, RowReader } from '../eventStore.ts';

/** Commitments, plans, executions, verifications and questions of the full binding as rows. */

export interface ExecutionRecord extends Execution {
  readonly plan_id: string;
  readonly correlation_id: string;
  readonly updated_at: string;
  readonly commitment_id: string;
  readonly principal: PrincipalRef;
  readonly approval: ApprovalTerms | null;
  readonly votes: readonly Vote[];
  readonly result: EventPayload<'execution.result_submitted'> | null;
  readonly verification_id: string | null;
}

export interface PlanRecord {
  readonly plan: Plan;
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly goal_id: string;
  readonly principal: PrincipalRef;
}

export const executionOf = (row: Row): ExecutionRecord => row['execution'] as unknown as ExecutionRecord;
export const planOf = (row: Row): PlanRecord => row['plan'] as unknown as PlanRecord;
export const verificationOf = (row: Row): Verification => row['verification'] as unknown as Verification;

const json = (value: unknown): Json => value as Json;
const put = (table: string, row: Row): readonly RowChange[] => [{ op: 'put', table, row }];

const executionRow = (execution: ExecutionRecord, seq: Json, approval_status: Json): readonly RowChange[] =>
  put('executions', {
    execution_id: execution.execution_id,
    seq,
    state: execution.state,
    principal: principalKey(execution.principal),
    goal_id: execution.correlation_id,
    approval_id: execution.approval?.approval_id ?? null,
    approval_status,
    execution: json(execution),
  });

/** A request lapses, is granted or denied by where the execution goes from waiting. */
const approvalStatusOf = (transition: EventPayload<'execution.transitioned'>['transition'], before: Json): Json => {
  if (transition.to_state === 'WAITING_APPROVAL') return 'pending';
  if (transition.from_state !== 'WAITING_APPROVAL') return before;
  return transition.to_state === 'READY' ? 'granted' : transition.to_state === 'EXPIRED' ? 'expired' : 'denied';
};

const started = (placed: PlacedEvent, payload: EventPayload<'execution.started'>): readonly RowChange[] =>
  executionRow(
    {
      execution_id: placed.event.subject_id,
      plan_id: payload.plan_id,
      state: 'CREATED',
      state_version: placed.version,
      correlation_id: payload.goal_id,
      updated_at: placed.event.occurred_at,
      commitment_id: payload.commitment_id,
      principal: payload.principal,
      approval: payload.approval,
      votes: [],
      result: null,
      verification_id: null,
    },
    placed.seq,
    null,
  );

export const projectExecution = (placed: PlacedEvent, event: DomainEvent, read: RowReader): readonly RowChange[] => {
  const { subject_id: id, occurred_at: at } = placed.event;
  switch (event.type) {
    case 'commitment.created': {
      const { goal_id, objective, success_criteria, deadline, principal } = event.payload;
      const commitment = json({ objective, success_criteria, ...(deadline === null ? {} : { deadline }) });
      const row = {
        commitment_id: id,
        seq: placed.seq,
        goal_id,
        status: 'open',
        principal: principalKey(principal),
        work_id: null,
        version: 1,
        commitment,
      };
      return put('commitments', row);
    }
    case 'commitment.closed': {
      const before = read.get('commitments', id);
      const version = Number(before?.['version'] ?? 0) + 1;
      return [{ op: 'patch', table: 'commitments', key: id, set: { status: event.payload.status, version } }];
    }
    case 'plan.created': {
      const { plan, goal_id, principal } = event.payload;
      const row = {
        plan_id: id,
        seq: placed.seq,
        commitment_id: plan.commitment_id ?? null,
        goal_id,
        principal: principalKey(principal),
        plan: json(event.payload),
      };
      return put('plans', row);
    }
    case 'execution.started':
      return started(placed, event.payload);
    case 'execution.transitioned':
    case 'execution.result_submitted': {
      const before = read.get('executions', id);
      if (before === null) return [];
      const { transition } = event.payload;
      const change =
        event.type === 'execution.transitioned'
          ? { verification_id: event.payload.verification_id }
          : { result: event.payload };
      const execution = {
        ...executionOf(before),
        ...change,
        state: transition.to_state,
        state_version: placed.version,
        updated_at: at,
      };
      return executionRow(
        execution,
        before['seq'] ?? placed.seq,
        approvalStatusOf(transition, before['approval_status'] ?? null),
      );
    }
    case 'verification.evaluated': {
      const { verification, execution_id } = event.payload;
      return put('verifications', {
        verification_id: id,
        seq: placed.seq,
        execution_id,
        verdict: verification.verdict,
        verification: json(verification),
      });
    }
    case 'question.asked':
      return put('questions', {
        question_id: id,
        seq: placed.seq,
        execution_id: event.payload.execution_id,
        answer: 'open',
        question: json({ ...event.payload, asked_at: at }),
      });
    case 'question.answered': {
      const before = read.get('questions', id);
      if (before === null) return [];
      const question = {
        ...(before['question'] as Row),
        ...event.payload,
        by: json(event.payload.by),
        answered_at: at,
      };
      return put('questions', { ...before, answer: event.payload.answer, question });
    }
    default:
      return [];
  }
};
