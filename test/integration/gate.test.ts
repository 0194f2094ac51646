import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../core/stores/sqlite/openSqliteStore.ts';
import { effectsText, Operator } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

describe('turns', () => {
  it('one action at a time on a surface, in the order of arrival, whoever asks', async () => {
    const first = await stage.trustedAt('slow', { ms: 700 });
    const other = await stage.agent({ agent: 'second-in-line' });
    await stage.person.trust('second-in-line');
    const second = new Operator(other, first.operator.surfaceId);
    const post = (await first.operator.find('order with a slow answer')).ref;
    const busy = (await second.find('order with a busy handler')).ref;
    const slow = first.operator.press(post);
    await stage.site.until(() => stage.site.hitsOf('/order').length === 1, 'the first order');
    const [one, two] = await Promise.all([slow, second.press(busy)]);
    expect(effectsText(one)).toContain('ordered after 700');
    expect(effectsText(two)).toContain('ordered after 700 → ordered busy');
    await expect.poll(() => stage.site.did(first.session, 'busy')).toHaveLength(1);
  });

  it('different surfaces run in parallel, for one agent too', async () => {
    const agentId = 'many-hands';
    await stage.person.trust(agentId);
    const here = await stage.at('later', { agent: agentId });
    const there = await stage.at('later', { agent: agentId });
    const targets = await Promise.all([here, there].map(({ operator }) => operator.find('fetch in 2000')));
    const started = performance.now();
    const receipts = await Promise.all([here, there].map(({ operator }, i) => operator.press(targets[i]?.ref ?? '')));
    expect(performance.now() - started).toBeLessThan(3_600);
    expect(receipts.map((receipt) => receipt.changed)).toEqual([true, true]);
  });

  it('reading goes on while a press waits for its outcome', async () => {
    const { operator } = await stage.trustedAt('later');
    const target = (await operator.find('fetch in 2000')).ref;
    let done = false;
    const pressing = operator.press(target).then((receipt) => {
      done = true;
      return receipt;
    });
    expect((await operator.perceive({ query: 'change now' })).targets).toHaveLength(1);
    expect(done).toBe(false);
    expect((await pressing).changed).toBe(true);
  });
});

describe('the trace', () => {
  it('numbers every call without gaps and pages through them', async () => {
    const { operator } = await stage.trustedAt('form');
    await operator.perceive();
    await operator.press((await operator.find('submit')).ref);
    const all = await stage.person.rest.call('calls.list', { query: { limit: 500 } });
    expect(all.calls.map((call) => call.n)).toEqual(all.calls.map((_, i) => (all.calls[0]?.n ?? 0) - i));
    const paged: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const page = await stage.person.rest.call('calls.list', { query });
      paged.push(...page.calls.map((call) => call.n));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.calls.map((call) => call.n));
    const act = all.calls[0];
    expect(act).toMatchObject({ verb: 'operator.act', outcome: 'ok', read_only: false });
    expect(act?.summary).toContain('Submit order');
    expect(act?.client).toMatch(/acceptance/);
  });

  it('an agent sees its own and no other', async () => {
    const mine = await stage.signalbox.agent('onlooker');
    const { calls } = await mine.call('calls.list', { query: { limit: 500 } });
    expect(calls).toEqual([]);
    expect((await mine.call('receipts.list')).receipts).toEqual([]);
    expect((await mine.call('approvals.list', { query: { status: 'all' } })).approvals).toEqual([]);
  });
});

describe('the log on disk', () => {
  it('holds after kill -9 what was acknowledged, and its chain verifies', async () => {
    const { operator, session } = await stage.trustedAt('form');
    const receipt = await operator.press((await operator.find('submit')).ref);
    const policy = await stage.person.rest.call('policies.create', {
      body: { title: 'Kept', condition: 'false', effect: 'deny' },
    });
    const head = await stage.person.rest.head();
    await stage.signalbox.kill9();
    const copy = await mkdtemp(path.join(tmpdir(), 'signalbox-copy-'));
    try {
      for (const suffix of ['', '-wal', '-shm'])
        await cp(
          path.join(stage.signalbox.data, `signalbox.db${suffix}`),
          path.join(copy, `signalbox.db${suffix}`),
        ).catch(() => undefined);
      const store = await openSqliteStore({ path: path.join(copy, 'signalbox.db') });
      expect(await store.verify()).toMatchObject({ ok: true, events: head });
      expect(await store.rebuild()).toEqual({ events: head });
      await store.close();
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
    await stage.restart();
    const rest = stage.person.rest;
    const kept = await rest.call('receipts.get', { params: { receipt_id: receipt.receipt_id ?? '' } });
    expect(kept.receipt).toEqual(receipt);
    expect((await rest.call('policies.list')).policies.map((each) => each.policy_id)).toContain(policy.policy_id);
    expect((await rest.call('leases.list')).leases).toEqual([]);
    await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
  });
});
