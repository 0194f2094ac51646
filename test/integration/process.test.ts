import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { allGone } from '../support/processes.ts';
import { command, Signalbox } from '../support/signalbox.ts';
import { Stage } from '../support/stage.ts';

const run = promisify(execFile);
const open: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});
const keep = <T extends { stop: () => Promise<void> }>(one: T): T => {
  open.push(one);
  return one;
};

/** What `serve` says when it does not start. */
const serveFails = async (args: readonly string[]): Promise<{ code: number; stderr: string }> => {
  const [program = '', ...first] = command;
  try {
    await run(program, [...first, 'serve', '--json', '--port', '0', ...args], { timeout: 20_000 });
    throw new Error('serve started');
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, stderr };
  }
};

const files = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

describe('the process', () => {
  it('ends with 0 on SIGTERM with a browser open and a call waiting, and leaves no process behind', async () => {
    const stage = await Stage.open();
    const { operator } = await stage.at('form');
    const { ref } = await operator.find('submit');
    const waiting = operator.press(ref).catch(() => null);
    await stage.person.asked({ verb: 'operator.act' });
    await expect(stage.signalbox.stop()).resolves.toBeUndefined();
    await stage.closeAgents();
    await waiting;
    await stage.site[Symbol.asyncDispose]();
  });

  it('keeps its state in one private folder that a second console cannot use at the same time', async () => {
    const signalbox = keep(await Signalbox.start());
    const { mode } = await stat(signalbox.data);
    expect(mode & 0o077).toBe(0);
    for (const file of await files(signalbox.data))
      expect([path.basename(file), (await stat(file)).mode & 0o077]).toEqual([path.basename(file), 0]);

    const { code, stderr } = await serveFails(['--data', signalbox.data]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/already|in use|another/i);
    expect(stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });

  it("writes the agent's token to run.json and a person's nowhere", async () => {
    const signalbox = keep(await Signalbox.start());
    const person = signalbox.person;
    const runJson = JSON.parse(await readFile(path.join(signalbox.data, 'run.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(runJson).toMatchObject({ url: signalbox.url, pid: signalbox.pid });
    expect(Object.values(runJson)).toContain(await signalbox.agentToken());
    for (const file of await files(signalbox.data))
      expect([file, (await readFile(file)).includes(person.token ?? 'none')]).toEqual([file, false]);
    for (const part of ['environ', 'cmdline'])
      expect(await readFile(`/proc/${signalbox.pid}/${part}`, 'utf8')).not.toContain(person.token);
    expect(signalbox.log).not.toContain(person.token);
  });

  it('refuses a config with a key it does not know, and says which', async () => {
    const stopped = await Signalbox.start();
    await stopped.stop({ keepData: true });
    await expect(stopped.restart({ config: { gate: { wait_budget: 1 } } })).rejects.toThrow(/wait_budget/);
  });

  it('keeps policies, tokens and the pause over a restart', async () => {
    const first = await Signalbox.start();
    const person = first.person;
    await person.call('pause', { body: { paused: true } });
    const policy = await person.call('policies.create', {
      body: { title: 'No deletes', condition: 'target.name.contains("Delete")', effect: 'deny' },
    });
    const { token } = await person.call('tokens.create', { body: { principal: { type: 'agent', id: 'kept' } } });
    const head = await person.head();
    await first.stop({ keepData: true });

    const second = keep(await first.restart());
    const again = second.person;
    expect((await again.call('system')).paused?.by).toEqual({ type: 'user', id: 'local' });
    expect(await again.head()).toBeGreaterThanOrEqual(head);
    expect((await again.call('policies.list')).policies.map((p) => p.policy_id)).toContain(policy.policy_id);
    const response = await again.raw('/x/me', { headers: { authorization: `Bearer ${token}` } });
    expect(((await response.json()) as { principal: unknown }).principal).toEqual({ type: 'agent', id: 'kept' });
    const old = await again.raw('/x/me', { headers: { authorization: `Bearer ${person.token ?? ''}` } });
    expect(old.status).toBe(401);
  });

  it('killed with -9, it leaves no browser running for long, and the data opens again', async () => {
    const stage = await Stage.open();
    await (await stage.at('form')).operator.perceive();
    const children = await stage.signalbox.kill9();
    expect(children.some((child) => /chrom/.test(child.command))).toBe(true);
    await stage.restart();
    expect(await allGone(children, 10_000)).toEqual([]);
    await stage[Symbol.asyncDispose]();
  });
});
