import type { EventEnvelope } from '../contracts/caop.ts';
import type {
  CallView,
  LeaseView,
  PolicyCreateInput,
  PolicyView,
  ReceiptView,
  TokenView,
  WorkView,
} from '../contracts/console.ts';
import type { Principal, PrincipalRef, Role } from '../contracts/principal.ts';

export interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface StoredEvent {
  readonly seq: number;
  readonly event: EventEnvelope;
  readonly hash: string;
}

/** What REST and MCP need of the kernel directly; everything that touches a surface goes by the gate. */
export interface Kernel {
  /** Null: unknown, revoked or expired. */
  authenticate(token: string): Promise<Principal | null>;
  createToken(input: {
    principal: PrincipalRef;
    roles?: readonly Role[] | undefined;
    expires_at?: string | undefined;
    surfaces?: readonly string[] | undefined;
    label?: string | undefined;
    by: PrincipalRef;
  }): Promise<{ token_id: string; token: string; principal: PrincipalRef; roles: readonly Role[] }>;
  tokens(): Promise<readonly TokenView[]>;
  revokeToken(tokenId: string, by: PrincipalRef): Promise<TokenView>;

  policies(): Promise<readonly PolicyView[]>;
  createPolicy(input: PolicyCreateInput, by: PrincipalRef): Promise<PolicyView>;
  disablePolicy(policyId: string, by: PrincipalRef): Promise<PolicyView>;

  work(
    page: Page & { status?: string | undefined },
    viewer: Principal,
  ): Promise<{ work: readonly WorkView[]; next_cursor?: string }>;
  workItem(workId: string, viewer: Principal): Promise<WorkView>;
  /** Agents see only their own, approvers all, viewers none; the nonce only its holder. */
  leases(viewer: Principal, state?: string): Promise<readonly LeaseView[]>;
  receipts(
    page: Page & { surface_id?: string | undefined },
    viewer: Principal,
  ): Promise<{ receipts: readonly ReceiptView[]; next_cursor?: string }>;
  receipt(receiptId: string, viewer: Principal): Promise<ReceiptView>;
  calls(
    page: Page & { surface_id?: string | undefined; principal?: string | undefined; verb?: string | undefined },
    viewer: Principal,
  ): Promise<{ calls: readonly CallView[]; next_cursor?: string }>;
  call(callId: string, viewer: Principal): Promise<CallView>;

  paused(): Promise<{ by: PrincipalRef; at: string } | null>;
  setPaused(paused: boolean, by: Principal): Promise<void>;
  autoApprove(): Promise<{ until: string; policy_id: string } | null>;
  /** Pending approvals and expired leases. */
  needsYou(): Promise<number>;

  /** Position of the newest event. */
  head(): Promise<number>;
  /** Events after `seq`, oldest first, at most `limit`. */
  events(after: number, limit: number): Promise<readonly StoredEvent[]>;
}
