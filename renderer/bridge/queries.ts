import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import type {
  ApprovalDecisionInput,
  ApprovalStatus,
  ApprovalView,
  ControlInput,
  LeaseResolutionInput,
  LeaseView,
  SurfaceView,
} from '../../core/contracts/console.ts';
import type { RouteBodyInput } from '../../core/contracts/routes.ts';
import type { CallFilter, CallPages } from './callPages.ts';
import { mergeCalls } from './callPages.ts';
import { keys } from './keys.ts';
import { rest, restBlob } from './rest.ts';

const LIST_LIMIT = 500;
const RECENT_LIMIT = 100;
const CALL_PAGE = 200;

// ---- reading ------------------------------------------------------------------------------------

export const useSystem = () => useQuery({ queryKey: keys.system, queryFn: ({ signal }) => rest('system', { signal }) });

export const useMe = () => useQuery({ queryKey: keys.me, queryFn: ({ signal }) => rest('me', { signal }) });

export const useMayApprove = (): boolean => {
  const roles = useMe().data?.roles ?? [];
  return roles.includes('approver') || roles.includes('admin');
};

export const useIsAdmin = (): boolean => useMe().data?.roles.includes('admin') ?? false;

export const useConnect = () =>
  useQuery({ queryKey: keys.connect, queryFn: ({ signal }) => rest('connect', { signal }) });

const surfacesQuery = queryOptions({
  queryKey: keys.surfaces,
  queryFn: async ({ signal }): Promise<readonly SurfaceView[]> => (await rest('surfaces.list', { signal })).surfaces,
});

export const useSurfaces = () => useQuery(surfacesQuery);

export const useSurface = (surfaceId: string | null): SurfaceView | undefined =>
  useQuery({ ...surfacesQuery, select: (all) => all.find((surface) => surface.id === surfaceId) }).data;

export const useTargets = (surfaceId: string, query: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.targets(surfaceId, query),
    queryFn: ({ signal }) =>
      rest('surfaces.targets', { params: { surface_id: surfaceId }, query: query === '' ? {} : { query }, signal }),
    enabled,
    // Nothing tells of every change of a page: read anew whenever it is looked at again.
    staleTime: 0,
    placeholderData: (previous) => previous,
  });

export const useArtifact = (sha256: string | null) =>
  useQuery({
    queryKey: keys.artifact(sha256 ?? ''),
    queryFn: ({ signal }) => restBlob('artifacts.get', { params: { sha256: sha256 ?? '' }, signal }),
    enabled: sha256 !== null,
  });

export const useApprovals = (status: ApprovalStatus | 'all') =>
  useQuery({
    queryKey: keys.approvals(status),
    queryFn: async ({ signal }): Promise<readonly ApprovalView[]> => {
      const limit = status === 'pending' ? LIST_LIMIT : RECENT_LIMIT;
      return (await rest('approvals.list', { query: { status, limit }, signal })).approvals;
    },
  });

export const useApproval = (approvalId: string | null) => {
  const client = useQueryClient();
  return useQuery<ApprovalView>({
    queryKey: keys.approval(approvalId ?? ''),
    queryFn: ({ signal }) => rest('approvals.get', { params: { approval_id: approvalId ?? '' }, signal }),
    enabled: approvalId !== null,
    placeholderData: () =>
      client
        .getQueryData<readonly ApprovalView[]>(keys.approvals('pending'))
        ?.find((approval) => approval.approval_id === approvalId),
  });
};

export const useLeases = (state: 'expired' | 'resolved') =>
  useQuery({
    queryKey: keys.leases(state),
    queryFn: async ({ signal }): Promise<readonly LeaseView[]> =>
      (await rest('leases.list', { query: { state }, signal })).leases,
  });

export const useWork = (workId: string | null) =>
  useQuery({
    queryKey: keys.work(workId ?? ''),
    queryFn: ({ signal }) => rest('work.get', { params: { work_id: workId ?? '' }, signal }),
    enabled: workId !== null,
  });

export const useReceipts = (surfaceId: string | null) =>
  useQuery({
    queryKey: keys.receipts(surfaceId),
    queryFn: async ({ signal }) =>
      (
        await rest('receipts.list', {
          query: { limit: RECENT_LIMIT, ...(surfaceId === null ? {} : { surface_id: surfaceId }) },
          signal,
        })
      ).receipts,
  });

export const useReceipt = (receiptId: string | null) =>
  useQuery({
    queryKey: keys.receipt(receiptId ?? ''),
    queryFn: ({ signal }) => rest('receipts.get', { params: { receipt_id: receiptId ?? '' }, signal }),
    enabled: receiptId !== null,
  });

export const useCall = (callId: string | null) =>
  useQuery({
    queryKey: keys.call(callId ?? ''),
    queryFn: ({ signal }) => rest('calls.get', { params: { call_id: callId ?? '' }, signal }),
    enabled: callId !== null,
  });

const fetchCalls = async (filter: CallFilter, cursor: string | null): Promise<CallPages> => {
  const query = { ...filter, limit: CALL_PAGE, ...(cursor === null ? {} : { cursor }) };
  const page = await rest('calls.list', { query });
  return { calls: page.calls, older: page.next_cursor ?? null };
};

export const useCalls = (filter: CallFilter) =>
  useQuery({ queryKey: keys.calls(filter), queryFn: () => fetchCalls(filter, null) });

/** Loads the next older page into the same list. */
export const useOlderCalls = (filter: CallFilter) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (cursor: string) => fetchCalls(filter, cursor),
    onSuccess: (page) =>
      client.setQueryData<CallPages>(keys.calls(filter), (pages) =>
        pages === undefined ? pages : { calls: mergeCalls(pages.calls, page.calls), older: page.older },
      ),
  });
};

export const useTokens = (enabled: boolean) =>
  useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }) => (await rest('tokens.list', { signal })).tokens,
    enabled,
  });

export const usePolicies = () =>
  useQuery({
    queryKey: keys.policies,
    queryFn: async ({ signal }) => (await rest('policies.list', { signal })).policies,
  });

// ---- acting -------------------------------------------------------------------------------------

/** A change of the server; afterwards the named queries are fetched again (events would say so too). */
const useChange = <I, O>(
  change: (input: I) => Promise<O>,
  stale: readonly (readonly string[])[],
): UseMutationResult<O, Error, I> => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
};

export const useDecide = () =>
  useChange(
    ({ approvalId, decision }: { approvalId: string; decision: ApprovalDecisionInput }) =>
      rest('approvals.decide', { params: { approval_id: approvalId }, body: decision }),
    [['approvals'], ['approval'], ['system']],
  );

export const useResolveLease = () =>
  useChange(
    ({ workId, resolution }: { workId: string; resolution: LeaseResolutionInput }) =>
      rest('leases.resolve', { params: { work_id: workId }, body: resolution }),
    [['leases'], ['system']],
  );

export const usePause = () => useChange((paused: boolean) => rest('pause', { body: { paused } }), [['system']]);

export const useOpenSurface = () =>
  useChange((body: RouteBodyInput<'surfaces.open'>) => rest('surfaces.open', { body }), [['surfaces']]);

export const useCloseSurface = () =>
  useChange((surfaceId: string) => rest('surfaces.close', { params: { surface_id: surfaceId } }), [['surfaces']]);

export const useControl = () =>
  useChange(
    ({ surfaceId, control }: { surfaceId: string; control: ControlInput }) =>
      rest('surfaces.control', { params: { surface_id: surfaceId }, body: control }),
    [['surfaces'], ['approvals']],
  );

export const useMintToken = () =>
  useChange((body: RouteBodyInput<'tokens.create'>) => rest('tokens.create', { body }), [['tokens']]);

export const useRevokeToken = () =>
  useChange((tokenId: string) => rest('tokens.revoke', { params: { token_id: tokenId } }), [['tokens']]);

export const useCreatePolicy = () =>
  useChange((body: RouteBodyInput<'policies.create'>) => rest('policies.create', { body }), [['policies'], ['system']]);

export const useDisablePolicy = () =>
  useChange(
    (policyId: string) => rest('policies.disable', { params: { policy_id: policyId } }),
    [['policies'], ['system']],
  );
