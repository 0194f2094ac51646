/**
 * Every error that leaves the core has a stable string code, a kind, and a message that says
 * what was wrong and what to do. One serializer each for MCP and REST reads these fields.
 */

/** Codes over MCP (`surfaces.md`, "Error codes over MCP"). `retryable` is the default for the code. */
export const surfaceErrorCodes = {
  TARGET_GONE: { retryable: false, http: 409 },
  TARGET_CHANGED: { retryable: false, http: 409 },
  TARGET_AMBIGUOUS: { retryable: false, http: 409 },
  SURFACE_GONE: { retryable: false, http: 404 },
  SURFACE_BUSY: { retryable: true, http: 409 },
  CONTROLLED_BY_HUMAN: { retryable: true, http: 409 },
  PAUSED: { retryable: true, http: 409 },
  UNSETTLED_LEASE: { retryable: false, http: 409 },
  NOT_SUPPORTED: { retryable: false, http: 400 },
  INVALID_REQUEST: { retryable: false, http: 400 },
  APPROVAL_DENIED: { retryable: false, http: 403 },
  APPROVAL_EXPIRED: { retryable: false, http: 403 },
  APPROVAL_PENDING: { retryable: true, http: 202 },
  APPROVAL_VOID: { retryable: false, http: 409 },
  OUTCOME_UNKNOWN: { retryable: false, http: 409 },
  POLICY_DENIED: { retryable: false, http: 403 },
  CANCELLED: { retryable: false, http: 409 },
  TIMEOUT: { retryable: true, http: 504 },
  INTERNAL: { retryable: false, http: 500 },
} as const;
export type SurfaceErrorCode = keyof typeof surfaceErrorCodes;

/** Codes of the CAOP error envelope, beyond the surface codes above (CAOP v0.2 §7.1). */
export const caopErrorCodes = {
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  POLICY_APPROVAL_REQUIRED: 403,
  POLICY_DENIED: 403,
  INVALID_TRANSITION: 409,
  STATE_VERSION_CONFLICT: 409,
  VERIFICATION_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  CAOP_409_UNSETTLED_EXECUTION_LEASE: 409,
  CAOP_413_INVALIDATION_SUBGRAPH_TOO_LARGE: 413,
  CAOP_422_VERIFY_ARTIFACT_MISMATCH: 422,
  CAOP_422_PRECOMMIT_HOOK_FAILED: 422,
  CAOP_422_PRECOMMIT_MISSING_OWNER: 422,
  CAOP_422_PRECOMMIT_MISSING_LINEAGE: 422,
  CAOP_422_PRECOMMIT_STALE_DEPENDENCY: 422,
  CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID: 422,
  STAGE_UPGRADE_RECOMMENDED: 200,
} as const;
export type CaopErrorCode = keyof typeof caopErrorCodes;

export type ErrorCode = SurfaceErrorCode | CaopErrorCode;
export type ErrorKind = 'expected' | 'cancelled' | 'bug';

export interface ErrorDetails {
  readonly [key: string]: unknown;
  /** For validation: where and what, one entry per fault. `path` is dotted, `[]` for array indices. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** The one error class of the core. */
export class SignalboxError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    options: { kind?: ErrorKind; retryable?: boolean; details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SignalboxError';
    this.code = code;
    this.kind = options.kind ?? (code === 'INTERNAL' ? 'bug' : code === 'CANCELLED' ? 'cancelled' : 'expected');
    this.retryable =
      options.retryable ?? (code in surfaceErrorCodes ? surfaceErrorCodes[code as SurfaceErrorCode].retryable : false);
    this.details = options.details ?? {};
  }

  /** HTTP status for the REST API. */
  get httpStatus(): number {
    return code2http(this.code);
  }
}

const code2http = (code: ErrorCode): number =>
  code in caopErrorCodes ? caopErrorCodes[code as CaopErrorCode] : surfaceErrorCodes[code as SurfaceErrorCode].http;

export const isSignalboxError = (value: unknown): value is SignalboxError => value instanceof SignalboxError;

/** What is said to a caller about a failure nobody foresaw: never a stack, never an internal message. */
export const internalError = (cause: unknown): SignalboxError =>
  new SignalboxError('INTERNAL', 'Something failed inside Signalbox. The log has the details under this trace id.', {
    cause,
  });

/** Compile-time exhaustiveness; at run time a bug. */
export const assertNever = (value: never, what: string): never => {
  throw new SignalboxError('INTERNAL', `Unhandled ${what}: ${JSON.stringify(value)}`);
};
