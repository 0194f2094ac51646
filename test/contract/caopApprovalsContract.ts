import { describe, expect, it } from 'vitest';
import type { DispatchWorkInput } from '../../core/contracts/caop/compact.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { CaopCase, ann, bob, bot, go } from '../support/caopCase.ts';
import { eventually, person } from '../support/caopStage.ts';
import { pull, pulseWith, refusal, registerHooks, rfc } from '../support/paymentLedger.ts';

/** What a decision binds, and what ends it: alike on every store. */
export const caopApprovalsContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`approvals of plans on ${name}`, () => {
    const one = new CaopCase(open);

    const route = (routing: { min_quorum: number; escalate?: 'admin' }) =>
      one.stage.caop.commitPolicies.register(
        { policy_id: 'two', require_human_approval: true, pre_commit_hooks: [] },
        {
          required_roles: ['approver'],
          min_quorum: routing.min_quorum,
          expiration_seconds: 60,
          escalate_to_role_on_timeout: routing.escalate ?? null,
        },
        ann,
      );
    describe('approvals', () => {
      it('nobody approves what they staged', async () => {
        await route({ min_quorum: 2 });
        const { work_id } = await one.stage.caop.stager.stage(rfc('Mine', []), ann);
        expect(await refusal(one.stage.caop.dispatcher.dispatch(go(work_id), ann))).toMatchObject({
          code: 'FORBIDDEN',
        });
      });

      it('a quorum of two: a vote below it is told as such, a steer voids earlier votes, the same person counts once', async () => {
        await route({ min_quorum: 2 });
        const work = await one.stageIt();
        const id = (await one.approvalOf(work)).approval_id;
        const until = '2027-01-01T00:00:00Z';
        expect(await one.stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann)).toEqual({
          kind: 'counting',
          votes: 1,
          needed: 2,
        });
        expect(await one.stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann)).toEqual({
          kind: 'counting',
          votes: 1,
          needed: 2,
        });
        const steer: DispatchWorkInput = {
          work_id: work,
          decision: 'APPROVE_WITH_STEERING_DELTA',
          steering_delta: { patched_step_arguments: [{ step_index: 1, argument_overrides: { draft: true } }] },
        };
        expect(await refusal(one.stage.caop.dispatcher.dispatch(steer, bob))).toMatchObject({
          code: 'POLICY_APPROVAL_REQUIRED',
          details: { votes: 1, needed: 2 },
        });
        expect(
          await one.stage.caop.approvals.decide(id, { decision: 'approve', expires_at: until }, ann),
        ).toMatchObject({
          kind: 'decided',
        });
        expect(
          await refusal(one.stage.caop.approvals.decide(id, { decision: 'deny', expires_at: until }, bob)),
        ).toMatchObject({ code: 'STATE_VERSION_CONFLICT', details: { status: 'granted' } });
      });

      it('a decision on something else than what was seen is refused', async () => {
        const work = await one.stageIt();
        const seen = await one.approvalOf(work);
        expect(
          await refusal(
            one.stage.caop.approvals.decideView(
              seen.approval_id,
              { decision: 'approve', binding_hash: '0'.repeat(64) },
              ann,
            ),
          ),
        ).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
        expect(
          await one.stage.caop.approvals.decideView(
            seen.approval_id,
            {
              decision: 'steer',
              reason: 'draft',
              steering_delta: { step_1: { draft: true } },
              binding_hash: seen.binding_hash,
            },
            ann,
          ),
        ).toMatchObject({
          status: 'granted',
          steered_arguments: { step_1: { draft: true } },
        });
      });

      it('nobody decides: it escalates once, then expires, and is recorded as expiry', async () => {
        await route({ min_quorum: 1, escalate: 'admin' });
        const work = await one.stageIt();
        await one.stage.clock.advance(61_000);
        // Escalated: it is open again, and no longer to those who let it lapse.
        await eventually(one.stage, async () =>
          expect((await one.approvalOf(work)).expires_at > new Date(one.stage.clock.now()).toISOString()).toBe(true),
        );
        expect(await refusal(one.stage.caop.dispatcher.dispatch(go(work), ann))).toMatchObject({ code: 'FORBIDDEN' });
        await one.stage.clock.advance(61_000);
        await eventually(one.stage, async () => expect((await one.approvalOf(work)).status).toBe('expired'));
        expect(await refusal(one.stage.caop.dispatcher.dispatch(go(work), person('root', ['admin'])))).toMatchObject({
          code: 'INVALID_TRANSITION',
        });
        expect(one.stage.background).toEqual([]);
      });

      it('an approval granted and not used expires too', async () => {
        const work = await one.stageIt();
        const seen = await one.approvalOf(work);
        await one.stage.caop.approvals.decideView(
          seen.approval_id,
          { decision: 'approve', binding_hash: seen.binding_hash },
          ann,
        );
        await one.stage.clock.advance(16 * 60_000);
        await eventually(one.stage, async () => expect((await one.approvalOf(work)).status).toBe('expired'));
        expect(await refusal(one.stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
          code: 'INVALID_TRANSITION',
        });
      });

      it('a premise that goes voids the approval at once, naming the fact', async () => {
        const october = await one.observe('12ms');
        const work = await one.stageIt('Plan', [october]);
        const seen = await one.approvalOf(work);
        await one.stage.caop.approvals.decideView(
          seen.approval_id,
          { decision: 'approve', binding_hash: seen.binding_hash },
          ann,
        );
        const november = await one.observe('48ms', october);
        const now = await eventually(one.stage, async () => {
          const approval = await one.approvalOf(work);
          expect(approval.status).toBe('void');
          return approval;
        });
        expect(now.ended_because).toContain(november);
        expect(await refusal(one.stage.caop.dispatcher.dispatch(go(work), bot))).toMatchObject({
          code: 'STATE_VERSION_CONFLICT',
          details: { reason: 'APPROVAL_VOID' },
        });
      });

      it('arguments that break the input schema are refused when staged and when steered', async () => {
        const bad = rfc('Plan', [], { plan_steps: [{ step_index: 1, capability_id: pull, arguments: { repo: 3 } }] });
        expect(await refusal(one.stage.caop.stager.stage(bad, bot))).toMatchObject({ code: 'INVALID_REQUEST' });
        const work = await one.stageIt();
        const steer: DispatchWorkInput = {
          work_id: work,
          decision: 'APPROVE_WITH_STEERING_DELTA',
          steering_delta: { patched_step_arguments: [{ step_index: 1, argument_overrides: { draft: 'yes' } }] },
        };
        expect(await refusal(one.stage.caop.dispatcher.dispatch(steer, ann))).toMatchObject({
          code: 'INVALID_REQUEST',
        });
        expect((await one.approvalOf(work)).status).toBe('pending');
      });

      it('a steer that adds an enforced constraint is held against it, and the work goes back to a proposal', async () => {
        const work = await one.stageIt();
        await one.stage.caop.commitPolicies.register(
          {
            policy_id: 'kernel_only',
            scope_goal_types: ['nothing'],
            minimum_attestation: 'KERNEL_ATTESTED',
            pre_commit_hooks: [],
          },
          null,
          ann,
        );
        const steer: DispatchWorkInput = {
          work_id: work,
          decision: 'APPROVE_WITH_STEERING_DELTA',
          steering_delta: { added_policy_constraints: ['kernel_only'] },
        };
        expect(await refusal(one.stage.caop.dispatcher.dispatch(steer, ann))).toMatchObject({
          code: 'CAOP_422_PRECOMMIT_HOOK_FAILED',
          details: { failed_hooks: [{ hook_id: 'MINIMUM_ATTESTATION' }] },
        });
        const pulse = await one.stage.caop.pulser.pulse(pulseWith(), bot);
        expect(pulse.resume_brief.unassigned_blockers).toMatchObject([
          { work_id: work, missing_hook: 'MINIMUM_ATTESTATION' },
        ]);
      });
    });

    it('hooks: all failures are listed, each with its mend', async () => {
      await registerHooks(one.stage);
      const refused = await refusal(
        one.stage.caop.stager.stage(
          rfc('Plan', [], { commitment: { title: 't', rationale: 'r', reversible: true } }),
          bot,
        ),
      );
      expect(refused).toMatchObject({
        code: 'CAOP_422_PRECOMMIT_HOOK_FAILED',
        details: {
          failed_hooks: [
            { error_code: 'CAOP_422_PRECOMMIT_MISSING_OWNER' },
            { error_code: 'CAOP_422_PRECOMMIT_MISSING_LINEAGE' },
          ],
        },
      });
    });
  });
};
