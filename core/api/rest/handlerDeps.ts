import type { ApiDeps } from '../apiDeps.ts';
import type { SessionCodes } from '../sessionCodes.ts';

export interface HandlerDeps extends ApiDeps {
  readonly sessions: SessionCodes;
  readonly url: () => string;
  /** Aborted when the server stops: ends the streams. */
  readonly stopping: AbortSignal;
}
