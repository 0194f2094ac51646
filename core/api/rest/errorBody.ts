import type { ErrorEnvelope } from '../../contracts/caop.ts';
import { internalError, isSignalboxError, type SignalboxError } from '../../contracts/errors.ts';
import type { Log } from '../apiDeps.ts';

/** The one serializer of failures for REST: CAOP's envelope. */
export const errorBody = (error: SignalboxError, traceId: string): ErrorEnvelope => ({
  error: {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    ...(Object.keys(error.details).length === 0 ? {} : { details: { ...error.details } }),
  },
  trace_id: traceId,
});

/** What is told of any thrown value; what nobody foresaw is logged and stays inside. */
export const toSignalboxError = (thrown: unknown, log: Log, traceId: string): SignalboxError => {
  if (isSignalboxError(thrown) && thrown.code !== 'INTERNAL') return thrown;
  log.error({ err: thrown, trace_id: traceId }, 'request failed');
  return internalError(thrown);
};
