import type { ApprovalTerms } from '../../contracts/caopEvents.ts';
import type { PrincipalRef } from '../../contracts/principal.ts';
import { principalKey, samePrincipal } from '../../contracts/principal.ts';

/** Quorum, roles and escalation of an approval (CAOP `ApprovalRoutingRule`). */

export interface Vote {
  readonly by: PrincipalRef;
  readonly at: string;
}

export interface Voter {
  readonly ref: PrincipalRef;
  readonly roles: readonly string[];
}

/** `admin` holds what `approver` holds. */
const holdsRole = (voter: Voter, wanted: string): boolean =>
  voter.roles.includes(wanted) || (wanted === 'approver' && voter.roles.includes('admin'));

const hasARequiredRole = (terms: Pick<ApprovalTerms, 'required_roles'>, voter: Voter): boolean =>
  terms.required_roles.length === 0
    ? holdsRole(voter, 'approver')
    : terms.required_roles.some((wanted) => holdsRole(voter, wanted));

export const mayNotVote = (
  terms: Pick<ApprovalTerms, 'required_roles'>,
  voter: Voter,
  stager: PrincipalRef,
): string | null => {
  const who = principalKey(voter.ref);
  if (voter.ref.type === 'agent') return `Agents do not approve; ${who} is an agent. A person decides in the console.`;
  if (samePrincipal(voter.ref, stager)) return `${who} staged this and cannot approve it; someone else must decide.`;
  if (!hasARequiredRole(terms, voter)) {
    const wanted = terms.required_roles.length === 0 ? 'approver' : terms.required_roles.join(' or ');
    return `${who} does not hold the role this asks for (${wanted}).`;
  }
  return null;
};

/** One vote each; a second vote of the same person changes nothing. */
export const withVote = (votes: readonly Vote[], vote: Vote): readonly Vote[] =>
  votes.some(({ by }) => samePrincipal(by, vote.by)) ? votes : [...votes, vote];

export const quorumReached = (terms: Pick<ApprovalTerms, 'quorum'>, votes: readonly Vote[]): boolean =>
  votes.length >= terms.quorum;

/** What a timeout does: once to the role named for it, then it is over. */
export const onTimeout = (
  terms: ApprovalTerms,
  now: number,
): { readonly role: string; readonly expires_at: string } | null =>
  terms.escalate_to === null || terms.required_roles.join() === terms.escalate_to
    ? null
    : { role: terms.escalate_to, expires_at: new Date(now + terms.round_seconds * 1_000).toISOString() };
