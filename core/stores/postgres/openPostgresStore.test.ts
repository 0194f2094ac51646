import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { counterEvent, counterSchema, eventStoreContract } from '../../../test/contract/eventStoreContract.ts';
import { PostgresServer } from '../../../test/support/postgres.ts';
import type { EventStore } from '../../kernel/eventStore.ts';
import { openPostgresStore } from './openPostgresStore.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(async () => server[Symbol.asyncDispose]());

const opened: EventStore[] = [];
const open = async (url: string, schema = counterSchema): Promise<EventStore> => {
  const store = await openPostgresStore({ url, schema });
  opened.push(store);
  return store;
};
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

eventStoreContract('PostgreSQL', async () => open(await server.database()));

const added = (stream: string, by: number) => counterEvent(stream, 'counter.added', { by });

const tamper = async (url: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: url, options: '-c search_path=signalbox' });
  await client.connect();
  await client.query(sql);
  await client.end();
};

describe('two consoles on one database', () => {
  it('tell each other of every event once, in order, without a gap', async () => {
    const url = await server.database();
    const [one, two] = await Promise.all([open(url), open(url)]);
    const heard: number[] = [];
    const all = new Promise<void>((resolve) => {
      two.subscribe((events) => {
        heard.push(...events.map(({ seq }) => seq));
        if (heard.length === 40) resolve();
      });
    });
    const appendTen = async (store: EventStore, stream: string): Promise<void> => {
      for (let version = 0; version < 20; version += 1) {
        await store.append([{ stream, expectedVersion: version, events: [added(stream, 1)] }]);
      }
    };
    await Promise.all([appendTen(one, 'a'), appendTen(two, 'b')]);
    await all;
    expect(heard).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await two.verify()).toMatchObject({ ok: true, events: 40 });
  });

  it('let one of two decisions on the same version win', async () => {
    const url = await server.database();
    const [one, two] = await Promise.all([open(url), open(url)]);
    const results = await Promise.allSettled([
      one.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 1)] }]),
      two.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 2)] }]),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
    expect(await one.head()).toBe(1);
  });
});

describe('verify', () => {
  const written = async (sql: string): Promise<unknown> => {
    const url = await server.database();
    const store = await open(url);
    for (const version of [0, 1, 2]) {
      await store.append([{ stream: 'a', expectedVersion: version, events: [added('a', version + 1)] }]);
    }
    await tamper(url, sql);
    return await store.verify();
  };
  it('names the row whose bytes were changed', async () => {
    const sql = `UPDATE events SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '"by":2', '"by":9'), 'UTF8') WHERE seq = 2`;
    expect(await written(sql)).toEqual({ ok: false, seq: 2, fault: expect.stringContaining('hash') as string });
  });
  it('names the row after one that was taken out', async () => {
    expect(await written('DELETE FROM events WHERE seq = 2')).toEqual({ ok: false, seq: 3, fault: 'row 2 is missing' });
  });
  it('sees that the newest row was cut off', async () => {
    expect(await written('DELETE FROM events WHERE seq = 3')).toMatchObject({ ok: false, seq: 3 });
  });
});

describe('opening', () => {
  it('refuses a database of a newer version and says what to do', async () => {
    const url = await server.database();
    const store = await open(url);
    await store.append([
      { stream: 'a', expectedVersion: 0, events: [counterEvent('a', 'counter.added', { by: 1 }, '7')] },
    ]);
    await expect(open(url)).rejects.toThrow(/newer version.*counter.added version 7.*Update Signalbox/s);
  });
  it('says what is wrong when the server cannot be reached', async () => {
    await expect(open('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow(/cannot be reached.*Check that it runs/s);
  });
});
