import type { ErrorCode } from '../contracts/errors.ts';
import { SignalboxError, caopErrorCodes, surfaceErrorCodes } from '../contracts/errors.ts';
import { principalKey } from '../contracts/principal.ts';
import type { WorkState } from '../domain/workState.ts';
import type { VerbResult } from './gate.ts';

/** Code of a lease that failed because something stood in the way: an answer, not an error. */
export const BLOCKED = 'BLOCKED';

const isErrorCode = (code: string): code is ErrorCode => code in surfaceErrorCodes || code in caopErrorCodes;

export const isOver = (work: WorkState): boolean => {
  switch (work.status) {
    case 'EXECUTE_COMPLETED':
    case 'EXECUTE_FAILED':
    case 'EXECUTE_EXPIRED':
    case 'CANCELLED':
      return true;
    case 'CANDIDATE_PROPOSAL':
    case 'COMMIT_AWAITING_APPROVAL':
    case 'EXECUTE_PENDING':
    case 'EXECUTE_DISPATCHED':
      return false;
  }
};

const endingMessage = (work: WorkState, code: string, because: string): string => {
  switch (code) {
    case 'APPROVAL_DENIED': {
      const by = work.approval?.decision?.by;
      return `${by === undefined ? 'A person' : principalKey(by)} rejected it: ${because} Nothing was sent.`;
    }
    case 'APPROVAL_EXPIRED':
      return `The approval expired: ${because} Nothing was sent; ask again if it is still wanted.`;
    case 'APPROVAL_VOID':
      return `The approval no longer holds: ${because} Nothing was sent; look again, then ask again.`;
    case 'CONTROLLED_BY_HUMAN':
      return `${because} Nothing was sent; wait until it is handed back, then look again.`;
    case 'CANCELLED':
      return `It was withdrawn: ${because} Nothing was sent.`;
    case 'OUTCOME_UNKNOWN':
      return `Nobody knows whether it happened: ${because} A person must say so (work ${work.work_id}) before this agent acts again.`;
    default:
      return because;
  }
};

const failure = (work: WorkState): SignalboxError => {
  const ending = work.ending ?? { code: 'INTERNAL', because: 'It ended without saying why.', details: {} };
  const code = isErrorCode(ending.code) ? ending.code : 'INTERNAL';
  const ids = {
    work_id: work.work_id,
    ...(work.approval === null ? {} : { approval_id: work.approval.approval_id }),
  };
  const said = code === 'APPROVAL_DENIED' ? { reason: ending.because, by: work.approval?.decision?.by ?? null } : {};
  const policy = code === 'POLICY_DENIED' ? { policy: work.staged.policy } : {};
  return new SignalboxError(code, endingMessage(work, code, ending.because), {
    details: { ...ending.details, ...said, ...policy, ...ids },
  });
};

const stopped = (work: WorkState, code: string): SignalboxError =>
  new SignalboxError(
    isErrorCode(code) ? code : 'CANCELLED',
    'It was stopped in the middle. The receipt lists what had been sent; look before you go on.',
    {
      details: {
        work_id: work.work_id,
        receipt: work.receipt?.receipt ?? null,
        sent: work.lease?.sent ?? [],
      },
    },
  );

/** What a caller is told of work that is over. */
export const resultOf = (work: WorkState): VerbResult => {
  const { receipt, ending } = work;
  if (work.status === 'EXECUTE_COMPLETED' && receipt !== null) {
    if (receipt.interrupted !== null) throw stopped(work, receipt.interrupted);
    return { output: { ...receipt.receipt } };
  }
  if (ending?.code === BLOCKED) return { output: { ...(ending.details['receipt'] as Record<string, unknown>) } };
  throw failure(work);
};

export const pendingError = (work: WorkState, waitedMs: number): SignalboxError => {
  const granted = work.status === 'EXECUTE_PENDING';
  return new SignalboxError(
    'APPROVAL_PENDING',
    `${granted ? 'It is approved and waits to be performed' : 'A person has not decided yet'}. Nothing was sent. Call signalbox.await_work with work_id ${work.work_id} to go on waiting; do not send the action again.`,
    {
      details: {
        work_id: work.work_id,
        approval_id: work.approval?.approval_id ?? null,
        expires_at: work.approval?.expires_at ?? null,
        waited_ms: Math.round(waitedMs),
      },
    },
  );
};
