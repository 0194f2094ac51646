import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../contracts/events.ts';
import type { WorkCommand } from './decideWork.ts';
import { decideWork } from './decideWork.ts';
import type { WorkState } from './workState.ts';
import { evolveWork } from './workState.ts';
import { lightsOf } from './workViews.ts';

const robot = { type: 'agent', id: 'robot' } as const;
const alice = { type: 'user', id: 'alice' } as const;
const hash = 'a'.repeat(64);
const nonceHash = 'b'.repeat(64);
const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (minute: number): string => new Date(start + minute * 60_000).toISOString();

const call = {
  arguments: { target: 'e1' },
  sensitive: false,
  surface: { id: 's1', kind: 'browser', label: 'Browser' },
  target: null,
  would: 'Press e1.',
  binding: { verb: 'operator.act', arguments: {}, policies: [], surface: null, address: null, target: null },
  binding_hash: hash,
};
const lease = {
  invocation_id: 'inv_1',
  nonce_hash: nonceHash,
  host: 'here',
  expires_at: at(60),
  approved_by: alice,
  attestation: 'KERNEL_ATTESTED' as const,
};
const stage = (effect: 'allow' | 'deny' | 'require_approval'): WorkCommand => ({
  type: 'stage',
  staged: {
    principal: robot,
    token_id: 'tok',
    scope: null,
    client: null,
    call_id: 'call_1',
    verb: 'operator.act',
    call,
    arguments_hash: hash,
    idempotency_key: null,
    policy: { effect, policy_id: null, policy_version: null, because: '', values: {}, matched: [] },
  },
  approval:
    effect === 'require_approval' ? { approval_id: 'apr_1', expires_at: at(15), picture: null, quorum: 1 } : null,
  lease: effect === 'allow' ? lease : null,
});

/** What the naive model counts: everything that must never happen twice or be lost. */
interface Model {
  leases: number;
  receipts: number;
  failures: number;
  grants: number;
  denials: number;
}

const commands: fc.Arbitrary<WorkCommand> = fc.oneof(
  fc.constantFrom<WorkCommand>(
    { type: 'approve', by: alice, binding_hash: hash, reason: null, expires_at: null, steered: null },
    { type: 'approve', by: robot, binding_hash: hash, reason: null, expires_at: null, steered: null },
    { type: 'approve', by: alice, binding_hash: nonceHash, reason: null, expires_at: null, steered: null },
    { type: 'steer', by: alice, binding_hash: hash, reason: 'r', expires_at: null, steered: call },
    { type: 'reject', by: alice, binding_hash: hash, reason: 'no' },
    { type: 'expire_approval' },
    { type: 'void_approval', code: 'APPROVAL_VOID', because: 'changed', differences: [] },
    { type: 'withdraw', because: 'gone' },
    { type: 'open_lease', lease },
    { type: 'expire_lease', because: 'late', sent: ['press'] },
  ),
  fc.constantFrom(nonceHash, hash).map((nonce_hash): WorkCommand => ({
    type: 'settle',
    nonce_hash,
    receipt_id: 'rcp_1',
    receipt: { changed: true, readiness: 'settled' },
    sent: ['press'],
    interrupted: null,
  })),
  fc
    .constantFrom('TARGET_GONE', 'APPROVAL_VOID')
    .map((code): WorkCommand => ({ type: 'fail_lease', nonce_hash: nonceHash, code, because: 'x', details: {} })),
  fc.constantFrom('happened', 'did_not_happen', 'compensate').map((outcome): WorkCommand => ({
    type: 'resolve_lease',
    outcome: outcome as 'happened',
    by: alice,
    note: 'n',
    receipt_id: 'rcp_2',
  })),
);

const run = (
  sequence: readonly WorkCommand[],
  minutes: readonly number[],
): { work: WorkState | null; events: DomainEvent[] } => {
  let work: WorkState | null = null;
  const events: DomainEvent[] = [];
  let minute = 0;
  sequence.forEach((command, index) => {
    minute += minutes[index % minutes.length] ?? 0;
    const decided = decideWork(work, command, at(minute));
    if (!decided.ok) return;
    for (const event of decided.events) {
      events.push(event);
      work = evolveWork(work, event, { work_id: 'work_1', version: events.length, at: at(minute) });
    }
  });
  return { work, events };
};

const count = (events: readonly DomainEvent[]): Model => {
  const of = (type: string): number => events.filter((event) => event.type === type).length;
  const resolvedWithReceipt = events.filter(
    (event) => event.type === 'lease.resolved' && event.payload.receipt_id !== null,
  ).length;
  return {
    leases: of('lease.opened'),
    receipts: of('receipt.settled') + resolvedWithReceipt,
    failures: of('lease.failed'),
    grants: of('approval.granted'),
    denials: of('approval.denied') + of('approval.expired') + of('approval.withdrawn'),
  };
};

describe('any sequence of commands', () => {
  const sequences = fc.tuple(
    fc.constantFrom('allow', 'deny', 'require_approval').map((effect) => stage(effect as 'allow')),
    fc.array(commands, { maxLength: 40 }),
    fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
  );

  it('never runs a step twice, never without authority, and never loses or doubles a receipt', () => {
    fc.assert(
      fc.property(sequences, ([first, rest, minutes]) => {
        const { work, events } = run([first, ...rest], minutes);
        const model = count(events);
        const effect = first.type === 'stage' ? first.staged.policy.effect : 'deny';
        expect(model.leases).toBeLessThanOrEqual(1);
        expect(model.receipts + model.failures).toBeLessThanOrEqual(model.leases);
        expect(model.grants + model.denials).toBeLessThanOrEqual(2);
        expect(model.grants).toBeLessThanOrEqual(1);
        const authority = { deny: 0, require_approval: model.grants, allow: 1 }[effect];
        expect(model.leases).toBeLessThanOrEqual(authority);
        // A lease is only ever opened on an approval that stands.
        const ended = events.findIndex(({ type }) => /approval\.(denied|expired|withdrawn)/.test(type));
        const opened = events.findIndex(({ type }) => type === 'lease.opened');
        expect(ended !== -1 && opened !== -1).toBe(false);
        expect((work?.receipt ?? null) !== null).toBe(model.receipts === 1);
        expect(work?.version).toBe(events.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is replayed to the same state by its events alone', () => {
    fc.assert(
      fc.property(sequences, ([first, rest]) => {
        const { work, events } = run([first, ...rest], [0]);
        const again = events.reduce<WorkState | null>(
          (state, event, index) => evolveWork(state, event, { work_id: 'work_1', version: index + 1, at: at(0) }),
          null,
        );
        expect(again).toEqual(work);
        // The state is stored as JSON: nothing of it may be lost on the way.
        expect(JSON.parse(JSON.stringify(work))).toEqual(work);
      }),
      { numRuns: 500 },
    );
  });

  it('shows lights that agree with what is on the record', () => {
    fc.assert(
      fc.property(sequences, ([first, rest, minutes]) => {
        const { work, events } = run([first, ...rest], minutes);
        fc.pre(work !== null);
        const lights = lightsOf(work);
        const { receipts, leases } = count(events);
        expect(lights.receipted === 'yes').toBe(receipts === 1);
        expect(lights.executed === 'yes' && leases !== 1).toBe(false);
        expect(lights.executed === 'unknown' && work.lease?.state !== 'expired').toBe(false);
        expect(lights.verified).toBe('no');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an approval', () => {
  it('is not granted after its expiry, nor dispatched', () => {
    const approve: WorkCommand = {
      type: 'approve',
      by: alice,
      binding_hash: hash,
      reason: null,
      expires_at: null,
      steered: null,
    };
    const pending = run([stage('require_approval')], [0]).work;
    expect(decideWork(pending, approve, at(15))).toMatchObject({
      ok: false,
      refusal: { code: 'STATE_VERSION_CONFLICT' },
    });
    const granted = run([stage('require_approval'), approve], [0]).work;
    expect(decideWork(granted, { type: 'open_lease', lease }, at(15))).toMatchObject({
      ok: false,
      refusal: { code: 'APPROVAL_EXPIRED' },
    });
    expect(decideWork(granted, { type: 'open_lease', lease }, at(14))).toMatchObject({ ok: true });
  });

  it('tells the second who decides what the first decided', () => {
    const reject: WorkCommand = { type: 'reject', by: alice, binding_hash: hash, reason: 'no' };
    const { work } = run([stage('require_approval'), reject], [0]);
    expect(decideWork(work, { ...reject, by: { type: 'user', id: 'bob' } }, at(1))).toMatchObject({
      refusal: { details: { status: 'denied', decision: { by: alice, decision: 'reject', reason: 'no' } } },
    });
  });
});
