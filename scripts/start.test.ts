import { describe, expect, it } from 'vitest';
import { chooseWay } from './start.mjs';

describe('how the console opens', () => {
  const electron = '/opt/electron';
  const chromium = '/opt/chromium';
  it.each([
    [{ electron, chromium, display: true }, 'electron', 'its binary is installed'],
    [{ electron: null, chromium, display: true }, 'chromium', 'install-electron'],
    [{ electron: null, chromium: null, display: true }, 'address', 'no Chromium was found'],
    [{ electron, chromium, display: false }, 'address', 'there is no display'],
  ])('%j opens by %s and says why', (found, kind, why) => {
    const way = chooseWay(found);
    expect(way.kind).toBe(kind);
    expect(way.why).toContain(why);
  });
});
