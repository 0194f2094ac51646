import type { LeaseView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { Principal } from '../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../contracts/principal.ts';
import type { WorkState } from '../domain/workState.ts';
import { leaseView, receiptView, workView } from '../domain/workViews.ts';
import type { EventStore, Json } from './eventStore.ts';
import type { Kernel } from './kernel.ts';
import { pageOf, readCursor } from './paging.ts';
import { stateOf } from './storeSchema.ts';
import type { WorkLedger } from './workLedger.ts';

const present = <T>(view: T | null): T[] => (view === null ? [] : [view]);

/** Lists and single views of work, leases and receipts, cut to what the viewer may see. */
export const workReads = (
  store: EventStore,
  ledger: WorkLedger,
): Pick<Kernel, 'work' | 'workItem' | 'leases' | 'receipts' | 'receipt'> => {
  const mine = (viewer: Principal): Record<string, Json> =>
    isAgent(viewer) ? { principal: principalKey(viewer.ref) } : {};
  const visible = (work: WorkState | null, viewer: Principal, what: string): WorkState => {
    if (work === null || (isAgent(viewer) && !samePrincipal(work.staged.principal, viewer.ref))) {
      throw new SignalboxError('NOT_FOUND', `There is no ${what}.`);
    }
    return work;
  };
  const leaseOf = async (work: WorkState, viewer: Principal): Promise<LeaseView | null> => {
    const holds = samePrincipal(work.staged.principal, viewer.ref);
    const nonce = holds ? await ledger.nonceOf(work.work_id) : null;
    return leaseView(work, { nonce, sent: await ledger.sentOf(work.work_id) });
  };

  return {
    async work(page, viewer) {
      const where = { ...mine(viewer), ...(page.status === undefined ? {} : { status: page.status }) };
      const order = { column: 'seq', direction: 'desc' } as const;
      const rows = await store.query('work', { where, order, limit: page.limit + 1, ...readCursor(page) });
      const { items, next } = pageOf(rows, page.limit, 'seq');
      return { work: items.map((row) => workView(stateOf(row))), ...next };
    },
    async workItem(workId, viewer) {
      return workView(visible(await ledger.commands.findWork(workId), viewer, `work item ${workId}`));
    },
    async leases(viewer, state) {
      if (!isAgent(viewer) && !mayApprove(viewer)) return [];
      const where = { ...mine(viewer), lease_state: state ?? ['open', 'expired'] };
      const rows = await store.query('work', { where, order: { column: 'seq', direction: 'asc' } });
      const views = await Promise.all(rows.map((row) => leaseOf(stateOf(row), viewer)));
      return views.flatMap(present);
    },
    async receipts(page, viewer) {
      const where = { ...mine(viewer), ...(page.surface_id === undefined ? {} : { surface_id: page.surface_id }) };
      const order = { column: 'receipt_seq', direction: 'desc' } as const;
      const rows = await store.query('work', { where, order, limit: page.limit + 1, ...readCursor(page) });
      const { items, next } = pageOf(rows, page.limit, 'receipt_seq');
      return { receipts: items.flatMap((row) => present(receiptView(stateOf(row)))), ...next };
    },
    async receipt(receiptId, viewer) {
      const work = visible(await ledger.commands.workOfReceipt(receiptId), viewer, `receipt ${receiptId}`);
      const view = receiptView(work);
      if (view === null) throw new SignalboxError('NOT_FOUND', `There is no receipt ${receiptId}.`);
      return view;
    },
  };
};
