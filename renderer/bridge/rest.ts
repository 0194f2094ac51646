import { routes } from '../../core/contracts/routes.ts';
import type {
  Route,
  RouteBodyInput,
  RouteName,
  RouteParams,
  RouteQueryInput,
  RouteResponse,
} from '../../core/contracts/routes.ts';
import { RestError, errorFromResponse, unreachable } from './restError.ts';
import { currentToken, tokenRefused } from './token.ts';

type Part<K extends string, T> = T extends undefined ? { readonly [P in K]?: undefined } : { readonly [P in K]: T };

export type RestParts<N extends RouteName> = Part<'params', RouteParams<N>> &
  Part<'body', RouteBodyInput<N>> & { readonly query?: RouteQueryInput<N>; readonly signal?: AbortSignal };

interface LooseParts {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Fills `{name}` in the path and appends the query; undefined values are left out. */
export const buildUrl = (path: string, parts: LooseParts): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts.params?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(parts.query ?? {})) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      search.set(key, String(value));
    }
  }
  const query = search.toString();
  return query === '' ? filled : `${filled}?${query}`;
};

const send = async (route: Route, parts: LooseParts, token: string | null): Promise<Response> => {
  const headers = new Headers();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (route.body !== undefined) headers.set('content-type', 'application/json');
  const init: RequestInit = { method: route.method.toUpperCase(), headers, cache: 'no-store' };
  if (route.body !== undefined) init.body = JSON.stringify(parts.body);
  if (parts.signal !== undefined) init.signal = parts.signal;
  let response: Response;
  try {
    response = await fetch(buildUrl(route.path, parts), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable(error);
  }
  if (response.ok) return response;
  if (response.status === 401 && token !== null) await tokenRefused(token);
  throw await errorFromResponse(response);
};

/** Calls a route of the table; the answer is checked against the route's schema. */
export const rest = async <N extends RouteName>(
  name: N,
  parts: RestParts<N>,
  token: string | null = currentToken(),
): Promise<RouteResponse<N>> => {
  const route: Route = routes[name];
  const response = await send(route, parts, token);
  if (route.response === undefined) return undefined as RouteResponse<N>;
  const parsed = route.response.safeParse(await response.json());
  if (!parsed.success) {
    throw new RestError(
      response.status,
      'UNREADABLE_ANSWER',
      `The answer of ${route.path} is not what this console expects. Reload the page; if it stays, the console and the server have different versions.`,
      { cause: parsed.error, details: { issues: parsed.error.issues } },
    );
  }
  return parsed.data as RouteResponse<N>;
};

/** A route that answers with bytes (picture, artifact). */
export const restBlob = async <N extends RouteName>(name: N, parts: RestParts<N>): Promise<Blob> =>
  (await send(routes[name], parts, currentToken())).blob();
