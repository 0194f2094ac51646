import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { productVersion } from '../compose/product.ts';

const main = path.join(import.meta.dirname, 'main.ts');

const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', main, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

describe('the command line', () => {
  it('says its version and what there is', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${productVersion}\n`, stderr: '' });
    const help = await run('--help');
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(/serve[^]*mcp/);
  });

  it.each([
    [['serve', '--bad'], /unknown option '--bad'/],
    [['dance'], /unknown command 'dance'/],
    [['serve', '--port', 'high'], /0 \(any free one\) to 65535/],
    [['serve', '--database', 'mysql://x'], /--database wants an address like postgres:/],
    [['audit', 'anchor'], /required option '--out <file>'/],
    [['mcp', '--tools', 'all'], /no tool set "all".*operator, signalbox, caop/],
    [['mcp', '--url', 'http://127.0.0.1:1'], /--url and --token together/],
  ])('%j ends with 2 and says why, without a stack', async (args, why) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(why);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
