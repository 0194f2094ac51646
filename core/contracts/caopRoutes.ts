import { z } from 'zod';
import { constraint, criterion, goal, policyRegistration, preCommitHook } from './caop/base.ts';
import { bitemporalFact } from './caop/bitemporal.ts';
import { capabilityRegistration, executionLocus, promotionPolicy } from './caop/capability.ts';
import { childWork, goalPulseSLA } from './caop/compact.ts';
import { policyDecision, workView } from './console.ts';
import { principalRef, role } from './principal.ts';

/** Routes of ours around the CAOP kernel: goals, facts, capabilities, policies at commitment, questions. */

const id = <N extends string>(name: N) =>
  z.object({ [name]: z.string().min(1).max(200) } as { readonly [K in N]: z.ZodString });
const time = z.iso.datetime({ offset: true });
const json = z.record(z.string(), z.unknown());

export const goalView = z.object({ goal, sla: goalPulseSLA.nullable(), pulse_missed_at: z.string().nullable() });

export const goalCreateInput = z.strictObject({
  id: z.string().regex(/^goal_[a-zA-Z0-9][a-zA-Z0-9._-]{0,79}$/),
  objective: z.string().min(1).max(4_000),
  owner: principalRef.optional(),
  successCriteria: z.array(criterion).optional(),
  constraints: z.array(constraint).optional(),
  /** The heartbeat that is expected; people are told when it stops. */
  sla: goalPulseSLA.omit({ goal_id: true, last_pulse_at: true }).optional(),
});

export const factView = bitemporalFact.extend({
  kind: z.string(),
  superseded_by_fact_id: z.string().nullable(),
  /** How many facts rest on it directly. */
  dependents: z.number().int(),
  /** For facts that a child scope handed up: its work, invocations and trace hash. */
  handed_up: json.nullable(),
});

export const sideEffectLevel = z.enum(['none', 'reversible', 'irreversible']);

export const capabilityView = z.object({
  capability_id: z.string(),
  summary: z.string(),
  version: z.string(),
  execution_locus: executionLocus,
  side_effect_level: sideEffectLevel,
  receipt_lease_seconds: z.number().int(),
  required_receipt_fields: z.array(z.string()).readonly(),
  promotion_policy: promotionPolicy.nullable(),
  input_schema: json.nullable(),
  output_schema: json.nullable(),
});

export const capabilityCreateInput = z.strictObject({
  ...capabilityRegistration.shape,
  capability_id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._/-]{0,119}$/),
  summary: z.string().min(1).max(400).optional(),
  /** Left out, it counts as irreversible: its use asks a person. */
  side_effect_level: sideEffectLevel.optional(),
});

const routing = z.strictObject({
  required_roles: z.array(role),
  min_quorum: z.number().int().min(1).max(20),
  expiration_seconds: z.number().int().min(1).max(31_536_000),
  escalate_to_role_on_timeout: role.nullable().default(null),
});

export const commitPolicyInput = z.strictObject({
  ...policyRegistration.shape,
  policy_id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,119}$/),
  pre_commit_hooks: z.array(preCommitHook).max(50),
  routing: routing.optional(),
});

export const commitPolicyView = z.object({
  policy: policyRegistration,
  version: z.string(),
  routing: routing.nullable(),
  by: principalRef,
  registered_at: z.string(),
  withdrawn: z.boolean(),
});

export const questionView = z.object({
  question_id: z.string(),
  execution_id: z.string(),
  question: z.string(),
  asked_by: principalRef,
  asked_at: z.string(),
  answer: z.enum(['open', 'yes', 'no']),
  answered_by: principalRef.nullable(),
  note: z.string().nullable(),
});

export const backtestInput = z.strictObject({
  scope: z.string().default('*'),
  condition: z.string().min(1).max(8_000),
  /** How many of the newest calls are looked at. */
  calls: z.number().int().min(1).max(1_000).default(1_000),
});

export const backtestView = z.object({
  looked_at: z.number().int(),
  matched: z.number().int(),
  /** Calls on which the condition could not be evaluated; a policy that denies or asks would match them. */
  failed: z.number().int(),
  examples: z.array(z.object({ call_id: z.string(), verb: z.string(), summary: z.string() })),
});

export const compactDetailView = z.object({
  view: workView,
  goal_id: z.string(),
  execution_locus: executionLocus,
  commitment_id: z.string(),
  commitment_fact_id: z.string().nullable(),
  derived_fact_ids: z.array(z.string()),
  policy: policyDecision,
  failed_hooks: z.array(z.object({ hook_id: z.string(), error_code: z.string(), remediation: z.string() })),
  constraints: z.array(z.object({ text: z.string(), enforced: z.boolean() })),
  steered: z
    .object({ by: principalRef, rationale: z.string().nullable(), before: z.array(json), after: z.array(json) })
    .nullable(),
  invocations: z.array(
    z.object({
      invocation_id: z.string(),
      step_index: z.number().int(),
      state: z.string(),
      status: z.string().nullable(),
      late: z.boolean(),
      output: json.nullable(),
    }),
  ),
  needs_confirmation: z.boolean(),
  children: z.array(childWork),
});

export const caopRoutes = {
  'goals.list': {
    method: 'get',
    path: '/x/goals',
    summary: 'Goals, oldest first.',
    access: 'any',
    status: 200,
    response: z.object({ goals: z.array(goalView) }),
    errors: [],
  },
  'goals.create': {
    method: 'post',
    path: '/x/goals',
    summary: 'Set a goal.',
    access: 'approver',
    body: goalCreateInput,
    status: 201,
    response: goalView,
    errors: [400, 409],
  },
  'goals.get': {
    method: 'get',
    path: '/x/goals/{goal_id}',
    summary: 'One goal.',
    access: 'any',
    params: id('goal_id'),
    status: 200,
    response: goalView,
    errors: [404],
  },
  'goals.change': {
    method: 'put',
    path: '/x/goals/{goal_id}/status',
    summary: 'Pause, resume, achieve or abandon a goal.',
    access: 'approver',
    params: id('goal_id'),
    body: z.strictObject({ status: goal.shape.status, because: z.string().min(1).max(4_000) }),
    status: 200,
    response: goalView,
    errors: [400, 404],
  },
  'facts.list': {
    method: 'get',
    path: '/x/facts',
    summary: 'Facts, newest first: as known now, or at `known_at`, of what was valid at `valid_at`.',
    access: 'any',
    query: z.object({
      valid_at: time.optional(),
      known_at: time.optional(),
      subject: z.string().optional(),
      goal_id: z.string().optional(),
      candidates: z.enum(['true', 'false']).default('false'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      cursor: z.string().optional(),
    }),
    status: 200,
    response: z.object({ facts: z.array(factView), next_cursor: z.string().optional() }),
    errors: [400],
  },
  'facts.get': {
    method: 'get',
    path: '/x/facts/{fact_id}',
    summary: 'One fact as it stands now.',
    access: 'any',
    params: id('fact_id'),
    status: 200,
    response: factView,
    errors: [404],
  },
  'capabilities.list': {
    method: 'get',
    path: '/x/capabilities',
    summary: 'What plans may name.',
    access: 'any',
    status: 200,
    response: z.object({ capabilities: z.array(capabilityView) }),
    errors: [],
  },
  'capabilities.register': {
    method: 'post',
    path: '/x/capabilities',
    summary: 'Register a capability that hosts perform (CAOP CapabilityRegistration).',
    access: 'approver',
    body: capabilityCreateInput,
    status: 201,
    response: capabilityView,
    errors: [400, 409],
  },
  'capabilities.withdraw': {
    method: 'delete',
    path: '/x/capabilities/{capability_id}',
    summary: 'No new plan may name it; what is staged keeps it.',
    access: 'approver',
    params: id('capability_id'),
    status: 200,
    response: capabilityView,
    errors: [404],
  },
  'commit_policies.list': {
    method: 'get',
    path: '/x/commit-policies',
    summary: 'Policies that check plans before commitment.',
    access: 'any',
    status: 200,
    response: z.object({ policies: z.array(commitPolicyView) }),
    errors: [],
  },
  'commit_policies.register': {
    method: 'post',
    path: '/x/commit-policies',
    summary: 'Register hooks, a minimum attestation or approval routing (CAOP PolicyRegistration).',
    access: 'approver',
    body: commitPolicyInput,
    status: 201,
    response: commitPolicyView,
    errors: [400],
  },
  'commit_policies.withdraw': {
    method: 'delete',
    path: '/x/commit-policies/{policy_id}',
    summary: 'Withdraw one; it stays on the record.',
    access: 'approver',
    params: id('policy_id'),
    status: 200,
    response: commitPolicyView,
    errors: [404],
  },
  'policies.backtest': {
    method: 'post',
    path: '/x/policies/backtest',
    summary: 'How many of the newest calls a condition would have matched.',
    access: 'approver',
    body: backtestInput,
    status: 200,
    response: backtestView,
    errors: [400],
  },
  'questions.list': {
    method: 'get',
    path: '/x/questions',
    summary: 'Questions of verifications that wait for a person; answered ones with `answer=all`.',
    access: 'person',
    query: z.object({ answer: z.enum(['open', 'all']).default('open') }),
    status: 200,
    response: z.object({ questions: z.array(questionView) }),
    errors: [400],
  },
  'questions.answer': {
    method: 'post',
    path: '/x/questions/{question_id}/answer',
    summary: 'Answer one, once.',
    access: 'approver',
    params: id('question_id'),
    body: z.strictObject({ answer: z.enum(['yes', 'no']), note: z.string().max(4_000).optional() }),
    status: 200,
    response: questionView,
    errors: [400, 404, 409],
  },
  'work.detail': {
    method: 'get',
    path: '/x/work/{work_id}/plan',
    summary: 'The plan of compact work: checks, steering, invocations, children.',
    access: 'any',
    params: id('work_id'),
    status: 200,
    response: compactDetailView,
    errors: [404],
  },
  'work.confirm': {
    method: 'post',
    path: '/x/work/{work_id}/confirmation',
    summary: "A person's word that completed work did what it should, where a policy wants one.",
    access: 'approver',
    params: id('work_id'),
    body: z.strictObject({ note: z.string().min(1).max(4_000) }),
    status: 200,
    response: compactDetailView,
    errors: [400, 404, 409],
  },
} as const;
