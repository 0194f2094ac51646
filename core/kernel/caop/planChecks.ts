import type { FailedHook } from '../../contracts/caop/base.ts';
import type { StageWorkInput } from '../../contracts/caop/compact.ts';
import type { ExecutionLocus } from '../../contracts/caop/capability.ts';
import type { PlanStep } from '../../contracts/caopEvents.ts';
import type { PolicyDecision } from '../../contracts/console.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { Principal } from '../../contracts/principal.ts';
import type { Upstream } from '../../domain/caop/preCommitHooks.ts';
import { attestationFailure, failedHooks } from '../../domain/caop/preCommitHooks.ts';
import type { Risk } from '../../domain/decidePolicy.ts';
import { invalid } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import type { CapabilityBook, KnownCapability } from './capabilityBook.ts';
import type { CommitRules } from './commitPolicyBook.ts';
import type { FactLedger } from './factLedger.ts';

/** Shape, hooks and policies of a plan: the same when it is staged and when it has been steered. */

export interface CheckedPlan {
  readonly locus: ExecutionLocus;
  readonly steps: readonly PlanStep[];
  readonly capabilities: readonly KnownCapability[];
}

export const factIdsOf = (input: StageWorkInput): readonly string[] => [
  ...new Set(
    input.understanding.derived_facts.flatMap((fact) => [
      ...(fact.depends_on_fact_ids ?? []),
      ...(fact.depends_on_alternatives ?? []).flat(),
    ]),
  ),
];

/** Verbs of the class that act, and whatever cannot be taken back, ask a person. */
const riskOf = (capability: KnownCapability, reversible: boolean): Risk => {
  if (capability.side_effect_level === 'none') return 'runs';
  return capability.side_effect_level === 'reversible' && reversible ? 'runs' : 'asks';
};

const strength: Readonly<Record<PolicyDecision['effect'], number>> = { deny: 2, require_approval: 1, allow: 0 };

export class PlanChecks {
  readonly #options: CaopOptions;
  readonly #capabilities: CapabilityBook;
  readonly #facts: FactLedger;

  constructor(options: CaopOptions, capabilities: CapabilityBook, facts: FactLedger) {
    this.#options = options;
    this.#capabilities = capabilities;
    this.#facts = facts;
  }

  async shape(steps: StageWorkInput['plan_steps']): Promise<CheckedPlan> {
    if (steps.length === 0) throw invalid('plan_steps', 'Give at least one step.');
    if (new Set(steps.map(({ step_index }) => step_index)).size < steps.length) {
      throw invalid('plan_steps[].step_index', 'Every step needs a number of its own.');
    }
    const ordered = steps.toSorted((a, b) => a.step_index - b.step_index);
    const capabilities = await Promise.all(ordered.map((step) => this.#known(step.capability_id)));
    const loci = new Set(capabilities.map(({ execution_locus }) => execution_locus));
    const [locus] = loci;
    if (loci.size > 1 || locus === undefined) {
      throw invalid(
        'plan_steps[].capability_id',
        'One plan is performed in one place: stage the HOST_DELEGATED and the KERNEL_PROXIED steps as works of their own.',
      );
    }
    const faults = ordered.flatMap((step, index) => this.#argumentFaults(step, capabilities[index]));
    if (faults.length > 0) throw argumentError(faults);
    return {
      locus,
      capabilities,
      steps: ordered.map((step, index) => ({
        step_index: step.step_index,
        capability_id: step.capability_id,
        arguments: step.arguments,
        receipt_lease_seconds: capabilities[index]?.receipt_lease_seconds ?? 1,
        required_receipt_fields: [...(capabilities[index]?.required_receipt_fields ?? [])],
      })),
    };
  }

  async #known(capabilityId: string): Promise<KnownCapability> {
    const found = await this.#capabilities.find(capabilityId);
    if (found === null) {
      throw invalid(
        'plan_steps[].capability_id',
        `There is no capability ${capabilityId}. caop_pulse lists them as capability_stubs.`,
      );
    }
    return found;
  }

  #argumentFaults(
    step: { readonly step_index: number; readonly arguments: unknown },
    capability: KnownCapability | undefined,
  ) {
    if (capability === undefined) return [];
    return this.#capabilities.argumentFaults(capability, step.arguments).map(({ path, message }) => ({
      path: `plan_steps[step_index=${step.step_index}].arguments${path === '' ? '' : `.${path}`}`,
      message,
    }));
  }

  async hooks(rules: CommitRules, locus: ExecutionLocus, input: StageWorkInput): Promise<readonly FailedHook[]> {
    const rows = await this.#facts.rows(factIdsOf(input));
    const upstream = new Map(
      [...rows].map(([id, row]): [string, Upstream] => [
        id,
        {
          verified: row['epistemic_status'] === 'VERIFIED_FACT',
          active: row['freshness'] === 'CURRENT' && row['superseded_at'] === null,
        },
      ]),
    );
    const attestation = attestationFailure(rules.minimum_attestation, locus);
    return [...failedHooks(rules.hooks, input, upstream), ...(attestation === null ? [] : [attestation])];
  }

  /** The strictest answer over all steps. Throws POLICY_DENIED. */
  policy(
    plan: CheckedPlan,
    rules: CommitRules,
    input: StageWorkInput,
    principal: Principal,
    goal: unknown,
  ): PolicyDecision {
    const decisions = plan.steps.map((step, index): PolicyDecision => {
      const capability = plan.capabilities[index];
      return this.#options.decidePolicy(
        {
          verb: step.capability_id,
          risk: capability === undefined ? 'asks' : riskOf(capability, input.commitment.reversible),
          principal,
        },
        {
          capability: step.capability_id,
          arguments: step.arguments,
          surface: null,
          target: null,
          principal: { ...principal.ref },
          goal,
          commitment: input.commitment,
        },
      );
    });
    const strictest = decisions.toSorted((a, b) => strength[b.effect] - strength[a.effect])[0];
    if (strictest === undefined) throw invalid('plan_steps', 'Give at least one step.');
    if (strictest.effect === 'deny') {
      throw new SignalboxError('POLICY_DENIED', `${strictest.because} Nothing was staged.`, {
        details: { policy_id: strictest.policy_id, policy_version: strictest.policy_version },
      });
    }
    const matched = [
      ...new Map(decisions.flatMap((decision) => decision.matched).map((entry) => [entry.policy_id, entry])).values(),
    ];
    return this.#withRules({ ...strictest, matched }, rules, input, principal);
  }

  #withRules(
    decision: PolicyDecision,
    rules: CommitRules,
    input: StageWorkInput,
    principal: Principal,
  ): PolicyDecision {
    const asks = (because: string): PolicyDecision => ({ ...decision, effect: 'require_approval', because });
    if (decision.effect === 'require_approval') return decision;
    if (rules.quorum > 1) return asks(`A policy wants ${rules.quorum} people to agree.`);
    if (principal.ref.type !== 'agent') return decision;
    if (rules.require_human_approval) return asks("A policy on this goal asks for a person's yes.");
    const allowed = decision.policy_id !== null;
    if (!input.commitment.reversible && !allowed)
      return asks('It cannot be taken back (reversible is false), so a person decides.');
    return decision;
  }
}

const argumentError = (issues: readonly { readonly path: string; readonly message: string }[]): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `Wrong arguments: ${issues[0]?.path ?? ''}: ${issues[0]?.message ?? ''}`, {
    details: { issues },
  });

export const hookError = (failed: readonly FailedHook[], workId: string, what: string): SignalboxError =>
  new SignalboxError('CAOP_422_PRECOMMIT_HOOK_FAILED', `${what} ${failed[0]?.remediation ?? ''}`, {
    details: { failed_hooks: failed, work_id: workId },
  });
