import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventEnvelope } from '../../core/contracts/caop.ts';
import type { EventStore, PlacedEvent, RowReader, StoreSchema } from '../../core/kernel/eventStore.ts';

/** A counter per stream: enough to see projections, patches, deletes and rebuilds. */
export const counterSchema: StoreSchema = {
  tables: [
    {
      name: 'counters',
      key: 'name',
      columns: { name: 'text', total: 'integer', first_seq: 'integer', tags: 'json' },
      indexes: [['total']],
      chained: true,
    },
    {
      name: 'notes',
      key: 'note_id',
      columns: { note_id: 'text', n: 'integer', body: 'json' },
      indexes: [],
      chained: false,
      sequence: 'n',
    },
  ],
  versions: new Map([
    ['counter.added', 1],
    ['counter.dropped', 1],
    ['counter.tagged', 1],
  ]),
  project(placed: PlacedEvent, read: RowReader) {
    const name = placed.event.subject_id;
    const row = read.get('counters', name);
    switch (placed.event.event_type) {
      case 'counter.added': {
        const total = Number(row?.['total'] ?? 0) + Number(placed.event.payload['by']);
        const first_seq = row?.['first_seq'] ?? placed.seq;
        return [{ op: 'put', table: 'counters', row: { name, total, first_seq, tags: row?.['tags'] ?? null } }];
      }
      case 'counter.tagged':
        return [{ op: 'patch', table: 'counters', key: name, set: { tags: placed.event.payload['tags'] as string[] } }];
      default:
        return [{ op: 'delete', table: 'counters', key: name }];
    }
  },
};

let made = 0;
export const counterEvent = (
  stream: string,
  type: string,
  payload: Record<string, unknown> = {},
  schema_version = '1',
): EventEnvelope => ({
  event_id: `evt_${(made += 1)}`,
  event_type: type,
  schema_version,
  occurred_at: '2026-01-01T00:00:00.000Z',
  workspace_id: 'personal',
  subject_id: stream,
  correlation_id: stream,
  payload,
});

const added = (stream: string, by: number): EventEnvelope => counterEvent(stream, 'counter.added', { by });

/** Every adapter of EventStore passes this. `open` opens an empty store with `counterSchema`. */
export const eventStoreContract = (name: string, open: () => Promise<EventStore>): void => {
  describe(`${name} keeps the EventStore contract`, () => {
    let store: EventStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => store.close());

    it('numbers events in the log and in their stream, and chains their hashes', async () => {
      await store.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 1), added('a', 2)] }]);
      await store.append([{ stream: 'b', expectedVersion: 0, events: [added('b', 5)] }]);
      const all = await store.events(0, 10);
      expect(all.map(({ seq, version, event }) => [seq, version, event.subject_id])).toEqual([
        [1, 1, 'a'],
        [2, 2, 'a'],
        [3, 1, 'b'],
      ]);
      expect(new Set(all.map(({ hash }) => hash)).size).toBe(3);
      expect(all.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
      expect(await store.head()).toBe(3);
      expect(await store.version('a')).toBe(2);
      expect((await store.stream('a')).map(({ event }) => event.payload)).toEqual([{ by: 1 }, { by: 2 }]);
      expect(await store.verify()).toEqual({ ok: true, events: 3, head: all[2]?.hash });
    });

    it('writes nothing of an append when one of its streams has moved on', async () => {
      await store.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 1)] }]);
      const late = store.append([
        { stream: 'b', expectedVersion: 0, events: [added('b', 1)] },
        { stream: 'a', expectedVersion: 0, events: [added('a', 9)] },
      ]);
      await expect(late).rejects.toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
      expect(await store.head()).toBe(1);
      expect(await store.get('counters', 'b')).toBeNull();
      expect(await store.get('counters', 'a')).toMatchObject({ total: 1 });
    });

    it('changes read models with the events, and lists them', async () => {
      for (const [stream, by] of [
        ['a', 3],
        ['b', 1],
        ['c', 2],
      ] as const) {
        await store.append([{ stream, expectedVersion: 0, events: [added(stream, by)] }]);
      }
      await store.append([
        { stream: 'a', expectedVersion: 1, events: [counterEvent('a', 'counter.tagged', { tags: ['x', 'ü'] })] },
        { stream: 'b', expectedVersion: 1, events: [counterEvent('b', 'counter.dropped')] },
      ]);
      expect(await store.get('counters', 'a')).toEqual({ name: 'a', total: 3, first_seq: 1, tags: ['x', 'ü'] });
      expect(await store.get('counters', 'b')).toBeNull();
      expect(await store.count('counters', undefined)).toBe(2);
      const byTotal = { column: 'total', direction: 'desc' } as const;
      const names = async (query: object): Promise<unknown[]> =>
        (await store.query('counters', { order: byTotal, ...query })).map((row) => row['name']);
      expect(await names({})).toEqual(['a', 'c']);
      expect(await names({ past: 3 })).toEqual(['c']);
      expect(await names({ limit: 1 })).toEqual(['a']);
      expect(await names({ where: { name: ['c', 'zz'] } })).toEqual(['c']);
      expect(await names({ where: { tags: null } })).toEqual(['c']);
    });

    it('makes every row again from the log', async () => {
      await store.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 3), added('a', 4)] }]);
      await store.append([{ stream: 'b', expectedVersion: 0, events: [added('b', 1)] }]);
      await store.append([
        { stream: 'b', expectedVersion: 1, events: [counterEvent('b', 'counter.tagged', { tags: ['t'] })] },
      ]);
      await store.insert('notes', { note_id: 'kept', body: { by: 'hand' } });
      const order = { column: 'name', direction: 'asc' } as const;
      const before = await store.query('counters', { order });
      expect(await store.rebuild()).toEqual({ events: 4 });
      expect(await store.query('counters', { order })).toEqual(before);
      expect(await store.count('notes', undefined)).toBe(1);
    });

    it('tells subscribers of appended events in order, until they are disposed', async () => {
      const seen: number[] = [];
      const subscription = store.subscribe((events) => seen.push(...events.map(({ seq }) => seq)));
      await store.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 1), added('a', 1)] }]);
      subscription[Symbol.dispose]();
      await store.append([{ stream: 'a', expectedVersion: 2, events: [added('a', 1)] }]);
      expect(seen).toEqual([1, 2]);
    });

    it('numbers unchained rows without ever using a number again', async () => {
      expect(await store.insert('notes', { note_id: 'x', body: 1 })).toBe(1);
      expect(await store.insert('notes', { note_id: 'y', body: [1, { z: null }] })).toBe(2);
      await store.write([
        { op: 'delete', table: 'notes', key: 'y' },
        { op: 'patch', table: 'notes', key: 'x', set: { body: 'new' } },
      ]);
      expect(await store.insert('notes', { note_id: 'z', body: null })).toBe(3);
      expect(await store.get('notes', 'x')).toEqual({ note_id: 'x', n: 1, body: 'new' });
    });

    it('lets only events change chained tables, and only callers the others', async () => {
      const change = { op: 'delete', table: 'counters', key: 'a' } as const;
      await expect(store.write([change])).rejects.toThrow(/Only events/);
      await expect(
        store.append([{ stream: 'a', expectedVersion: 0, events: [added('a', 1)] }], [change]),
      ).rejects.toThrow(/Only events/);
      expect(await store.head()).toBe(0);
    });
  });
};
