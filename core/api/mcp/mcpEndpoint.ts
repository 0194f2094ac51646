import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type AuthInfo,
  type CallToolResult,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { SignalboxError } from '../../contracts/errors.ts';
import { principalKey, type Principal } from '../../contracts/principal.ts';
import type { CallContext } from '../../gate/gate.ts';
import type { ApiDeps } from '../apiDeps.ts';
import { readJsonBody } from '../rest/requestBody.ts';
import { callTool } from './callTool.ts';
import { InFlightCalls } from './inFlight.ts';
import { mcpCaller } from './mcpCaller.ts';
import { createMcpServer } from './mcpServer.ts';
import { McpSessions } from './mcpSessions.ts';
import { progressReporter } from './progress.ts';
import { toolFailure } from './toolResult.ts';
import { parseListing, type ToolDeclaration, type ToolListing } from './tools.ts';

export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const sessionHeader = 'mcp-session-id';
const program = z.object({ name: z.string(), version: z.string().optional() });
const initialize = z.object({ method: z.literal('initialize'), params: z.object({ clientInfo: program }) });
const cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

const programName = (info: unknown): string | null => {
  const parsed = program.safeParse(info);
  if (!parsed.success) return null;
  return [parsed.data.name, parsed.data.version]
    .filter((part) => part !== undefined)
    .join('/')
    .slice(0, 200);
};

const programOf = ({ mcpReq }: ServerContext): string | null => {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return programName(envelope[CLIENT_INFO_META_KEY]);
};

interface Caller {
  readonly principal: Principal;
  readonly session: string | null;
  readonly listing: ToolListing;
}

type WaitingFor = Parameters<NonNullable<CallContext['onWaiting']>>[0];

const wasLeft = (result: CallToolResult): boolean =>
  (result._meta?.['signalbox/error'] as { code?: string } | undefined)?.code === 'CANCELLED';

/** What a call that waits for a person is told when the console stops: the request outlives it. */
const stillPending = ({ work_id, approval_id }: WaitingFor): CallToolResult =>
  toolFailure(
    new SignalboxError(
      'APPROVAL_PENDING',
      `The console is stopping. When it runs again, call signalbox.await_work with work_id ${work_id}: it says what became of the request. Do not send the action again.`,
      { details: { work_id, approval_id } },
    ),
    'none',
  );

/** How long the console waits at its end for calls to be answered. */
const answerWithinMs = 1_000;

/** The SDK hands this through untouched; the token itself stays here. */
const asAuthInfo = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: principalKey(caller.principal.ref),
  scopes: [],
  extra: { caller },
});
const callerOf = (context: McpRequestContext): Caller => context.authInfo?.extra?.['caller'] as Caller;

/** Same agent and session only: nobody cancels the calls of another. */
const callKey = ({ principal, session }: Caller, requestId: string | number): string =>
  JSON.stringify([principal.tokenId, principalKey(principal.ref), session, requestId]);

/**
 * Streamable HTTP at `/mcp`, stateless for both eras of the protocol. A client of 2026-07-28 withdraws by
 * closing the answer's stream; one of 2025-11-25 and older by `notifications/cancelled`, while its
 * dropped connection only detaches.
 */
export const createMcpEndpoint = (deps: ApiDeps): McpEndpoint => {
  const inFlight = new InFlightCalls();
  const sessions = new McpSessions(deps.ids);
  let stopping = false;

  const call = async (
    connection: McpRequestContext,
    tool: ToolDeclaration,
    args: unknown,
    context: ServerContext,
  ): Promise<CallToolResult> => {
    const caller = callerOf(connection);
    const legacy = connection.era === 'legacy';
    using running = inFlight.begin(legacy ? callKey(caller, context.mcpReq.id) : null);
    const gone = (): void => running.end(legacy ? 'detach' : 'withdraw');
    if (context.mcpReq.signal.aborted) gone();
    context.mcpReq.signal.addEventListener('abort', gone);
    const report = progressReporter(context, deps.log);
    const waiting: { latest: WaitingFor | null } = { latest: null };
    const result = await callTool(deps, tool, args, {
      principal: caller.principal,
      client: legacy ? sessions.client(caller.session) : programOf(context),
      signal: running.signal,
      onWaiting: (info) => {
        waiting.latest = info;
        report?.(info);
      },
    });
    return stopping && waiting.latest !== null && wasLeft(result) ? stillPending(waiting.latest) : result;
  };

  const handler = createMcpHandler(
    (connection) =>
      createMcpServer({
        version: deps.host.version,
        listing: callerOf(connection).listing,
        call: (tool, args, context) => call(connection, tool, args, context),
      }),
    {
      // Always a stream: its heartbeats keep an answer alive that waits minutes for a person.
      responseMode: 'sse',
      onerror: (err) => deps.log.warn({ err }, 'mcp request refused'),
    },
  );

  const serve = async (request: Request, caller: Caller, parsedBody: unknown): Promise<Response> => {
    const cancellation = cancelled.safeParse(parsedBody);
    if (cancellation.success) inFlight.cancel(callKey(caller, cancellation.data.params.requestId));
    const response = await handler.fetch(request, {
      authInfo: asAuthInfo(caller),
      ...(parsedBody === undefined ? {} : { parsedBody }),
    });
    const opening = initialize.safeParse(parsedBody);
    if (opening.success && response.ok) {
      response.headers.set(sessionHeader, sessions.open(programName(opening.data.params.clientInfo)));
    }
    return response;
  };

  return {
    fetch: async (request) => {
      const principal = await mcpCaller(deps.kernel, request.headers, deps.host.agent.tokenId);
      const session = request.headers.get(sessionHeader);
      if (request.method === 'DELETE' && session !== null) {
        sessions.close(session);
        return new Response(null, { status: 200 });
      }
      const listing = parseListing(new URL(request.url).searchParams);
      const body = request.method === 'POST' ? await readJsonBody(request) : undefined;
      return await serve(request, { principal, session, listing }, body);
    },
    close: async () => {
      stopping = true;
      await inFlight.detachAll(answerWithinMs);
      // The answers just given are written in this turn of the loop.
      await new Promise(setImmediate);
      await handler.close();
    },
  };
};
