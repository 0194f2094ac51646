import type { PolicyDecision, PolicyView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { DomainEvent } from '../contracts/events.ts';
import type { PrincipalRef } from '../contracts/principal.ts';
import { parseCondition } from '../domain/celCondition.ts';
import type { PolicyRule } from '../domain/decidePolicy.ts';
import { decidePolicy, inForce } from '../domain/decidePolicy.ts';
import type { EventStore } from './eventStore.ts';
import type { EventWriter } from './eventWriter.ts';
import type { GateKernel } from './gateKernel.ts';
import type { Kernel } from './kernel.ts';
import type { Clock, Ids } from './ports.ts';

export const AUTO_APPROVE = 'auto-approve';
const AUTO_APPROVE_MS = 60 * 60_000;
const SYSTEM: PrincipalRef = { type: 'service', id: 'signalbox' };

const invalid = (path: string, message: string): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `${path}: ${message}`, { details: { issues: [{ path, message }] } });

const viewOf = (row: { readonly [key: string]: unknown }): PolicyView => row['policy'] as PolicyView;

const ruleOf = (policy: PolicyView): PolicyRule => {
  const parsed = parseCondition(policy.condition);
  if (parsed.ok) return { policy, condition: parsed.condition };
  // Registered by a version that could read it: it fails closed like any condition that throws.
  const fail = (): never => {
    throw new SyntaxError(parsed.message);
  };
  return { policy, condition: { test: fail, reads: () => ({}) } };
};

export interface PolicyBook {
  readonly commands: Pick<GateKernel, 'policies' | 'createPolicy' | 'disablePolicy' | 'autoApprove' | 'decidePolicy'>;
  /** Ends the auto-approve of an earlier process, and starts one of this process when asked. */
  resetAutoApprove(on: boolean): Promise<void>;
  /** Another console on the same state may have changed them. */
  reload(): Promise<void>;
}

interface Parts {
  readonly store: EventStore;
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly ids: Ids;
}

export const policyBook = async ({ store, writer, clock, ids }: Parts): Promise<PolicyBook> => {
  const listed = async (): Promise<readonly PolicyView[]> =>
    (await store.query('policies', { order: { column: 'seq', direction: 'desc' } })).map(viewOf);
  let rules: readonly PolicyRule[] = [];
  const reload = async (): Promise<void> => {
    rules = (await listed()).filter((policy) => policy.disabled_at === null).map(ruleOf);
  };
  await reload();

  const find = async (policyId: string): Promise<PolicyView | null> => {
    const row = await store.get('policies', policyId);
    return row === null ? null : viewOf(row);
  };

  const createPolicy: Kernel['createPolicy'] = async (input, by) => {
    const now = writer.now();
    const parsed = parseCondition(input.condition);
    if (!parsed.ok) throw invalid('condition', parsed.message);
    if (input.effect === 'allow' && input.expires_at === undefined) {
      throw invalid('expires_at', 'A policy that allows needs an expiry.');
    }
    if (input.expires_at !== undefined && input.expires_at <= now)
      throw invalid('expires_at', 'Must be in the future.');
    const policy_id = input.policy_id ?? ids.id('pol');
    await writer.retrying(async () => {
      const before = await find(policy_id);
      if (before !== null && inForce(before, now)) {
        throw new SignalboxError(
          'STATE_VERSION_CONFLICT',
          `Policy ${policy_id} is in force: disable it first, or take another id.`,
        );
      }
      const policy: PolicyView = {
        policy_id,
        version: String(Number(before?.version ?? 0) + 1),
        title: input.title,
        scope: input.scope,
        condition: input.condition,
        effect: input.effect,
        enforcement: input.enforcement,
        expires_at: input.expires_at ?? null,
        created_by: by,
        created_at: now,
        disabled_at: null,
      };
      const version = await store.version(policy_id);
      await writer.append(
        [{ stream: policy_id, version, events: [{ type: 'policy.registered', payload: { policy } }] }],
        policy_id,
      );
    });
    await reload();
    return must(await find(policy_id), policy_id);
  };

  const disable = async (policyId: string, by: PrincipalRef, because: string): Promise<PolicyView> => {
    await writer.retrying(async () => {
      const policy = must(await find(policyId), policyId);
      if (policy.disabled_at !== null) return;
      const event: DomainEvent = { type: 'policy.disabled', payload: { by, because } };
      const version = await store.version(policyId);
      await writer.append([{ stream: policyId, version, events: [event] }], policyId);
    });
    await reload();
    return must(await find(policyId), policyId);
  };

  const commands: PolicyBook['commands'] = {
    policies: listed,
    createPolicy,
    disablePolicy: (policyId, by) => disable(policyId, by, 'disabled by hand'),
    decidePolicy(call, context): PolicyDecision {
      const now = new Date(clock.now());
      return decidePolicy(rules, { ...call, now: now.toISOString() }, { ...context, now });
    },
    async autoApprove() {
      const policy = await find(AUTO_APPROVE);
      if (policy === null || policy.expires_at === null || !inForce(policy, writer.now())) return null;
      return { until: policy.expires_at, policy_id: policy.policy_id };
    },
  };

  return {
    commands,
    reload,
    async resetAutoApprove(on) {
      const policy = await find(AUTO_APPROVE);
      if (policy !== null && policy.disabled_at === null) await disable(AUTO_APPROVE, SYSTEM, 'its process has ended');
      if (!on) return;
      await createPolicy(
        {
          policy_id: AUTO_APPROVE,
          title: 'Approve everything while this process runs (--auto-approve)',
          scope: '*',
          condition: 'true',
          effect: 'allow',
          enforcement: 'enforced',
          expires_at: new Date(clock.now() + AUTO_APPROVE_MS).toISOString(),
        },
        { type: 'service', id: AUTO_APPROVE },
      );
    },
  };
};

const must = (policy: PolicyView | null, policyId: string): PolicyView => {
  if (policy === null) throw new SignalboxError('NOT_FOUND', `There is no policy ${policyId}.`);
  return policy;
};
