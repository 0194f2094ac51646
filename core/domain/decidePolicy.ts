import type { PolicyDecision, PolicyView } from '../contracts/console.ts';
import type { Principal } from '../contracts/principal.ts';
import { isAgent, mayApprove, principalKey } from '../contracts/principal.ts';
import type { Condition, ConditionContext } from './celCondition.ts';

export interface PolicyRule {
  readonly policy: PolicyView;
  readonly condition: Condition;
}

/** `runs`: read-only. `asks`: a person's yes unless a policy allows it. */
export type Risk = 'runs' | 'asks';

type Effect = PolicyView['effect'];

interface Match {
  readonly policy: PolicyView;
  readonly values: Readonly<Record<string, unknown>>;
  /** The condition could not be evaluated. */
  readonly threw: string | null;
}

/** Strongest first (`kernel.md`, "Decision order of policies"). */
const order: readonly Effect[] = ['deny', 'require_approval', 'allow'];

/** `*`, a verb, or a family such as `operator.*`. */
export const inScope = (scope: string, verb: string): boolean =>
  scope === '*' || scope === verb || (scope.endsWith('.*') && verb.startsWith(scope.slice(0, -1)));

export const inForce = (policy: PolicyView, now: string): boolean =>
  policy.disabled_at === null && (policy.expires_at === null || policy.expires_at > now);

/** A condition that throws fails closed: it matches, unless it would have allowed. */
const matchOf = (rule: PolicyRule, context: ConditionContext): Match | null => {
  const { policy, condition } = rule;
  try {
    if (!condition.test(context)) return null;
    return { policy, values: condition.reads(context), threw: null };
  } catch (error) {
    if (policy.effect === 'allow') return null;
    const threw = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { policy, values: condition.reads(context), threw };
  }
};

const verdicts: Readonly<Record<Effect, string>> = {
  deny: 'forbids it',
  require_approval: "asks for a person's yes",
  allow: 'allows it',
};

const byPolicy = (match: Match, matched: PolicyDecision['matched']): PolicyDecision => ({
  effect: match.policy.effect,
  policy_id: match.policy.policy_id,
  policy_version: match.policy.version,
  because:
    match.threw === null
      ? `Policy "${match.policy.title}" ${verdicts[match.policy.effect]}.`
      : `Policy "${match.policy.title}" ${verdicts[match.policy.effect]}: its condition could not be evaluated (${match.threw}).`,
  values: { ...match.values },
  matched,
});

const byDefault = (verb: string, risk: Risk, matched: PolicyDecision['matched']): PolicyDecision => ({
  effect: risk === 'runs' ? 'allow' : 'require_approval',
  policy_id: null,
  policy_version: null,
  because:
    risk === 'runs'
      ? `${verb} only reads, so it runs.`
      : `${verb} acts on the surface, so a person decides. No policy allows it.`,
  values: { capability: verb },
  matched,
});

const byHand = (principal: Principal, matched: PolicyDecision['matched']): PolicyDecision => {
  const key = principalKey(principal.ref);
  return {
    effect: mayApprove(principal) ? 'allow' : 'deny',
    policy_id: null,
    policy_version: null,
    because: mayApprove(principal)
      ? `${key} sent it by hand and may approve it.`
      : `${key} may look but not act: it has no approver role.`,
    values: { principal: key },
    matched,
  };
};

/** A person has approved the plan that this is a step of. */
const byPlan = (
  authority: NonNullable<Principal['authority']>,
  matched: PolicyDecision['matched'],
): PolicyDecision => ({
  effect: 'allow',
  policy_id: null,
  policy_version: null,
  because: `${principalKey(authority.by)} approved the plan ${authority.work_id} that this is a step of.`,
  values: { work_id: authority.work_id },
  matched,
});

/**
 * `deny` > `require_approval` > `allow` > the default by risk. A verb that a person sends by hand is
 * that person's own decision, unless a policy denies it.
 */
export const decidePolicy = (
  rules: readonly PolicyRule[],
  call: { readonly verb: string; readonly risk: Risk; readonly principal: Principal; readonly now: string },
  context: ConditionContext,
): PolicyDecision => {
  const matches = rules
    .filter((rule) => inForce(rule.policy, call.now) && inScope(rule.policy.scope, call.verb))
    .flatMap((rule) => matchOf(rule, context) ?? []);
  const matched = matches.map(({ policy }) => ({ policy_id: policy.policy_id, version: policy.version }));
  const enforced = matches.filter(({ policy }) => policy.enforcement === 'enforced');
  const winner = order.flatMap((effect) => enforced.filter(({ policy }) => policy.effect === effect))[0];
  if (winner?.policy.effect === 'deny') return byPolicy(winner, matched);
  if (call.principal.authority !== undefined) return byPlan(call.principal.authority, matched);
  if (!isAgent(call.principal) && call.risk === 'asks') return byHand(call.principal, matched);
  return winner === undefined ? byDefault(call.verb, call.risk, matched) : byPolicy(winner, matched);
};
