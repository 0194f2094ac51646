import { describe, expect, it } from 'vitest';
import { parsePreferences } from './preferences.ts';

describe('parsePreferences', () => {
  it('keeps what is valid and falls back for the rest', () => {
    expect(parsePreferences('{"theme":"dark","shortcuts":false,"notifications":"yes"}')).toEqual({
      theme: 'dark',
      shortcuts: false,
      notifications: false,
    });
    const defaults = { theme: 'system', shortcuts: true, notifications: false };
    expect(parsePreferences(null)).toEqual(defaults);
    expect(parsePreferences('{')).toEqual(defaults);
    expect(parsePreferences('[]')).toEqual(defaults);
  });
});
