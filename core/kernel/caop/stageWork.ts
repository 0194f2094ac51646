import type { FailedHook } from '../../contracts/caop/base.ts';
import type { StageWorkInput, StageWorkResult } from '../../contracts/caop/compact.ts';
import type { ApprovalTerms } from '../../contracts/caopEvents.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { EventPayload } from '../../contracts/events.ts';
import type { Principal } from '../../contracts/principal.ts';
import { beyondParent, inherited, type ParentScope } from '../../domain/caop/childScope.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { openLeaseOf } from '../../domain/caop/compactState.ts';
import type { Decision } from '../eventWriter.ts';
import { forbidden, invalid } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { requireActor } from './caopPrincipals.ts';
import type { CommitPolicyBook, CommitRules } from './commitPolicyBook.ts';
import type { CompactLedger } from './compactLedger.ts';
import { hashOf } from './compactLedger.ts';
import type { FactPlan, NewFact } from './factLedger.ts';
import type { GoalBook } from './goalBook.ts';
import type { CheckedPlan, PlanChecks } from './planChecks.ts';
import { factIdsOf, hookError } from './planChecks.ts';

export const DEFAULT_APPROVAL_MS = 15 * 60_000;

export interface StageParts {
  readonly options: CaopOptions;
  readonly ledger: CompactLedger;
  readonly goals: GoalBook;
  readonly policies: CommitPolicyBook;
  readonly checks: PlanChecks;
}

/** What an approval of compact work is a claim about. */
export const compactBinding = (
  steps: CheckedPlan['steps'],
  policies: readonly unknown[],
  premises: readonly string[],
): string =>
  hashOf({
    steps: steps.map(({ step_index, capability_id, arguments: args }) => ({
      step_index,
      capability_id,
      arguments: args,
    })),
    policies,
    premises,
  });

export const termsOf = (options: CaopOptions, rules: CommitRules): ApprovalTerms => {
  const ms =
    rules.round_seconds === null ? (options.approvalTtlMs ?? DEFAULT_APPROVAL_MS) : rules.round_seconds * 1_000;
  return {
    approval_id: options.ids.id('apr'),
    expires_at: new Date(options.clock.now() + ms).toISOString(),
    round_seconds: Math.ceil(ms / 1_000),
    quorum: rules.quorum,
    required_roles: [...rules.required_roles],
    escalate_to: rules.escalate_to,
  };
};

/** Constraints that a child takes over from its parent. */
export const scopeOf = (parent: CompactWork): ParentScope => ({
  capabilities: [...new Set(parent.steps.map(({ capability_id }) => capability_id))],
  constraints: [
    ...parent.staged.commit_policies.map(({ policy_id }) => policy_id),
    ...parent.constraints.filter(({ enforced }) => enforced).map(({ text }) => text),
  ],
});

/** UNDERSTAND → COMMIT → PLAN. Nothing is invoked; what fails a check stays as a proposal. */
export class WorkStager {
  readonly #parts: StageParts;

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  stage(input: StageWorkInput, principal: Principal): Promise<StageWorkResult> {
    requireActor(principal);
    return this.#parts.ledger.exclusive(() => this.#stage(input, principal));
  }

  async #stage(input: StageWorkInput, principal: Principal): Promise<StageWorkResult> {
    const { ledger, goals, policies, checks } = this.#parts;
    if (input.isolation_policy !== undefined && input.parent_work_id === undefined) {
      throw invalid('isolation_policy', 'It is for child scopes: give parent_work_id too, or leave it out.');
    }
    const plan = await checks.shape(input.plan_steps);
    const goal = await goals.known(input.goal_id, principal, 'goal_id');
    const parent = await this.#parent(input, principal);
    const replaced = await this.#replaced(input, principal);
    await ledger.refuseLocked(principal);
    await this.#refuseUnknownFacts(input);
    const rules = await policies.rulesFor(input.goal_id, inherited(parent, []));
    const failed = await checks.hooks(rules, plan.locus, input);
    const policy = checks.policy(plan, rules, input, principal, { id: goal.id, status: goal.status });
    const staged = this.#event(input, principal, plan, rules, policy, failed);
    const { workId, payload, facts } = staged;
    const runs = payload.failed_hooks.length === 0 && payload.approval === null;
    const ratified = runs ? ratification({ staged: payload }, replaced) : {};
    const change = await ledger.factDecision({ ...ratified, record: facts(runs) }, `staged ${workId}`, principal.ref);
    const superseding =
      runs && replaced !== null ? [ledger.decide(replaced, [{ type: 'supersede', by_work_id: workId }]).decision] : [];
    const decision: Decision = { stream: workId, version: 0, events: [{ type: 'compact.staged', payload }] };
    await ledger.append([decision, ...superseding, ...change], input.goal_id);
    if (failed.length > 0) {
      throw hookError(
        failed,
        workId,
        'One or more pre-commit hooks failed. The work stays a proposal (CANDIDATE_PROPOSAL).',
      );
    }
    return runs
      ? {
          work_id: workId,
          lifecycle_stage: 'EXECUTE',
          sub_state: 'EXECUTE_PENDING',
          epistemic_status: 'RATIFIED_COMMITMENT',
        }
      : {
          work_id: workId,
          lifecycle_stage: 'COMMIT',
          sub_state: 'COMMIT_AWAITING_APPROVAL',
          epistemic_status: 'CANDIDATE_PROPOSAL',
        };
  }

  async #parent(input: StageWorkInput, principal: Principal): Promise<ParentScope | null> {
    if (input.parent_work_id === undefined) return null;
    const parent = await this.#parts.ledger.visible(input.parent_work_id, principal);
    const scope = scopeOf(parent);
    const beyond = beyondParent(scope, input.plan_steps);
    if (beyond.length > 0) {
      throw forbidden(
        `The parent's plan does not name ${beyond.join(', ')}: a child scope can only narrow it. Its capabilities: ${scope.capabilities.join(', ')}.`,
        {
          capability_ids: beyond,
          parent_work_id: parent.work_id,
        },
      );
    }
    return scope;
  }

  async #replaced(input: StageWorkInput, principal: Principal): Promise<CompactWork | null> {
    if (input.supersedes_work_id === undefined) return null;
    const old = await this.#parts.ledger.visible(input.supersedes_work_id, principal);
    if (openLeaseOf(old) !== null || old.superseded_by !== null) {
      const why =
        old.superseded_by === null
          ? 'it has an open lease; settle that first'
          : `${old.superseded_by} replaced it already`;
      throw new SignalboxError('INVALID_TRANSITION', `${old.work_id} cannot be replaced: ${why}.`, {
        details: { work_id: old.work_id },
      });
    }
    return old;
  }

  async #refuseUnknownFacts(input: StageWorkInput): Promise<void> {
    const unknown = await this.#parts.ledger.facts.unknown(factIdsOf(input));
    if (unknown.length === 0) return;
    throw new SignalboxError(
      'CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID',
      `There is no fact ${unknown.join(', ')}. Name facts that a pulse, a receipt or /x/facts has given.`,
      {
        details: { unknown_fact_ids: unknown },
      },
    );
  }

  #event(
    input: StageWorkInput,
    principal: Principal,
    plan: CheckedPlan,
    rules: CommitRules,
    policy: EventPayload<'compact.staged'>['policy'],
    failed: readonly FailedHook[],
  ): { workId: string; payload: EventPayload<'compact.staged'>; facts: (ratified: boolean) => readonly NewFact[] } {
    const { options } = this.#parts;
    const workId = options.ids.id('wrk');
    const derived = input.understanding.derived_facts.map(() => options.ids.id('fct'));
    const commitmentFact = options.ids.id('fct');
    const asks = failed.length === 0 && policy.effect === 'require_approval';
    const premises = factIdsOf(input);
    const matched = [...policy.matched, ...rules.policies];
    const payload: EventPayload<'compact.staged'> = {
      principal: principal.ref,
      roles: [...principal.roles],
      token_id: principal.tokenId,
      surfaces: principal.surfaces === null ? null : [...principal.surfaces],
      input,
      execution_locus: plan.locus,
      steps: [...plan.steps],
      policy,
      commit_policies: [...rules.policies],
      failed_hooks: [...failed],
      approval: asks ? termsOf(options, rules) : null,
      binding_hash: compactBinding(plan.steps, matched, premises),
      commitment_id: options.ids.id('com'),
      commitment_fact_id: commitmentFact,
      derived_fact_ids: derived,
      premise_fact_ids: [...premises],
      hold_record: rules.minimum_attestation === 'USER_CONFIRMED',
    };
    return { workId, payload, facts: (ratified) => this.#facts(workId, payload, ratified) };
  }

  #facts(workId: string, staged: EventPayload<'compact.staged'>, ratified: boolean): readonly NewFact[] {
    const { input, principal, derived_fact_ids, commitment_fact_id } = staged;
    const common = {
      status: ratified ? 'RATIFIED_COMMITMENT' : 'CANDIDATE_PROPOSAL',
      goal_id: input.goal_id,
      work_id: workId,
      principal,
      provenance: {
        work_id: workId,
        execution_locus: staged.execution_locus,
        attestation: principal.type === 'agent' ? 'HOST_ASSERTED' : 'USER_CONFIRMED',
      },
    } as const;
    const derived = input.understanding.derived_facts.map((fact, index): NewFact => ({
      ...common,
      fact_id: derived_fact_ids[index] ?? '',
      subject: fact.subject,
      predicate: fact.predicate,
      object: fact.object,
      depends_on_fact_ids: fact.depends_on_fact_ids ?? [],
      ...(fact.depends_on_alternatives === undefined ? {} : { depends_on_alternatives: fact.depends_on_alternatives }),
      ...(fact.valid_from === undefined ? {} : { valid_from: fact.valid_from }),
      kind: 'derived',
    }));
    const { title, rationale } = input.commitment;
    const commitment: NewFact = {
      ...common,
      fact_id: commitment_fact_id ?? '',
      subject: `work/${workId}`,
      predicate: 'commitment',
      object: { title, rationale },
      depends_on_fact_ids: derived_fact_ids,
      kind: 'commitment',
    };
    return [...derived, commitment];
  }
}

/** What adoption does to facts: the work's own are ratified, the commitment it replaces gives way. */
export const ratification = (
  work: { readonly staged: EventPayload<'compact.staged'> },
  replaced: CompactWork | null,
): Pick<FactPlan, 'supersede'> => {
  const { commitment_fact_id, input } = work.staged;
  const old = replaced?.staged.commitment_fact_id ?? null;
  if (old === null || commitment_fact_id === null) return {};
  return {
    supersede: [{ fact_id: old, by_fact_id: commitment_fact_id, reason: `Replaced by "${input.commitment.title}".` }],
  };
};
