import { caopErrorCodes, isSignalboxError, SignalboxError, type CaopErrorCode } from '../contracts/errors.ts';
import { caopOperations, type CaopOperation, type CaopOperationId } from '../contracts/caop/operations.ts';
import { parseOrThrow } from '../contracts/parse.ts';
import { mayApprove, principalKey, type Principal } from '../contracts/principal.ts';
import type { Gate } from '../gate/gate.ts';
import type { CaopKernel } from '../kernel/caop/caopKernel.ts';
import type { z } from 'zod';

/** The seventeen operations of CAOP, called alike by REST and MCP. */

export interface CaopDeps {
  readonly caop: CaopKernel;
  readonly gate: Pick<Gate, 'approval' | 'decide'>;
  readonly ids: { id(prefix: string): string };
}

export interface CaopParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface CaopAnswer {
  readonly status: number;
  readonly body: unknown;
}

type Operations = typeof caopOperations;
type Part<O, K extends string> =
  O extends Readonly<Record<K, infer S>> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;
interface Input<I extends CaopOperationId> {
  readonly params: Part<Operations[I], 'params'>;
  readonly query: Part<Operations[I], 'query'>;
  readonly body: Part<Operations[I], 'body'>;
  readonly principal: Principal;
}
type Response<I extends CaopOperationId> = z.output<Operations[I]['response']>;
type Runs = { readonly [I in CaopOperationId]: (deps: CaopDeps, input: Input<I>) => Promise<Response<I> | Counting> };

/** A vote that is not the last one that is needed. */
class Counting {
  readonly votes: number;
  readonly needed: number;
  constructor(votes: number, needed: number) {
    this.votes = votes;
    this.needed = needed;
  }
}

/** Requests of plans and executions are the kernel's; those of single verbs the gate's. */
const decideApproval = async (
  deps: CaopDeps,
  { params, body, principal }: Input<'approvals.decide'>,
): Promise<Response<'approvals.decide'> | Counting> => {
  const id = params.approval_request_id;
  const decided = await deps.caop.approvals.decide(id, body, principal);
  if (decided !== null)
    return decided.kind === 'decided' ? decided.approval : new Counting(decided.votes, decided.needed);
  if (!mayApprove(principal)) {
    throw new SignalboxError(
      'FORBIDDEN',
      `Approving takes a person with the role approver; ${principalKey(principal.ref)} is none.`,
    );
  }
  const view = await deps.gate.approval(id, principal);
  await deps.gate.decide(
    id,
    {
      decision: body.decision === 'approve' ? 'approve' : 'reject',
      binding_hash: view.binding_hash,
      expires_at: new Date(body.expires_at).toISOString(),
      ...(body.decision === 'deny' ? { reason: 'Denied.' } : {}),
    },
    principal,
  );
  return {
    approval_id: deps.ids.id('appr'),
    approval_request_id: id,
    decision: body.decision,
    ...(body.scope === undefined ? {} : { scope: body.scope }),
    approved_by: principal.ref,
    expires_at: body.expires_at,
  };
};

const runs: Runs = {
  'observations.ingest': ({ caop }, { body, principal }) => caop.observations.ingest(body, principal),
  'context.resolve': ({ caop }, { body, principal }) => caop.contexts.resolve(body, principal),
  'commitments.create': ({ caop }, { body, principal }) => caop.commitments.create(body, principal),
  'commitments.list': ({ caop }, { query, principal }) => caop.commitments.list(query, principal),
  'plans.create': ({ caop }, { body, principal }) => caop.commitments.plan(body, principal),
  'executions.start': ({ caop }, { body, principal }) => caop.executions.start(body, principal),
  'executions.get': ({ caop }, { params, principal }) => caop.executions.get(params.execution_id, principal),
  'executions.submit_result': ({ caop }, { params, body, principal }) =>
    caop.executions.submit(params.execution_id, body, principal),
  'executions.transition': ({ caop }, { params, body, principal }) =>
    caop.executions.transition(params.execution_id, body, principal),
  'verifications.evaluate': ({ caop }, { body, principal }) => caop.verifications.evaluate(body, principal),
  'records.commit': ({ caop }, { body, principal }) => caop.records.commit(body, principal),
  'reviews.evaluate': ({ caop }, { body, principal }) => caop.contexts.review(body, principal),
  'approvals.decide': decideApproval,
  'compact.pulse': ({ caop }, { body, principal }) => caop.pulser.pulse(body, principal),
  'compact.stage_work': ({ caop }, { body, principal }) => caop.stager.stage(body, principal),
  'compact.dispatch_work': ({ caop }, { body, principal }) => caop.dispatcher.dispatch(body, principal),
  'compact.settle_receipt': ({ caop }, { body, principal }) => caop.settler.settle(body, principal),
};

type AnyRun = (deps: CaopDeps, input: object) => Promise<unknown>;

export const callCaop = async (
  deps: CaopDeps,
  id: CaopOperationId,
  parts: CaopParts,
  principal: Principal,
): Promise<CaopAnswer> => {
  const operation: CaopOperation = caopOperations[id];
  const params = operation.params && parseOrThrow(operation.params, parts.params, 'path');
  const query = operation.query && parseOrThrow(operation.query, parts.query, 'query');
  const body = operation.body && parseOrThrow(operation.body, parts.body, 'body');
  try {
    const result = await (runs[id] as AnyRun)(deps, { params, query, body, principal });
    if (result instanceof Counting) return { status: 202, body: { votes: result.votes, needed: result.needed } };
    const checked = operation.response.safeParse(result);
    if (checked.success) return { status: operation.status, body: checked.data };
    throw new SignalboxError('INTERNAL', `The answer of ${id} breaks its own contract.`, { cause: checked.error });
  } catch (error) {
    throw isSignalboxError(error) ? inCaopTerms(error) : error;
  }
};

const byStatus: Readonly<Record<number, CaopErrorCode>> = {
  400: 'INVALID_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'STATE_VERSION_CONFLICT',
};

/** Codes of surfaces have no place under /v1; they stay readable in the details. */
const inCaopTerms = (error: SignalboxError): SignalboxError => {
  if (error.code in caopErrorCodes) return error;
  return new SignalboxError(byStatus[error.httpStatus] ?? 'STATE_VERSION_CONFLICT', error.message, {
    retryable: error.retryable,
    details: { ...error.details, reason: error.code },
    cause: error,
  });
};
