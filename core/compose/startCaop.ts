import type { Gate } from '../gate/gate.ts';
import { createCaopKernel, type CaopKernel } from '../kernel/caop/caopKernel.ts';
import type { CaopOptions } from '../kernel/caop/caopParts.ts';
import type { EventStore } from '../kernel/eventStore.ts';
import { eventWriter } from '../kernel/eventWriter.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import { proxiedVerbs } from './proxiedVerbs.ts';

/** The CAOP kernel beside the kernel of single verbs, on the same store. */
export const startCaop = (
  parts: Pick<CaopOptions, 'clock' | 'host' | 'ids' | 'onBackgroundError'> & { readonly approvalTtlMs?: number },
  store: EventStore,
  kernel: GateKernel,
  gate: () => Gate | null,
): Promise<CaopKernel> =>
  createCaopKernel({
    ...parts,
    store,
    writer: eventWriter({ store, clock: parts.clock, ids: parts.ids }),
    proxied: proxiedVerbs(gate),
    decidePolicy: (call, context) => kernel.decidePolicy(call, context),
    policyIds: async () =>
      (await kernel.policies()).filter(({ disabled_at }) => disabled_at === null).map(({ policy_id }) => policy_id),
    blockingLease: (principal) => kernel.blockingLease(principal),
  });
