import type { LeaseView, WorkView } from '../../contracts/console.ts';
import type { ChildWork } from '../../contracts/caop/compact.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../../contracts/principal.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { compactLeaseView, compactWorkView } from '../../domain/caop/compactViews.ts';
import { workView } from '../../domain/workViews.ts';
import { pageOf, readCursor } from '../paging.ts';
import { stateOf } from '../storeSchema.ts';
import { notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { maySeeOf } from './caopPrincipals.ts';
import { compactOf } from './caopProjection.ts';
import type { CompactLedger } from './compactLedger.ts';

export type { CompactWork };
export const leaseOfPlan = (work: CompactWork): LeaseView | null => compactLeaseView(work, null);

/** The whole of a compact work item, for its agent and for people. */
export interface CompactDetail {
  readonly work: CompactWork;
  /** What children have handed up; never their traces. */
  readonly children: readonly ChildWork[];
}

export const compactReads = (options: CaopOptions, ledger: CompactLedger) => {
  const { store } = options;
  return {
    /** Plans and single verbs in one list, newest first. */
    async page(
      page: { limit: number; cursor?: string | undefined; status?: string | undefined },
      viewer: Principal,
    ): Promise<{ work: WorkView[]; next_cursor?: string }> {
      const where = {
        ...(isAgent(viewer) ? { principal: principalKey(viewer.ref) } : {}),
        ...(page.status === undefined ? {} : { status: page.status }),
      };
      const query = {
        where,
        order: { column: 'seq', direction: 'desc' },
        limit: page.limit + 1,
        ...readCursor(page),
      } as const;
      const [plans, verbs] = await Promise.all([store.query('compact_work', query), store.query('work', query)]);
      const rows = [
        ...plans.map((row) => ({ row, view: compactWorkView(compactOf(row)) })),
        ...verbs.map((row) => ({ row, view: workView(stateOf(row)) })),
      ];
      rows.sort((a, b) => Number(b.row['seq']) - Number(a.row['seq']));
      const { items, next } = pageOf(
        rows.map(({ row }) => row),
        page.limit,
        'seq',
      );
      return { work: rows.slice(0, items.length).map(({ view }) => view), ...next };
    },

    /** Null: not compact work. */
    async view(workId: string, viewer: Principal): Promise<WorkView | null> {
      const work = await ledger.find(workId);
      return work === null || !maySeeOf(viewer, work.staged.principal) ? null : compactWorkView(work);
    },

    async detail(workId: string, viewer: Principal): Promise<CompactDetail> {
      const work = await ledger.visible(workId, viewer);
      const rows = await store.query('compact_work', {
        where: { parent_work_id: workId },
        order: { column: 'seq', direction: 'asc' },
      });
      return { work: hideHashes(work), children: rows.map((row) => childOf(compactOf(row), workId)) };
    },

    /** Agents see their own, approvers all, viewers none; the nonce is for who may settle. */
    async leases(viewer: Principal, state: string | undefined): Promise<readonly LeaseView[]> {
      if (!isAgent(viewer) && !mayApprove(viewer)) return [];
      const where = {
        ...(isAgent(viewer) ? { principal: principalKey(viewer.ref) } : {}),
        lease_state: state ?? ['open', 'expired'],
      };
      const rows = await store.query('compact_work', { where, order: { column: 'lease_seq', direction: 'asc' } });
      const views = await Promise.all(
        rows.map(compactOf).map(async (work) => {
          const sees = samePrincipal(work.staged.principal, viewer.ref) || mayApprove(viewer);
          return compactLeaseView(work, sees ? await ledger.nonceOf(work.work_id) : null);
        }),
      );
      return views.flatMap((view) => view ?? []);
    },

    /** Approvals that wait and outcomes that nobody knows. */
    async needsYou(): Promise<number> {
      const counts = await Promise.all([
        store.count('compact_work', { approval_status: 'pending' }),
        store.count('compact_work', { lease_state: 'expired' }),
        store.count('executions', { approval_status: 'pending' }),
        store.count('questions', { answer: 'open' }),
      ]);
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async mustBeCompact(workId: string, viewer: Principal): Promise<CompactWork> {
      const work = await ledger.find(workId);
      if (work === null || !maySeeOf(viewer, work.staged.principal)) throw notFound(`compact work ${workId}`);
      return work;
    },
  };
};

const childOf = (child: CompactWork, parent_work_id: string): ChildWork => {
  const distilled = child.leases.findLast(({ settlement }) => settlement?.distilled !== null && settlement !== null)
    ?.settlement?.distilled;
  return {
    work_id: child.work_id,
    parent_work_id,
    isolation_policy: child.staged.input.isolation_policy ?? {
      execution_scope: 'ISOLATED_SUBAGENT_CONTEXT',
      return_contract: 'DISTILLED_FACTS_AND_ARTIFACT_REF_ONLY',
    },
    ...(distilled === undefined || distilled === null ? {} : { distilled_return_payload: distilled }),
  };
};

const hideHashes = (work: CompactWork): CompactWork => ({
  ...work,
  leases: work.leases.map((lease) => ({ ...lease, nonce_hash: '' })),
});
