import type { ApprovalStatus, ApprovalView, LeaseView, SurfaceView } from '../../core/contracts/console.ts';
import { eventually } from './events.ts';
import type { Rest } from './rest.ts';

export interface ApprovalFilter {
  readonly verb?: string;
  readonly surface?: string;
  readonly agent?: string;
  /** Part of the arguments that must be equal. */
  readonly args?: Readonly<Record<string, unknown>>;
}

const fits = (approval: ApprovalView, filter: ApprovalFilter): boolean =>
  (filter.verb === undefined || approval.verb === filter.verb) &&
  (filter.surface === undefined || approval.surface_id === filter.surface) &&
  (filter.agent === undefined || approval.requested_by.id === filter.agent) &&
  Object.entries(filter.args ?? {}).every(([key, value]) => approval.arguments[key] === value);

/** A person who decides through the API, for tests that are not about the console. */
export class Person {
  readonly rest: Rest;

  constructor(rest: Rest) {
    this.rest = rest;
  }

  async approvals(status: ApprovalStatus | 'all' = 'pending'): Promise<readonly ApprovalView[]> {
    return (await this.rest.call('approvals.list', { query: { status } })).approvals;
  }

  /** The newest pending approval that fits, as soon as there is one. */
  async asked(filter: ApprovalFilter = {}): Promise<ApprovalView> {
    return await eventually(this.rest, `an approval for ${JSON.stringify(filter)}`, async () =>
      (await this.approvals()).find((approval) => fits(approval, filter)),
    );
  }

  async approve(approval: ApprovalView, reason?: string): Promise<ApprovalView> {
    return await this.rest.call('approvals.decide', {
      params: { approval_id: approval.approval_id },
      body: {
        decision: 'approve',
        binding_hash: approval.binding_hash,
        ...(reason === undefined ? {} : { reason }),
      },
    });
  }

  async reject(approval: ApprovalView, reason: string): Promise<ApprovalView> {
    return await this.rest.call('approvals.decide', {
      params: { approval_id: approval.approval_id },
      body: { decision: 'reject', reason, binding_hash: approval.binding_hash },
    });
  }

  async steer(approval: ApprovalView, delta: Record<string, unknown>, reason: string): Promise<ApprovalView> {
    return await this.rest.call('approvals.decide', {
      params: { approval_id: approval.approval_id },
      body: { decision: 'steer', steering_delta: delta, reason, binding_hash: approval.binding_hash },
    });
  }

  /** The approval once it has left `pending`, or has reached `status`. */
  async ended(approvalId: string, status?: ApprovalStatus): Promise<ApprovalView> {
    return await eventually(this.rest, `the end of approval ${approvalId}`, async () => {
      const approval = await this.rest.call('approvals.get', { params: { approval_id: approvalId } });
      const over = status === undefined ? approval.status !== 'pending' : approval.status === status;
      return over ? approval : undefined;
    });
  }

  async lease(state: LeaseView['state'], agent?: string): Promise<LeaseView> {
    return await eventually(this.rest, `a lease that is ${state}`, async () => {
      const { leases } = await this.rest.call('leases.list', { query: { state } });
      return leases.find((lease) => agent === undefined || lease.holder.id === agent);
    });
  }

  /** A new browser surface at an address, opened by hand and so without an approval. */
  async openBrowser(url: string, label?: string): Promise<SurfaceView> {
    return await this.rest.call('surfaces.open', {
      body: { kind: 'browser', url, ...(label === undefined ? {} : { label }) },
    });
  }

  async close(surface: SurfaceView): Promise<void> {
    await this.rest.call('surfaces.close', { params: { surface_id: surface.id } });
  }

  /** Lets one agent act without asking, so that a test can be about something else. */
  async trust(agentId: string): Promise<string> {
    const policy = await this.rest.call('policies.create', {
      body: {
        title: `Acceptance tests let agent:${agentId} act`,
        condition: `principal.id == "${agentId}"`,
        effect: 'allow',
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
    });
    return policy.policy_id;
  }
}
