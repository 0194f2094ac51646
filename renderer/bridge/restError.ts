import { errorEnvelope } from '../../core/contracts/caop.ts';

/** A refused or failed request, in the words of the server when it gave any. */
export class RestError extends Error {
  /** 0: no answer at all. */
  readonly status: number;
  readonly code: string;
  readonly traceId: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: { traceId?: string; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, rest.cause === undefined ? undefined : { cause: rest.cause });
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.traceId = rest.traceId ?? null;
    this.details = rest.details ?? {};
  }
}

export const isRestError = (value: unknown): value is RestError => value instanceof RestError;

export const unreachable = (cause: unknown): RestError =>
  new RestError(0, 'UNREACHABLE', 'Signalbox did not answer. Check that it is still running.', { cause });

/** Reads the error envelope; anything else becomes a plain sentence with the status. */
export const errorFromResponse = async (response: Response): Promise<RestError> => {
  const body: unknown = await response.json().catch(() => null);
  const parsed = errorEnvelope.safeParse(body);
  if (!parsed.success) {
    return new RestError(response.status, 'HTTP_ERROR', `Signalbox answered with status ${response.status}.`);
  }
  const { error, trace_id } = parsed.data;
  return new RestError(response.status, error.code, error.message, {
    traceId: trace_id,
    ...(error.details === undefined ? {} : { details: error.details }),
  });
};
