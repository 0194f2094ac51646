import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../core/contracts/principal.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { agent, person, startCaopStage, type CaopStage } from '../support/caopStage.ts';
import { goalId, pull, pulseWith, refusal, registerHooks, registerPull, rfc, setGoal, settleAs } from '../support/paymentLedger.ts';
import { settled } from '../support/manualClock.ts';

const ann = person('ann');
const bob = person('bob');
const viewer = person('val', ['viewer']);
const bot = agent('planner');
const other = agent('other');
const go = (work_id: string) => ({ work_id, decision: 'APPROVE_AND_DISPATCH' }) as const;

/** Who may what, and what a decision binds: alike on every store. */
export const caopRulesContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`rules of the CAOP kernel on ${name}`, () => {
    let stage: CaopStage;
    beforeEach(async () => {
      stage = await startCaopStage(open);
      await setGoal(stage);
      await registerPull(stage);
    });
    afterEach(async () => stage[Symbol.asyncDispose]());

    const stageIt = async (title = 'Plan', rests: readonly string[] = []): Promise<string> =>
      (await stage.caop.stager.stage(rfc(title, rests), bot)).work_id;
    const approvalOf = async (workId: string) => {
      const all = await stage.caop.approvals.list(ann, 'all', 100);
      const found = all.find(({ work_id }) => work_id === workId);
      if (found === undefined) throw new Error(`No approval of ${workId}.`);
      return found;
    };
    const observe = async (summary: string, supersedes?: string): Promise<string> => {
      await stage.caop.pulser.pulse(
        pulseWith([{ source: 'ci', summary, ...(supersedes === undefined ? {} : { supersedes_fact_id: supersedes }) }]),
        bot,
      );
      const { facts } = await stage.caop.facts.list({ candidates: true, limit: 100 }, ann);
      return facts.find((fact) => fact.kind === 'observed' && (fact.object as { summary: string }).summary === summary)?.fact_id ?? '';
    };
    const route = (routing: { min_quorum: number; escalate?: 'admin' }) =>
      stage.caop.commitPolicies.register(
        { policy_id: 'two', require_human_approval: true, pre_commit_hooks: [] },
        { required_roles: ['approver'], min_quorum: routing.min_quorum, expiration_seconds: 60, escalate_to_role_on_timeout: routing.escalate ?? null },
        ann,
      );

    describe('no way round', () => {
      const forbidden: readonly [string, (work: string) => Promise<unknown>, Principal, string][] = [
        ['an agent approves by dispatch', (work) => stage.caop.dispatcher.dispatch(go(work), bot), bot, 'POLICY_APPROVAL_REQUIRED'],
        ['another agent dispatches it', (work) => stage.caop.dispatcher.dispatch(go(work), other), other, 'NOT_FOUND'],
        ['a viewer dispatches it', (work) => stage.caop.dispatcher.dispatch(go(work), viewer), viewer, 'FORBIDDEN'],
        ['an agent steers it', (work) => stage.caop.dispatcher.dispatch({ work_id: work, decision: 'APPROVE_WITH_STEERING_DELTA', steering_delta: {} }, bot), bot, 'FORBIDDEN'],
        ['another agent rejects it', (work) => stage.caop.dispatcher.dispatch({ work_id: work, decision: 'REJECT_WORK' }, other), other, 'NOT_FOUND'],
        ['an agent decides the approval', async (work) => stage.caop.approvals.decide((await approvalOf(work)).approval_id, { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' }, bot), bot, 'FORBIDDEN'],
        ['a viewer decides the approval', async (work) => stage.caop.approvals.decide((await approvalOf(work)).approval_id, { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' }, viewer), viewer, 'FORBIDDEN'],
        ['an agent moves it by transitions', (work) => stage.caop.executions.transition(work, { expected_state: 'WAITING_APPROVAL', target_state: 'READY' }, bot), bot, 'INVALID_TRANSITION'],
        ['another agent moves it by transitions', (work) => stage.caop.executions.transition(work, { expected_state: 'WAITING_APPROVAL', target_state: 'READY' }, other), other, 'NOT_FOUND'],
        ['another agent reads it', (work) => stage.caop.executions.get(work, other), other, 'NOT_FOUND'],
        ['an agent submits a result to it', (work) => stage.caop.executions.submit(work, { evidence_refs: [], idempotency_key: 'k' }, bot), bot, 'INVALID_TRANSITION'],
        ['another agent settles it', (work) => stage.caop.settler.settle({ work_id: work, invocation_id: 'i', idempotency_key: 'k', nonce: 'n', status: 'SUCCEEDED' }, other), other, 'NOT_FOUND'],
        ['a person settles it as the host', (work) => stage.caop.settler.settle({ work_id: work, invocation_id: 'i', idempotency_key: 'k', nonce: 'n', status: 'SUCCEEDED' }, ann), ann, 'FORBIDDEN'],
        ['an agent registers a capability', () => stage.caop.capabilities.withdraw(pull, bot), bot, 'FORBIDDEN'],
        ['an agent withdraws a policy', () => stage.caop.commitPolicies.withdraw('two', bot), bot, 'FORBIDDEN'],
        ['an agent sets a goal', () => stage.caop.goals.change(goalId, 'achieved', 'done', bot), bot, 'FORBIDDEN'],
        ['an agent answers a question', () => stage.caop.verifications.answer('q', 'yes', null, bot), bot, 'FORBIDDEN'],
        ['an agent confirms its own work', async (work) => stage.caop.confirm(work, 'yes', bot), bot, 'FORBIDDEN'],
        ['an agent resolves an unknown outcome', (work) => stage.caop.settler.resolve(work, { outcome: 'happened', note: 'x' }, bot), bot, 'FORBIDDEN'],
        ['a viewer observes', () => stage.caop.observations.ingest({ source: { provider: 'a', resource_id: 'b' }, type: 't', occurred_at: '2026-01-01T00:00:00Z', idempotency_key: 'k' }, viewer), viewer, 'FORBIDDEN'],
        ['a viewer stages', () => stage.caop.stager.stage(rfc('Mine', []), viewer), viewer, 'FORBIDDEN'],
      ];
      it.each(forbidden)('%s: refused, nothing written', async (_what, attempt, _who, code) => {
        const work = await stageIt();
        const head = await stage.store.head();
        expect(await refusal((async () => attempt(work))())).toMatchObject({ code });
        expect(await stage.store.head()).toBe(head);
      });

      it('an agent completes no commitment by records.commit, its own or of compact work', async () => {
        const { commitment_id } = await stage.caop.commitments.create({ goal_id: goalId, objective: 'x', success_criteria: [] }, bot);
        const { state_version } = await stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: [] }, bot);
        const commit = (entity_id: string, value: unknown, who = bot, operation = 'set_status') =>
          refusal(stage.caop.records.commit({ expected_state_version: state_version, changes: [{ entity_id, operation, value }] }, who));
        expect(await commit(commitment_id, 'completed')).toMatchObject({ code: 'FORBIDDEN' });
        expect(await commit(commitment_id, 'cancelled', other)).toMatchObject({ code: 'NOT_FOUND' });
        expect(await commit(goalId, 'achieved')).toMatchObject({ code: 'FORBIDDEN' });
        expect(await commit('wrk_1', 'EXECUTE_COMPLETED')).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await commit('apr_1', 'granted')).toMatchObject({ code: 'INVALID_REQUEST' });
        await stageIt();
        const own = (await stage.caop.commitments.list({}, bot)).data.find(({ objective }) => objective === 'Plan');
        const now = (await stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: [] }, bot)).state_version;
        expect(
          await refusal(stage.caop.records.commit({ expected_state_version: now, changes: [{ entity_id: own?.commitment_id ?? '', operation: 'set_status', value: 'completed' }] }, bot)),
        ).toMatchObject({ code: 'FORBIDDEN' });
      });
    });

    describe('approvals', () => {
      it('nobody approves what they staged', async () => {
        await route({ min_quorum: 2 });
        const { work_id } = await stage.caop.stager.stage(rfc('Mine', []), ann);
        expect(await refusal(stage.caop.dispatcher.dispatch(go(work_id), ann))).toMatchObject({ code: 'FORBIDDEN' });
      });

      it('a quorum of two: a vote below it is told as such, a steer voids earlier votes, the same person counts once', async () => {
        await route({ min_quorum: 2 });
        const work = await stageIt();
        const id = (await approvalOf(work)).approval_id;
        const until = '2027-01-01T00:00:00Z';
        expect(await stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann)).toEqual({ kind: 'counting', votes: 1, needed: 2 });
        expect(await stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann)).toEqual({ kind: 'counting', votes: 1, needed: 2 });
        const steer = { work_id: work, decision: 'APPROVE_WITH_STEERING_DELTA', steering_delta: { patched_step_arguments: [{ step_index: 1, argument_overrides: { draft: true } }] } } as const;
        expect(await refusal(stage.caop.dispatcher.dispatch(steer, bob))).toMatchObject({ code: 'POLICY_APPROVAL_REQUIRED', details: { votes: 1, needed: 2 } });
        expect(await stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann)).toMatchObject({ kind: 'decided' });
        expect(await refusal(stage.caop.approvals.decide(id, { decision: 'deny', expires_at: until }, bob))).toMatchObject({ code: 'STATE_VERSION_CONFLICT', details: { status: 'granted' } });
      });

      it('a decision on something else than what was seen is refused', async () => {
        const work = await stageIt();
        const seen = await approvalOf(work);
        expect(await refusal(stage.caop.approvals.decideView(seen.approval_id, { decision: 'approve', binding_hash: '0'.repeat(64) }, ann))).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
        expect(await stage.caop.approvals.decideView(seen.approval_id, { decision: 'steer', reason: 'draft', steering_delta: { step_1: { draft: true } }, binding_hash: seen.binding_hash }, ann)).toMatchObject({
          status: 'granted',
          steered_arguments: { step_1: { draft: true } },
        });
      });

      it('nobody decides: it escalates once, then expires, and is recorded as expiry', async () => {
        await route({ min_quorum: 1, escalate: 'admin' });
        const work = await stageIt();
        await stage.clock.advance(61_000);
        expect(await refusal(stage.caop.dispatcher.dispatch(go(work), ann))).toMatchObject({ code: 'FORBIDDEN' });
        await stage.clock.advance(61_000);
        expect((await approvalOf(work)).status).toBe('expired');
        expect(await refusal(stage.caop.dispatcher.dispatch(go(work), person('root', ['admin'])))).toMatchObject({ code: 'INVALID_TRANSITION' });
        expect(stage.background).toEqual([]);
      });

      it('an approval granted and not used expires too', async () => {
        const work = await stageIt();
        const seen = await approvalOf(work);
        await stage.caop.approvals.decideView(seen.approval_id, { decision: 'approve', binding_hash: seen.binding_hash }, ann);
        await stage.clock.advance(16 * 60_000);
        expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({ code: 'INVALID_TRANSITION' });
      });

      it('a premise that goes voids the approval at once, naming the fact', async () => {
        const october = await observe('12ms');
        const work = await stageIt('Plan', [october]);
        const seen = await approvalOf(work);
        await stage.caop.approvals.decideView(seen.approval_id, { decision: 'approve', binding_hash: seen.binding_hash }, ann);
        const november = await observe('48ms', october);
        await settled();
        const now = await approvalOf(work);
        expect(now.status).toBe('void');
        expect(now.ended_because).toContain(november);
        expect(await refusal(stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({ code: 'STATE_VERSION_CONFLICT', details: { reason: 'APPROVAL_VOID' } });
      });

      it('arguments that break the input schema are refused when staged and when steered', async () => {
        const bad = rfc('Plan', [], { plan_steps: [{ step_index: 1, capability_id: pull, arguments: { repo: 3 } }] });
        expect(await refusal(stage.caop.stager.stage(bad, bot))).toMatchObject({ code: 'INVALID_REQUEST' });
        const work = await stageIt();
        const steer = { work_id: work, decision: 'APPROVE_WITH_STEERING_DELTA', steering_delta: { patched_step_arguments: [{ step_index: 1, argument_overrides: { draft: 'yes' } }] } } as const;
        expect(await refusal(stage.caop.dispatcher.dispatch(steer, ann))).toMatchObject({ code: 'INVALID_REQUEST' });
        expect((await approvalOf(work)).status).toBe('pending');
      });

      it('a steer that adds an enforced constraint is held against it, and the work goes back to a proposal', async () => {
        const work = await stageIt();
        await stage.caop.commitPolicies.register({ policy_id: 'kernel_only', scope_goal_types: ['nothing'], minimum_attestation: 'KERNEL_ATTESTED', pre_commit_hooks: [] }, null, ann);
        const steer = { work_id: work, decision: 'APPROVE_WITH_STEERING_DELTA', steering_delta: { added_policy_constraints: ['kernel_only'] } } as const;
        expect(await refusal(stage.caop.dispatcher.dispatch(steer, ann))).toMatchObject({
          code: 'CAOP_422_PRECOMMIT_HOOK_FAILED',
          details: { failed_hooks: [{ hook_id: 'MINIMUM_ATTESTATION' }] },
        });
        const pulse = await stage.caop.pulser.pulse(pulseWith(), bot);
        expect(pulse.resume_brief.unassigned_blockers).toMatchObject([{ work_id: work, missing_hook: 'MINIMUM_ATTESTATION' }]);
      });
    });

    describe('facts', () => {
      it('more dependents than the limit: 413 with the count, nothing applied', async () => {
        await stage[Symbol.asyncDispose]();
        stage = await startCaopStage(open, { maxInvalidationSubgraph: 3 });
        await setGoal(stage);
        await registerPull(stage);
        const root = await observe('root');
        for (const title of ['A', 'B']) await stageIt(title, [root]);
        const head = await stage.store.head();
        const events = [{ source: 'ci', summary: 'new', supersedes_fact_id: root }];
        expect(await refusal(stage.caop.pulser.pulse(pulseWith(events), bot))).toMatchObject({
          code: 'CAOP_413_INVALIDATION_SUBGRAPH_TOO_LARGE',
          details: { superseded_fact_id: root, affected_subgraph_size: 4, max_invalidation_subgraph: 3 },
        });
        expect(await stage.store.head()).toBe(head);
      });

      it('unknown facts are named, and superseding one that is unknown or superseded is refused', async () => {
        expect(await refusal(stage.caop.stager.stage(rfc('Plan', ['fct_no']), bot))).toMatchObject({
          code: 'CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID',
          details: { unknown_fact_ids: ['fct_no'] },
        });
        expect(await refusal(observe('x', 'fct_no'))).toMatchObject({ code: 'INVALID_REQUEST' });
        const a = await observe('a');
        await observe('b', a);
        expect(await refusal(observe('c', a))).toMatchObject({ code: 'INVALID_REQUEST' });
      });

      it('says what was known at a time, and of what was valid then', async () => {
        const a = await observe('a');
        const before = new Date(stage.clock.now()).toISOString();
        await stage.clock.advance(60_000);
        const b = await observe('b', a);
        const list = async (known_at?: string) =>
          (await stage.caop.facts.list({ candidates: false, limit: 10, ...(known_at === undefined ? {} : { known_at }) }, ann)).facts.map(({ fact_id }) => fact_id);
        expect(await list()).toEqual([b]);
        expect(await list(before)).toEqual([a]);
      });

      it('a new support makes a stale fact hold again; a circle is refused', async () => {
        const a = await observe('a');
        const version = async () => (await stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: [] }, ann)).state_version;
        const commit = async (changes: { entity_id: string; operation: string; value: unknown }[]) =>
          stage.caop.records.commit({ expected_state_version: await version(), changes }, ann);
        const fact = (id: string, rests: string[]) => ({ entity_id: id, operation: 'record', value: { subject: 's', predicate: 'p', object: {}, depends_on_fact_ids: rests } });
        await commit([fact('fct_mid', [a]), fact('fct_top', ['fct_mid'])]);
        await observe('b', a);
        const freshness = async () => Promise.all(['fct_mid', 'fct_top'].map(async (id) => (await stage.caop.facts.get(id, ann)).freshness));
        expect(await freshness()).toEqual(['STALE_UPSTREAM_PREMISE', 'STALE_UPSTREAM_PREMISE']);
        await commit([fact('fct_new', [])]);
        await commit([{ entity_id: 'fct_mid', operation: 'add_support', value: { alternative_to: a, fact_id: 'fct_new' } }]);
        expect(await freshness()).toEqual(['CURRENT', 'CURRENT']);
        expect(await refusal(commit([{ entity_id: 'fct_mid', operation: 'add_support', value: { alternative_to: a, fact_id: 'fct_top' } }]))).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await refusal(commit([fact('fct_x', ['fct_y']), fact('fct_y', ['fct_x'])]))).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await refusal(stage.caop.records.commit({ expected_state_version: 0, changes: [fact('fct_z', [])] }, ann))).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
      });
    });

    describe('child scopes and confirmation', () => {
      it('a child does only what its parent names, with its constraints, and hands up what it distilled', async () => {
        const parent = await stageIt('Parent');
        const isolation = { execution_scope: 'ISOLATED_SUBAGENT_CONTEXT', return_contract: 'DISTILLED_FACTS_AND_ARTIFACT_REF_ONLY' } as const;
        const wider = rfc('Child', [], { parent_work_id: parent, isolation_policy: isolation, plan_steps: [{ step_index: 1, capability_id: 'test.press', arguments: {} }] });
        expect(await refusal(stage.caop.stager.stage(wider, bot))).toMatchObject({ code: 'FORBIDDEN', details: { capability_ids: ['test.press'] } });
        const child = (await stage.caop.stager.stage(rfc('Child', [], { parent_work_id: parent, isolation_policy: isolation }), bot)).work_id;
        const seen = await approvalOf(child);
        await stage.caop.approvals.decideView(seen.approval_id, { decision: 'approve', binding_hash: seen.binding_hash }, ann);
        const dispatched = await stage.caop.dispatcher.dispatch(go(child), bot);
        const own = (await stage.caop.work.detail(child, bot)).work.staged.derived_fact_ids;
        await stage.caop.settler.settle(
          {
            work_id: child,
            invocation_id: 'inv_1',
            idempotency_key: `idem_${child}_step_1`,
            nonce: 'secret_1',
            status: 'SUCCEEDED',
            raw_output: { external_ref: 'x', html_url: 'y' },
            distilled_return_payload: { promoted_fact_ids: own, compacted_summary: 'Two lines.', trace_hash: 'sha256:ab' },
          },
          bot,
        );
        expect(dispatched).toBeDefined();
        expect((await stage.caop.work.detail(parent, bot)).children).toMatchObject([{ work_id: child, distilled_return_payload: { compacted_summary: 'Two lines.' } }]);
        expect((await stage.caop.facts.get(own[0] ?? '', ann)).handed_up).toEqual({ work_id: child, invocation_ids: ['inv_1'], trace_hash: 'sha256:ab' });
      });

      it('where a policy wants USER_CONFIRMED, nothing counts as verified before a person has said so', async () => {
        await stage.caop.commitPolicies.register({ policy_id: 'confirm', minimum_attestation: 'USER_CONFIRMED', pre_commit_hooks: [] }, null, ann);
        const work = await stageIt();
        const seen = await approvalOf(work);
        await stage.caop.approvals.decideView(seen.approval_id, { decision: 'approve', binding_hash: seen.binding_hash }, ann);
        await settleAs(stage, work, await stage.caop.dispatcher.dispatch(go(work), bot), 'pr');
        const status = async () => {
          const { work: state } = await stage.caop.work.detail(work, ann);
          const fact = await stage.caop.facts.get(state.staged.commitment_fact_id ?? '', ann);
          return [fact.epistemic_status, (await stage.caop.commitments.list({}, bot)).data[0]?.status];
        };
        expect(await status()).toEqual(['RATIFIED_COMMITMENT', 'open']);
        await stage.caop.confirm(work, 'I saw it.', ann);
        expect(await status()).toEqual(['VERIFIED_FACT', 'completed']);
      });
    });

    describe('full binding', () => {
      const started = async () => {
        const { commitment_id } = await stage.caop.commitments.create({ goal_id: goalId, objective: 'Compare offers', success_criteria: [] }, bot);
        const plan = await stage.caop.commitments.plan({ commitment_id, preferred_capabilities: [pull, 'metrics.query'] }, bot);
        const { execution_id } = await stage.caop.executions.start({ plan_id: plan.plan_id, idempotency_key: 'k', authorization_context: { principal_id: 'planner' } }, bot);
        return { commitment_id, plan, execution_id };
      };
      const move = (id: string, from: string, to: string, more: object = {}, who = bot) =>
        stage.caop.executions.transition(id, { expected_state: from as 'READY', target_state: to as 'READY', ...more }, who);

      it('observe once, plan in order, run, verify with evidence and a person, complete, record', async () => {
        const observation = { source: { provider: 'gmail', resource_id: 'm1' }, type: 'message.received', occurred_at: '2026-11-01T14:00:00Z', idempotency_key: 'g1' };
        const first = await stage.caop.observations.ingest(observation, bot);
        expect(first.duplicate).toBe(false);
        expect(await stage.caop.observations.ingest(observation, bot)).toEqual({ ...first, duplicate: true });
        const { commitment_id, plan, execution_id } = await started();
        expect(plan.steps).toEqual([
          { id: 'step_1', capability: pull, depends_on: [] },
          { id: 'step_2', capability: 'metrics.query', depends_on: ['step_1'] },
        ]);
        await move(execution_id, 'READY', 'RUNNING');
        expect(await refusal(move(execution_id, 'READY', 'RUNNING'))).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
        expect(await refusal(move(execution_id, 'RUNNING', 'COMPLETED'))).toMatchObject({ code: 'INVALID_TRANSITION', details: { allowed: ['VERIFYING', 'WAITING_APPROVAL', 'BLOCKED', 'FAILED', 'CANCELLED', 'EXPIRED'] } });
        expect(await refusal(move(execution_id, 'RUNNING', 'EXPIRED'))).toMatchObject({ code: 'FORBIDDEN' });
        const result = { output: { report: 'artifact_1' }, evidence_refs: ['artifact_1'], idempotency_key: 's1' };
        expect(await stage.caop.executions.submit(execution_id, result, bot)).toMatchObject({ state: 'VERIFYING' });
        expect(await stage.caop.executions.submit(execution_id, result, bot)).toMatchObject({ state: 'VERIFYING' });
        const criteria = ['all_required_steps_completed', 'result_has_supporting_evidence', 'human:Is the comparison fair?'];
        const waiting = await refusal(stage.caop.verifications.evaluate({ execution_id, criteria }, bot));
        expect(waiting).toMatchObject({ code: 'VERIFICATION_FAILED', retryable: true });
        const [question] = await stage.caop.verifications.questions('open', 10);
        expect(question?.question).toBe('Is the comparison fair?');
        await stage.caop.verifications.answer(question?.question_id ?? '', 'yes', null, ann);
        const verified = await stage.caop.verifications.evaluate({ execution_id, criteria }, bot);
        expect(verified).toMatchObject({ verdict: 'passed', checks: [{ kind: 'deterministic' }, { kind: 'deterministic' }, { kind: 'human', result: 'pass' }] });
        expect(await refusal(move(execution_id, 'VERIFYING', 'COMPLETED'))).toMatchObject({ code: 'INVALID_REQUEST' });
        await move(execution_id, 'VERIFYING', 'COMPLETED', { verification_id: verified.verification_id });
        const { state_version } = await stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: ['open_commitments'] }, bot);
        const committed = await stage.caop.records.commit(
          { execution_id, verification_id: verified.verification_id, expected_state_version: state_version, changes: [{ entity_id: commitment_id, operation: 'set_status', value: 'completed' }] },
          bot,
        );
        expect(committed.state_version).toBe(state_version + 1);
        expect((await stage.caop.commitments.list({ status: 'completed' }, bot)).data.map((one) => one.commitment_id)).toEqual([commitment_id]);
      });

      it('a plan that asks for a yes waits for a person, whom its agent cannot stand in for', async () => {
        const { commitment_id } = await stage.caop.commitments.create({ goal_id: goalId, objective: 'x', success_criteria: [] }, bot);
        const plan = await stage.caop.commitments.plan({ commitment_id, preferred_capabilities: [pull], constraints: { require_approval_for_external_actions: true } }, bot);
        const { execution_id } = await stage.caop.executions.start({ plan_id: plan.plan_id, idempotency_key: 'k', authorization_context: { principal_id: 'planner' } }, bot);
        expect(await refusal(move(execution_id, 'WAITING_APPROVAL', 'READY'))).toMatchObject({ code: 'FORBIDDEN' });
        const [approval] = await stage.caop.approvals.list(ann, 'pending', 10);
        await stage.caop.approvals.decide(approval?.approval_id ?? '', { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' }, ann);
        expect(await stage.caop.executions.get(execution_id, bot)).toMatchObject({ state: 'READY' });
      });

      it('an unknown criterion or planner wish is refused, listing what there is', async () => {
        const { execution_id, commitment_id } = await started();
        expect(await refusal(stage.caop.verifications.evaluate({ execution_id, criteria: ['vibes'] }, bot))).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await refusal(stage.caop.commitments.plan({ commitment_id, preferred_capabilities: ['nothing'] }, bot))).toMatchObject({ code: 'INVALID_REQUEST' });
      });
    });

    it('the heartbeat of a goal: its stop is noted once, and a pulse brings it back', async () => {
      const notices: string[] = [];
      await stage[Symbol.asyncDispose]();
      stage = await startCaopStage(open, { notify: ({ goal_id }) => void notices.push(goal_id) });
      await stage.caop.goals.create({ id: 'goal_watch', objective: 'w', sla: { loop_driver: 'CLIENT_POLLED', expected_pulse_interval_seconds: 60, grace_period_seconds: 10 } }, ann);
      await stage.clock.advance(69_000);
      expect(notices).toEqual([]);
      await stage.clock.advance(2_000);
      expect(notices).toEqual(['goal_watch']);
      expect((await stage.caop.goals.view('goal_watch')).pulse_missed_at).not.toBeNull();
      await stage.caop.pulser.pulse(pulseWith([], { scope_goal_ids: ['goal_watch'] }), bot);
      expect((await stage.caop.goals.view('goal_watch')).pulse_missed_at).toBeNull();
      await stage.clock.advance(71_000);
      expect(notices).toEqual(['goal_watch', 'goal_watch']);
      expect(stage.background).toEqual([]);
    });

    it('hooks: all failures are listed, each with its mend', async () => {
      await registerHooks(stage);
      const refused = await refusal(stage.caop.stager.stage(rfc('Plan', [], { commitment: { title: 't', rationale: 'r', reversible: true } }), bot));
      expect(refused).toMatchObject({
        code: 'CAOP_422_PRECOMMIT_HOOK_FAILED',
        details: { failed_hooks: [{ error_code: 'CAOP_422_PRECOMMIT_MISSING_OWNER' }, { error_code: 'CAOP_422_PRECOMMIT_MISSING_LINEAGE' }] },
      });
    });
  });
};
