import { describe, expect, it } from 'vitest';
import { parseHostFlags } from './hostFlags.ts';

describe('flags of the desktop host', () => {
  it.each([
    [['/app', '--no-sandbox', '--port', '9000', '--data', '/d'], { port: 9000, data: '/d' }],
    [['/app', '--port=0', '--auto-approve'], { port: 0, autoApprove: true }],
    [['/app', '--chromium', '/opt/chromium'], { chromium: '/opt/chromium' }],
    [['/app', '--enable-features=X'], {}],
    [[], {}],
  ])('%j are read as %j, those of Electron passed over', (argv, flags) => {
    expect(parseHostFlags(argv)).toEqual(flags);
  });

  it.each([
    [['--port', 'x'], '--port x is not a port'],
    [['--port', '65536'], '--port 65536 is not a port'],
    [['--port', '-1'], '--port -1 is not a port'],
    [['--data'], 'needs a value'],
  ])('%j is refused with what to give instead', (argv, message) => {
    expect(() => parseHostFlags(argv)).toThrow(message);
  });
});
