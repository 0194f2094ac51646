import type { ExecutionState } from '../../contracts/caop/execution.ts';

/** Where an execution may go from where it is. COMPLETED, CANCELLED and EXPIRED are ends. */
export const transitions: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  CREATED: ['READY', 'CANCELLED'],
  READY: ['RUNNING', 'WAITING_APPROVAL', 'CANCELLED', 'EXPIRED'],
  WAITING_APPROVAL: ['READY', 'CANCELLED', 'EXPIRED'],
  RUNNING: ['VERIFYING', 'WAITING_APPROVAL', 'BLOCKED', 'FAILED', 'CANCELLED', 'EXPIRED'],
  BLOCKED: ['RUNNING', 'CANCELLED', 'EXPIRED'],
  VERIFYING: ['COMPLETED', 'FAILED', 'RUNNING'],
  FAILED: ['READY', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
};

export const mayMove = (from: ExecutionState, to: ExecutionState): boolean => transitions[from].includes(to);

/** Moves that an agent leaves to people and timers: freeing what waits for a yes, and expiry. */
export const personOnly = (from: ExecutionState, to: ExecutionState): boolean =>
  to === 'EXPIRED' || (from === 'WAITING_APPROVAL' && to !== 'CANCELLED');
