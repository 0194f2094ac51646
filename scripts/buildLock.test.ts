import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withBuildLock } from './buildLock.mjs';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'signalbox-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the build lock', () => {
  it('lets one build run at a time and frees itself, also after a failure', async () => {
    const order: string[] = [];
    let finishFirst: () => void = () => undefined;
    const first = withBuildLock(file, () => {
      order.push('first begins');
      return new Promise<void>((resolve) => {
        finishFirst = () => {
          order.push('first ends');
          resolve();
        };
      });
    });
    const second = withBuildLock(file, async () => {
      order.push('second');
      throw new Error('does not compile');
    });
    finishFirst();
    await first;
    await expect(second).rejects.toThrow('does not compile');
    expect(order).toEqual(['first begins', 'first ends', 'second']);
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a process that is dead', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file, String(pid));
    await expect(withBuildLock(file, async () => 'built')).resolves.toBe('built');
  });
});
