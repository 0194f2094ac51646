import { Hono, type Context } from 'hono';
import { SignalboxError } from '../../contracts/errors.ts';
import { caopOperations, type CaopOperation, type CaopOperationId } from '../../contracts/caop/operations.ts';
import { openApiDocument } from '../../contracts/openApi.ts';
import { parseOrThrow } from '../../contracts/parse.ts';
import { routes, type Route, type RouteName } from '../../contracts/routes.ts';
import { authenticate, authorize, bearerToken } from '../auth.ts';
import { callCaop } from '../caopCalls.ts';
import { refuseForeign } from '../loopback.ts';
import { RateLimiter } from '../rateLimit.ts';
import { errorBody, toSignalboxError } from './errorBody.ts';
import type { HandlerDeps } from './handlerDeps.ts';
import { createHandlers } from './handlers.ts';
import { readJsonBody } from './requestBody.ts';
import { securityHeaders } from './securityHeaders.ts';
import { staticFile } from './staticFiles.ts';

export interface RestDeps extends HandlerDeps {
  readonly port: () => number;
  /** Answers `/mcp`; the request has passed the Host and Origin checks. */
  readonly mcp: (request: Request) => Promise<Response>;
}

/** Paths that never fall back to the console's page. */
const apiPath = /^\/(x|v1|mcp|ws|openapi\.json)(\/|$)/;

const errorResponse = (thrown: unknown, deps: RestDeps): Response => {
  const traceId = deps.ids.id('trc');
  const error = toSignalboxError(thrown, deps.log, traceId);
  return Response.json(errorBody(error, traceId), {
    status: error.httpStatus,
    headers: errorHeaders(error),
  });
};

const errorHeaders = (error: SignalboxError): Record<string, string> => {
  if (error.code === 'UNAUTHENTICATED') return { 'www-authenticate': 'Bearer' };
  return error.code === 'RATE_LIMITED' ? { 'retry-after': String(error.details['retry_after_seconds']) } : {};
};

/** The table is typed per route; here its entries are met as one kind. */
type AnyHandler = (input: object) => unknown;

const answerRoute = async (route: Route, handler: AnyHandler, context: Context, deps: RestDeps): Promise<Response> => {
  const request = context.req.raw;
  let principal = null;
  if (route.access !== 'open') {
    principal = await authenticate(deps.kernel, bearerToken(request.headers.get('authorization')));
    authorize(principal, route.access);
  }
  const params = route.params && parseOrThrow(route.params, context.req.param(), 'path');
  const query = route.query && parseOrThrow(route.query, context.req.query(), 'query');
  const body = route.body && parseOrThrow(route.body, await readJsonBody(request), 'body');
  const result = await handler({ params, query, body, principal, request });
  if (result instanceof Response) return result;
  const checked = route.response?.safeParse(result);
  if (checked?.success === false) {
    throw new SignalboxError('INTERNAL', `The answer of ${route.path} breaks its own contract.`, {
      cause: checked.error,
    });
  }
  return Response.json(checked?.data, { status: route.status });
};

/** `{name}` of a declared path as the router writes it. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The seventeen operations under `/v1`. */
const addCaop = (app: Hono, deps: RestDeps, limiter: RateLimiter): void => {
  for (const [id, operation] of Object.entries(caopOperations) as [CaopOperationId, CaopOperation][]) {
    app.on(operation.method.toUpperCase(), routerPath(operation.path), async (context) => {
      const principal = await authenticate(deps.kernel, bearerToken(context.req.header('authorization')));
      limiter.take(principal.tokenId);
      const body = operation.body === undefined ? undefined : await readJsonBody(context.req.raw);
      const parts = { params: context.req.param(), query: context.req.query(), body };
      const answer = await callCaop(deps, id, parts, principal);
      return Response.json(answer.body, { status: answer.status });
    });
  }
};

/** REST, the documents, `/mcp` and the console's files behind one set of checks. */
export const createRestApp = (deps: RestDeps): Hono => {
  const app = new Hono();
  const handlers = createHandlers(deps);

  app.use(async (context, next) => {
    const foreign = refuseForeign(
      { host: context.req.header('host'), origin: context.req.header('origin') },
      deps.port(),
    );
    if (foreign !== null) context.res = errorResponse(new SignalboxError('FORBIDDEN', foreign), deps);
    else await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  app.onError((thrown) => errorResponse(thrown, deps));

  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    app.on(route.method.toUpperCase(), routerPath(route.path), (context) =>
      answerRoute(route, handlers[name] as AnyHandler, context, deps),
    );
  }
  addCaop(app, deps, new RateLimiter(deps.clock, deps.rateLimit));
  app.get('/openapi.json', async (context) => {
    await authenticate(deps.kernel, bearerToken(context.req.header('authorization')));
    return Response.json(openApiDocument(deps.host.version, deps.url()));
  });
  app.all('/mcp', (context) => deps.mcp(context.req.raw));
  app.notFound(async (context) => {
    const { path, method } = context.req;
    const found =
      method === 'GET' && !apiPath.test(path)
        ? await staticFile(deps.host.rendererFolder, path, context.req.header('accept') ?? '')
        : null;
    return found ?? errorResponse(new SignalboxError('NOT_FOUND', `There is no ${method} ${path} here.`), deps);
  });
  return app;
};
