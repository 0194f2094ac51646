import { z } from 'zod';

/** Who acts: CAOP v0.2 `PrincipalRef`. Printed as `type:id`, e.g. `agent:default`. */
export const principalRef = z
  .strictObject({
    type: z.enum(['user', 'role', 'agent', 'service']),
    id: z.string(),
  })
  .readonly();
export type PrincipalRef = z.infer<typeof principalRef>;

export const role = z.enum(['viewer', 'approver', 'admin']);
export type Role = z.infer<typeof role>;

/** An authenticated caller. Agents hold no role. `surfaces: null` means every surface. */
export interface Principal {
  readonly ref: PrincipalRef;
  readonly roles: readonly Role[];
  readonly surfaces: readonly string[] | null;
  readonly tokenId: string;
  /** Set by the kernel alone, for the steps of a plan that a person has approved. */
  readonly authority?: { readonly by: PrincipalRef; readonly work_id: string };
}

export const principalKey = (ref: PrincipalRef): string => `${ref.type}:${ref.id}`;
export const samePrincipal = (a: PrincipalRef, b: PrincipalRef): boolean => a.type === b.type && a.id === b.id;
export const isAgent = (p: Principal): boolean => p.ref.type === 'agent';
export const mayApprove = (p: Principal): boolean =>
  !isAgent(p) && (p.roles.includes('approver') || p.roles.includes('admin'));
