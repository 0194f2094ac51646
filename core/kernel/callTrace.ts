import type { CallView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { Principal } from '../contracts/principal.ts';
import { isAgent, principalKey } from '../contracts/principal.ts';
import type { EventStore, Json, Row } from './eventStore.ts';
import type { GateKernel } from './gateKernel.ts';
import { pageOf, readCursor } from './paging.ts';
import { asJson } from './storeSchema.ts';

/** The trace: every call of a verb, beside the log. */
export type CallTrace = Pick<GateKernel, 'calls' | 'call' | 'startCall' | 'updateCall' | 'recentCalls'>;

const viewOf = (row: Row): CallView => ({ ...(row['view'] as unknown as CallView), n: Number(row['n']) });

const columnsOf = (view: Omit<CallView, 'n'>): Record<string, Json> => ({
  principal: principalKey(view.principal),
  surface_id: view.surface_id,
  verb: view.verb,
  outcome: view.outcome,
  work_id: view.work_id,
  view: asJson(view),
});

const newestFirst = { column: 'n', direction: 'desc' } as const;

export const callTrace = (store: EventStore): CallTrace => ({
  async calls(page, viewer) {
    const where: Record<string, Json> = {};
    if (page.surface_id !== undefined) where['surface_id'] = page.surface_id;
    if (page.verb !== undefined) where['verb'] = page.verb;
    if (page.principal !== undefined) where['principal'] = page.principal;
    if (isAgent(viewer)) where['principal'] = principalKey(viewer.ref);
    const rows = await store.query('calls', { where, order: newestFirst, limit: page.limit + 1, ...readCursor(page) });
    const { items, next } = pageOf(rows, page.limit, 'n');
    return { calls: items.map(viewOf), ...next };
  },

  async call(callId, viewer) {
    const row = await store.get('calls', callId);
    if (row === null || !maySee(row, viewer)) throw new SignalboxError('NOT_FOUND', `There is no call ${callId}.`);
    return viewOf(row);
  },

  async startCall(view) {
    const n = await store.insert('calls', { call_id: view.call_id, ...columnsOf(view) });
    return { ...view, n };
  },

  async updateCall(view) {
    await store.write([{ op: 'patch', table: 'calls', key: view.call_id, set: columnsOf(view) }]);
  },

  async recentCalls(principal, before, limit) {
    const row = await store.get('calls', before);
    const where = { principal: principalKey(principal) };
    const past = row === null ? {} : { past: Number(row['n']) };
    return (await store.query('calls', { where, order: newestFirst, limit, ...past })).map(viewOf);
  },
});

const maySee = (row: Row, viewer: Principal): boolean =>
  !isAgent(viewer) || row['principal'] === principalKey(viewer.ref);
