import { SignalboxError } from '../contracts/errors.ts';
import type { EventStore } from './eventStore.ts';
import type { GateKernel } from './gateKernel.ts';
import type { Clock, Ids } from './ports.ts';

export interface KernelOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** Name of this machine in leases; one host per data folder. */
  readonly host?: string;
  /** Approve everything for 60 minutes, on the record; ends with the process. */
  readonly autoApprove?: boolean;
}

export const createKernel = async (_options: KernelOptions): Promise<GateKernel> => {
  throw new SignalboxError('INTERNAL', 'The kernel is not built yet.');
};
