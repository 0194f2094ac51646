import { errorEnvelope } from '../../core/contracts/caop.ts';
import { routes } from '../../core/contracts/routes.ts';
import type { Route, RouteBodyInput, RouteName, RouteQueryInput, RouteResponse } from '../../core/contracts/routes.ts';

/** An answer of the API that was not the one asked for: the envelope, unpacked. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly details: Record<string, unknown>;
  readonly traceId: string;

  constructor(status: number, envelope: unknown) {
    const { error, trace_id: traceId } = errorEnvelope.parse(envelope);
    super(`${status} ${error.code}: ${error.message}`);
    this.status = status;
    this.code = error.code;
    this.retryable = error.retryable;
    this.details = error.details ?? {};
    this.traceId = traceId;
  }
}

export interface RestParts<N extends RouteName> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: RouteQueryInput<N>;
  readonly body?: RouteBodyInput<N>;
}

const withParams = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });

/**
 * Calls the routes of `core/contracts/routes.ts` and holds every answer against its declared status
 * and schema, so that each test is a contract test too.
 */
export class Rest {
  readonly url: string;
  readonly token: string | null;

  constructor(url: string, token: string | null) {
    this.url = url;
    this.token = token;
  }

  async call<N extends RouteName>(name: N, parts: RestParts<N> = {}): Promise<RouteResponse<N>> {
    const route: Route = routes[name];
    const url = new URL(withParams(route.path, parts.params), this.url);
    for (const [key, value] of Object.entries((parts.query ?? {}) as Record<string, string | number | undefined>))
      if (value !== undefined) url.searchParams.set(key, String(value));
    const response = await this.raw(url.pathname + url.search, {
      method: route.method.toUpperCase(),
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    });
    if (response.status !== route.status) throw new RestError(response.status, await response.json());
    if (route.response === undefined) {
      await response.arrayBuffer();
      return undefined as RouteResponse<N>;
    }
    return route.response.parse(await response.json()) as RouteResponse<N>;
  }

  /** The refusal of a call that must not succeed. */
  async refused<N extends RouteName>(name: N, parts: RestParts<N> = {}): Promise<RestError> {
    try {
      const answer = await this.call(name, parts);
      throw new Error(`${name} was expected to be refused and answered ${JSON.stringify(answer)}`);
    } catch (error) {
      if (error instanceof RestError) return error;
      throw error;
    }
  }

  async raw(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${this.token}`);
    if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    return await fetch(new URL(path, this.url), { ...init, headers });
  }

  /** Position of the newest event: unchanged means that nothing was written. */
  async head(): Promise<number> {
    return (await this.call('system')).head;
  }
}
