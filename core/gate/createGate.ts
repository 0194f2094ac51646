import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { ArtifactStore, Clock, Ids, SurfaceProvider } from '../kernel/ports.ts';
import type { Gate } from './gate.ts';
import { SignalGate } from './signalGate.ts';

export interface GateOptions {
  readonly kernel: GateKernel;
  readonly providers: readonly SurfaceProvider[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly artifacts: ArtifactStore;
  /** Listed from the start. */
  readonly initialSurfaces?: readonly OpenSurfaceInput[];
  /** How long a person has to decide. Default 15 minutes. */
  readonly approvalTtlMs?: number;
  /** How long a call waits for a person before APPROVAL_PENDING. Default 50 s. */
  readonly waitBudgetMs?: number;
  /** How long a verb may take once its lease is open. Default 5 minutes. */
  readonly leaseTtlMs?: number;
  /** How long a request may stand with nobody attached. Default 10 minutes. */
  readonly absentTtlMs?: number;
  /** Told of failures that no caller waits for (a picture that could not be kept). */
  readonly onBackgroundError?: (error: unknown, doing: string) => void;
}

const MINUTE_MS = 60_000;

/** Opens the initial surfaces, takes up the approvals that an earlier process left, and listens for popups. */
export const createGate = async (options: GateOptions): Promise<Gate> => {
  const gate = new SignalGate({
    kernel: options.kernel,
    providers: options.providers,
    clock: options.clock,
    ids: options.ids,
    artifacts: options.artifacts,
    approvalTtlMs: options.approvalTtlMs ?? 15 * MINUTE_MS,
    waitBudgetMs: options.waitBudgetMs ?? 50_000,
    leaseTtlMs: options.leaseTtlMs ?? 5 * MINUTE_MS,
    absentTtlMs: options.absentTtlMs ?? 10 * MINUTE_MS,
    onError: options.onBackgroundError ?? (() => undefined),
  });
  await gate.start(options.initialSurfaces ?? []);
  return gate;
};
