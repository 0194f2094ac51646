import { canonicalJson } from '../../domain/canonicalJson.ts';
import type { CompactCommand } from '../../domain/caop/decideCompact.ts';
import { decideCompact } from '../../domain/caop/decideCompact.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { evolveCompact } from '../../domain/caop/compactState.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { FactChange } from '../../contracts/caopEvents.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import { isAgent, principalKey } from '../../contracts/principal.ts';
import { sha256Hex } from '../chainHash.ts';
import type { Row, RowChange } from '../eventStore.ts';
import type { Decision } from '../eventWriter.ts';
import { notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { STATE_STREAM } from './caopParts.ts';
import { maySeeOf } from './caopPrincipals.ts';
import { compactOf } from './caopProjection.ts';
import type { FactLedger, FactPlan } from './factLedger.ts';
import { isEmpty } from './factLedger.ts';
import { SerialQueue } from './serialQueue.ts';
import { textColumn } from '../textColumn.ts';

export interface Blocking {
  readonly work_id: string;
  readonly invocation_id: string;
  readonly nonce: string | null;
}

export const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/** Loads, decides and appends compact work, with the change of facts that belongs to it in one append. */
export class CompactLedger {
  readonly #options: CaopOptions;
  readonly facts: FactLedger;
  /** Everything that writes the state goes through here, one after the other. */
  readonly queue = new SerialQueue();

  constructor(options: CaopOptions, facts: FactLedger) {
    this.#options = options;
    this.facts = facts;
  }

  now(): string {
    return this.#options.writer.now();
  }

  async find(workId: string): Promise<CompactWork | null> {
    const row = await this.#options.store.get('compact_work', workId);
    return row === null ? null : compactOf(row);
  }

  /** Somebody else's work is not there for an agent. */
  async visible(workId: string, principal: Principal): Promise<CompactWork> {
    const work = await this.find(workId);
    if (work === null || !maySeeOf(principal, work.staged.principal)) throw notFound(`work item ${workId}`);
    return work;
  }

  async query(
    where: Record<string, string | null | readonly string[]>,
    order: string,
    limit: number,
    past?: number | string,
  ): Promise<readonly CompactWork[]> {
    const rows = await this.#options.store.query('compact_work', {
      where,
      order: { column: order, direction: 'asc' },
      limit,
      ...(past === undefined ? {} : { past }),
    });
    return rows.map((row: Row) => compactOf(row));
  }

  async byApproval(approvalId: string): Promise<CompactWork | null> {
    const [row] = await this.#options.store.query('compact_work', { where: { approval_id: approvalId }, limit: 1 });
    return row === undefined ? null : compactOf(row);
  }

  /** The events of commands given one after the other, each deciding on what the one before has made. */
  decide(
    work: CompactWork,
    commands: readonly CompactCommand[],
  ): { readonly decision: Decision; readonly after: CompactWork } {
    const now = this.now();
    let after = work;
    const events = commands.flatMap((command) => {
      const outcome = decideCompact(after, command, now);
      if (!outcome.ok) {
        const { code, message, details } = outcome.refusal;
        throw new SignalboxError(code, message, { details, retryable: false });
      }
      for (const event of outcome.events) {
        after = evolveCompact(after, event, { work_id: work.work_id, version: after.version + 1, at: now }) ?? after;
      }
      return outcome.events;
    });
    return { decision: { stream: work.work_id, version: work.version, events }, after };
  }

  /** The change of facts as a decision on the state; none when nothing changes. */
  async factDecision(plan: FactPlan, because: string, by: PrincipalRef): Promise<readonly Decision[]> {
    const change: FactChange = await this.facts.prepare(plan, this.now());
    if (isEmpty(change)) return [];
    const version = await this.#options.store.version(STATE_STREAM);
    return [{ stream: STATE_STREAM, version, events: [{ type: 'facts.changed', payload: { because, by, change } }] }];
  }

  async append(decisions: readonly Decision[], correlationId: string, also: readonly RowChange[] = []): Promise<void> {
    const written = decisions.filter(({ events }) => events.length > 0);
    if (written.length > 0) await this.#options.writer.append(written, correlationId, also);
  }

  /** One at a time here; decided again when another host was first. */
  exclusive<T>(attempt: () => Promise<T>): Promise<T> {
    return this.queue.run(() => this.#options.writer.retrying(attempt));
  }

  async nonceOf(workId: string): Promise<string | null> {
    const row = await this.#options.store.get('lease_nonces', workId);
    return row === null ? null : textColumn(row, 'nonce');
  }

  /**
   * What keeps an agent's thread: its oldest open host-delegated lease, or an expired one of any kind. A
   * kernel-proxied step in flight keeps nothing, and people have no thread.
   */
  async blocking(principal: PrincipalRef, exceptWorkId?: string): Promise<Blocking | null> {
    if (principal.type !== 'agent') return null;
    const rows = await this.#options.store.query('compact_work', {
      where: { principal: principalKey(principal), lease_state: ['open', 'expired'] },
      order: { column: 'lease_seq', direction: 'asc' },
    });
    const row = rows.find(
      (candidate) =>
        candidate['work_id'] !== exceptWorkId &&
        (candidate['lease_state'] === 'expired' || candidate['execution_locus'] === 'HOST_DELEGATED'),
    );
    if (row !== undefined) {
      const work = compactOf(row);
      const lease = work.leases.find(({ state }) => state !== 'settled');
      return {
        work_id: work.work_id,
        invocation_id: lease?.invocation_id ?? '',
        nonce: await this.nonceOf(work.work_id),
      };
    }
    const expired = await this.#options.blockingLease(principal);
    if (expired === null) return null;
    return {
      work_id: expired.work.work_id,
      invocation_id: expired.work.lease?.invocation_id ?? '',
      nonce: expired.nonce,
    };
  }

  async refuseLocked(principal: Principal, exceptWorkId?: string): Promise<void> {
    if (!isAgent(principal)) return;
    const blocking = await this.blocking(principal.ref, exceptWorkId);
    if (blocking !== null) throw lockedBy(blocking);
  }
}

export const lockedBy = ({ work_id, invocation_id, nonce }: Blocking): SignalboxError =>
  new SignalboxError(
    'CAOP_409_UNSETTLED_EXECUTION_LEASE',
    `Settle the open execution lease (${invocation_id}) of ${work_id} via caop_settle_receipt before staging or dispatching new work.`,
    {
      details: {
        blocking_work_id: work_id,
        blocking_invocation_id: invocation_id,
        ...(nonce === null ? {} : { required_nonce: nonce }),
      },
    },
  );
