import type { TokenView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { DomainEvent, EventPayload } from '../contracts/events.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import { sha256Hex } from './chainHash.ts';
import type { Decision, EventWriter } from './eventWriter.ts';
import type { EventStore, Row } from './eventStore.ts';
import type { Kernel } from './kernel.ts';
import type { Clock, Ids } from './ports.ts';
import { textOf } from './storeSchema.ts';

const PREFIX = 'sbx_';
/** Each console on a shared state has boot tokens of its own. */
const bootLabel = (console: string | null): string => (console === null ? 'boot' : `boot ${console}`);
/** How exact `last_used_at` is kept. */
const USE_GRAIN_MS = 60_000;
const SYSTEM: PrincipalRef = { type: 'service', id: 'signalbox' };

type TokenPart = Pick<TokenView, 'principal' | 'roles' | 'surfaces' | 'created_at' | 'expires_at'>;
const partOf = (row: Row): TokenPart => row['token'] as unknown as TokenPart;

export interface TokenLedger extends Pick<Kernel, 'authenticate' | 'createToken' | 'tokens' | 'revokeToken'> {
  mintBootTokens(): Promise<{ token: string; agentToken: string }>;
}

interface Parts {
  readonly store: EventStore;
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly console: string | null;
}

export const tokenLedger = (parts: Parts): TokenLedger => {
  const { store, writer, clock, ids } = parts;
  const BOOT = bootLabel(parts.console);
  const lastNoted = new Map<string, number>();

  const noteUse = async (tokenId: string): Promise<void> => {
    const now = clock.now();
    if (now - (lastNoted.get(tokenId) ?? -Infinity) < USE_GRAIN_MS) return;
    lastNoted.set(tokenId, now);
    await store.write([{ op: 'put', table: 'token_use', row: { token_id: tokenId, at: writer.now() } }]);
  };

  const viewOf = async (row: Row): Promise<TokenView> => {
    const token_id = textOf(row, 'token_id');
    const use = await store.get('token_use', token_id);
    return {
      token_id,
      ...partOf(row),
      label: row['label'] as string | null,
      revoked_at: row['revoked_at'] as string | null,
      last_used_at: (use?.['at'] ?? null) as string | null,
    };
  };

  const made = (grant: Omit<EventPayload<'token.created'>, 'token_hash'>): { token: string; decision: Decision } => {
    const token = `${PREFIX}${ids.secret()}`;
    const event: DomainEvent = { type: 'token.created', payload: { ...grant, token_hash: sha256Hex(token) } };
    return { token, decision: { stream: ids.id('tok'), version: 0, events: [event] } };
  };

  const boot = (principal: PrincipalRef, roles: TokenView['roles']) =>
    made({ principal, roles, surfaces: null, label: BOOT, expires_at: null, by: SYSTEM });

  const revocation = (because: 'revoked' | 'rotated', by: PrincipalRef): DomainEvent => ({
    type: 'token.revoked',
    payload: { by, because },
  });

  return {
    async authenticate(token) {
      const [row] = await store.query('tokens', { where: { token_hash: sha256Hex(token) }, limit: 1 });
      if (row === undefined || row['revoked_at'] !== null) return null;
      const { principal, roles, surfaces, expires_at } = partOf(row);
      if (expires_at !== null && expires_at <= writer.now()) return null;
      const tokenId = textOf(row, 'token_id');
      await noteUse(tokenId);
      return { ref: principal, roles, surfaces, tokenId } satisfies Principal;
    },

    async createToken(input) {
      if (input.principal.type === 'agent' && (input.roles ?? []).length > 0) {
        throw new SignalboxError('INVALID_REQUEST', 'An agent holds no role: leave `roles` out.', {
          details: { issues: [{ path: 'roles', message: 'An agent holds no role.' }] },
        });
      }
      if (input.expires_at !== undefined && input.expires_at <= writer.now()) {
        throw new SignalboxError('INVALID_REQUEST', 'The expiry is in the past: give a later one.', {
          details: { issues: [{ path: 'expires_at', message: 'Must be in the future.' }] },
        });
      }
      const isPerson = input.principal.type !== 'agent';
      const roles = [...(input.roles ?? (isPerson ? (['viewer'] as const) : []))];
      const { token, decision } = made({
        principal: input.principal,
        roles,
        surfaces: input.surfaces === undefined ? null : [...input.surfaces],
        label: input.label ?? null,
        expires_at: input.expires_at ?? null,
        by: input.by,
      });
      await writer.append([decision], decision.stream);
      return { token_id: decision.stream, token, principal: input.principal, roles };
    },

    async tokens() {
      const rows = await store.query('tokens', { order: { column: 'seq', direction: 'desc' } });
      return Promise.all(rows.map(viewOf));
    },

    async revokeToken(tokenId, by) {
      await writer.retrying(async () => {
        const row = await store.get('tokens', tokenId);
        if (row === null) throw new SignalboxError('NOT_FOUND', `There is no token ${tokenId}.`);
        if (row['revoked_at'] !== null) return;
        const version = await store.version(tokenId);
        await writer.append([{ stream: tokenId, version, events: [revocation('revoked', by)] }], tokenId);
      });
      const row = await store.get('tokens', tokenId);
      if (row === null) throw new SignalboxError('NOT_FOUND', `There is no token ${tokenId}.`);
      return viewOf(row);
    },

    async mintBootTokens() {
      const stale = await store.query('tokens', { where: { label: BOOT, revoked_at: null } });
      const user = boot({ type: 'user', id: 'local' }, ['admin']);
      const agent = boot({ type: 'agent', id: 'default' }, []);
      const revocations = stale.map(async (row): Promise<Decision> => {
        const stream = textOf(row, 'token_id');
        return { stream, version: await store.version(stream), events: [revocation('rotated', SYSTEM)] };
      });
      await writer.append([...(await Promise.all(revocations)), user.decision, agent.decision], 'system');
      return { token: user.token, agentToken: agent.token };
    },
  };
};
