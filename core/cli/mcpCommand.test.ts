import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, expect, it } from 'vitest';
import { readRunFile, writeRunFile } from '../compose/dataFolder.ts';
import type { RunFile } from '../contracts/hostFiles.ts';

const main = path.join(import.meta.dirname, 'main.ts');
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Agent {
  readonly client: Client;
  readonly stderr: () => string;
}

const startAgent = async (data: string, name: string): Promise<Agent> => {
  const client = new Client({ name, version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', main, 'mcp', '--data', data, '--agent', name],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await client.connect(transport);
  open.push(client);
  return { client, stderr: () => log };
};

const surfaces = async ({ client }: Agent): Promise<unknown> =>
  (await client.callTool({ name: 'operator.list_surfaces' })).structuredContent;
const consoleOf = async (data: string): Promise<RunFile | null> => readRunFile(data);

it('starts a console where none runs, joins the one that does, and finds another when that one ends', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'signalbox-mcp-'));
  const agents = await Promise.all([startAgent(data, 'one'), startAgent(data, 'two')]);
  const seen = await Promise.all(agents.map(surfaces));
  expect(seen[0]).toEqual(seen[1]);

  const first = await consoleOf(data);
  const owner = agents.find(({ stderr }) => stderr().includes('No console was running'));
  const other = agents.find((agent) => agent !== owner);
  expect(other?.stderr()).toBe('');
  // The log of an MCP client is no place for what signs a person in.
  expect(owner?.stderr()).not.toContain('#code=');

  await owner?.client.close();
  expect(await surfaces(other!)).toHaveProperty('surfaces');
  const second = await consoleOf(data);
  expect(second?.pid).not.toBe(first?.pid);
  await other?.client.close();
  await expect.poll(() => consoleOf(data), { timeout: 5_000 }).toBeNull();
}, 30_000);

it('does not believe a run file whose console is dead, though its process id lives', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'signalbox-mcp-'));
  await writeRunFile(data, { url: 'http://127.0.0.1:1', pid: process.pid, agentToken: 'old' });
  const agent = await startAgent(data, 'one');
  expect(await surfaces(agent)).toHaveProperty('surfaces');
}, 30_000);
