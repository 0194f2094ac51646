import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEnvelope } from '../../core/contracts/caop.ts';
import { routes } from '../../core/contracts/routes.ts';
import type { Route, RouteName } from '../../core/contracts/routes.ts';
import type { McpAgent } from '../support/mcp.ts';
import { Operator } from '../support/operator.ts';
import { Rest } from '../support/rest.ts';
import { Stage } from '../support/stage.ts';

/** Must show 6: each is the documented error, and nothing is written. */
let stage: Stage;
let agent: McpAgent;
let rest: Rest;
let surfaceId: string;

beforeAll(async () => {
  stage = await Stage.open();
  rest = stage.person.rest;
  agent = await stage.agent({ agent: 'refused' });
  surfaceId = (await stage.person.openBrowser(stage.site.page('form', 'refusals'))).id;
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

/** Runs `act` and holds the log's head against what it was: a refusal writes no event. */
const writesNothing = async <T>(act: () => Promise<T>): Promise<T> => {
  const before = await rest.head();
  const result = await act();
  expect(await rest.head()).toBe(before);
  return result;
};

const entries = Object.entries(routes) as [RouteName, Route][];
const pathOf = (route: Route): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'sha256' ? '0'.repeat(64) : 'nothing'));

/** `fetch` writes its own Host header, so foreign ones go by node:http. */
const withHeaders = async (
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> => {
  const url = new URL(path, stage.signalbox.url);
  return await new Promise((resolve, reject) => {
    const req = request(url, { headers: { authorization: `Bearer ${rest.token ?? ''}`, ...headers } }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, body });
      });
    });
    req.on('error', reject).end();
  });
};

describe('who may speak', () => {
  it.each(entries.filter(([, route]) => route.access !== 'open').map(([name]) => name))(
    '%s: without a token, and with a wrong one, 401 UNAUTHENTICATED',
    async (name) => {
      const route: Route = routes[name];
      for (const token of [null, 'not-a-token']) {
        const response = await writesNothing(() =>
          new Rest(stage.signalbox.url, token).raw(pathOf(route), {
            method: route.method.toUpperCase(),
            ...(route.body === undefined ? {} : { body: '{}' }),
          }),
        );
        expect(response.status).toBe(401);
        const { error, trace_id: traceId } = errorEnvelope.parse(await response.json());
        expect(error.code).toBe('UNAUTHENTICATED');
        expect(error.message.length).toBeGreaterThan(10);
        expect(traceId).not.toBe('');
      }
    },
  );

  it.each(entries.filter(([, route]) => !['open', 'any'].includes(route.access)).map(([name]) => name))(
    '%s: an agent gets 403 FORBIDDEN',
    async (name) => {
      const route: Route = routes[name];
      const asAgent = await stage.signalbox.agent('outsider');
      const response = await writesNothing(() =>
        asAgent.raw(pathOf(route), {
          method: route.method.toUpperCase(),
          ...(route.body === undefined ? {} : { body: '{}' }),
        }),
      );
      expect(response.status).toBe(403);
      expect(errorEnvelope.parse(await response.json()).error.code).toBe('FORBIDDEN');
    },
  );

  it.each(['evil.example', 'evil.example:80', '127.0.0.1:1', 'localhost.evil.example'])(
    'a Host header "%s" gets 403 whatever the token',
    async (host) => {
      for (const path of ['/x/system', '/x/health', '/mcp', '/']) {
        const { status, body } = await writesNothing(() => withHeaders(path, { host }));
        expect([path, status]).toEqual([path, 403]);
        expect(errorEnvelope.parse(JSON.parse(body)).error.code).toBe('FORBIDDEN');
      }
    },
  );

  it.each(['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1'])(
    'an Origin "%s" gets 403 whatever the token',
    async (origin) => {
      for (const path of ['/x/system', '/mcp']) {
        const { status, body } = await writesNothing(() => withHeaders(path, { origin }));
        expect([path, status]).toEqual([path, 403]);
        expect(errorEnvelope.parse(JSON.parse(body)).error.code).toBe('FORBIDDEN');
      }
    },
  );

  it('its own origin is welcome, and no answer allows another one', async () => {
    const { status } = await withHeaders('/x/system', { origin: new URL(stage.signalbox.url).origin });
    expect(status).toBe(200);
    const response = await rest.raw('/x/system');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('the opener code works once', async () => {
    const code = new URL(stage.signalbox.opener).hash.replace('#code=', '');
    const nobody = new Rest(stage.signalbox.url, null);
    const session = await nobody.call('session', { body: { code } });
    expect(session.principal).toEqual({ type: 'user', id: 'local' });
    const refusal = await nobody.refused('session', { body: { code } });
    expect([refusal.status, refusal.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('wrong requests over REST', () => {
  const refusedRaw = async (path: string, init: RequestInit) => {
    const response = await writesNothing(() => rest.raw(path, init));
    return { status: response.status, error: errorEnvelope.parse(await response.json()).error };
  };

  it('an unknown path is 404, an unknown id is 404', async () => {
    expect(await refusedRaw('/x/nonsense', {})).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect(await refusedRaw('/x/approvals/apr_none', {})).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    const surface = await refusedRaw('/x/surfaces/sur_none', {});
    expect(surface.status).toBe(404);
  });

  it('a body of the wrong shape is 400 and says where', async () => {
    const { status, error } = await refusedRaw('/x/pause', { method: 'PUT', body: '{"paused":"yes","more":1}' });
    expect([status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    const issues = error.details?.['issues'] as { path: string; message: string }[];
    expect(issues.some((issue) => issue.path.includes('paused'))).toBe(true);
    expect(JSON.stringify(issues)).toContain('more');
  });

  it('a body that is no JSON, has another content type, or is over 1 MiB is 400', async () => {
    expect(await refusedRaw('/x/pause', { method: 'PUT', body: '{' })).toMatchObject({ status: 400 });
    const plain = { 'content-type': 'text/plain' };
    expect(await refusedRaw('/x/pause', { method: 'PUT', body: '{"paused":true}', headers: plain })).toMatchObject({
      status: 400,
    });
    const big = JSON.stringify({ paused: true, filler: 'x'.repeat(1_100_000) });
    expect(await refusedRaw('/x/pause', { method: 'PUT', body: big })).toMatchObject({ status: 400 });
  });

  it('a wrong query is 400', async () => {
    expect(await refusedRaw('/x/calls?limit=0', {})).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
    expect(await refusedRaw('/x/approvals?status=maybe', {})).toMatchObject({ status: 400 });
  });

  it('an allow policy without an expiry, and one that does not parse, are 400', async () => {
    const refusal = await writesNothing(() =>
      rest.refused('policies.create', { body: { title: 't', condition: 'true', effect: 'allow' } }),
    );
    expect([refusal.status, refusal.code]).toEqual([400, 'INVALID_REQUEST']);
    const broken = await writesNothing(() =>
      rest.refused('policies.create', { body: { title: 't', condition: 'arguments.(', effect: 'deny' } }),
    );
    expect([broken.status, broken.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('wrong calls over MCP', () => {
  it('wrong arguments are INVALID_REQUEST and say where', async () => {
    const cases: [string, Record<string, unknown>, string][] = [
      ['operator.act', { surface_id: surfaceId, target: 'e1', action: 'smash' }, 'action'],
      ['operator.act', { surface_id: surfaceId, action: 'press' }, 'target'],
      ['operator.perceive', { surface_id: surfaceId, limit: 1000 }, 'limit'],
      ['operator.navigate', { surface_id: surfaceId }, 'url'],
      ['operator.settle', { surface_id: surfaceId, wait_ms: 99_999 }, 'wait_ms'],
    ];
    for (const [tool, args, path] of cases) {
      const error = await writesNothing(() => agent.refused(tool, args));
      expect([tool, error.code, error.retryable]).toEqual([tool, 'INVALID_REQUEST', false]);
      expect(JSON.stringify(error.details['issues'])).toContain(path);
    }
  });

  it('an address that is none, or leads to the console or to files, is refused before anybody is asked', async () => {
    const addresses = ['not an address', 'javascript:alert(1)', 'file:///etc/passwd', stage.signalbox.url];
    for (const url of addresses) {
      const error = await writesNothing(() => agent.refused('operator.navigate', { surface_id: surfaceId, url }));
      expect(['INVALID_REQUEST', 'POLICY_DENIED']).toContain(error.code);
    }
  });

  it('an unknown surface is SURFACE_GONE', async () => {
    for (const tool of ['operator.perceive', 'operator.settle', 'operator.capture']) {
      const error = await writesNothing(() => agent.refused(tool, { surface_id: 'sur_none' }));
      expect([tool, error.code]).toEqual([tool, 'SURFACE_GONE']);
    }
    const act = { surface_id: 'sur_none', target: 'e1', action: 'press' };
    expect((await writesNothing(() => agent.refused('operator.act', act))).code).toBe('SURFACE_GONE');
  });

  it('an unknown target is TARGET_GONE, asked of nobody', async () => {
    const operator = new Operator(agent, surfaceId);
    const error = await writesNothing(() => operator.actRefused('e999999', { action: 'press' }));
    expect(error.code).toBe('TARGET_GONE');
    expect(await stage.person.approvals()).toEqual([]);
  });

  it('a verb that the surface does not have is NOT_SUPPORTED and says what remains', async () => {
    const args = { surface_id: surfaceId, application: 'Text Editor' };
    const error = await writesNothing(() => agent.refused('operator.focus_app', args));
    expect(error.code).toBe('NOT_SUPPORTED');
    expect(error.message + JSON.stringify(error.details)).toContain('operator/desktop@1');
  });

  it('the terminal of the first start says clearly that it is not built yet', async () => {
    const { surfaces } = await rest.call('surfaces.list');
    const terminal = surfaces.find((surface) => surface.kind === 'terminal');
    expect(terminal).toBeDefined();
    const error = await writesNothing(() => agent.refused('operator.perceive', { surface_id: terminal?.id ?? '' }));
    expect(error.code).toBe('NOT_SUPPORTED');
    expect(error.message.length).toBeGreaterThan(20);
  });

  it('work of another agent cannot be awaited, unknown work neither', async () => {
    for (const workId of ['wrk_none', 'work_none']) {
      const error = await writesNothing(() => agent.refused('signalbox.await_work', { work_id: workId, wait_ms: 0 }));
      expect(error.code).toBe('INVALID_REQUEST');
    }
  });

  it('a wrong token does not connect', async () => {
    await writesNothing(async () => {
      await expect(stage.agent({ token: 'wrong' })).rejects.toThrow(/401|unauth/i);
      await expect(stage.agent({ token: 'wrong', sdk: '1.x' })).rejects.toThrow(/401|unauth/i);
    });
  });

  it('a revoked token ends at once', async () => {
    const made = await rest.call('tokens.create', { body: { principal: { type: 'agent', id: 'brief' } } });
    const brief = await stage.agent({ token: made.token });
    expect((await brief.call('operator.list_surfaces')) as unknown).toHaveProperty('surfaces');
    await rest.call('tokens.revoke', { params: { token_id: made.token_id } });
    await writesNothing(async () => {
      await expect(brief.call('operator.list_surfaces')).rejects.toThrow(/401|unauth|revoked/i);
    });
  });

  it('a token for one surface sees and works that one only', async () => {
    const body = { principal: { type: 'agent' as const, id: 'narrow' }, surfaces: [surfaceId] };
    const { token } = await rest.call('tokens.create', { body });
    const narrow = await stage.agent({ token });
    const { surfaces } = await narrow.call<{ surfaces: { id: string }[] }>('operator.list_surfaces');
    expect(surfaces.map((surface) => surface.id)).toEqual([surfaceId]);
    const other = await stage.signalbox.browserId();
    const error = await writesNothing(() => narrow.refused('operator.perceive', { surface_id: other }));
    expect(['SURFACE_GONE', 'POLICY_DENIED']).toContain(error.code);
  });
});

describe('what the page was sent by all this', () => {
  it('nothing', () => {
    expect(stage.site.inputs('refusals')).toEqual([]);
  });
});
