import type { HumanInput, SurfaceView, TargetReading } from '../contracts/console.ts';
import type {
  ActInput,
  CaptureOutput,
  FacetId,
  FocusAppInput,
  NavigateInput,
  PerceiveInput,
  PerceiveOutput,
  Receipt,
  SettleInput,
  SettleOutput,
  SurfaceKind,
} from '../contracts/operatorClass.ts';
import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import type { PrincipalRef } from '../contracts/principal.ts';

/** Ports the kernel and the gate own. Adapters implement them; `core/compose.ts` wires them. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once at or after `at` (epoch ms); a timer must not keep the process alive. */
  schedule(at: number, run: () => void): Disposable;
}

export interface Ids {
  /** `<prefix>_<16 lower-case base32 characters>`, never repeated. */
  id(prefix: string): string;
  /** 256 random bits, base64url: nonces and tokens. */
  secret(): string;
}

/** Content-addressed bytes on disk; the log keeps only hashes. */
export interface ArtifactStore {
  put(bytes: Uint8Array, mediaType: string): Promise<{ sha256: string; bytes: number }>;
  get(sha256: string): Promise<{ bytes: Uint8Array; mediaType: string } | null>;
}

// ---- surfaces -----------------------------------------------------------------------------------

/** Context of one effect: every surface method takes it. */
export interface SurfaceContext {
  readonly signal: AbortSignal;
  readonly principal: PrincipalRef;
  readonly callId: string;
}

export type EffectCall =
  | { readonly verb: 'operator.act'; readonly args: ActInput }
  | { readonly verb: 'operator.navigate'; readonly args: NavigateInput }
  | { readonly verb: 'operator.focus_app'; readonly args: FocusAppInput };

/**
 * Answer of a check that sends nothing. `ready` carries what an approval is bound to. A wrong target
 * or surface is a thrown SignalboxError (TARGET_GONE, TARGET_CHANGED, SURFACE_GONE, ...).
 */
export type Preflight =
  | {
      readonly kind: 'ready';
      readonly reading: TargetReading | null;
      /** Origin, path and query of the document (browser), or null. */
      readonly address: string | null;
      readonly generation: number;
    }
  | { readonly kind: 'blocked'; readonly receipt: Receipt };

/**
 * Asked before and told after every primitive input (one mouse press, one key, one navigation), so
 * that a takeover, a pause or a cancel stops a longer input in the middle, and so that what was sent
 * is known whatever happens next.
 */
export interface InputGuard {
  /** Throws CONTROLLED_BY_HUMAN, PAUSED or CANCELLED: nothing more may be sent. */
  before(): void;
  /** `what`: a few words, no secrets, e.g. `mouse press at 120,44`. */
  sent(what: string): void;
}

export interface Picture extends CaptureOutput {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

export interface LiveFrame {
  /** CSS pixels of the surface. */
  readonly width: number;
  readonly height: number;
  readonly at: number;
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

/** What a surface says about itself; the directory adds holder, approvals and busy. */
export type SurfaceDescription = Pick<
  SurfaceView,
  | 'id'
  | 'kind'
  | 'label'
  | 'address'
  | 'application'
  | 'facets'
  | 'readiness'
  | 'generation'
  | 'size'
  | 'state'
  | 'title'
  | 'opener'
  | 'badges'
  | 'live'
>;

/**
 * One surface. Implementations need no turn-taking (the gate gives turns) but must survive reads
 * (perceive, capture, live view) while an effect runs.
 */
export interface Surface {
  readonly id: string;
  readonly kind: SurfaceKind;
  readonly facets: readonly FacetId[];
  describe(): SurfaceDescription;
  perceive(input: PerceiveInput, ctx: SurfaceContext): Promise<PerceiveOutput>;
  settle(input: SettleInput, ctx: SurfaceContext): Promise<SettleOutput>;
  /** Full picture in PNG. */
  capture(ctx: SurfaceContext): Promise<Picture>;
  /** Cheap small picture for cards and the trace; null when there is none to be had. */
  snapshot(): Promise<Picture | null>;
  /** Checks without sending anything. */
  preflight(call: EffectCall, ctx: SurfaceContext): Promise<Preflight>;
  /** Preflights again, sends the input, measures what changed. `receipt_id` and `timing.queued` are the gate's. */
  perform(call: EffectCall, guard: InputGuard, ctx: SurfaceContext): Promise<Receipt>;
  /** Calls `onFrame` for each new frame until disposed; `done` tells that a frame was consumed. */
  watch(onFrame: (frame: LiveFrame, done: () => void) => void): Disposable;
  /** A person's input while in control. */
  input(input: HumanInput): Promise<void>;
  /** `describe()` changed, or the surface ended (`state: 'gone'`). */
  onChange(listener: () => void): Disposable;
  close(): Promise<void>;
}

/** Opens surfaces of one kind and reports those that open by themselves (popups). */
export interface SurfaceProvider {
  readonly kind: SurfaceKind;
  open(input: OpenSurfaceInput): Promise<Surface>;
  onOpened(listener: (surface: Surface) => void): Disposable;
  close(): Promise<void>;
}
