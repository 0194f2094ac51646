import { classDocument } from '../../contracts/classDocument.ts';
import type { SystemView } from '../../contracts/console.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import { perceiveOutput } from '../../contracts/operatorClass.ts';
import type { Principal } from '../../contracts/principal.ts';
import type { RouteBody, RouteName, RouteParams, RouteQuery, RouteResponse, routes } from '../../contracts/routes.ts';
import { createCaopHandlers } from './caopHandlers.ts';
import { eventStream } from './eventStream.ts';
import type { HandlerDeps } from './handlerDeps.ts';

export interface HandlerInput<N extends RouteName> {
  readonly params: RouteParams<N>;
  readonly query: RouteQuery<N>;
  readonly body: RouteBody<N>;
  /** Nobody on open routes. */
  readonly principal: (typeof routes)[N]['access'] extends 'open' ? null : Principal;
  readonly request: Request;
}

/** Routes without a response schema answer with a `Response` of their own. */
type HandlerResult<N extends RouteName> = RouteResponse<N> extends undefined ? Response : RouteResponse<N>;
export type Handlers = {
  readonly [N in RouteName]: (input: HandlerInput<N>) => HandlerResult<N> | Promise<HandlerResult<N>>;
};

const pictureResponse = (bytes: Uint8Array, mediaType: string, cache: string): Response =>
  new Response(Uint8Array.from(bytes), { headers: { 'content-type': mediaType, 'cache-control': cache } });

const systemView = async (deps: HandlerDeps): Promise<SystemView> => ({
  version: deps.host.version,
  started_at: deps.host.startedAt,
  now: new Date(deps.clock.now()).toISOString(),
  head: await deps.kernel.head(),
  paused: await deps.kernel.paused(),
  auto_approve: await deps.kernel.autoApprove(),
  needs_you: (await deps.kernel.needsYou()) + (await deps.caop.work.needsYou()),
  data: deps.host.dataFolder,
  host: deps.host.hostName,
});

const healthView = async (deps: HandlerDeps): Promise<RouteResponse<'health'>> => {
  const product = { product: 'signalbox', version: deps.host.version } as const;
  try {
    await deps.kernel.head();
    return { status: 'ok', ...product, checks: { store: 'ok' } };
  } catch (err) {
    deps.log.error({ err }, 'health check failed');
    return { status: 'degraded', ...product, checks: { store: 'does not answer' } };
  }
};

const readArtifact = async (deps: HandlerDeps, sha256: string): Promise<Response> => {
  const found = await deps.artifacts.get(sha256);
  if (found === null) {
    throw new SignalboxError('NOT_FOUND', `There is no artifact ${sha256}. It may have been removed by retention.`);
  }
  return pictureResponse(found.bytes, found.mediaType, 'private, max-age=31536000, immutable');
};

/** What perceive gives, for a person who looks. */
const targetsOf = async (
  deps: HandlerDeps,
  { params, query, principal, request }: HandlerInput<'surfaces.targets'>,
): Promise<RouteResponse<'surfaces.targets'>> => {
  const { output } = await deps.gate.look(
    { surface_id: params.surface_id, limit: query.limit, ...(query.query ? { query: query.query } : {}) },
    { principal, client: 'console', signal: request.signal },
  );
  return perceiveOutput.parse(output);
};

const surfaceHandlers = (deps: HandlerDeps) =>
  ({
    'surfaces.list': ({ principal }) => ({ surfaces: [...deps.gate.surfaces(principal)] }),
    'surfaces.open': ({ body, principal }) => deps.gate.openSurface(body, principal),
    'surfaces.get': ({ params, principal }) => deps.gate.surface(params.surface_id, principal),
    'surfaces.close': async ({ params, principal }) => {
      await deps.gate.closeSurface(params.surface_id, principal);
      return new Response(null, { status: 204 });
    },
    'surfaces.targets': (input) => targetsOf(deps, input),
    'surfaces.picture': async ({ params, principal }) => {
      const picture = await deps.gate.picture(params.surface_id, principal);
      return pictureResponse(picture.bytes, picture.mediaType, 'no-store');
    },
    'surfaces.control': ({ params, body, principal }) => deps.gate.control(params.surface_id, body, principal),
  }) satisfies Partial<Handlers>;

const workHandlers = ({ kernel }: HandlerDeps) =>
  ({
    'receipts.list': async ({ query, principal }) => {
      const { receipts, ...rest } = await kernel.receipts(query, principal);
      return { receipts: [...receipts], ...rest };
    },
    'receipts.get': ({ params, principal }) => kernel.receipt(params.receipt_id, principal),
    'calls.list': async ({ query, principal }) => {
      const { calls, ...rest } = await kernel.calls(query, principal);
      return { calls: [...calls], ...rest };
    },
    'calls.get': ({ params, principal }) => kernel.call(params.call_id, principal),
  }) satisfies Partial<Handlers>;

const adminHandlers = ({ kernel }: HandlerDeps) =>
  ({
    'tokens.list': async () => ({ tokens: [...(await kernel.tokens())] }),
    'tokens.create': async ({ body, principal }) => {
      const made = await kernel.createToken({ ...body, by: principal.ref });
      return { ...made, roles: [...made.roles] };
    },
    'policies.list': async () => ({ policies: [...(await kernel.policies())] }),
    'policies.create': ({ body, principal }) => kernel.createPolicy(body, principal.ref),
    'policies.disable': ({ params, principal }) => kernel.disablePolicy(params.policy_id, principal.ref),
  }) satisfies Partial<Handlers>;

const consoleHandlers = (deps: HandlerDeps) =>
  ({
    health: () => healthView(deps),
    session: ({ body }) => {
      deps.sessions.spend(body.code);
      const { token, principal, roles } = deps.host.user;
      return { token, principal, roles: [...roles] };
    },
    me: ({ principal }) => ({ principal: principal.ref, roles: [...principal.roles] }),
    system: () => systemView(deps),
    pause: async ({ body, principal }) => {
      await deps.kernel.setPaused(body.paused, principal);
      return systemView(deps);
    },
    connect: () => ({
      mcp_url: `${deps.url()}/mcp`,
      agent_token: deps.host.agent.token,
      stdio: { command: deps.host.stdio.command, args: [...deps.host.stdio.args] },
    }),
    'artifacts.get': ({ params }) => readArtifact(deps, params.sha256),
    events: ({ query, request }) => eventStream(deps, query.after, request),
    'class.json': () => classDocument(),
  }) satisfies Partial<Handlers>;

export const createHandlers = (deps: HandlerDeps): Handlers => ({
  ...consoleHandlers(deps),
  ...surfaceHandlers(deps),
  ...workHandlers(deps),
  ...adminHandlers(deps),
  ...createCaopHandlers(deps),
});
