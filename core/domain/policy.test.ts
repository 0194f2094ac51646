import { describe, expect, it } from 'vitest';
import type { PolicyView } from '../contracts/console.ts';
import type { Principal } from '../contracts/principal.ts';
import { parseCondition } from './celCondition.ts';
import { decidePolicy } from './decidePolicy.ts';
import type { PolicyRule } from './decidePolicy.ts';

const now = '2026-01-01T00:00:00.000Z';
const robot: Principal = { ref: { type: 'agent', id: 'robot' }, roles: [], surfaces: null, tokenId: 't' };
const context = {
  capability: 'operator.act',
  arguments: { target: 'e1', action: 'press' },
  surface: { id: 's1', kind: 'browser', address: 'https://shop.test/cart' },
  target: { ref: 'e1', role: 'button', name: 'Delete all', row: null, frame: null },
  principal: { type: 'agent', id: 'robot' },
  now: new Date(now),
};
const rule = (effect: PolicyView['effect'], condition: string, more: Partial<PolicyView> = {}): PolicyRule => {
  const parsed = parseCondition(condition);
  if (!parsed.ok) throw new Error(parsed.message);
  const policy: PolicyView = {
    policy_id: `${effect}-${condition}`,
    version: '1',
    title: effect,
    scope: '*',
    condition,
    effect,
    enforcement: 'enforced',
    expires_at: null,
    created_by: { type: 'user', id: 'alice' },
    created_at: now,
    disabled_at: null,
    ...more,
  };
  return { policy, condition: parsed.condition };
};
const decide = (rules: PolicyRule[], verb = 'operator.act', principal = robot) =>
  decidePolicy(rules, { verb, risk: verb === 'operator.perceive' ? 'runs' : 'asks', principal, now }, context);

describe('the order of policies', () => {
  it('deny, then require_approval, then allow, then the default by risk', () => {
    const allow = rule('allow', 'true');
    const ask = rule('require_approval', 'target.name.startsWith("Delete")');
    const deny = rule('deny', 'surface.address.startsWith("https://shop.test/")');
    expect(decide([allow, ask, deny])).toMatchObject({
      effect: 'deny',
      values: { 'surface.address': 'https://shop.test/cart' },
    });
    expect(decide([allow, ask])).toMatchObject({ effect: 'require_approval', values: { 'target.name': 'Delete all' } });
    expect(decide([allow])).toMatchObject({ effect: 'allow', policy_version: '1' });
    expect(decide([])).toMatchObject({ effect: 'require_approval', policy_id: null });
    expect(decide([], 'operator.perceive')).toMatchObject({ effect: 'allow', policy_id: null });
  });

  it('every match is on the record, the advisory one decides nothing', () => {
    const advisory = rule('deny', 'true', { enforcement: 'advisory', policy_id: 'hint' });
    const decision = decide([advisory, rule('allow', 'true', { policy_id: 'ok' })]);
    expect(decision.effect).toBe('allow');
    expect(decision.matched.map(({ policy_id }) => policy_id)).toEqual(['hint', 'ok']);
  });

  it('one that is expired, disabled or of another scope does not match', () => {
    expect(decide([rule('deny', 'true', { expires_at: now })]).effect).toBe('require_approval');
    expect(decide([rule('deny', 'true', { disabled_at: now })]).effect).toBe('require_approval');
    expect(decide([rule('deny', 'true', { scope: 'operator.navigate' })]).effect).toBe('require_approval');
    expect(decide([rule('deny', 'true', { scope: 'operator.*' })]).effect).toBe('deny');
  });

  it('a condition that throws fails closed', () => {
    const throwing = 'arguments.missing == 1';
    expect(decide([rule('allow', throwing)]).effect).toBe('require_approval');
    expect(decide([rule('allow', 'true'), rule('require_approval', throwing)]).effect).toBe('require_approval');
    expect(decide([rule('allow', 'true'), rule('deny', throwing)])).toMatchObject({
      effect: 'deny',
      because: expect.stringContaining('could not be evaluated') as string,
      values: { 'arguments.missing': null },
    });
  });
});

describe('a condition', () => {
  it.each(['arguments.(', '1 + 2', '"text"', 'nobody.knows == 1', 'target.name ==', ''])('%s is refused', (source) => {
    expect(parseCondition(source)).toMatchObject({ ok: false, message: expect.stringMatching(/.{5}/) as string });
  });
  it('reads time, lists and optional fields', () => {
    for (const source of [
      'now < timestamp("2027-01-01T00:00:00Z")',
      'has(arguments.action) && !has(arguments.value)',
      'capability in ["operator.act", "operator.navigate"]',
      'principal.id.matches("^rob.*$")',
    ]) {
      const parsed = parseCondition(source);
      expect([source, parsed.ok && parsed.condition.test(context)]).toEqual([source, true]);
    }
  });
});
