import type { CallView, PolicyDecision, SurfaceView } from '../contracts/console.ts';
import type { EventOf, EventPayload } from '../contracts/events.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import type { ConditionContext } from '../domain/celCondition.ts';
import type { Risk } from '../domain/decidePolicy.ts';
import type { WorkCommand } from '../domain/decideWork.ts';
import type { Attestation, WorkState } from '../domain/workState.ts';
import type { PlacedEvent } from './eventStore.ts';
import type { Kernel } from './kernel.ts';

/** Commands the gate gives as they are; staging, leases and settlement have methods of their own. */
export type PlainWorkCommand = Extract<
  WorkCommand,
  { type: 'approve' | 'steer' | 'reject' | 'expire_approval' | 'void_approval' | 'withdraw' }
>;

export interface LeaseTerms {
  readonly ttlMs: number;
  readonly approvedBy: PrincipalRef | null;
  readonly attestation: Attestation;
}

/** The nonce settles the lease, once. */
export interface OpenedLease {
  readonly work: WorkState;
  readonly nonce: string;
}

export interface StageInput {
  readonly workId: string;
  readonly staged: EventPayload<'work.staged'>;
  /** Used when the policy asks. */
  readonly approval: { readonly ttlMs: number; readonly picture: EventPayload<'approval.requested'>['picture'] };
  /** Used when it may run at once. */
  readonly lease: LeaseTerms;
}

export interface SurfaceRecord {
  readonly epoch: number;
  readonly holder: NonNullable<SurfaceView['holder']> | null;
  readonly closed: boolean;
}

export type SurfaceEvent = EventOf<
  'surface.opened' | 'surface.closed' | 'surface.control_taken' | 'surface.control_released'
>;

/** What the gate needs of the kernel beyond what REST and MCP see. */
export interface GateKernel extends Kernel {
  /** Fresh each start; the boot tokens of earlier starts are revoked. */
  mintBootTokens(): Promise<{ token: string; agentToken: string }>;

  decidePolicy(
    call: { readonly verb: string; readonly risk: Risk; readonly principal: Principal },
    context: Omit<ConditionContext, 'now'>,
  ): PolicyDecision;
  /** In force now; read before every primitive input. */
  isPaused(): boolean;

  /** With a nonce when the lease was opened in the same append. */
  stage(input: StageInput): Promise<{ readonly work: WorkState; readonly nonce: string | null }>;
  command(workId: string, command: PlainWorkCommand): Promise<WorkState>;
  openLease(workId: string, terms: LeaseTerms): Promise<OpenedLease>;
  /** The `n`th input of a lease, from 1; written again replaces it. Joined to the lease when it expires. */
  noteSent(workId: string, n: number, what: string): Promise<void>;
  settle(
    workId: string,
    settlement: Omit<Extract<WorkCommand, { type: 'settle' }>, 'type' | 'nonce_hash'> & { readonly nonce: string },
  ): Promise<WorkState>;
  failLease(
    workId: string,
    failure: Omit<Extract<WorkCommand, { type: 'fail_lease' }>, 'type' | 'nonce_hash'> & { readonly nonce: string },
  ): Promise<WorkState>;
  expireLease(workId: string, because: string): Promise<WorkState>;
  resolveLease(
    workId: string,
    resolution: Omit<Extract<WorkCommand, { type: 'resolve_lease' }>, 'type' | 'receipt_id'>,
  ): Promise<WorkState>;

  findWork(workId: string): Promise<WorkState | null>;
  workOfApproval(approvalId: string): Promise<WorkState | null>;
  workOfReceipt(receiptId: string): Promise<WorkState | null>;
  /** Newest first. */
  approvalWork(status: readonly string[] | 'all', limit: number): Promise<readonly WorkState[]>;
  /** Approvals that are pending, or granted and unused. */
  openApprovals(filter?: { readonly surfaceId?: string }): Promise<readonly WorkState[]>;
  /** The newest undecided or unperformed request for the same thing. */
  identicalOpen(principal: PrincipalRef, verb: string, argumentsHash: string): Promise<WorkState | null>;
  /** The newest work under the key, however it ended. */
  underKey(principal: PrincipalRef, verb: string, key: string): Promise<WorkState | null>;
  /** The oldest expired lease of the principal, with its nonce. */
  blockingLease(principal: PrincipalRef): Promise<{ readonly work: WorkState; readonly nonce: string | null } | null>;

  surfaceRecord(surfaceId: string): Promise<SurfaceRecord | null>;
  /** Voids the open approvals there in the same append, when `voids` says why. */
  recordSurface(
    surfaceId: string,
    event: SurfaceEvent,
    voids?: { readonly code: string; readonly because: string },
  ): Promise<void>;

  startCall(view: Omit<CallView, 'n'>): Promise<CallView>;
  updateCall(view: CallView): Promise<void>;
  recentCalls(principal: PrincipalRef, before: string, limit: number): Promise<readonly CallView[]>;

  /** Told after each append, in order. */
  subscribe(listener: (event: PlacedEvent) => void): Disposable;
  close(): Promise<void>;
}
