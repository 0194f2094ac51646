import { hostname } from 'node:os';
import { SignalboxError } from '../contracts/errors.ts';
import type { DomainEvent } from '../contracts/events.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import { mayApprove, principalKey } from '../contracts/principal.ts';
import { callTrace, closeInterruptedCalls } from './callTrace.ts';
import type { EventStore, PlacedEvent, Row } from './eventStore.ts';
import type { EventWriter } from './eventWriter.ts';
import { eventWriter } from './eventWriter.ts';
import type { GateKernel, SurfaceRecord } from './gateKernel.ts';
import type { Kernel } from './kernel.ts';
import { policyBook } from './policyBook.ts';
import type { Clock, Ids } from './ports.ts';
import { tokenLedger } from './tokenLedger.ts';
import type { WorkLedger } from './workLedger.ts';
import { workLedger } from './workLedger.ts';
import { workReads } from './workReads.ts';

export interface KernelOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** Name of this machine in leases; one host per data folder. */
  readonly host?: string;
  /** Tells consoles on one shared state apart; null or left out when the state is this console's alone. */
  readonly console?: string;
  /** Approve everything for 60 minutes, on the record; ends with the process. */
  readonly autoApprove?: boolean;
  /** Told of failures that no caller waits for (a timer that could not write). */
  readonly onBackgroundError?: (error: unknown, doing: string) => void;
}

const SYSTEM_STREAM = 'system';

type Pausing = Pick<Kernel, 'paused' | 'setPaused'> & Pick<GateKernel, 'isPaused'> & { refreshPaused(): Promise<void> };

const pausing = async (store: EventStore, writer: EventWriter): Promise<Pausing> => {
  type Paused = { by: PrincipalRef; at: string } | null;
  const read = async (): Promise<Paused> =>
    ((await store.get('system', 'paused'))?.['value'] ?? null) as unknown as Paused;
  let paused = await read();
  return {
    paused: async () => paused,
    isPaused: () => paused !== null,
    async refreshPaused() {
      paused = await read();
    },
    async setPaused(on, by: Principal) {
      if (!mayApprove(by)) {
        throw new SignalboxError(
          'FORBIDDEN',
          `${principalKey(by.ref)} may not pause or resume: that takes the approver role.`,
        );
      }
      await writer.retrying(async () => {
        if (on === (paused !== null)) return;
        const event: DomainEvent = { type: on ? 'system.paused' : 'system.resumed', payload: { by: by.ref } };
        const version = await store.version(SYSTEM_STREAM);
        await writer.append([{ stream: SYSTEM_STREAM, version, events: [event] }], SYSTEM_STREAM);
        paused = await read();
      });
    },
  };
};

const surfaceBook = (
  store: EventStore,
  writer: EventWriter,
  ledger: WorkLedger,
): Pick<GateKernel, 'surfaceRecord' | 'recordSurface'> => ({
  async surfaceRecord(surfaceId) {
    const row: Row | null = await store.get('surfaces', surfaceId);
    if (row === null) return null;
    const holder = row['holder'] as unknown as SurfaceRecord['holder'];
    return { epoch: Number(row['epoch']), holder, closed: row['closed'] === 1 };
  },
  recordSurface: (surfaceId, event, voids) =>
    writer.retrying(async () => {
      const version = await store.version(surfaceId);
      const voided = voids === undefined ? [] : await ledger.voidsOn(surfaceId, voids);
      await writer.append([{ stream: surfaceId, version, events: [event] }, ...voided], surfaceId);
    }),
});

export const createKernel = async (options: KernelOptions): Promise<GateKernel> => {
  const { store, clock, ids } = options;
  const host = options.host ?? hostname();
  const writer = eventWriter({ store, clock, ids });
  const onBackgroundError = options.onBackgroundError ?? (() => undefined);
  const ledger = workLedger({ store, writer, clock, ids, host, onBackgroundError });
  const policies = await policyBook({ store, writer, clock, ids });

  const started: DomainEvent = { type: 'system.started', payload: { version: options.version, host } };
  const version = await store.version(SYSTEM_STREAM);
  await writer.append([{ stream: SYSTEM_STREAM, version, events: [started] }], SYSTEM_STREAM);
  await ledger.recover(host);
  await closeInterruptedCalls(store);
  await policies.resetAutoApprove(options.autoApprove ?? false);

  const pauses = await pausing(store, writer);
  // Policies and the pause are held in memory; another console on the same state may change them.
  const others = store.subscribe((placed) => {
    const refresh = [
      ...(placed.some(({ event }) => event.event_type.startsWith('policy.')) ? [policies.reload()] : []),
      ...(placed.some(({ event }) => /^system\.(paused|resumed)$/.test(event.event_type))
        ? [pauses.refreshPaused()]
        : []),
    ];
    for (const done of refresh) {
      done.catch((error: unknown) => onBackgroundError(error, 'taking over what another console changed'));
    }
  });
  return {
    ...ledger.commands,
    ...workReads(store, ledger),
    ...policies.commands,
    ...tokenLedger({ store, writer, clock, ids, console: options.console ?? null }),
    ...callTrace(store),
    ...surfaceBook(store, writer, ledger),
    paused: () => pauses.paused(),
    setPaused: (on, by) => pauses.setPaused(on, by),
    isPaused: () => pauses.isPaused(),
    async needsYou() {
      const [approvals, unknown] = await Promise.all([
        store.count('work', { approval_status: 'pending' }),
        store.count('work', { lease_state: 'expired' }),
      ]);
      return approvals + unknown;
    },
    head: () => store.head(),
    events: (after, limit) => store.events(after, limit),
    subscribe: (listener: (event: PlacedEvent) => void) =>
      store.subscribe((placed) => {
        for (const event of placed) listener(event);
      }),
    async close() {
      others[Symbol.dispose]();
      ledger[Symbol.dispose]();
    },
  };
};
