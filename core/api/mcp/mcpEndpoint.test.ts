import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SignalboxError } from '../../contracts/errors.ts';
import { bearer, startFakeConsole, type FakeConsole } from '../../../test/support/fakeConsole.ts';

let console_: FakeConsole;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  console_ = await startFakeConsole();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => console_[Symbol.asyncDispose]());

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}
interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: { type: string; text?: string; data?: string; mimeType?: string }[];
  readonly _meta?: Record<string, unknown> | undefined;
}
interface AnyClient {
  tools(): Promise<{ name: string; annotations?: object | undefined; outputSchema?: object | undefined }[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  /** Cuts the connection as a crash would. */
  drop(): void;
}
type Connect = (options?: { query?: string; token?: string; headers?: Record<string, string> }) => Promise<AnyClient>;

/** A fetch whose connections can be cut. */
const cuttable = () => {
  const cut = new AbortController();
  const fetcher = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal });
  return { fetcher, drop: () => cut.abort() };
};

const connectLegacy: Connect = async ({ query = '', token = console_.tokens.agent, headers = {} } = {}) => {
  const client = new LegacyClient({ name: 'old-client', version: '1.2.3' });
  const { fetcher, drop } = cuttable();
  const url = new URL(`/mcp${query}`, console_.api.url);
  await client.connect(
    new LegacyHttp(url, { requestInit: { headers: { ...bearer(token), ...headers } }, fetch: fetcher }),
  );
  open.push(client);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as unknown as Result,
    drop,
  };
};

const connectModern =
  (mode: 'legacy' | 'auto' | { pin: string }): Connect =>
  async ({ query = '', token = console_.tokens.agent, headers = {} } = {}) => {
    const client = new ModernClient({ name: 'new-client', version: '4.5.6' }, { versionNegotiation: { mode } });
    const { fetcher, drop } = cuttable();
    const url = new URL(`/mcp${query}`, console_.api.url);
    await client.connect(
      new ModernHttp(url, { requestInit: { headers: { ...bearer(token), ...headers } }, fetch: fetcher }),
    );
    open.push(client);
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, options)) as unknown as Result,
      drop,
    };
  };

const act = { surface_id: 'sfc_1', target: 'e1', action: 'press' };
const kinds: readonly { kind: string; connect: Connect; client: string; onDrop: 'withdraw' | 'detach' }[] = [
  { kind: 'SDK 1.x', connect: connectLegacy, client: 'old-client/1.2.3', onDrop: 'detach' },
  { kind: 'SDK 2.x of 2025', connect: connectModern('legacy'), client: 'new-client/4.5.6', onDrop: 'detach' },
  { kind: 'SDK 2.x, auto', connect: connectModern('auto'), client: 'new-client/4.5.6', onDrop: 'withdraw' },
  {
    kind: 'SDK 2.x of 2026',
    connect: connectModern({ pin: '2026-07-28' }),
    client: 'new-client/4.5.6',
    onDrop: 'withdraw',
  },
];

describe.each(kinds)('$kind', ({ connect, client: clientName, onDrop }) => {
  it('lists the seven verbs and await_work', async () => {
    const client = await connect();
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'operator.list_surfaces',
      'operator.perceive',
      'operator.act',
      'operator.settle',
      'operator.navigate',
      'operator.focus_app',
      'operator.capture',
      'signalbox.await_work',
    ]);
    expect(tools[0]?.annotations).toEqual({ readOnlyHint: true });
    expect(tools[2]?.annotations).toEqual({});
    expect(tools[5]?.annotations).toEqual({ idempotentHint: true });
    expect(JSON.stringify({ tools }).length / 4).toBeLessThan(2_000);
  });

  it('gets structured content and the same as text, held against the listed output schema', async () => {
    const client = await connect();
    await client.tools();
    const result = await client.call('operator.perceive', { surface_id: 'sfc_1' });
    expect(result.structuredContent).toEqual({
      targets: [{ ref: 'e1', role: 'button', name: 'Send' }],
      readiness: 'settled',
    });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(console_.calls.at(-1)?.context).toMatchObject({
      client: clientName,
      principal: { ref: { type: 'agent', id: 'default' } },
    });
  });

  it('gets a picture as an image block beside its size', async () => {
    const result = await (await connect()).call('operator.capture', { surface_id: 'sfc_1' });
    expect(result.structuredContent).toEqual({ width: 2, height: 1 });
    expect(result.content[1]).toMatchObject({ type: 'image', mimeType: 'image/png', data: 'iVBORw==' });
  });

  it('gets errors as isError with the code, in the text and in _meta, without structured content', async () => {
    const client = await connect();
    await client.tools();
    const wrong = await client.call('operator.act', { surface_id: 'sfc_1', action: 'smash' });
    const body = JSON.parse(wrong.content[0]?.text ?? '') as { code: string; details: { issues: { path: string }[] } };
    expect(wrong.isError).toBe(true);
    expect(wrong.structuredContent).toBeUndefined();
    expect(wrong._meta?.['signalbox/error']).toEqual(body);
    expect(body.code).toBe('INVALID_REQUEST');
    expect(body.details.issues.map(({ path }) => path)).toEqual(['target', 'action']);
    const unsupported = await client.call('operator.focus_app', { surface_id: 'sfc_1', application: 'x' });
    expect(unsupported._meta?.['signalbox/error']).toMatchObject({ code: 'NOT_SUPPORTED', retryable: false });
  });

  it('hears nothing of what failed inside but a trace id that the log has', async () => {
    const result = await (await connect()).call('operator.settle', { surface_id: 'sfc_1' });
    const error = result._meta?.['signalbox/error'] as { code: string; details: { trace_id: string } };
    expect(error.code).toBe('INTERNAL');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(console_.logged.some(({ fields }) => JSON.stringify(fields).includes(error.details.trace_id))).toBe(true);
  });

  it('is told while a person is waited for, and gets the receipt', async () => {
    const client = await connect();
    const progress: number[] = [];
    const messages = new Set<string | undefined>();
    const call = client.call('operator.act', act, {
      onprogress: (note) => {
        progress.push(note.progress);
        messages.add(note.message);
      },
    });
    const waiting = await console_.nextAct();
    await expect.poll(() => progress.length).toBeGreaterThanOrEqual(3);
    waiting.approve();
    expect((await call).structuredContent).toEqual({ changed: true, readiness: 'settled' });
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
    expect([...messages]).toEqual(['Waiting for a person.']);
  });

  it('hears a refusal while it waits', async () => {
    const call = (await connect()).call('operator.act', act);
    (await console_.nextAct()).refuse(new SignalboxError('APPROVAL_DENIED', 'Not this one.'));
    expect((await call)._meta?.['signalbox/error']).toMatchObject({
      code: 'APPROVAL_DENIED',
      message: 'Not this one.',
    });
  });

  it('withdraws by cancelling', async () => {
    const client = await connect();
    const cancel = new AbortController();
    const call = client.call('operator.act', act, { signal: cancel.signal }).catch(() => 'cancelled');
    const waiting = await console_.nextAct();
    cancel.abort();
    expect(await waiting.gone).toBe('withdraw');
    expect(await call).toBe('cancelled');
  });

  it(`by a dropped connection: ${onDrop}`, async () => {
    const client = await connect();
    void client.call('operator.act', act).catch(() => undefined);
    const waiting = await console_.nextAct();
    client.drop();
    expect(await waiting.gone).toBe(onDrop);
  });

  it('runs several calls at once and cancels only the one meant', async () => {
    const client = await connect();
    const cancel = new AbortController();
    const first = client.call('operator.act', { ...act, target: 'e1' });
    const firstAct = await console_.nextAct();
    const second = client.call('operator.act', { ...act, target: 'e2' }, { signal: cancel.signal }).catch(() => null);
    const secondAct = await console_.nextAct();
    cancel.abort();
    expect(await secondAct.gone).toBe('withdraw');
    expect(firstAct.context.signal.aborted).toBe(false);
    firstAct.approve();
    expect((await first).isError).toBeUndefined();
    await second;
  });

  it('lists underscored names when asked, and calls by either spelling', async () => {
    const client = await connect({ query: '?tools=operator,signalbox&names=underscore' });
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('operator_list_surfaces');
    expect(names).toContain('signalbox_open_surface');
    expect(names).toHaveLength(11);
    const results = [await client.call('operator_list_surfaces'), await client.call('operator.list_surfaces')];
    expect(results[0]?.structuredContent).toEqual(results[1]?.structuredContent);
  });

  it('is told of a tool that is not there', async () => {
    await expect((await connect()).call('operator.dance')).rejects.toThrow(/operator\.dance/);
  });
});

describe('two clients of one agent', () => {
  it('never cancel each other, though their request ids are the same', async () => {
    const [one, two] = [await connectLegacy(), await connectLegacy()];
    const cancel = new AbortController();
    const calls = [
      one.call('operator.act', act, { signal: cancel.signal }).catch(() => null),
      two.call('operator.act', act),
    ];
    const [first, second] = [await console_.nextAct(), await console_.nextAct()];
    cancel.abort();
    const ended = await Promise.race([first.gone.then(() => first), second.gone.then(() => second)]);
    const other = ended === first ? second : first;
    expect(other.context.signal.aborted).toBe(false);
    other.approve();
    await Promise.all(calls);
  });
});

describe('who may use MCP', () => {
  const post = (
    headers: Record<string, string>,
    body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    query = '',
  ) =>
    fetch(`${console_.api.url}/mcp${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('agents only: 401 without a token, 403 for a person', async () => {
    expect((await post({})).status).toBe(401);
    expect((await post(bearer('nobody'))).status).toBe(401);
    const person = await post(bearer(console_.tokens.user));
    expect(person.status).toBe(403);
    expect(await person.text()).toContain('MCP is for agents');
  });

  it('refuses broken, oversized and foreign requests with 400', async () => {
    const agent = bearer(console_.tokens.agent);
    expect((await post(agent, '{')).status).toBe(400);
    expect((await post(agent, 'x'.repeat(1_048_577))).status).toBe(400);
    expect((await post({ ...agent, 'content-type': 'text/plain' })).status).toBe(400);
    expect((await post(agent, undefined, '?tools=everything')).status).toBe(400);
    expect((await post({ ...agent, origin: 'http://evil.example' })).status).toBe(403);
  });

  it('needs no session that it knows: a restart of the console breaks no client', async () => {
    const response = await post({ ...bearer(console_.tokens.agent), 'mcp-session-id': 'mcp_of_an_earlier_run' });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('operator.perceive');
  });

  it('lets the local agent token act under another name, but not under one that has a token of its own', async () => {
    const named = await connectLegacy({ headers: { 'signalbox-agent': 'writer' } });
    await named.call('operator.list_surfaces');
    expect(console_.calls.at(-1)?.context.principal.ref).toEqual({ type: 'agent', id: 'writer' });
    await expect(connectLegacy({ headers: { 'signalbox-agent': 'second' } })).rejects.toThrow(/token of its own/);
    await expect(
      connectLegacy({ token: console_.tokens.second, headers: { 'signalbox-agent': 'writer' } }),
    ).rejects.toThrow(/agent:second/);
  });
});

describe.each(kinds)('when the console stops, $kind', ({ connect }) => {
  it('is detached and told how to go on', async () => {
    await using stopping = await startFakeConsole();
    const before = console_;
    console_ = stopping;
    const client = await connect().finally(() => (console_ = before));
    const call = client.call('operator.act', act);
    const waiting = await stopping.nextAct();
    await stopping.api.close();
    expect(await waiting.gone).toBe('detach');
    const error = (await call)._meta?.['signalbox/error'];
    expect(error).toMatchObject({ code: 'APPROVAL_PENDING', retryable: true, details: { work_id: 'work_1' } });
  });
});
