import type { AttestationTier, PolicyRegistration, PreCommitHook } from '../../contracts/caop/base.ts';
import type { EventPayload } from '../../contracts/events.ts';
import type { Principal } from '../../contracts/principal.ts';
import { hookConditions, hookErrorCodes, strongestTier } from '../../domain/caop/preCommitHooks.ts';
import { invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { requirePerson } from './caopPrincipals.ts';

type Registered = EventPayload<'commit_policy.registered'>;
export interface CommitPolicy extends Registered {
  readonly registered_at: string;
  readonly withdrawn: boolean;
}

/** What all policies in scope ask of a plan, taken together. */
export interface CommitRules {
  readonly policies: readonly { readonly policy_id: string; readonly version: string }[];
  readonly hooks: readonly PreCommitHook[];
  readonly minimum_attestation: AttestationTier | null;
  readonly require_human_approval: boolean;
  readonly quorum: number;
  readonly required_roles: readonly string[];
  readonly round_seconds: number | null;
  readonly escalate_to: string | null;
}

const stream = (id: string): string => `commit_policy:${id}`;

/** `goal_payment_ledger_v2` is of the type `payment`: its first segment after `goal_`. */
const goalType = (goalId: string): string => goalId.replace(/^goal_/, '').split('_')[0] ?? '';

const inScope = ({ policy }: Registered, goalId: string): boolean => {
  const types = policy.scope_goal_types;
  return types === undefined || types.length === 0 || types.includes(goalType(goalId)) || types.includes(goalId);
};

/** Policies that check a plan at COMMIT (CAOP `PolicyRegistration`, `ApprovalRoutingRule`). */
export class CommitPolicyBook {
  readonly #parts: Pick<CaopOptions, 'store' | 'writer'>;

  constructor(parts: Pick<CaopOptions, 'store' | 'writer'>) {
    this.#parts = parts;
  }

  async list(): Promise<readonly CommitPolicy[]> {
    const rows = await this.#parts.store.query('commit_policies', { order: { column: 'seq', direction: 'asc' } });
    return rows.map((row) => ({
      ...(row['policy'] as unknown as Omit<CommitPolicy, 'withdrawn'>),
      withdrawn: row['withdrawn'] === 1,
    }));
  }

  async inForce(): Promise<readonly CommitPolicy[]> {
    return (await this.list()).filter(({ withdrawn }) => !withdrawn);
  }

  async register(
    policy: PolicyRegistration,
    routing: Registered['routing'],
    principal: Principal,
  ): Promise<CommitPolicy> {
    requirePerson(principal, 'register policies');
    for (const [index, hook] of policy.pre_commit_hooks.entries()) {
      const at = `pre_commit_hooks[${index}]`;
      if (!hookConditions.some((known) => known === hook.condition))
        throw invalid(
          `${at}.condition`,
          `There is no condition ${hook.condition}. Conditions: ${hookConditions.join(', ')}.`,
        );
      if (!hookErrorCodes.some((known) => known === hook.error_code))
        throw invalid(`${at}.error_code`, `Use one of ${hookErrorCodes.join(', ')}.`);
      if (!/^[a-z_]+(\[\])?(\.[A-Za-z0-9_]+(\[\])?)*$/.test(hook.target_path))
        throw invalid(
          `${at}.target_path`,
          'Write a dotted path into the staged work, [] for every element, e.g. understanding.derived_facts[].depends_on_fact_ids.',
        );
    }
    const id = policy.policy_id;
    await this.#parts.writer.retrying(async () => {
      const version = await this.#parts.store.version(stream(id));
      const payload: Registered = { policy, version: String(version + 1), routing, by: principal.ref };
      await this.#parts.writer.append(
        [{ stream: stream(id), version, events: [{ type: 'commit_policy.registered', payload }] }],
        id,
      );
    });
    return this.#must(id);
  }

  async withdraw(policyId: string, principal: Principal): Promise<CommitPolicy> {
    requirePerson(principal, 'withdraw policies');
    await this.#must(policyId);
    await this.#parts.writer.retrying(async () => {
      const version = await this.#parts.store.version(stream(policyId));
      await this.#parts.writer.append(
        [
          {
            stream: stream(policyId),
            version,
            events: [{ type: 'commit_policy.withdrawn', payload: { by: principal.ref } }],
          },
        ],
        policyId,
      );
    });
    return this.#must(policyId);
  }

  /** `inherited`: policies of a parent scope, in force here whatever the goal. */
  async rulesFor(goalId: string, inherited: readonly string[]): Promise<CommitRules> {
    const policies = (await this.inForce()).filter(
      (entry) => inScope(entry, goalId) || inherited.includes(entry.policy.policy_id),
    );
    const routings = policies.flatMap(({ routing }) => routing ?? []);
    return {
      policies: policies.map(({ policy, version }) => ({ policy_id: policy.policy_id, version })),
      hooks: policies.flatMap(({ policy }) => policy.pre_commit_hooks),
      minimum_attestation: strongestTier(policies.flatMap(({ policy }) => policy.minimum_attestation ?? [])),
      require_human_approval: policies.some(({ policy }) => policy.require_human_approval === true),
      quorum: Math.max(1, ...routings.map(({ min_quorum }) => min_quorum)),
      required_roles: [...new Set(routings.flatMap(({ required_roles }) => required_roles))],
      round_seconds:
        routings.length === 0 ? null : Math.min(...routings.map(({ expiration_seconds }) => expiration_seconds)),
      escalate_to:
        routings.find(({ escalate_to_role_on_timeout }) => escalate_to_role_on_timeout !== null)
          ?.escalate_to_role_on_timeout ?? null,
    };
  }

  async #must(policyId: string): Promise<CommitPolicy> {
    const found = (await this.list()).find(({ policy }) => policy.policy_id === policyId);
    if (found === undefined) throw notFound(`commit policy ${policyId}`);
    return found;
  }
}
