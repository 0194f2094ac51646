import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignalboxError } from '../contracts/errors.ts';
import { ManualClock } from '../../test/support/manualClock.ts';
import { agent, person } from '../../test/support/gateStage.ts';
import { createFileArtifacts } from '../stores/files/createFileArtifacts.ts';
import { randomIds } from '../stores/files/randomIds.ts';
import { openSqliteStore } from '../stores/sqlite/openSqliteStore.ts';
import { createKernel } from './createKernel.ts';
import type { EventStore } from './eventStore.ts';
import type { GateKernel } from './gateKernel.ts';

let folder: string;
let store: EventStore;
let kernel: GateKernel;
let clock: ManualClock;
const admin = person('local', ['admin']);

const start = async (options: { autoApprove?: boolean } = {}): Promise<void> => {
  store = await openSqliteStore({ path: join(folder, 'signalbox.db') });
  kernel = await createKernel({ store, clock, ids: randomIds(), version: '1.2.3', host: 'here', ...options });
};
const stop = async (): Promise<void> => {
  await kernel.close();
  await store.close();
};
const restart = async (options: { autoApprove?: boolean } = {}): Promise<void> => {
  await stop();
  await start(options);
};
const inHours = (hours: number): string => new Date(clock.now() + hours * 3_600_000).toISOString();
const refused = async (work: Promise<unknown>): Promise<SignalboxError> =>
  work.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error as SignalboxError,
  );

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-kernel-'));
  clock = new ManualClock();
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('tokens', () => {
  it('are shown once, kept as hashes only, and stand for their principal until they expire or are revoked', async () => {
    const made = await kernel.createToken({
      principal: agent('a').ref,
      surfaces: ['s1'],
      label: 'lab',
      expires_at: inHours(1),
      by: admin.ref,
    });
    expect(await kernel.authenticate(made.token)).toEqual({
      ref: { type: 'agent', id: 'a' },
      roles: [],
      surfaces: ['s1'],
      tokenId: made.token_id,
    });
    expect(await kernel.authenticate(`${made.token}x`)).toBeNull();
    expect(JSON.stringify([await kernel.events(0, 100), await kernel.tokens()])).not.toContain(made.token);
    expect((await kernel.tokens())[0]).toMatchObject({
      token_id: made.token_id,
      label: 'lab',
      last_used_at: inHours(0),
    });
    await clock.advance(3_600_000);
    expect(await kernel.authenticate(made.token)).toBeNull();

    const other = await kernel.createToken({ principal: person('p').ref, by: admin.ref });
    expect(other.roles).toEqual(['viewer']);
    expect(await kernel.revokeToken(other.token_id, admin.ref)).toMatchObject({ revoked_at: inHours(0) });
    expect(await kernel.authenticate(other.token)).toBeNull();
    expect((await refused(kernel.revokeToken('tok_none', admin.ref))).code).toBe('NOT_FOUND');
  });

  it('of agents hold no role; an expiry in the past is refused', async () => {
    const wrong = kernel.createToken({ principal: agent('a').ref, roles: ['approver'], by: admin.ref });
    expect((await refused(wrong)).details.issues).toMatchObject([{ path: 'roles' }]);
    const late = kernel.createToken({ principal: agent('a').ref, expires_at: inHours(-1), by: admin.ref });
    expect((await refused(late)).details.issues).toMatchObject([{ path: 'expires_at' }]);
  });

  it('of the boot are fresh each start, and the earlier ones end', async () => {
    const first = await kernel.mintBootTokens();
    expect(await kernel.authenticate(first.token)).toMatchObject({
      ref: { type: 'user', id: 'local' },
      roles: ['admin'],
    });
    expect(await kernel.authenticate(first.agentToken)).toMatchObject({
      ref: { type: 'agent', id: 'default' },
      roles: [],
    });
    await restart();
    const second = await kernel.mintBootTokens();
    expect(await kernel.authenticate(first.token)).toBeNull();
    expect(await kernel.authenticate(first.agentToken)).toBeNull();
    expect(await kernel.authenticate(second.token)).not.toBeNull();
  });
});

describe('policies', () => {
  const draft = { title: 'T', condition: 'true', scope: '*', enforcement: 'enforced' as const };
  it('that allow need an expiry; a condition must parse; an id in force is taken', async () => {
    expect((await refused(kernel.createPolicy({ ...draft, effect: 'allow' }, admin.ref))).details.issues).toMatchObject(
      [{ path: 'expires_at' }],
    );
    const broken = kernel.createPolicy({ ...draft, effect: 'deny', condition: 'arguments.(' }, admin.ref);
    expect((await refused(broken)).details.issues).toMatchObject([{ path: 'condition' }]);
    await kernel.createPolicy({ ...draft, policy_id: 'p', effect: 'deny' }, admin.ref);
    expect(
      (await refused(kernel.createPolicy({ ...draft, policy_id: 'p', effect: 'deny' }, admin.ref))).httpStatus,
    ).toBe(409);
    await kernel.disablePolicy('p', admin.ref);
    expect(await kernel.createPolicy({ ...draft, policy_id: 'p', effect: 'deny' }, admin.ref)).toMatchObject({
      version: '2',
    });
    expect((await refused(kernel.disablePolicy('none', admin.ref))).code).toBe('NOT_FOUND');
  });

  it('hold after a restart; auto-approve does not', async () => {
    const call = { verb: 'operator.act', risk: 'asks' as const, principal: agent('a') };
    const context = { capability: 'operator.act', arguments: {}, surface: null, target: null, principal: {} };
    await kernel.createPolicy({ ...draft, effect: 'allow', expires_at: inHours(1) }, admin.ref);
    await restart({ autoApprove: true });
    expect(await kernel.autoApprove()).toEqual({ until: inHours(1), policy_id: 'auto-approve' });
    expect(kernel.decidePolicy(call, context).effect).toBe('allow');
    await restart();
    expect(await kernel.autoApprove()).toBeNull();
    expect(kernel.decidePolicy(call, context)).toMatchObject({ effect: 'allow', matched: [{ version: '1' }] });
    await clock.advance(3_600_000);
    expect(kernel.decidePolicy(call, context).effect).toBe('require_approval');
  });

  it('auto-approve ends after an hour', async () => {
    await restart({ autoApprove: true });
    await clock.advance(3_600_000);
    expect(await kernel.autoApprove()).toBeNull();
  });
});

describe('the trace', () => {
  it('pages newest first and filters; agents see their own', async () => {
    for (let n = 1; n <= 5; n += 1) {
      const principal = n % 2 === 0 ? agent('even').ref : agent('odd').ref;
      await kernel.startCall({
        call_id: `call_${n}`,
        at: inHours(0),
        duration_ms: null,
        principal,
        client: null,
        surface_id: n < 3 ? 's1' : 's2',
        verb: n === 5 ? 'operator.act' : 'operator.perceive',
        arguments: {},
        read_only: n !== 5,
        outcome: 'running',
        code: null,
        summary: `call ${n}`,
        result: null,
        work_id: null,
        receipt_id: null,
        pictures: { before: null, after: null },
      });
    }
    const ids = async (query: object, viewer = admin) => {
      const page = await kernel.calls({ limit: 10, ...query }, viewer);
      return page.calls.map(({ n }) => n);
    };
    const first = await kernel.calls({ limit: 2 }, admin);
    expect([first.calls.map(({ n }) => n), first.next_cursor]).toEqual([[5, 4], '4']);
    expect(await ids({ limit: 2, cursor: '4' })).toEqual([3, 2]);
    expect(await kernel.calls({ limit: 2, cursor: '2' }, admin)).not.toHaveProperty('next_cursor');
    expect(await ids({ surface_id: 's1' })).toEqual([2, 1]);
    expect(await ids({ principal: 'agent:even' })).toEqual([4, 2]);
    expect(await ids({ verb: 'operator.act' })).toEqual([5]);
    expect(await ids({ principal: 'agent:odd' }, agent('even'))).toEqual([4, 2]);
    expect((await refused(kernel.call('call_1', agent('even')))).code).toBe('NOT_FOUND');
    expect((await refused(kernel.calls({ limit: 2, cursor: 'x' }, admin))).code).toBe('INVALID_REQUEST');
    await kernel.updateCall({ ...(await kernel.call('call_5', admin)), outcome: 'ok' });
    expect(await kernel.call('call_5', admin)).toMatchObject({ n: 5, outcome: 'ok' });
    expect((await kernel.recentCalls(agent('odd').ref, 'call_5', 5)).map(({ n }) => n)).toEqual([3, 1]);
  });
});

describe('pause', () => {
  it('takes the approver role, is on the record once, and survives a restart', async () => {
    expect((await refused(kernel.setPaused(true, agent('a')))).httpStatus).toBe(403);
    await kernel.setPaused(true, admin);
    await kernel.setPaused(true, admin);
    await restart();
    expect([kernel.isPaused(), await kernel.paused()]).toEqual([true, { by: admin.ref, at: inHours(0) }]);
    await kernel.setPaused(false, admin);
    const types = (await kernel.events(0, 100)).map(({ event }) => event.event_type);
    expect(types.filter((type) => /paused|resumed/.test(type))).toEqual(['system.paused', 'system.resumed']);
  });
});

describe('artifacts', () => {
  it('are found by their content, once, within the limit', async () => {
    const artifacts = createFileArtifacts({ folder: join(folder, 'artifacts'), maxBytes: 10 });
    const put = await artifacts.put(Buffer.from('hello'), 'image/png');
    expect(put).toEqual({ sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', bytes: 5 });
    expect(await artifacts.put(Buffer.from('hello'), 'image/png')).toEqual(put);
    expect(await artifacts.get(put.sha256)).toEqual({ bytes: Buffer.from('hello'), mediaType: 'image/png' });
    expect(await artifacts.get('0'.repeat(64))).toBeNull();
    expect(await artifacts.get('../../etc/passwd')).toBeNull();
    expect((await refused(artifacts.put(Buffer.alloc(11), 'image/png'))).code).toBe('INVALID_REQUEST');
  });
});
