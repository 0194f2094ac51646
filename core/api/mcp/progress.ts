import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallContext } from '../../gate/gate.ts';
import type { Log } from '../apiDeps.ts';

/** Progress notifications while a person is waited for, when the client asked for them. `progress` is milliseconds waited. */
export const progressReporter = (context: ServerContext, log: Log): CallContext['onWaiting'] => {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let last = 0;
  return ({ waited_ms, message }) => {
    last = Math.max(last + 1, Math.round(waited_ms));
    context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress: last, message } })
      .catch((err: unknown) => log.info({ err }, 'progress could not be sent'));
  };
};
