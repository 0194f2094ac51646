import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caopOperations } from '../../contracts/caop/operations.ts';
import { operationIdOf } from '../../contracts/openApi.ts';
import { routes, type Route } from '../../contracts/routes.ts';
import { bearer, startFakeConsole, type FakeConsole } from '../../../test/support/fakeConsole.ts';

let console_: FakeConsole;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'signalbox-renderer-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Signalbox</title>');
  await writeFile(path.join(folder, 'assets', 'app-1a2b.js'), 'export {};');
  await writeFile(path.join(path.dirname(folder), 'outside.txt'), 'outside');
  console_ = await startFakeConsole({ rendererFolder: folder });
});
afterAll(() => console_[Symbol.asyncDispose]());

const get = (where: string, token?: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(console_.api.url + where, { headers: { ...(token ? bearer(token) : {}), ...headers } });
const send = (where: string, token: string, body: string, type = 'application/json', method = 'POST') =>
  fetch(console_.api.url + where, { method, headers: { ...bearer(token), 'content-type': type }, body });
const errorOf = async (response: Response) =>
  (await response.json()) as {
    error: { code: string; message: string; details?: { issues: { path: string; message: string }[] } };
    trace_id: string;
  };

/** fetch sets Host by itself; this one says what it is told. */
const raw = (
  headers: Record<string, string>,
  where = '/x/pause',
  method = 'PUT',
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { port: console_.api.port, host: '127.0.0.1', path: where, method, headers },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    request.on('error', reject);
    request.end(method === 'GET' ? undefined : JSON.stringify({ paused: true }));
  });

describe('who may speak', () => {
  it('refuses a request without, with an unknown and with a revoked token, in CAOP’s envelope', async () => {
    for (const token of [undefined, 'nobody']) {
      const response = await get('/x/me', token);
      const body = await errorOf(response);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(body.error.code).toBe('UNAUTHENTICATED');
      expect(body.trace_id).toMatch(/^trc_[a-z2-7]{16}$/);
    }
  });

  it('needs no token for health and the console’s files, and one for everything else', async () => {
    expect((await get('/x/health')).status).toBe(200);
    expect((await get('/')).status).toBe(200);
    expect((await get('/openapi.json')).status).toBe(401);
    for (const route of Object.values(routes) as Route[]) {
      if (route.access === 'open') continue;
      const where = route.path.replaceAll(/\{\w+\}/g, 'x');
      const response = await fetch(console_.api.url + where, { method: route.method.toUpperCase() });
      expect([where, response.status]).toEqual([where, 401]);
    }
  });

  it.each([
    ['agent', '/x/policies', 403],
    ['viewer', '/x/policies', 200],
    ['agent', '/x/tokens', 403],
    ['agent', '/x/events', 403],
    ['viewer', '/x/tokens', 403],
    ['viewer', '/x/connect', 403],
    ['user', '/x/connect', 200],
  ] as const)('%s gets %s: %i', async (who, where, status) => {
    const response = await get(where, console_.tokens[who]);
    expect(response.status).toBe(status);
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: '127.0.0.1:1' }],
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'https://127.0.0.1' }],
  ])('refuses %j with 403 and does nothing', async (headers) => {
    const response = await raw({
      ...bearer(console_.tokens.user),
      'content-type': 'application/json',
      host: `127.0.0.1:${console_.api.port}`,
      ...headers,
    });
    expect(response.status).toBe(403);
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    const system = (await (await get('/x/system', console_.tokens.user)).json()) as { paused: unknown };
    expect(system.paused).toBeNull();
  });

  it('takes every loopback name and its own origin', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const own = `${name}:${console_.api.port}`;
      const response = await raw(
        { host: own, origin: `http://${own}`, ...bearer(console_.tokens.user) },
        '/x/me',
        'GET',
      );
      expect(response.status).toBe(200);
    }
  });

  it('sends no CORS header and the whole content security policy on every answer', async () => {
    const own = `http://127.0.0.1:${console_.api.port}`;
    for (const where of ['/', '/x/health', '/x/me', '/nowhere', '/mcp']) {
      const response = await get(where, undefined, { origin: own });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('what is wrong is said', () => {
  it('names every fault of a body by its path', async () => {
    const response = await send(
      '/x/pause',
      console_.tokens.user,
      JSON.stringify({ paused: 'yes', extra: 1 }),
      undefined,
      'PUT',
    );
    const body = await errorOf(response);
    expect(response.status).toBe(400);
    expect(body.error.code).toBe('INVALID_REQUEST');
    expect(body.error.details?.issues.map(({ path: at }) => at).sort()).toEqual(['extra', 'paused']);
  });

  it('names a wrong query parameter', async () => {
    const body = await errorOf(await get('/x/calls?limit=0', console_.tokens.user));
    expect(body.error.details?.issues).toMatchObject([{ path: 'limit' }]);
  });

  it('refuses other content types, broken JSON and bodies over 1 MiB with 400', async () => {
    const { user } = console_.tokens;
    const big = JSON.stringify({ paused: true, pad: 'x'.repeat(1_048_577) });
    for (const [body, type] of [
      ['{"paused":true}', 'text/plain'],
      ['{"paused":', 'application/json'],
      [big, 'application/json'],
    ] as const) {
      const response = await send('/x/pause', user, body, type, 'PUT');
      expect(response.status).toBe(400);
      expect((await errorOf(response)).error.code).toBe('INVALID_REQUEST');
    }
    expect(((await (await get('/x/system', user)).json()) as { paused: unknown }).paused).toBeNull();
  });

  it('answers 404 for unknown paths, methods and things', async () => {
    for (const where of [
      '/x/nothing',
      '/v1/nothing',
      '/nothing',
      '/x/surfaces/sfc_9',
      `/x/artifacts/${'b'.repeat(64)}`,
    ]) {
      const response = await get(where, console_.tokens.user);
      expect([where, response.status]).toEqual([where, 404]);
    }
    const response = await send('/x/me', console_.tokens.user, '{}');
    expect(response.status).toBe(404);
  });

  it('keeps what nobody foresaw inside: 500 INTERNAL, the cause in the log under the trace id', async () => {
    const response = await get('/x/calls/call_1', console_.tokens.user);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('secret');
    const body = JSON.parse(text) as { error: { code: string }; trace_id: string };
    expect(body.error.code).toBe('INTERNAL');
    const entry = console_.logged.find(({ fields }) => (fields as { trace_id?: string }).trace_id === body.trace_id);
    expect((entry!.fields as { err: Error }).err.message).toBe('broken at /secret/path');
  });
});

describe('session codes', () => {
  it('exchange once for the person’s token', async () => {
    const opener = new URL(console_.api.openerUrl());
    expect(opener.hash).toMatch(/^#code=[\w-]{43}$/);
    const code = opener.hash.slice('#code='.length);
    const exchange = () =>
      fetch(`${console_.api.url}/x/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      });
    const first = await exchange();
    expect(await first.json()).toEqual({
      token: 'user-token',
      principal: { type: 'user', id: 'local' },
      roles: ['admin'],
    });
    const second = await exchange();
    expect(second.status).toBe(401);
  });
});

describe('the console’s files', () => {
  it('serves pages for deep links and keeps hashed files for ever', async () => {
    const page = await get('/inbox/apr_1', undefined, { accept: 'text/html' });
    expect(await page.text()).toContain('<title>Signalbox</title>');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const asset = await get('/assets/app-1a2b.js');
    expect(asset.headers.get('content-type')).toMatch(/javascript/);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('never leaves its folder', async () => {
    for (const where of [
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/..%2f..%2foutside.txt',
      '/..%5coutside.txt',
    ]) {
      const { status, body } = await raw({ host: `127.0.0.1:${console_.api.port}` }, where, 'GET');
      expect([where, status]).toEqual([where, 404]);
      expect(body).not.toContain('outside\n');
    }
  });

  it('does not give a page for a missing file', async () => {
    expect((await get('/assets/gone.js', undefined, { accept: 'text/html' })).status).toBe(404);
  });
});

describe('artifacts and documents', () => {
  it('gives an artifact with its type', async () => {
    const response = await get(`/x/artifacts/${'a'.repeat(64)}`, console_.tokens.user);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3]);
  });

  it('documents every route', async () => {
    const document = (await (await get('/openapi.json', console_.tokens.agent)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { securitySchemes: object; schemas: Record<string, object> };
    };
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const ours = (Object.keys(routes) as (keyof typeof routes)[]).map(operationIdOf);
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...ours, ...Object.keys(caopOperations)].sort(),
    );
    expect(document.components.securitySchemes).toEqual({ bearerAuth: { type: 'http', scheme: 'bearer' } });
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(document.components.schemas).toHaveProperty(name ?? '');
    }
  });
});
