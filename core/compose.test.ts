import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compose, defaultPort, type ComposeOptions, type Composed } from './compose.ts';
import { readRunFile } from './compose/dataFolder.ts';

const running: Composed[] = [];
afterEach(async () => {
  for (const console_ of running.splice(0).reverse()) await console_.close();
});

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'signalbox-compose-'));
const start = async (options: ComposeOptions): Promise<Composed> => {
  const console_ = await compose({ providers: [], ...options });
  running.push(console_);
  return console_;
};
const who = async (console_: Composed, token: string): Promise<[number, unknown]> => {
  const response = await fetch(`${console_.url}/x/me`, { headers: { authorization: `Bearer ${token}` } });
  return [response.status, ((await response.json()) as { principal?: unknown }).principal];
};
const occupy = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

describe('compose', () => {
  it('makes a console of a folder: tokens of a person and an agent, and a run file with the agent’s only', async () => {
    const dataFolder = await newFolder();
    const console_ = await start({ dataFolder, port: 0 });
    expect(await who(console_, console_.token)).toEqual([200, { type: 'user', id: 'local' }]);
    expect(await who(console_, console_.agentToken)).toEqual([200, { type: 'agent', id: 'default' }]);
    expect(console_.mcpUrl).toBe(`${console_.url}/mcp`);
    expect(await readRunFile(dataFolder)).toEqual({
      url: console_.url,
      pid: process.pid,
      agentToken: console_.agentToken,
    });
    expect(await readFile(path.join(dataFolder, 'logs', 'signalbox.log'), 'utf8')).not.toContain(console_.token);
  });

  it('leaves nothing running and no run file, and starts again with new tokens', async () => {
    const dataFolder = await newFolder();
    const first = await compose({ dataFolder, port: 0, providers: [] });
    await first.close();
    expect(await readRunFile(dataFolder)).toBeNull();
    await expect(fetch(first.url)).rejects.toThrow('fetch failed');
    const second = await start({ dataFolder, port: 0 });
    expect((await who(second, first.token))[0]).toBe(401);
    expect((await who(second, first.agentToken))[0]).toBe(401);
    expect((await who(second, second.token))[0]).toBe(200);
  });

  it('refuses a folder that another console uses, and leaves that one alone', async () => {
    const dataFolder = await newFolder();
    const first = await start({ dataFolder, port: 0 });
    await expect(compose({ dataFolder, port: 0, providers: [] })).rejects.toThrow(/another|already|in use/i);
    expect((await who(first, first.token))[0]).toBe(200);
    expect((await readRunFile(dataFolder))?.url).toBe(first.url);
  });

  it('says which port is taken when it was asked for, and frees the folder again', async () => {
    const blocker = await occupy(0);
    const { port } = blocker.address() as { port: number };
    const dataFolder = await newFolder();
    await expect(compose({ dataFolder, port, providers: [] })).rejects.toThrow(
      `Port ${port} is in use by another program. Stop that program, or give another: --port 0.`,
    );
    blocker.close();
    await start({ dataFolder, port });
  });

  it('takes the next free port when nobody asked for one, and says so', async () => {
    // Whoever else has it, it is taken.
    const blocker = await occupy(defaultPort).catch(() => null);
    const console_ = await start({ dataFolder: await newFolder() });
    expect(Number(new URL(console_.url).port)).toBeGreaterThan(defaultPort);
    expect(console_.remarks[0]).toContain(`Port ${defaultPort} is in use`);
    blocker?.close();
  });
});
