import { SignalboxError } from '../contracts/errors.ts';
import { isAgent, mayApprove, principalKey, type Principal } from '../contracts/principal.ts';
import type { Route } from '../contracts/routes.ts';
import type { Kernel } from '../kernel/kernel.ts';

export const bearerToken = (header: string | undefined | null): string | null =>
  /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1] ?? null;

export const authenticate = async (kernel: Pick<Kernel, 'authenticate'>, token: string | null): Promise<Principal> => {
  if (token === null) {
    throw new SignalboxError('UNAUTHENTICATED', 'Send a token: Authorization: Bearer <token>.');
  }
  const principal = await kernel.authenticate(token);
  if (principal === null) {
    throw new SignalboxError('UNAUTHENTICATED', 'This token is unknown, revoked or expired. Get a new one.');
  }
  return principal;
};

/** Throws FORBIDDEN unless the principal may use a route of this access. */
export const authorize = (principal: Principal, access: Exclude<Route['access'], 'open'>): void => {
  const who = principalKey(principal.ref);
  if (access === 'any') return;
  if (isAgent(principal)) throw new SignalboxError('FORBIDDEN', `Agents may not do this; ${who} is an agent.`);
  if (access === 'approver' && !mayApprove(principal)) {
    throw new SignalboxError('FORBIDDEN', `This needs the role approver, which ${who} does not hold.`);
  }
  if (access === 'admin' && !principal.roles.includes('admin')) {
    throw new SignalboxError('FORBIDDEN', `This needs the role admin, which ${who} does not hold.`);
  }
};
