import { describe, expect, it } from 'vitest';
import { buildUrl } from './rest.ts';

describe('buildUrl', () => {
  it('fills and escapes the path, and leaves out what is not given', () => {
    expect(buildUrl('/x/surfaces/{surface_id}/targets', { params: { surface_id: 'a/b?c' } })).toBe(
      '/x/surfaces/a%2Fb%3Fc/targets',
    );
    expect(buildUrl('/x/calls', { query: { limit: 5, verb: undefined, principal: 'agent:a b' } })).toBe(
      '/x/calls?limit=5&principal=agent%3Aa+b',
    );
  });
});
