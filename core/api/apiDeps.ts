import type { PrincipalRef, Role } from '../contracts/principal.ts';
import type { Gate } from '../gate/gate.ts';
import type { CaopKernel } from '../kernel/caop/caopKernel.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { RateLimit } from './rateLimit.ts';
import type { ArtifactStore, Clock, Ids } from '../kernel/ports.ts';

/** The few calls of a logger the api makes; pino fits. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is known of this run of the console. */
export interface HostInfo {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly dataFolder: string;
  readonly hostName: string;
  /** Build of the console to serve; null when there is none. */
  readonly rendererFolder: string | null;
  /** The boot tokens of `user:local` and `agent:default`. The former leaves only by a session code. */
  readonly user: { readonly token: string; readonly principal: PrincipalRef; readonly roles: readonly Role[] };
  readonly agent: { readonly token: string; readonly tokenId: string };
  /** What an MCP client starts to join this console by stdio. */
  readonly stdio: { readonly command: string; readonly args: readonly string[] };
}

export interface ApiDeps {
  readonly kernel: Kernel;
  readonly gate: Gate;
  readonly caop: CaopKernel;
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly host: HostInfo;
  /** Requests that one token may send under /v1; a generous default when left out. */
  readonly rateLimit?: RateLimit;
}
