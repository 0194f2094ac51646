import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { CaopCase, ann, bot, go, isolation } from '../support/caopCase.ts';
import { pulseWith, refusal, rfc, settleAs } from '../support/paymentLedger.ts';

/** Facts in two times, children, confirmation: alike on every store. */
export const caopFactsContract = (name: string, open?: () => Promise<EventStore>): void => {
  describe(`facts and scopes on ${name}`, () => {
    const one = new CaopCase(open);

    describe('facts', () => {
      it('more dependents than the limit: 413 with the count, nothing applied', async () => {
        await one.end();
        await one.begin({ maxInvalidationSubgraph: 3 });
        const root = await one.observe('root');
        for (const title of ['A', 'B']) await one.stageIt(title, [root]);
        const head = await one.stage.store.head();
        const events = [{ source: 'ci', summary: 'new', supersedes_fact_id: root }];
        expect(await refusal(one.stage.caop.pulser.pulse(pulseWith(events), bot))).toMatchObject({
          code: 'CAOP_413_INVALIDATION_SUBGRAPH_TOO_LARGE',
          details: { superseded_fact_id: root, affected_subgraph_size: 4, max_invalidation_subgraph: 3 },
        });
        expect(await one.stage.store.head()).toBe(head);
      });

      it('unknown facts are named, and superseding one that is unknown or superseded is refused', async () => {
        expect(await refusal(one.stage.caop.stager.stage(rfc('Plan', ['fct_no']), bot))).toMatchObject({
          code: 'CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID',
          details: { unknown_fact_ids: ['fct_no'] },
        });
        expect(await refusal(one.observe('x', 'fct_no'))).toMatchObject({ code: 'INVALID_REQUEST' });
        const a = await one.observe('a');
        await one.observe('b', a);
        expect(await refusal(one.observe('c', a))).toMatchObject({ code: 'INVALID_REQUEST' });
      });

      it('says what was known at a time, and of what was valid then', async () => {
        const a = await one.observe('a');
        const before = new Date(one.stage.clock.now()).toISOString();
        await one.stage.clock.advance(60_000);
        const b = await one.observe('b', a);
        const list = async (known_at?: string) =>
          (
            await one.stage.caop.facts.list(
              { candidates: false, limit: 10, ...(known_at === undefined ? {} : { known_at }) },
              ann,
            )
          ).facts.map(({ fact_id }) => fact_id);
        expect(await list()).toEqual([b]);
        expect(await list(before)).toEqual([a]);
      });

      it('a new support makes a stale fact hold again; a circle is refused', async () => {
        const a = await one.observe('a');
        const version = async () =>
          (await one.stage.caop.contexts.resolve({ scope: { workspace_id: 'personal' }, include: [] }, ann))
            .state_version;
        const commit = async (changes: { entity_id: string; operation: string; value: unknown }[]) =>
          one.stage.caop.records.commit({ expected_state_version: await version(), changes }, ann);
        const fact = (id: string, rests: string[]) => ({
          entity_id: id,
          operation: 'record',
          value: { subject: 's', predicate: 'p', object: {}, depends_on_fact_ids: rests },
        });
        await commit([fact('fct_mid', [a]), fact('fct_top', ['fct_mid'])]);
        await one.observe('b', a);
        const freshness = async () =>
          Promise.all(['fct_mid', 'fct_top'].map(async (id) => (await one.stage.caop.facts.get(id, ann)).freshness));
        expect(await freshness()).toEqual(['STALE_UPSTREAM_PREMISE', 'STALE_UPSTREAM_PREMISE']);
        await commit([fact('fct_new', [])]);
        await commit([
          { entity_id: 'fct_mid', operation: 'add_support', value: { alternative_to: a, fact_id: 'fct_new' } },
        ]);
        expect(await freshness()).toEqual(['CURRENT', 'CURRENT']);
        expect(
          await refusal(
            commit([
              { entity_id: 'fct_mid', operation: 'add_support', value: { alternative_to: a, fact_id: 'fct_top' } },
            ]),
          ),
        ).toMatchObject({ code: 'INVALID_REQUEST' });
        expect(await refusal(commit([fact('fct_x', ['fct_y']), fact('fct_y', ['fct_x'])]))).toMatchObject({
          code: 'INVALID_REQUEST',
        });
        expect(
          await refusal(
            one.stage.caop.records.commit({ expected_state_version: 0, changes: [fact('fct_z', [])] }, ann),
          ),
        ).toMatchObject({ code: 'STATE_VERSION_CONFLICT' });
      });
    });

    describe('child scopes and confirmation', () => {
      it('a child does only what its parent names, with its constraints, and hands up what it distilled', async () => {
        const parent = await one.stageIt('Parent');
        const wider = rfc('Child', [], {
          parent_work_id: parent,
          isolation_policy: isolation,
          plan_steps: [{ step_index: 1, capability_id: 'test.press', arguments: {} }],
        });
        expect(await refusal(one.stage.caop.stager.stage(wider, bot))).toMatchObject({
          code: 'FORBIDDEN',
          details: { capability_ids: ['test.press'] },
        });
        const child = (
          await one.stage.caop.stager.stage(
            rfc('Child', [], { parent_work_id: parent, isolation_policy: isolation }),
            bot,
          )
        ).work_id;
        const seen = await one.approvalOf(child);
        await one.stage.caop.approvals.decideView(
          seen.approval_id,
          { decision: 'approve', binding_hash: seen.binding_hash },
          ann,
        );
        const dispatched = await one.stage.caop.dispatcher.dispatch(go(child), bot);
        const own = (await one.stage.caop.work.detail(child, bot)).work.staged.derived_fact_ids;
        await one.stage.caop.settler.settle(
          {
            work_id: child,
            invocation_id: 'inv_1',
            idempotency_key: `idem_${child}_step_1`,
            nonce: 'secret_1',
            status: 'SUCCEEDED',
            raw_output: { external_ref: 'x', html_url: 'y' },
            distilled_return_payload: {
              promoted_fact_ids: own,
              compacted_summary: 'Two lines.',
              trace_hash: 'sha256:ab',
            },
          },
          bot,
        );
        expect(dispatched).toBeDefined();
        expect((await one.stage.caop.work.detail(parent, bot)).children).toMatchObject([
          { work_id: child, distilled_return_payload: { compacted_summary: 'Two lines.' } },
        ]);
        expect((await one.stage.caop.facts.get(own[0] ?? '', ann)).handed_up).toEqual({
          work_id: child,
          invocation_ids: ['inv_1'],
          trace_hash: 'sha256:ab',
        });
      });

      it('where a policy wants USER_CONFIRMED, nothing counts as verified before a person has said so', async () => {
        await one.stage.caop.commitPolicies.register(
          { policy_id: 'confirm', minimum_attestation: 'USER_CONFIRMED', pre_commit_hooks: [] },
          null,
          ann,
        );
        const work = await one.stageIt();
        const seen = await one.approvalOf(work);
        await one.stage.caop.approvals.decideView(
          seen.approval_id,
          { decision: 'approve', binding_hash: seen.binding_hash },
          ann,
        );
        await settleAs(one.stage, work, await one.stage.caop.dispatcher.dispatch(go(work), bot), 'pr');
        const status = async () => {
          const { work: state } = await one.stage.caop.work.detail(work, ann);
          const fact = await one.stage.caop.facts.get(state.staged.commitment_fact_id ?? '', ann);
          return [fact.epistemic_status, (await one.stage.caop.commitments.list({}, bot)).data[0]?.status];
        };
        expect(await status()).toEqual(['RATIFIED_COMMITMENT', 'open']);
        await one.stage.caop.confirm(work, 'I saw it.', ann);
        expect(await status()).toEqual(['VERIFIED_FACT', 'completed']);
      });
    });
  });
};
