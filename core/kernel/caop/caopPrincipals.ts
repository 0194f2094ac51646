import type { Principal, PrincipalRef } from '../../contracts/principal.ts';
import { isAgent, mayApprove, principalKey, samePrincipal } from '../../contracts/principal.ts';
import { forbidden } from './caopErrors.ts';

/** A viewer looks; whoever writes is an agent or a person who may approve. */
export const requireActor = (principal: Principal): void => {
  if (isAgent(principal) || mayApprove(principal)) return;
  throw forbidden(`${principalKey(principal.ref)} may look but not act: it holds no approver role.`);
};

export const requirePerson = (principal: Principal, what: string): void => {
  if (mayApprove(principal)) return;
  const who = principalKey(principal.ref);
  throw forbidden(
    isAgent(principal)
      ? `Agents may not ${what}; ${who} is an agent. A person does it in the console.`
      : `To ${what} takes the role approver, which ${who} does not hold.`,
  );
};

/** Agents have what is their own; people see everything. */
export const maySeeOf = (principal: Principal, owner: PrincipalRef): boolean =>
  !isAgent(principal) || samePrincipal(principal.ref, owner);
