import { SignalboxError } from '../contracts/errors.ts';
import type { EventPayload } from '../contracts/events.ts';
import { principalKey } from '../contracts/principal.ts';
import type { PrincipalRef } from '../contracts/principal.ts';
import type { WorkCommand } from '../domain/decideWork.ts';
import { decideWork } from '../domain/decideWork.ts';
import type { WorkState } from '../domain/workState.ts';
import { sha256Hex } from './chainHash.ts';
import type { EventStore, Row, RowChange } from './eventStore.ts';
import type { Decision, EventWriter } from './eventWriter.ts';
import type { GateKernel, LeaseTerms } from './gateKernel.ts';
import type { Clock, Ids } from './ports.ts';
import { stateOf, textOf } from './storeSchema.ts';
import { workTimers } from './workTimers.ts';

/** A long typing run is written down key by key up to here; then only that it went on. */
const SENT_KEPT = 200;

type Ledger = Pick<
  GateKernel,
  | 'stage'
  | 'command'
  | 'openLease'
  | 'noteSent'
  | 'settle'
  | 'failLease'
  | 'expireLease'
  | 'resolveLease'
  | 'findWork'
  | 'workOfApproval'
  | 'workOfReceipt'
  | 'approvalWork'
  | 'openApprovals'
  | 'identicalOpen'
  | 'underKey'
  | 'blockingLease'
>;

export interface WorkLedger extends Disposable {
  /** What the gate calls. */
  readonly commands: Ledger;
  sentOf(workId: string): Promise<readonly string[]>;
  nonceOf(workId: string): Promise<string | null>;
  /** Voids of open approvals, to be appended with what caused them. */
  voidsOn(surfaceId: string, why: { code: string; because: string }): Promise<readonly Decision[]>;
  /** Leases this host left open when its process ended become unknown outcomes; timers start. */
  recover(host: string): Promise<void>;
}

interface Parts {
  readonly store: EventStore;
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: string;
  readonly onBackgroundError: (error: unknown, doing: string) => void;
}

const approvalOrder = { column: 'approval_seq', direction: 'desc' } as const;
const OPEN_APPROVAL = ['pending', 'granted'] as const;
const everything = { past: Number.MAX_SAFE_INTEGER };

/** Load, decide, append; and the timers that expire approvals and leases. */
export const workLedger = ({ store, writer, clock, ids, host, onBackgroundError }: Parts): WorkLedger => {
  const findWork = async (workId: string): Promise<WorkState | null> => {
    const row = await store.get('work', workId);
    return row === null ? null : stateOf(row);
  };
  const first = (rows: readonly Row[]): WorkState | null => (rows[0] === undefined ? null : stateOf(rows[0]));

  const decided = (work: WorkState | null, workId: string, command: WorkCommand): Decision => {
    const outcome = decideWork(work, command, writer.now());
    if (!outcome.ok) {
      const { code, message, details } = outcome.refusal;
      throw new SignalboxError(code, message, { details, retryable: false });
    }
    return { stream: workId, version: work?.version ?? 0, events: outcome.events };
  };

  const run = (workId: string, command: WorkCommand, also: readonly RowChange[] = []): Promise<WorkState> =>
    writer.retrying(async () => {
      await writer.append([decided(await findWork(workId), workId, command)], workId, also);
      return must(await findWork(workId), workId);
    });

  const sentOf = async (workId: string): Promise<readonly string[]> => {
    const rows = await store.query('lease_sent', {
      where: { work_id: workId },
      order: { column: 'n', direction: 'asc' },
    });
    return rows.map((row) => textOf(row, 'what'));
  };
  const nonceOf = async (workId: string): Promise<string | null> => {
    const row = await store.get('lease_nonces', workId);
    return row === null ? null : textOf(row, 'nonce');
  };
  const expireLease = async (workId: string, because: string): Promise<WorkState> =>
    run(workId, { type: 'expire_lease', because, sent: await sentOf(workId) });

  const timers = workTimers({
    clock,
    onError: onBackgroundError,
    expireApproval: (workId) => run(workId, { type: 'expire_approval' }),
    expireLease: (workId) => expireLease(workId, 'It did not end within the time of its lease.'),
  });
  const subscription = store.subscribe((placed) => {
    for (const { event } of placed) timers.see(event);
  });

  const newLease = (terms: LeaseTerms): { nonce: string; lease: EventPayload<'lease.opened'> } => {
    const nonce = ids.secret();
    const expires_at = new Date(clock.now() + terms.ttlMs).toISOString();
    const { approvedBy: approved_by, attestation } = terms;
    const invocation_id = ids.id('inv');
    return {
      nonce,
      lease: { invocation_id, nonce_hash: sha256Hex(nonce), host, expires_at, approved_by, attestation },
    };
  };
  const keepNonce = (workId: string, nonce: string): RowChange => ({
    op: 'put',
    table: 'lease_nonces',
    row: { work_id: workId, nonce },
  });

  const commands: Ledger = {
    findWork,
    expireLease,

    async stage({ workId, staged, approval, lease: terms }) {
      const { nonce, lease } = newLease(terms);
      const asks = staged.policy.effect === 'require_approval';
      const runs = staged.policy.effect === 'allow';
      const expires_at = new Date(clock.now() + approval.ttlMs).toISOString();
      const requested = { approval_id: ids.id('apr'), expires_at, picture: approval.picture, quorum: 1 };
      const command = { type: 'stage', staged, approval: asks ? requested : null, lease: runs ? lease : null } as const;
      const work = await run(workId, command, runs ? [keepNonce(workId, nonce)] : []);
      return { work, nonce: runs ? nonce : null };
    },
    command: (workId, command) => run(workId, command),
    async openLease(workId, terms) {
      const { nonce, lease } = newLease(terms);
      return { work: await run(workId, { type: 'open_lease', lease }, [keepNonce(workId, nonce)]), nonce };
    },
    async noteSent(workId, n, what) {
      if (n > SENT_KEPT) return;
      const row: Row = { sent_id: `${workId}/${n}`, work_id: workId, n, what: n === SENT_KEPT ? '…and more' : what };
      await store.write([{ op: 'put', table: 'lease_sent', row }]);
    },
    settle: (workId, { nonce, ...settlement }) =>
      run(workId, { type: 'settle', nonce_hash: sha256Hex(nonce), ...settlement }),
    failLease: (workId, { nonce, ...failure }) =>
      run(workId, { type: 'fail_lease', nonce_hash: sha256Hex(nonce), ...failure }),
    resolveLease: (workId, resolution) =>
      run(workId, { type: 'resolve_lease', ...resolution, receipt_id: ids.id('rcp') }),

    workOfApproval: async (approval_id) => first(await store.query('work', { where: { approval_id }, limit: 1 })),
    workOfReceipt: async (receipt_id) => first(await store.query('work', { where: { receipt_id }, limit: 1 })),
    async approvalWork(status, limit) {
      const where = status === 'all' ? {} : { approval_status: status };
      return (await store.query('work', { where, order: approvalOrder, limit, ...everything })).map(stateOf);
    },
    async openApprovals(filter = {}) {
      const where = {
        approval_status: OPEN_APPROVAL,
        ...(filter.surfaceId === undefined ? {} : { surface_id: filter.surfaceId }),
      };
      return (await store.query('work', { where, order: approvalOrder, ...everything })).map(stateOf);
    },
    async identicalOpen(principal, verb, arguments_hash) {
      const where = { principal: principalKey(principal), verb, arguments_hash, approval_status: OPEN_APPROVAL };
      return first(await store.query('work', { where, order: approvalOrder, limit: 1, ...everything }));
    },
    async underKey(principal, verb, idempotency_key) {
      const where = { principal: principalKey(principal), idempotency_key, verb };
      return first(await store.query('work', { where, order: { column: 'seq', direction: 'desc' }, limit: 1 }));
    },
    async blockingLease(principal: PrincipalRef) {
      const where = { principal: principalKey(principal), lease_state: 'expired' };
      const work = first(await store.query('work', { where, order: { column: 'seq', direction: 'asc' }, limit: 1 }));
      return work === null ? null : { work, nonce: await nonceOf(work.work_id) };
    },
  };

  return {
    commands,
    sentOf,
    nonceOf,

    async voidsOn(surfaceId, { code, because }) {
      const where = { approval_status: OPEN_APPROVAL, surface_id: surfaceId };
      const rows = await store.query('work', { where });
      return rows
        .map(stateOf)
        .map((work) => decided(work, work.work_id, { type: 'void_approval', code, because, differences: [because] }));
    },

    async recover(ownHost) {
      const open = (await store.query('work', { where: { lease_state: 'open' } })).map(stateOf);
      for (const work of open) {
        if (work.lease?.host === ownHost) {
          await expireLease(work.work_id, 'The process ended before the outcome was written down.');
        } else timers.watchLease(work);
      }
      const approvals = await store.query('work', { where: { approval_status: OPEN_APPROVAL } });
      for (const row of approvals) timers.watchApproval(stateOf(row));
    },

    [Symbol.dispose]() {
      subscription[Symbol.dispose]();
      timers[Symbol.dispose]();
    },
  };
};

const must = (work: WorkState | null, workId: string): WorkState => {
  if (work === null) throw new SignalboxError('NOT_FOUND', `There is no work item ${workId}.`);
  return work;
};
