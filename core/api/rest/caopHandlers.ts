import { compactDetailView } from '../../contracts/caopRoutes.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { LeaseView } from '../../contracts/console.ts';
import { principalKey, samePrincipal, type Principal, type PrincipalRef } from '../../contracts/principal.ts';
import { leaseOfPlan } from '../../kernel/caop/compactReads.ts';
import type { CompactWork } from '../../kernel/caop/compactReads.ts';
import type { z } from 'zod';
import type { HandlerDeps } from './handlerDeps.ts';
import type { Handlers } from './handlers.ts';

type Detail = z.output<typeof compactDetailView>;

const detailOf = async ({ caop }: HandlerDeps, workId: string, viewer: Principal): Promise<Detail> => {
  const { work, children } = await caop.work.detail(workId, viewer);
  const view = await caop.work.view(workId, viewer);
  const { staged, steered } = work;
  return compactDetailView.parse({
    view,
    goal_id: staged.input.goal_id,
    execution_locus: staged.execution_locus,
    commitment_id: staged.commitment_id,
    commitment_fact_id: staged.commitment_fact_id,
    derived_fact_ids: staged.derived_fact_ids,
    policy: staged.policy,
    failed_hooks: work.failed_hooks,
    constraints: work.constraints,
    steered:
      steered === null
        ? null
        : { by: steered.by, rationale: steered.rationale, before: steered.before, after: steered.after },
    invocations: work.leases.map(({ invocation_id, step_index, state, settlement }) => ({
      invocation_id,
      step_index,
      state,
      status: settlement?.status ?? null,
      late: settlement?.late ?? false,
      output: settlement?.raw_output ?? null,
    })),
    needs_confirmation: staged.hold_record && work.confirmed_by === null && work.status === 'EXECUTE_COMPLETED',
    children,
  });
};

const goalHandlers = ({ caop }: HandlerDeps) =>
  ({
    'goals.list': async () => ({ goals: [...(await caop.goals.list())] }),
    'goals.create': ({ body, principal }) => caop.goals.create(body, principal),
    'goals.get': ({ params }) => caop.goals.view(params.goal_id),
    'goals.change': ({ params, body, principal }) =>
      caop.goals.change(params.goal_id, body.status, body.because, principal),
    'facts.list': async ({ query, principal }) => {
      const { facts, ...rest } = await caop.facts.list(
        { ...query, candidates: query.candidates === 'true' },
        principal,
      );
      return { facts: [...facts], ...rest };
    },
    'facts.get': ({ params, principal }) => caop.facts.get(params.fact_id, principal),
  }) satisfies Partial<Handlers>;

const bookHandlers = ({ caop }: HandlerDeps) =>
  ({
    'capabilities.list': async () => ({ capabilities: [...(await caop.capabilities.list())] }),
    'capabilities.register': ({ body, principal }) => caop.capabilities.register(body, principal),
    'capabilities.withdraw': ({ params, principal }) => caop.capabilities.withdraw(params.capability_id, principal),
    'commit_policies.list': async () => ({ policies: [...(await caop.commitPolicies.list())] }),
    'commit_policies.register': ({ body, principal }) => {
      const { routing, ...policy } = body;
      return caop.commitPolicies.register(policy, routing ?? null, principal);
    },
    'commit_policies.withdraw': ({ params, principal }) => caop.commitPolicies.withdraw(params.policy_id, principal),
    'policies.backtest': ({ body }) => caop.backtest(body),
    'questions.list': async ({ query }) => ({
      questions: [...(await caop.verifications.questions(query.answer, 500))],
    }),
    'questions.answer': ({ params, body, principal }) =>
      caop.verifications.answer(params.question_id, body.answer, body.note ?? null, principal),
  }) satisfies Partial<Handlers>;

/** Approvals, work and leases of plans stand in one list with those of single verbs. */
const mergedHandlers = ({ caop, gate, kernel }: HandlerDeps) =>
  ({
    'approvals.list': async ({ query, principal }) => {
      const [verbs, plans] = await Promise.all([
        gate.approvals(principal, query.status, query.limit),
        caop.approvals.list(principal, query.status, query.limit),
      ]);
      const approvals = [...verbs, ...plans].toSorted((a, b) => (a.requested_at < b.requested_at ? 1 : -1));
      return { approvals: approvals.slice(0, query.limit) };
    },
    'approvals.get': async ({ params, principal }) => {
      const id = params.approval_id;
      return (await caop.approvals.get(id, principal)) ?? gate.approval(id, principal);
    },
    'approvals.decide': async ({ params, body, principal }) => {
      const id = params.approval_id;
      return (await caop.approvals.decideView(id, body, principal)) ?? gate.decide(id, body, principal);
    },
    'work.list': ({ query, principal }) => caop.work.page(query, principal),
    'work.get': async ({ params, principal }) => {
      const id = params.work_id;
      return (await caop.work.view(id, principal)) ?? kernel.workItem(id, principal);
    },
    'leases.resolve': async ({ params, body, principal }) => {
      const work = await caop.settler.resolve(params.work_id, body, principal);
      return work === null ? gate.resolveLease(params.work_id, body, principal) : resolvedLease(work, body, principal);
    },
    'tokens.revoke': async ({ params, principal }) => {
      const token = await kernel.revokeToken(params.token_id, principal.ref);
      await withdrawUnlessOther(caop, kernel, token.principal);
      return token;
    },
    'leases.list': async ({ query, principal }) => ({
      leases: [...(await kernel.leases(principal, query.state)), ...(await caop.work.leases(principal, query.state))],
    }),
  }) satisfies Partial<Handlers>;

type Resolution = { readonly outcome: 'happened' | 'did_not_happen' | 'compensate'; readonly note: string };

const resolvedLease = (work: CompactWork, { outcome, note }: Resolution, by: Principal): LeaseView => {
  const view = leaseOfPlan(work);
  if (view === null) throw new SignalboxError('INTERNAL', 'A resolved plan has no lease.');
  return { ...view, state: 'resolved', resolution: { outcome, note, by: by.ref, at: work.updated_at } };
};

/** An agent whose last token is gone is gone itself. */
const withdrawUnlessOther = async (
  caop: HandlerDeps['caop'],
  kernel: HandlerDeps['kernel'],
  agent: PrincipalRef,
): Promise<void> => {
  if (agent.type !== 'agent') return;
  const others = (await kernel.tokens()).some(
    (token) => token.revoked_at === null && samePrincipal(token.principal, agent),
  );
  if (!others) await caop.withdrawAll(principalKey(agent));
};

export const createCaopHandlers = (deps: HandlerDeps) =>
  ({
    ...goalHandlers(deps),
    ...bookHandlers(deps),
    ...mergedHandlers(deps),
    'work.detail': ({ params, principal }) => detailOf(deps, params.work_id, principal),
    'work.confirm': async ({ params, body, principal }) => {
      const id = params.work_id;
      await deps.caop.confirm(id, body.note, principal);
      return detailOf(deps, id, principal);
    },
  }) satisfies Partial<Handlers>;
