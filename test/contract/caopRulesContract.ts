import { describe, expect, it } from 'vitest';
import type { Principal } from '../../core/contracts/principal.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { CaopCase, ann, bot, go, other, viewer } from '../support/caopCase.ts';
import { goalId, pull, refusal, rfc } from '../support/paymentLedger.ts';

/** Who may what: one test for each path and role, alike on every store. */
export const caopRulesContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`no way round the CAOP kernel on ${name}`, () => {
    const one = new CaopCase(open);

    describe('no way round', () => {
      const forbidden: readonly [string, (work: string) => Promise<unknown>, Principal, string][] = [
        [
          'an agent approves by dispatch',
          (work) => one.stage.caop.dispatcher.dispatch(go(work), bot),
          bot,
          'POLICY_APPROVAL_REQUIRED',
        ],
        [
          'another agent dispatches it',
          (work) => one.stage.caop.dispatcher.dispatch(go(work), other),
          other,
          'NOT_FOUND',
        ],
        ['a viewer dispatches it', (work) => one.stage.caop.dispatcher.dispatch(go(work), viewer), viewer, 'FORBIDDEN'],
        [
          'an agent steers it',
          (work) =>
            one.stage.caop.dispatcher.dispatch(
              { work_id: work, decision: 'APPROVE_WITH_STEERING_DELTA', steering_delta: {} },
              bot,
            ),
          bot,
          'FORBIDDEN',
        ],
        [
          'another agent rejects it',
          (work) => one.stage.caop.dispatcher.dispatch({ work_id: work, decision: 'REJECT_WORK' }, other),
          other,
          'NOT_FOUND',
        ],
        [
          'an agent decides the approval',
          async (work) =>
            one.stage.caop.approvals.decide(
              (await one.approvalOf(work)).approval_id,
              { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' },
              bot,
            ),
          bot,
          'FORBIDDEN',
        ],
        [
          'a viewer decides the approval',
          async (work) =>
            one.stage.caop.approvals.decide(
              (await one.approvalOf(work)).approval_id,
              { decision: 'approve', expires_at: '2027-01-01T00:00:00Z' },
              viewer,
            ),
          viewer,
          'FORBIDDEN',
        ],
        [
          'an agent moves it by transitions',
          (work) =>
            one.stage.caop.executions.transition(
              work,
              { expected_state: 'WAITING_APPROVAL', target_state: 'READY' },
              bot,
            ),
          bot,
          'INVALID_TRANSITION',
        ],
        [
          'another agent moves it by transitions',
          (work) =>
            one.stage.caop.executions.transition(
              work,
              { expected_state: 'WAITING_APPROVAL', target_state: 'READY' },
              other,
            ),
          other,
          'NOT_FOUND',
        ],
        ['another agent reads it', (work) => one.stage.caop.executions.get(work, other), other, 'NOT_FOUND'],
        [
          'an agent submits a result to it',
          (work) => one.stage.caop.executions.submit(work, { evidence_refs: [], idempotency_key: 'k' }, bot),
          bot,
          'INVALID_TRANSITION',
        ],
        [
          'another agent settles it',
          (work) =>
            one.stage.caop.settler.settle(
              { work_id: work, invocation_id: 'i', idempotency_key: 'k', nonce: 'n', status: 'SUCCEEDED' },
              other,
            ),
          other,
          'NOT_FOUND',
        ],
        [
          'a person settles it as the host',
          (work) =>
            one.stage.caop.settler.settle(
              { work_id: work, invocation_id: 'i', idempotency_key: 'k', nonce: 'n', status: 'SUCCEEDED' },
              ann,
            ),
          ann,
          'FORBIDDEN',
        ],
        ['an agent registers a capability', () => one.stage.caop.capabilities.withdraw(pull, bot), bot, 'FORBIDDEN'],
        ['an agent withdraws a policy', () => one.stage.caop.commitPolicies.withdraw('two', bot), bot, 'FORBIDDEN'],
        ['an agent sets a goal', () => one.stage.caop.goals.change(goalId, 'achieved', 'done', bot), bot, 'FORBIDDEN'],
        [
          'an agent answers a question',
          () => one.stage.caop.verifications.answer('q', 'yes', null, bot),
          bot,
          'FORBIDDEN',
        ],
        ['an agent confirms its own work', async (work) => one.stage.caop.confirm(work, 'yes', bot), bot, 'FORBIDDEN'],
        [
          'an agent resolves an unknown outcome',
          (work) => one.stage.caop.settler.resolve(work, { outcome: 'happened', note: 'x' }, bot),
          bot,
          'FORBIDDEN',
        ],
        [
          'a viewer observes',
          () =>
            one.stage.caop.observations.ingest(
              {
                source: { provider: 'a', resource_id: 'b' },
                type: 't',
                occurred_at: '2026-01-01T00:00:00Z',
                idempotency_key: 'k',
              },
              viewer,
            ),
          viewer,
          'FORBIDDEN',
        ],
        ['a viewer stages', () => one.stage.caop.stager.stage(rfc('Mine', []), viewer), viewer, 'FORBIDDEN'],
      ];
      it.each(forbidden)('%s: refused, nothing written', async (_what, attempt, _who, code) => {
        const work = await one.stageIt();
        const head = await one.stage.store.head();
        expect(await refusal((async () => attempt(work))())).toMatchObject({ code });
        expect(await one.stage.store.head()).toBe(head);
      });

      it('an agent completes no commitment by records.commit, its own or of compact work', async () => {
        const { commitment_id } = await one.stage.caop.commitments.create(
          { goal_id: goalId, objective: 'x', success_criteria: [] },
          bot,
        );
        const { state_version } = await one.stage.caop.contexts.resolve(
          { scope: { workspace_id: 'personal' }, include: [] },
          bot,
        );
        const commit = (entity_id: string, value: unknown, who = bot, operation = 'set_status') =>
          refusal(
            one.stage.caop.records.commit(
              { expected_state_version: state_version, changes: [{ entity_id, operation, value }] },
              who,
            ),
          );
        expect(await commit(commitment_id, 'completed')).toMatchObject({ code: 'FORBIDDEN' });
        expect(await commit(commitment_id, 'cancelled', other)).toMatchObject({ code: 'NOT_FOUND' });
        expect(await commit(goalId, 'achieved')).toMatchObject({ code: 'FORBIDDEN' });
        expect(await commit('wrk_1', 'EXECUTE_COMPLETED')).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await commit('apr_1', 'granted')).toMatchObject({ code: 'INVALID_REQUEST' });
        await one.stageIt();
        const own = (await one.stage.caop.commitments.list({}, bot)).data.find(({ objective }) => objective === 'Plan');
        const now = (await one.stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: [] }, bot))
          .state_version;
        expect(
          await refusal(
            one.stage.caop.records.commit(
              {
                expected_state_version: now,
                changes: [{ entity_id: own?.commitment_id ?? '', operation: 'set_status', value: 'completed' }],
              },
              bot,
            ),
          ),
        ).toMatchObject({ code: 'FORBIDDEN' });
      });
    });
  });
};
