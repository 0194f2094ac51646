import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { eventually } from '../support/caopStage.ts';
import { CaopCase, ann, bot } from '../support/caopCase.ts';
import { goalId, pull, pulseWith, refusal } from '../support/paymentLedger.ts';

/** Observe to review, and the heartbeat of goals: alike on every store. */
export const caopBindingContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`the full binding on ${name}`, () => {
    const one = new CaopCase(open);

    describe('full binding', () => {
      const started = async () => {
        const { commitment_id } = await one.stage.caop.commitments.create(
          { goal_id: goalId, objective: 'Compare offers', success_criteria: [] },
          bot,
        );
        const plan = await one.stage.caop.commitments.plan(
          { commitment_id, preferred_capabilities: [pull, 'metrics.query'] },
          bot,
        );
        const { execution_id } = await one.stage.caop.executions.start(
          { plan_id: plan.plan_id, idempotency_key: 'k', authorization_context: { principal_id: 'planner' } },
          bot,
        );
        return { commitment_id, plan, execution_id };
      };
      const move = (id: string, from: string, to: string, more: object = {}, who = bot) =>
        one.stage.caop.executions.transition(
          id,
          { expected_state: from as 'READY', target_state: to as 'READY', ...more },
          who,
        );

      it('observe once, plan in order, run, verify with evidence and a person, complete, record', async () => {
        const observation = {
          source: { provider: 'gmail', resource_id: 'm1' },
          type: 'message.received',
          occurred_at: '2026-11-01T14:00:00Z',
          idempotency_key: 'g1',
        };
        const first = await one.stage.caop.observations.ingest(observation, bot);
        expect(first.duplicate).toBe(false);
        expect(await one.stage.caop.observations.ingest(observation, bot)).toEqual({ ...first, duplicate: true });
        const { commitment_id, plan, execution_id } = await started();
        expect(plan.steps).toEqual([
          { id: 'step_1', capability: pull, depends_on: [] },
          { id: 'step_2', capability: 'metrics.query', depends_on: ['step_1'] },
        ]);
        await move(execution_id, 'READY', 'RUNNING');
        expect(await refusal(move(execution_id, 'READY', 'RUNNING'))).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
        expect(await refusal(move(execution_id, 'RUNNING', 'COMPLETED'))).toMatchObject({
          code: 'INVALID_TRANSITION',
          details: { allowed: ['VERIFYING', 'WAITING_APPROVAL', 'BLOCKED', 'FAILED', 'CANCELLED', 'EXPIRED'] },
        });
        expect(await refusal(move(execution_id, 'RUNNING', 'EXPIRED'))).toMatchObject({ code: 'FORBIDDEN' });
        const result = { output: { report: 'artifact_1' }, evidence_refs: ['artifact_1'], idempotency_key: 's1' };
        expect(await one.stage.caop.executions.submit(execution_id, result, bot)).toMatchObject({ state: 'VERIFYING' });
        expect(await one.stage.caop.executions.submit(execution_id, result, bot)).toMatchObject({ state: 'VERIFYING' });
        const criteria = [
          'all_required_steps_completed',
          'result_has_supporting_evidence',
          'human:Is the comparison fair?',
        ];
        const waiting = await refusal(one.stage.caop.verifications.evaluate({ execution_id, criteria }, bot));
        expect(waiting).toMatchObject({ code: 'VERIFICATION_FAILED', retryable: true });
        const [question] = await one.stage.caop.verifications.questions('open', 10);
        expect(question?.question).toBe('Is the comparison fair?');
        await one.stage.caop.verifications.answer(question?.question_id ?? '', 'yes', null, ann);
        const verified = await one.stage.caop.verifications.evaluate({ execution_id, criteria }, bot);
        expect(verified).toMatchObject({
          verdict: 'passed',
          checks: [{ kind: 'deterministic' }, { kind: 'deterministic' }, { kind: 'human', result: 'pass' }],
        });
        expect(await refusal(move(execution_id, 'VERIFYING', 'COMPLETED'))).toMatchObject({ code: 'INVALID_REQUEST' });
        await move(execution_id, 'VERIFYING', 'COMPLETED', { verification_id: verified.verification_id });
        const { state_version } = await one.stage.caop.contexts.resolve(
          { scope: { workspace_id: 'personal' }, include: ['open_commitments'] },
          bot,
        );
        const committed = await one.stage.caop.records.commit(
          {
            execution_id,
            verification_id: verified.verification_id,
            expected_state_version: state_version,
            changes: [{ entity_id: commitment_id, operation: 'set_status', value: 'completed' }],
          },
          bot,
        );
        expect(committed.state_version).toBe(state_version + 1);
        expect(
          (await one.stage.caop.commitments.list({ status: 'completed' }, bot)).data.map((one) => one.commitment_id),
        ).toEqual([commitment_id]);
      });

      it('a plan that asks for a yes waits for a person, whom its agent cannot stand in for', async () => {
        const { commitment_id } = await one.stage.caop.commitments.create(
          { goal_id: goalId, objective: 'x', success_criteria: [] },
          bot,
        );
        const plan = await one.stage.caop.commitments.plan(
          {
            commitment_id,
            preferred_capabilities: [pull],
            constraints: { require_approval_for_external_actions: true },
          },
          bot,
        );
        const { execution_id } = await one.stage.caop.executions.start(
          { plan_id: plan.plan_id, idempotency_key: 'k', authorization_context: { principal_id: 'planner' } },
          bot,
        );
        expect(await refusal(move(execution_id, 'WAITING_APPROVAL', 'READY'))).toMatchObject({ code: 'FORBIDDEN' });
        const [approval] = await one.stage.caop.approvals.list(ann, 'pending', 10);
        await one.stage.caop.approvals.decide(
          approval?.approval_id ?? '',
          { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' },
          ann,
        );
        expect(await one.stage.caop.executions.get(execution_id, bot)).toMatchObject({ state: 'READY' });
      });

      it('an unknown criterion or planner wish is refused, listing what there is', async () => {
        const { execution_id, commitment_id } = await started();
        expect(
          await refusal(one.stage.caop.verifications.evaluate({ execution_id, criteria: ['vibes'] }, bot)),
        ).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(
          await refusal(one.stage.caop.commitments.plan({ commitment_id, preferred_capabilities: ['nothing'] }, bot)),
        ).toMatchObject({ code: 'INVALID_REQUEST' });
      });
    });

    it('the heartbeat of a goal: its stop is noted once, and a pulse brings it back', async () => {
      const notices: string[] = [];
      await one.end();
      await one.begin({ notify: ({ goal_id }) => void notices.push(goal_id) });
      await one.stage.caop.goals.create(
        {
          id: 'goal_watch',
          objective: 'w',
          sla: { loop_driver: 'CLIENT_POLLED', expected_pulse_interval_seconds: 60, grace_period_seconds: 10 },
        },
        ann,
      );
      await one.stage.clock.advance(69_000);
      expect(notices).toEqual([]);
      await one.stage.clock.advance(2_000);
      await eventually(one.stage, () => expect(notices).toEqual(['goal_watch']));
      expect((await one.stage.caop.goals.view('goal_watch')).pulse_missed_at).not.toBeNull();
      await one.stage.caop.pulser.pulse(pulseWith([], { scope_goal_ids: ['goal_watch'] }), bot);
      expect((await one.stage.caop.goals.view('goal_watch')).pulse_missed_at).toBeNull();
      await one.stage.clock.advance(71_000);
      await eventually(one.stage, () => expect(notices).toEqual(['goal_watch', 'goal_watch']));
      expect(one.stage.background).toEqual([]);
    });
  });
};
