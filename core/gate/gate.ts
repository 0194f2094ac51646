import type {
  ApprovalDecisionInput,
  ApprovalStatus,
  ApprovalView,
  CallView,
  ControlInput,
  HumanInput,
  LeaseResolutionInput,
  LeaseView,
  SurfaceView,
} from '../contracts/console.ts';
import type { EventEnvelope } from '../contracts/caop.ts';
import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import type { Principal } from '../contracts/principal.ts';
import type { LiveFrame, Picture } from '../kernel/ports.ts';

/** How a caller stays attached to a call that waits for a person. */
export interface CallContext {
  readonly principal: Principal;
  /** Name and version of the client program, for the trace; null when unknown. */
  readonly client: string | null;
  /**
   * Aborted when the caller is gone. `signal.reason` is `'withdraw'` (cancelled by the client: the
   * request is withdrawn) or `'detach'` (connection lost: the approval stays, nobody is attached).
   */
  readonly signal: AbortSignal;
  /** Called at once and every few seconds while a person is waited for. */
  readonly onWaiting?: (info: { work_id: string; approval_id: string; waited_ms: number; message: string }) => void;
  /** How long to wait for a person before APPROVAL_PENDING. Default 50,000. */
  readonly waitBudgetMs?: number;
}

/** Structured result of a verb, plus a picture for `operator.capture`. */
export interface VerbResult {
  readonly output: Record<string, unknown>;
  readonly picture?: Picture;
}

/**
 * The one door of every verb, read-only ones too (those only pass the surface scope, the takeover's
 * private mode and the trace). Every failure is a thrown SignalboxError with a code of
 * `surfaceErrorCodes`.
 */
export interface Gate {
  /** `verb`: a class verb or one of `signalbox.open_surface`, `signalbox.close_surface`, `signalbox.get_receipt`. */
  call(verb: string, args: unknown, ctx: CallContext): Promise<VerbResult>;
  /** Attaches again to work that waits for a person, or answers with its receipt or refusal. */
  awaitWork(args: unknown, ctx: CallContext): Promise<VerbResult>;

  /** What perceive gives, for a person who looks at the console: no agent's doing, so not in the trace. */
  look(args: unknown, ctx: CallContext): Promise<VerbResult>;

  surfaces(principal: Principal): readonly SurfaceView[];
  surface(surfaceId: string, principal: Principal): SurfaceView;
  openSurface(input: OpenSurfaceInput, principal: Principal): Promise<SurfaceView>;
  closeSurface(surfaceId: string, principal: Principal): Promise<void>;
  control(surfaceId: string, input: ControlInput, principal: Principal): Promise<SurfaceView>;
  /** A person's input; only from the one in control. */
  input(surfaceId: string, input: HumanInput, principal: Principal): Promise<void>;
  /** A person's view; refused to others while private. */
  picture(surfaceId: string, principal: Principal): Promise<Picture>;
  watch(surfaceId: string, principal: Principal, onFrame: (frame: LiveFrame, done: () => void) => void): Disposable;

  approvals(principal: Principal, status: ApprovalStatus | 'all', limit: number): Promise<readonly ApprovalView[]>;
  approval(approvalId: string, principal: Principal): Promise<ApprovalView>;
  decide(approvalId: string, input: ApprovalDecisionInput, principal: Principal): Promise<ApprovalView>;
  resolveLease(workId: string, input: LeaseResolutionInput, principal: Principal): Promise<LeaseView>;

  /** The person's connection is gone: surfaces held by it stay held, agents stay paused there. */
  subscribe(listener: (note: GateNote) => void): Disposable;
  close(): Promise<void>;
}

/** What the console's socket relays: durable events with their position, and volatile notes. */
export type GateNote =
  | { readonly type: 'event'; readonly seq: number; readonly event: EventEnvelope }
  | { readonly type: 'surface'; readonly surface: SurfaceView }
  | { readonly type: 'surface_removed'; readonly surface_id: string }
  | { readonly type: 'call'; readonly call: CallView };
