import type { CallView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { Principal } from '../contracts/principal.ts';
import { isAgent, principalKey } from '../contracts/principal.ts';
import type { WorkState } from '../domain/workState.ts';
import type { EventStore, Json, Row } from './eventStore.ts';
import type { GateKernel } from './gateKernel.ts';
import { pageOf, readCursor } from './paging.ts';
import { asJson } from './storeSchema.ts';
import { textColumn } from './textColumn.ts';

/** The trace: every call of a verb, beside the log. */
export type CallTrace = Pick<GateKernel, 'calls' | 'call' | 'startCall' | 'updateCall' | 'recentCalls'>;

const INTERRUPTED = 'Signalbox ended before this call did';

/**
 * Lines that a process left open when it was killed. What became of the call is in the log: its lease
 * ran into the unknown, its approval still waits, or nothing had been begun.
 */
export const closeInterruptedCalls = async (store: EventStore): Promise<void> => {
  const running = (await store.query('calls', { where: { outcome: 'running' } })).map(viewOf);
  if (running.length === 0) return;
  const [unknown, waiting] = await Promise.all([
    store.query('work', { where: { lease_state: 'expired' } }),
    store.query('work', { where: { approval_status: ['pending', 'granted'] } }),
  ]);
  const workByCall = (rows: readonly Row[]): ReadonlyMap<string, string> =>
    new Map(rows.map((row) => [(row['state'] as unknown as WorkState).staged.call_id, textColumn(row, 'work_id')]));
  const [unknownWork, waitingWork] = [workByCall(unknown), workByCall(waiting)];
  const ended = running.map((view): CallView => {
    const summary = `${view.summary} → ${INTERRUPTED}`;
    const lost = unknownWork.get(view.call_id);
    if (lost !== undefined) return { ...view, summary, outcome: 'unknown', code: 'OUTCOME_UNKNOWN', work_id: lost };
    const asked = waitingWork.get(view.call_id);
    if (asked !== undefined) return { ...view, summary, outcome: 'pending', code: 'APPROVAL_PENDING', work_id: asked };
    return { ...view, summary, outcome: 'error', code: 'CANCELLED' };
  });
  await store.write(ended.map((view) => ({ op: 'patch', table: 'calls', key: view.call_id, set: columnsOf(view) })));
};

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
