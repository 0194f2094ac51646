import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventPayload } from '../../contracts/events.ts';
import type { PrincipalRef } from '../../contracts/principal.ts';
import { executionState } from '../../contracts/caop/execution.ts';
import type { CompactCommand } from './decideCompact.ts';
import { decideCompact } from './decideCompact.ts';
import { doneSteps, evolveCompact, openLeaseOf, type CompactEvent, type CompactWork } from './compactState.ts';
import { mayMove } from './executionTransitions.ts';

const bot: PrincipalRef = { type: 'agent', id: 'bot' };
const people = ['ann', 'bob', 'cyd'].map((id): PrincipalRef => ({ type: 'user', id }));
const sha = '0'.repeat(64);
const at = (minutes: number): string =>
  new Date(Date.parse('2026-01-01T00:00:00.000Z') + minutes * 60_000).toISOString();

const staged = (steps: number, quorum: number): EventPayload<'compact.staged'> => ({
  principal: bot,
  roles: [],
  token_id: 't',
  surfaces: null,
  input: {
    goal_id: 'goal_bot',
    understanding: { intent_summary: '', derived_facts: [] },
    commitment: { title: 't', rationale: 'r', reversible: true },
    plan_steps: [],
  },
  execution_locus: 'HOST_DELEGATED',
  steps: Array.from({ length: steps }, (_, index) => ({
    step_index: index + 1,
    capability_id: 'c',
    arguments: {},
    receipt_lease_seconds: 60,
    required_receipt_fields: [],
  })),
  policy: { effect: 'require_approval', policy_id: null, policy_version: null, because: '', values: {}, matched: [] },
  commit_policies: [],
  failed_hooks: [],
  approval: {
    approval_id: 'a',
    expires_at: at(60),
    round_seconds: 60,
    quorum,
    required_roles: ['approver'],
    escalate_to: null,
  },
  binding_hash: sha,
  commitment_id: 'com',
  commitment_fact_id: null,
  derived_fact_ids: [],
  premise_fact_ids: [],
  hold_record: false,
});

type Move =
  | { kind: 'vote' | 'deny'; who: number }
  | { kind: 'dispatch' | 'expire' | 'time_out' | 'withdraw' | 'void' | 'reject' }
  | { kind: 'settle'; which: number; nonce: 'right' | 'wrong'; status: 'SUCCEEDED' | 'FAILED' }
  | { kind: 'wait'; minutes: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('vote' as const, 'deny' as const), who: fc.nat(3) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'dispatch' as const,
        'dispatch' as const,
        'dispatch' as const,
        'expire' as const,
        'time_out' as const,
        'withdraw' as const,
        'void' as const,
        'reject' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(5),
      nonce: fc.constantFrom('right' as const, 'right' as const, 'wrong' as const),
      status: fc.constantFrom('SUCCEEDED' as const, 'SUCCEEDED' as const, 'FAILED' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 30 }) }) },
);

/** What the rules are meant to say, in a few flags. */
interface Model {
  votes: Set<string>;
  phase: 'asking' | 'free' | 'running' | 'unknown' | 'over' | 'proposal';
  done: number;
  opened: number;
  settled: Set<number>;
}

const isEffect = (model: Model, given: Move, steps: number, quorum: number, expired: boolean): boolean => {
  switch (given.kind) {
    case 'vote':
      if (model.phase !== 'asking' || expired || given.who === 3) return false;
      model.votes.add(String(given.who));
      if (model.votes.size >= quorum) model.phase = 'free';
      return true;
    case 'deny':
      if (model.phase !== 'asking' || expired || given.who === 3) return false;
      model.phase = 'over';
      return true;
    case 'dispatch':
      if (model.phase !== 'free' || expired) return false;
      model.phase = 'running';
      model.opened += 1;
      return true;
    case 'expire':
      if (model.phase !== 'running') return false;
      model.phase = 'unknown';
      return true;
    case 'time_out':
      if ((model.phase !== 'asking' && model.phase !== 'free') || !expired) return false;
      model.phase = 'over';
      return true;
    case 'void':
      if (model.phase !== 'asking' && model.phase !== 'free') return false;
      model.phase = 'proposal';
      return true;
    case 'withdraw':
    case 'reject':
      if (!['asking', 'free', 'proposal'].includes(model.phase)) return false;
      model.phase = 'over';
      return true;
    case 'settle': {
      const lease = given.which;
      if (lease >= model.opened || model.settled.has(lease) || given.nonce === 'wrong') return false;
      model.settled.add(lease);
      if (given.status === 'SUCCEEDED') model.done += 1;
      model.phase = given.status === 'FAILED' || model.done === steps ? 'over' : 'free';
      return true;
    }
    case 'wait':
      return false;
  }
};

const commandOf = (given: Move, work: CompactWork): CompactCommand | null => {
  const voter = (who: number) =>
    who === 3 ? { ref: bot, roles: [] } : { ref: people[who] ?? bot, roles: ['approver'] };
  switch (given.kind) {
    case 'vote':
      return {
        type: 'vote',
        voter: voter(given.who),
        decision: 'approve',
        note: null,
        scope: null,
        expires_at: null,
        binding_hash: sha,
      };
    case 'deny':
      return { type: 'deny', voter: voter(given.who), reason: null, invocation_id: 'x', binding_hash: null };
    case 'dispatch': {
      const n = work.leases.length;
      return {
        type: 'dispatch',
        lease: {
          invocation_id: `inv${n}`,
          idempotency_key: `key${n}`,
          nonce_hash: `nonce${n}`.padEnd(64, '0'),
          lease_expires_at: at(1_000),
          host: 'h',
        },
      };
    }
    case 'expire':
      return { type: 'expire_lease', invocation_id: openLeaseOf(work)?.invocation_id ?? 'none', because: '' };
    case 'time_out':
      return { type: 'time_out_approval' };
    case 'void':
      return { type: 'void_approval', because: '', fact_ids: [] };
    case 'withdraw':
      return { type: 'withdraw', because: '' };
    case 'reject':
      return { type: 'reject', by: bot, reason: null, invocation_id: 'x' };
    case 'settle': {
      const n = given.which;
      const settlement: EventPayload<'compact.settled'> = {
        invocation_id: `inv${n}`,
        status: given.status,
        by: bot,
        attestation: 'HOST_ASSERTED',
        late: false,
        body_hash: sha,
        raw_output: null,
        external_ref: null,
        error_detail: null,
        fact_ids: [],
        distilled: null,
        check_due_at: null,
        answer: {
          work_id: 'w',
          invocation_id: `inv${n}`,
          lifecycle_stage: 'RECORD',
          attestation: 'HOST_ASSERTED',
          thread_unlocked: true,
        },
      };
      return {
        type: 'settle',
        nonce_hash: given.nonce === 'right' ? `nonce${n}`.padEnd(64, '0') : sha,
        idempotency_key: `key${n}`,
        settlement,
      };
    }
    case 'wait':
      return null;
  }
};

const phaseOf = (work: CompactWork): Model['phase'] => {
  switch (work.status) {
    case 'COMMIT_AWAITING_APPROVAL':
      return 'asking';
    case 'EXECUTE_PENDING':
      return 'free';
    case 'EXECUTE_DISPATCHED':
      return 'running';
    case 'EXECUTE_EXPIRED':
      return 'unknown';
    case 'CANDIDATE_PROPOSAL':
      return 'proposal';
    default:
      return 'over';
  }
};

describe('compact work against a naive model', () => {
  it('accepts and refuses the same commands; no step is done twice, no receipt is lost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 2 }),
        fc.array(move, { maxLength: 25 }),
        (steps, quorum, moves) => {
          let work = evolveCompact(
            null,
            { type: 'compact.staged', payload: staged(steps, quorum) },
            { work_id: 'w', version: 1, at: at(0) },
          );
          const model: Model = { votes: new Set(), phase: 'asking', done: 0, opened: 0, settled: new Set() };
          let minutes = 0;
          const events: CompactEvent[] = [];
          for (const given of moves) {
            if (work === null) throw new Error('The work is gone.');
            if (given.kind === 'wait') {
              minutes += given.minutes;
              continue;
            }
            const command = commandOf(given, work);
            if (command === null) continue;
            const outcome = decideCompact(work, command, at(minutes));
            const expected = isEffect(model, given, steps, quorum, minutes >= 60);
            expect([given, outcome.ok]).toEqual([given, expected]);
            if (!outcome.ok) continue;
            for (const event of outcome.events) {
              events.push(event);
              work = evolveCompact(work, event, {
                work_id: 'w',
                version: work === null ? 1 : work.version + 1,
                at: at(minutes),
              });
            }
            if (work === null) throw new Error('The work is gone.');
            expect(phaseOf(work)).toBe(model.phase);
            expect(work.leases.filter(({ state }) => state !== 'settled').length).toBeLessThanOrEqual(1);
            expect(doneSteps(work).size).toBe(model.done);
          }
          const done = events.flatMap((event) =>
            event.type === 'compact.settled' && event.payload.status === 'SUCCEEDED'
              ? [event.payload.invocation_id]
              : [],
          );
          expect(new Set(done).size).toBe(done.length);
          expect(done.length).toBe(model.done);
          // Nothing runs without the votes it needs.
          const first = events.findIndex((event) => event.type === 'compact.dispatched');
          if (first >= 0) {
            const before = events
              .slice(0, first)
              .flatMap((event) =>
                event.type === 'compact.voted' || event.type === 'compact.approved' ? [event.payload.by.id] : [],
              );
            expect(new Set(before).size).toBeGreaterThanOrEqual(quorum);
          }
        },
      ),
      { numRuns: 4_000 },
    );
  });
});

describe('transitions', () => {
  it('are those of the table and no others', () => {
    const allowed =
      `CREATED→READY,CANCELLED · READY→RUNNING,WAITING_APPROVAL,CANCELLED,EXPIRED · WAITING_APPROVAL→READY,CANCELLED,EXPIRED · RUNNING→VERIFYING,WAITING_APPROVAL,BLOCKED,FAILED,CANCELLED,EXPIRED · BLOCKED→RUNNING,CANCELLED,EXPIRED · VERIFYING→COMPLETED,FAILED,RUNNING · FAILED→READY,CANCELLED`
        .split(' · ')
        .flatMap((line) => (line.split('→')[1] ?? '').split(',').map((to) => `${line.split('→')[0] ?? ''} ${to}`));
    for (const from of executionState.options) {
      for (const to of executionState.options)
        expect([from, to, mayMove(from, to)]).toEqual([from, to, allowed.includes(`${from} ${to}`)]);
    }
  });
});
