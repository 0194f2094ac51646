import type { PolicyDecision } from '../../contracts/console.ts';
import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import type { ConditionContext } from '../../domain/celCondition.ts';
import type { Risk } from '../../domain/decidePolicy.ts';
import type { EventStore } from '../eventStore.ts';
import type { EventWriter } from '../eventWriter.ts';
import type { GateKernel } from '../gateKernel.ts';
import type { Clock, Ids } from '../ports.ts';

/** A capability that the kernel performs itself, through the gate. */
export interface ProxiedCapability {
  readonly capability_id: string;
  readonly summary: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly output_schema: Readonly<Record<string, unknown>>;
  readonly read_only: boolean;
}

export interface ProxiedCall {
  readonly capability_id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
}

/** How KERNEL_PROXIED steps are performed. A thrown SignalboxError says what is known of a failure. */
export interface ProxiedPort {
  list(): readonly ProxiedCapability[];
  run(call: ProxiedCall): Promise<Readonly<Record<string, unknown>>>;
}

export interface CaopOptions {
  readonly store: EventStore;
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: string;
  readonly proxied: ProxiedPort;
  readonly decidePolicy: (
    call: { readonly verb: string; readonly risk: Risk; readonly principal: Principal },
    context: Omit<ConditionContext, 'now'>,
  ) => PolicyDecision;
  /** Policies with a condition, by id, for what a context or an approval names. */
  readonly policyIds: () => Promise<readonly string[]>;
  /** An expired lease of a verb that the principal sent by itself. */
  readonly blockingLease: GateKernel['blockingLease'];
  /** Largest number of facts that one change may make stale. Default 500. */
  readonly maxInvalidationSubgraph?: number;
  /** How long a person has to decide when no routing rule says. Default 15 minutes. */
  readonly approvalTtlMs?: number;
  /** Told when pulses of a goal have stopped. */
  readonly notify?: (notice: { readonly goal_id: string; readonly due_at: string }) => void;
  /** Told of failures that no caller waits for. */
  readonly onBackgroundError: (error: unknown, doing: string) => void;
}

export const KERNEL: PrincipalRef = { type: 'service', id: 'caop-runtime' };
export const STATE_STREAM = 'state';
