import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFakeConsole, type FakeConsole } from '../../../test/support/fakeConsole.ts';

const root = path.resolve(import.meta.dirname, '../../..');
let console_: FakeConsole;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  console_ = await startFakeConsole();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => console_[Symbol.asyncDispose]());

const server = (...args: string[]) => ({
  command: process.execPath,
  args: [
    '--import',
    'tsx',
    path.join(root, 'core/cli/main.ts'),
    'mcp',
    '--url',
    console_.api.url,
    '--token',
    console_.tokens.agent,
    ...args,
  ],
  env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  stderr: 'ignore' as const,
  cwd: root,
});

const info = { name: 'stdio-client', version: '7.0.0' };
type Call = (
  name: string,
  args?: Record<string, unknown>,
  options?: { signal?: AbortSignal; onprogress?: (progress: { progress: number }) => void },
) => Promise<{ structuredContent?: unknown; _meta?: Record<string, unknown> | undefined }>;
interface Connected {
  readonly call: Call;
  readonly names: () => Promise<string[]>;
  readonly pid: () => number;
}

const legacy = async (...args: string[]): Promise<Connected> => {
  const client = new LegacyClient(info);
  const transport = new LegacyStdio(server(...args));
  await client.connect(transport);
  open.push(client);
  return {
    call: async (name, input = {}, options = {}) =>
      await client.callTool({ name, arguments: input }, undefined, options),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    pid: () => transport.pid ?? 0,
  };
};

const modern =
  (mode: 'auto' | { pin: string }) =>
  async (...args: string[]): Promise<Connected> => {
    const client = new ModernClient(info, { versionNegotiation: { mode } });
    const transport = new ModernStdio(server(...args));
    await client.connect(transport);
    open.push(client);
    return {
      call: async (name, input = {}, options = {}) => await client.callTool({ name, arguments: input }, options),
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      pid: () => transport.pid ?? 0,
    };
  };

const act = { surface_id: 'sfc_1', target: 'e1', action: 'press' };

describe.each([
  { kind: 'SDK 1.x', connect: legacy },
  { kind: 'SDK 2.x, auto', connect: modern('auto') },
  { kind: 'SDK 2.x of 2026', connect: modern({ pin: '2026-07-28' }) },
])('signalbox mcp with $kind', ({ connect }) => {
  it('lists and calls the tools, under the client’s own name', async () => {
    const client = await connect();
    expect(await client.names()).toHaveLength(8);
    const result = await client.call('operator.list_surfaces');
    expect(result.structuredContent).toEqual({ surfaces: [{ id: 'sfc_1', kind: 'browser', label: 'Page' }] });
    expect(console_.calls.at(-1)?.context.client).toBe('stdio-client/7.0.0');
  });

  it('carries errors unchanged', async () => {
    const result = await (await connect()).call('operator.act', { surface_id: 'sfc_1' });
    expect(result._meta?.['signalbox/error']).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('carries progress, the receipt, and a cancellation as a withdrawal', async () => {
    const client = await connect();
    let notes = 0;
    const call = client.call('operator.act', act, { onprogress: () => (notes += 1) });
    const waiting = await console_.nextAct();
    await expect.poll(() => notes).toBeGreaterThanOrEqual(2);
    waiting.approve();
    expect((await call).structuredContent).toEqual({ changed: true, readiness: 'settled' });

    const cancel = new AbortController();
    const cancelled = client.call('operator.act', act, { signal: cancel.signal }).catch(() => null);
    const second = await console_.nextAct();
    cancel.abort();
    expect(await second.gone).toBe('withdraw');
    await cancelled;
  });

  it('only detaches when the client goes, politely or not', async () => {
    const polite = await connect();
    void polite.call('operator.act', act).catch(() => undefined);
    const first = await console_.nextAct();
    await open.pop()?.close();
    expect(await first.gone).toBe('detach');

    const killed = await connect();
    void killed.call('operator.act', act).catch(() => undefined);
    const second = await console_.nextAct();
    process.kill(killed.pid(), 'SIGKILL');
    expect(await second.gone).toBe('detach');
  });
});

describe('signalbox mcp', () => {
  const ended = async (child: ChildProcess): Promise<number | null> =>
    ((await once(child, 'exit')) as [number | null])[0];

  it('names tools with underscores and acts under another agent’s name when told', async () => {
    const client = await legacy('--tool-names', 'underscore', '--agent', 'painter');
    expect(await client.names()).toContain('operator_perceive');
    await client.call('operator_list_surfaces');
    expect(console_.calls.at(-1)?.context.principal.ref).toEqual({ type: 'agent', id: 'painter' });
  });

  it('ends with 0 when its input ends', async () => {
    const { command, args, env } = server();
    const child = spawn(command, args, { env, cwd: root, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin?.end();
    expect(await ended(child)).toBe(0);
  });

  it('says POLICY_DENIED with the console’s own words when its token is refused', async () => {
    const client = await legacy('--token', 'nobody');
    const result = await client.call('operator.list_surfaces');
    expect(result._meta?.['signalbox/error']).toMatchObject({ code: 'POLICY_DENIED' });
    expect(JSON.stringify(result)).toContain('unknown, revoked or expired');
  });

  it('says that the outcome is unknown when the console dies under an input', async () => {
    await using dying = await startFakeConsole({ answersDetached: false });
    const before = console_;
    console_ = dying;
    const client = await legacy().finally(() => (console_ = before));
    const call = client.call('operator.act', act);
    await dying.nextAct();
    await dying.api.close();
    expect((await call)._meta?.['signalbox/error']).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
  });
});
