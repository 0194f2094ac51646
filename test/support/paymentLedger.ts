import type { StageWorkInput } from '../../core/contracts/caop/compact.ts';
import type { PulseInput } from '../../core/contracts/caop/pulse.ts';
import { isSignalboxError } from '../../core/contracts/errors.ts';
import { agent, person, type CaopStage } from './caopStage.ts';

/** The payment-ledger story of CAOP v0.2, told to a kernel whose clock and ids are ours. */

export const goalId = 'goal_payment_ledger_v2';
export const pull = 'github.pulls.create';
const ann = person('ann');
const bot = agent('planner');
const DAY = 86_400_000;

export const refusal = async (work: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await work;
  } catch (error) {
    if (!isSignalboxError(error)) throw error;
    return { code: error.code, message: error.message, retryable: error.retryable, details: error.details };
  }
  throw new Error('It was not refused.');
};

export const setGoal = async ({ caop }: CaopStage): Promise<void> => {
  await caop.goals.create({ id: goalId, objective: 'A payment ledger that keeps 15k TPS under 20 ms p99.' }, ann);
};

export const registerPull = ({ caop }: CaopStage) =>
  caop.capabilities.register(
    {
      capability_id: pull,
      version: '1',
      summary: 'Open a pull request in a connected repository.',
      execution_locus: 'HOST_DELEGATED',
      auth_custodian: 'CLIENT_SESSION',
      receipt_lease_seconds: 600,
      required_receipt_fields: ['external_ref', 'html_url'],
      promotion_policy: { max_expired_leases_before_stage2_prompt: 2, rolling_window_days: 7 },
      input_schema: {
        type: 'object',
        required: ['repo', 'title', 'head', 'base'],
        properties: {
          repo: { type: 'string' },
          title: { type: 'string' },
          head: { type: 'string' },
          base: { type: 'string' },
          draft: { type: 'boolean' },
          reviewers: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    ann,
  );

export const registerHooks = ({ caop }: CaopStage) =>
  caop.commitPolicies.register(
    {
      policy_id: 'payment_commitments',
      scope_goal_types: ['payment'],
      require_human_approval: true,
      pre_commit_hooks: [
        {
          hook_id: 'REQUIRE_EXPLICIT_OWNER',
          target_path: 'commitment.owner_principal_id',
          condition: 'NON_EMPTY_PRINCIPAL_REF',
          error_code: 'CAOP_422_PRECOMMIT_MISSING_OWNER',
        },
        {
          hook_id: 'REQUIRE_EVIDENCE_LINEAGE',
          target_path: 'understanding.derived_facts[].depends_on_fact_ids',
          condition: 'NON_EMPTY_ARRAY',
          error_code: 'CAOP_422_PRECOMMIT_MISSING_LINEAGE',
        },
        {
          hook_id: 'BLOCK_STALE_PREMISES',
          target_path: 'understanding.derived_facts[].depends_on_fact_ids',
          condition: 'ALL_UPSTREAM_FACTS_VERIFIED_ACTIVE',
          error_code: 'CAOP_422_PRECOMMIT_STALE_DEPENDENCY',
        },
      ],
    },
    null,
    ann,
  );

export const rfc = (title: string, rests: readonly string[], more: Partial<StageWorkInput> = {}): StageWorkInput => ({
  goal_id: goalId,
  understanding: {
    intent_summary: title,
    derived_facts: [
      { subject: 'ledger/partitioning', predicate: 'decision', object: { title }, depends_on_fact_ids: [...rests] },
    ],
  },
  commitment: { title, rationale: 'The benchmark says so.', owner_principal_id: 'user_123', reversible: true },
  plan_steps: [
    { step_index: 1, capability_id: pull, arguments: { repo: 'pay/ledger', title, head: 'rfc', base: 'main' } },
  ],
  ...more,
});

export const pulseWith = (
  events: PulseInput['unobserved_events'] = [],
  more: Partial<PulseInput> = {},
): PulseInput => ({
  scope_goal_ids: [goalId],
  unobserved_events: events,
  compaction_mode: 'FACT_POINTERS_ONLY',
  ...more,
});

interface Directive {
  readonly directive: {
    readonly invocation_id: string;
    readonly idempotency_key: string;
    readonly mandatory_next_steps: readonly { required_nonce?: string }[];
  };
}

/** Hands in the receipt that a directive asks for. */
export const settleAs = async (stage: CaopStage, workId: string, dispatched: unknown, ref: string) => {
  const { directive } = dispatched as Directive;
  return stage.caop.settler.settle(
    {
      work_id: workId,
      invocation_id: directive.invocation_id,
      idempotency_key: directive.idempotency_key,
      nonce: directive.mandatory_next_steps[1]?.required_nonce ?? '',
      status: 'SUCCEEDED',
      external_ref: ref,
      raw_output: { external_ref: ref, html_url: `https://example.test/${ref}` },
    },
    bot,
  );
};

export const tellStory = async (stage: CaopStage): Promise<Record<string, unknown>> => {
  const { caop, clock } = stage;
  await setGoal(stage);
  await registerPull(stage);
  await registerHooks(stage);
  const told: Record<string, unknown> = {};
  const observed = async (): Promise<string> => {
    const { facts } = await caop.facts.list({ candidates: true, limit: 100 }, ann);
    return facts.find(({ kind }) => kind === 'observed')?.fact_id ?? '';
  };

  await caop.pulser.pulse(
    pulseWith([{ source: 'benchmark_ci', summary: 'October p99: 12ms at 15k TPS', external_ref: 'ci_run_5310' }]),
    bot,
  );
  const october = await observed();
  const first = await caop.stager.stage(rfc('Single-Region Hash Partitioning', [october]), bot);
  told['1 staged'] = first;
  told['2 agent cannot dispatch'] = await refusal(
    caop.dispatcher.dispatch({ work_id: first.work_id, decision: 'APPROVE_AND_DISPATCH' }, bot),
  );
  await caop.dispatcher.dispatch({ work_id: first.work_id, decision: 'APPROVE_AND_DISPATCH' }, ann);
  const directive = await caop.dispatcher.dispatch({ work_id: first.work_id, decision: 'APPROVE_AND_DISPATCH' }, bot);
  told['3 directive'] = directive;
  told['4 settled'] = await settleAs(stage, first.work_id, directive, 'pr_9');

  await clock.advance(30 * DAY);
  told['5 no owner'] = await refusal(
    caop.stager.stage(
      rfc('Shadow-traffic replay', [october], {
        commitment: { title: 'Shadow-traffic replay', rationale: 'Prove it.', reversible: true },
      }),
      bot,
    ),
  );
  told['6 november pulse'] = await caop.pulser.pulse(
    pulseWith(
      [
        {
          source: 'benchmark_ci',
          summary: 'November p99 benchmark: 48ms at 15k TPS',
          external_ref: 'ci_run_5521',
          supersedes_fact_id: october,
        },
      ],
      {
        hydrate_capability_ids: [pull],
      },
    ),
    bot,
  );
  const november = await observed();
  told['7 stale premise'] = await refusal(caop.stager.stage(rfc('Keep the single region', [october]), bot));
  const second = await caop.stager.stage(
    rfc('Two-Region Range Partitioning', [november], { supersedes_work_id: first.work_id }),
    bot,
  );
  told['8 replanned'] = second;
  await caop.dispatcher.dispatch(
    {
      work_id: second.work_id,
      decision: 'APPROVE_WITH_STEERING_DELTA',
      steering_delta: {
        patched_step_arguments: [{ step_index: 1, argument_overrides: { reviewers: ['principal_eng'], draft: true } }],
        added_policy_constraints: ['NO_PRODUCTION_DEPLOY_BEFORE_SHADOW_REPLAY'],
        rationale: 'Open the RFC as a draft and add the principal engineer as reviewer.',
      },
      two_phase_verification: {
        phase_1_immediate: 'REQUIRE_NONCE_AND_ARTIFACT',
        phase_2_deferred: {
          check_after_seconds: 86_400,
          verification_capability_id: 'metrics.query',
          success_predicate: 'ledger.p99_latency_ms < 20 AND ledger.tps >= 15000',
        },
      },
    },
    ann,
  );
  const steered = await caop.dispatcher.dispatch({ work_id: second.work_id, decision: 'APPROVE_AND_DISPATCH' }, bot);
  told['9 steered directive'] = steered;
  told['10 recorded, outcome open'] = await settleAs(stage, second.work_id, steered, 'pr_10');
  told['11 pulse before the check'] = await caop.pulser.pulse(pulseWith(), bot);

  await clock.advance(DAY);
  stage.answer('metrics.query', { ledger: { p99_latency_ms: 14, tps: 15_400 } });
  told['12 pulse that checks'] = await caop.pulser.pulse(pulseWith(), bot);
  told['13 commitments'] = await caop.commitments.list({}, bot);

  told['14 december pulse'] = await caop.pulser.pulse(
    pulseWith([
      {
        source: 'benchmark_ci',
        summary: 'December p99: 71ms',
        external_ref: 'ci_run_5800',
        supersedes_fact_id: november,
      },
    ]),
    bot,
  );
  told['15 facts'] = await caop.facts.list({ candidates: false, limit: 100 }, ann);
  return told;
};
