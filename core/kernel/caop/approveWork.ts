import type { SteeringDelta } from '../../contracts/caop/compact.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { EventPayload } from '../../contracts/events.ts';
import type { Principal } from '../../contracts/principal.ts';
import type { CompactCommand } from '../../domain/caop/decideCompact.ts';
import { notOpen } from '../../domain/caop/decideCompact.ts';
import { mayNotVote, quorumReached } from '../../domain/caop/approvalVotes.ts';
import type { CompactWork } from '../../domain/caop/compactState.ts';
import { doneSteps } from '../../domain/caop/compactState.ts';
import { inherited } from '../../domain/caop/childScope.ts';
import { steer } from '../../domain/caop/steering.ts';
import { forbidden, invalid } from './caopErrors.ts';
import { requirePerson } from './caopPrincipals.ts';
import { factIdsOf, hookError } from './planChecks.ts';
import type { StageParts } from './stageWork.ts';
import { compactBinding, ratification, scopeOf, termsOf } from './stageWork.ts';
import { textColumn } from '../textColumn.ts';

export interface Ballot {
  readonly note: string | null;
  readonly scope: Record<string, unknown> | null;
  readonly expires_at: string | null;
  /** As the decider saw it; null when the protocol has no place for it. */
  readonly binding_hash: string | null;
  readonly delta: SteeringDelta | null;
}

const voterOf = (principal: Principal) => ({ ref: principal.ref, roles: principal.roles });

/** Votes, denials and steering of compact work. Called under the queue of the ledger. */
export class WorkApprover {
  readonly #parts: StageParts;

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  /** The work after the vote: pending still when the quorum is not reached. */
  async approve(work: CompactWork, ballot: Ballot, principal: Principal): Promise<CompactWork> {
    requirePerson(principal, 'approve');
    this.#refuseLateDecision(work, ballot);
    if (work.approval !== null) {
      const fault = mayNotVote(work.approval, voterOf(principal), work.staged.principal);
      if (fault !== null) throw forbidden(fault);
    }
    const fresh = await this.#voidedByFacts(work);
    if (fresh !== null) throw fresh;
    const steered = ballot.delta === null ? null : await this.#steered(work, ballot.delta, principal);
    if (steered !== null && 'refused' in steered) throw steered.refused;
    const reopened = await this.#reopened(work, steered !== null, principal);
    const vote: CompactCommand = {
      type: 'vote',
      voter: voterOf(principal),
      decision: steered === null ? 'approve' : 'steer',
      note: ballot.note,
      scope: ballot.scope,
      expires_at: ballot.expires_at,
      binding_hash: null,
    };
    const commands: CompactCommand[] = [...(steered === null ? [] : [steered.command]), ...reopened, vote];
    return this.#write(work, commands, principal);
  }

  /** Appends the commands; facts are ratified with them when the work is free to run afterwards. */
  async #write(work: CompactWork, commands: readonly CompactCommand[], principal: Principal): Promise<CompactWork> {
    const { ledger } = this.#parts;
    const { decision, after } = ledger.decide(work, commands);
    if (after.status !== 'EXECUTE_PENDING') {
      await ledger.append([decision], work.staged.input.goal_id);
      return after;
    }
    const replacedId = work.staged.input.supersedes_work_id;
    const replaced = replacedId === undefined ? null : await ledger.find(replacedId);
    const gives = replaced !== null && replaced.superseded_by === null ? replaced : null;
    const own = [...work.staged.derived_fact_ids, work.staged.commitment_fact_id ?? ''].filter((id) => id !== '');
    const change = await ledger.factDecision(
      { ...ratification(work, gives), promote: own.map((fact_id) => ({ fact_id, status: 'RATIFIED_COMMITMENT' })) },
      `ratified ${work.work_id}`,
      principal.ref,
    );
    const superseding =
      gives === null ? [] : [ledger.decide(gives, [{ type: 'supersede', by_work_id: work.work_id }]).decision];
    await ledger.append([decision, ...superseding, ...change], work.staged.input.goal_id);
    return after;
  }

  /** A proposal that failed its checks asks afresh: with the terms of the policies as they are now. */
  async #reopened(work: CompactWork, steered: boolean, principal: Principal): Promise<readonly CompactCommand[]> {
    if (work.status !== 'CANDIDATE_PROPOSAL') return [];
    const { checks, policies, options } = this.#parts;
    const rules = await policies.rulesFor(work.staged.input.goal_id, await this.#inheritedBy(work));
    if (!steered) {
      const failed = await checks.hooks(rules, work.staged.execution_locus, work.staged.input);
      if (failed.length > 0) throw hookError(failed, work.work_id, 'The checks before commitment still fail.');
    }
    const terms = termsOf(options, rules);
    const fault = mayNotVote(terms, voterOf(principal), work.staged.principal);
    if (fault !== null) throw forbidden(fault);
    return [{ type: 'request_approval', approval: terms }];
  }

  /** Decided work that has not been dispatched: a person may still change what will be done. */
  async steerPending(work: CompactWork, delta: SteeringDelta, principal: Principal): Promise<CompactWork> {
    requirePerson(principal, 'steer');
    if ((work.approval?.quorum ?? 1) > 1) {
      throw forbidden(
        'Several people agreed to this plan as it is: one alone cannot change it now. Reject it and have it staged again.',
      );
    }
    const steered = await this.#steered(work, delta, principal);
    if ('refused' in steered) throw steered.refused;
    return this.#write(work, [steered.command], principal);
  }

  #refuseLateDecision(work: CompactWork, ballot: Ballot): void {
    if (work.status === 'CANDIDATE_PROPOSAL') return;
    const closed = notOpen(work, ballot.binding_hash, this.#parts.ledger.now());
    if (closed !== null) throw new SignalboxError(closed.code, closed.message, { details: closed.details });
    if (ballot.expires_at !== null && ballot.expires_at <= this.#parts.ledger.now()) {
      throw invalid('expires_at', 'Give a time in the future.');
    }
  }

  async deny(
    work: CompactWork,
    reason: string | null,
    bindingHash: string | null,
    principal: Principal,
  ): Promise<CompactWork> {
    requirePerson(principal, 'deny');
    const command = {
      type: 'deny',
      voter: voterOf(principal),
      reason,
      invocation_id: this.#parts.options.ids.id('inv'),
      binding_hash: bindingHash,
    } as const;
    return this.#write(work, [command], principal);
  }

  /** A fact that the work rests on no longer holds: the approval is void, and says which fact. */
  async #voidedByFacts(work: CompactWork): Promise<SignalboxError | null> {
    return work.approval === null ? null : this.voidIfStale(work);
  }

  async voidIfStale(work: CompactWork): Promise<SignalboxError | null> {
    const { ledger } = this.#parts;
    const open = work.approval?.status === 'pending' || work.approval?.status === 'granted';
    if (!open) return null;
    const own = [
      ...work.staged.derived_fact_ids,
      ...(work.staged.commitment_fact_id === null ? [] : [work.staged.commitment_fact_id]),
    ];
    const rows = [...(await ledger.facts.rows(own)).values()].filter((row) => row['freshness'] !== 'CURRENT');
    if (rows.length === 0) return null;
    const causes = [
      ...new Set(
        rows.map(
          (row) =>
            (row['invalidation'] as { invalidated_by_fact_id?: string } | null)?.invalidated_by_fact_id ??
            textColumn(row, 'fact_id'),
        ),
      ),
    ];
    const because = `A fact it relied on no longer holds: ${causes.join(', ')} came in its way.`;
    const { decision } = ledger.decide(work, [{ type: 'void_approval', because, fact_ids: causes }]);
    await ledger.append([decision], work.staged.input.goal_id);
    return new SignalboxError(
      'STATE_VERSION_CONFLICT',
      `The approval is void. ${because} Look at the facts again and stage an updated plan.`,
      {
        details: { reason: 'APPROVAL_VOID', work_id: work.work_id, fact_ids: causes },
      },
    );
  }

  async #inheritedBy(work: CompactWork): Promise<readonly string[]> {
    const parentId = work.staged.input.parent_work_id;
    const parent = parentId === undefined ? null : await this.#parts.ledger.find(parentId);
    const own = work.constraints.filter(({ enforced }) => enforced).map(({ text }) => text);
    return inherited(parent === null ? null : scopeOf(parent), own);
  }

  async #steered(
    work: CompactWork,
    delta: SteeringDelta,
    principal: Principal,
  ): Promise<{ readonly command: CompactCommand } | { readonly refused: SignalboxError }> {
    const { checks, policies, ledger } = this.#parts;
    const steered = steer(work.steps, delta, doneSteps(work));
    if (!steered.ok) throw invalid(steered.path, steered.message);
    const input = {
      ...work.staged.input,
      plan_steps: steered.steps.map(({ step_index, capability_id, arguments: args }) => ({
        step_index,
        capability_id,
        arguments: args,
      })),
    };
    const plan = await checks.shape(input.plan_steps);
    const known = new Set((await policies.inForce()).map(({ policy }) => policy.policy_id));
    const constraints = (delta.added_policy_constraints ?? []).map((text) => ({ text, enforced: known.has(text) }));
    const enforced = constraints.filter((constraint) => constraint.enforced).map(({ text }) => text);
    const rules = await policies.rulesFor(input.goal_id, [...(await this.#inheritedBy(work)), ...enforced]);
    const failed = await checks.hooks(rules, plan.locus, input);
    const payload: EventPayload<'compact.steered'> = {
      by: principal.ref,
      before: work.steps.map(({ step_index, arguments: args }) => ({ step_index, arguments: args })),
      after: plan.steps.map(({ step_index, arguments: args }) => ({ step_index, arguments: args })),
      rationale: delta.rationale ?? null,
      constraints,
      binding_hash: compactBinding(plan.steps, rules.policies, factIdsOf(input)),
    };
    if (failed.length === 0) return { command: { type: 'steer', steered: payload } };
    const { decision } = ledger.decide(work, [{ type: 'fail_hooks', by: principal.ref, failed_hooks: [...failed] }]);
    await ledger.append([decision], work.staged.input.goal_id);
    return {
      refused: hookError(
        failed,
        work.work_id,
        'The patched plan failed a pre-commit hook; the work is a proposal again (CANDIDATE_PROPOSAL).',
      ),
    };
  }
}

export const belowQuorum = (work: CompactWork): { readonly votes: number; readonly needed: number } | null => {
  const { approval } = work;
  if (approval === null || approval.status !== 'pending' || quorumReached(approval, approval.votes)) return null;
  return { votes: approval.votes.length, needed: approval.quorum };
};
