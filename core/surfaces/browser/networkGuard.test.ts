import { expect, test } from 'vitest';
import { checkedAddress, createNetworkGuard } from './networkGuard.ts';
import { safeFileName } from './downloads.ts';
import { prefixes } from './prefixes.ts';

const guard = createNetworkGuard(() => [8787]);

test.each([
  'http://127.0.0.1:8787/',
  'http://127.9.9.9:8787/x',
  'http://localhost:8787/',
  'http://LOCALHOST.:8787/',
  'http://a.localhost:8787/',
  'http://[::1]:8787/',
  'http://[::]:8787/',
  'http://[::ffff:127.0.0.1]:8787/',
  'http://0.0.0.0:8787/',
  'http://2130706433:8787/',
  'http://0x7f.1:8787/',
  'ws://127.0.0.1:8787/ws',
  'https://user:pw@127.0.0.1:8787/',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'chrome://version',
  'devtools://devtools',
  'view-source:http://example.com/',
])('%s is out of reach', (url) => {
  expect(guard.refusal(url)).toEqual(expect.any(String));
  expect(() => checkedAddress(url, guard)).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }));
});

test.each([
  'http://127.0.0.1:8080/',
  'http://example.com:8787/',
  'https://example.com/?next=http://127.0.0.1:8787/',
  'http://notlocalhost:8787/',
  'about:blank',
  'data:text/html,hello',
])('%s is within reach', (url) => {
  expect(guard.refusal(url)).toBeNull();
  expect(checkedAddress(url, guard)).toBe(new URL(url).href);
});

test.each(['', 'example.com', 'javascript:alert(1)', 'blob:http://x/y', 'about:config', 'ftp://x/'])(
  '%s is no address for a surface',
  (url) => {
    expect(() => checkedAddress(url, guard)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  },
);

test('a downloaded file’s name stays inside its folder', () => {
  expect(safeFileName('../../etc/passwd')).toBe('__.._etc_passwd');
  expect(safeFileName('a\u0000b:c?.txt')).toBe('a_b_c_.txt');
  expect(safeFileName('...')).not.toMatch(/^\./);
  expect(safeFileName('')).toBe('download');
  expect(safeFileName('x'.repeat(500))).toHaveLength(120);
});

test('beginnings of refs are letters only and never the same', () => {
  const next = prefixes();
  const given = Array.from({ length: 3_000 }, () => next());
  expect(new Set(given).size).toBe(3_000);
  expect(given.every((prefix) => /^[a-z]+$/.test(prefix))).toBe(true);
});
