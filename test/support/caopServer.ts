import { startApiServer, type ApiServer } from '../../core/api/apiServer.ts';
import type { ApiDeps } from '../../core/api/apiDeps.ts';
import { SignalboxError } from '../../core/contracts/errors.ts';
import type { Gate } from '../../core/gate/gate.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { startCaopStage, type CaopStage } from './caopStage.ts';

export interface CaopServer extends AsyncDisposable {
  readonly stage: CaopStage;
  readonly api: ApiServer;
  readonly tokens: {
    readonly admin: string;
    readonly approver: string;
    readonly viewer: string;
    readonly agent: string;
    readonly other: string;
  };
  readonly logged: unknown[];
  call(
    method: 'GET' | 'POST',
    where: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
}

/** No surfaces: every approval of a single verb is unknown. */
const noVerbs = {
  approvals: async () => [],
  approval: async (id: string) => {
    throw new SignalboxError('NOT_FOUND', `There is no approval ${id}.`);
  },
  resolveLease: async (id: string) => {
    throw new SignalboxError('NOT_FOUND', `There is no lease of ${id}.`);
  },
  surfaces: () => [],
  subscribe: () => ({ [Symbol.dispose]: () => undefined }),
} as unknown as Gate;

/** The api over the real kernels and a store, with a clock of ours and no surfaces. */
export const startCaopServer = async (
  openStore?: () => Promise<EventStore>,
  more: Pick<ApiDeps, 'rateLimit'> = {},
): Promise<CaopServer> => {
  const stage = await startCaopStage(openStore);
  const { kernel, clock } = stage;
  const boot = await kernel.mintBootTokens();
  const by = { type: 'user', id: 'local' } as const;
  const mint = async (type: 'user' | 'agent', id: string, roles?: ('approver' | 'viewer')[]): Promise<string> =>
    (await kernel.createToken({ principal: { type, id }, by, ...(roles === undefined ? {} : { roles }) })).token;
  const logged: unknown[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void logged.push(fields) };
  const agentPrincipal = await kernel.authenticate(boot.agentToken);
  const tokens = {
    admin: boot.token,
    approver: await mint('user', 'ann', ['approver']),
    viewer: await mint('user', 'val', ['viewer']),
    agent: await mint('agent', 'planner'),
    other: await mint('agent', 'other'),
  };
  const api = await startApiServer(
    {
      kernel,
      gate: noVerbs,
      caop: stage.caop,
      artifacts: { put: async () => ({ sha256: '', bytes: 0 }), get: async () => null },
      clock,
      ids: { id: (prefix) => `${prefix}_x`, secret: () => 's' },
      log,
      host: {
        version: '0.0.0-test',
        startedAt: new Date(clock.now()).toISOString(),
        dataFolder: '/nowhere',
        hostName: 'test',
        rendererFolder: null,
        user: { token: boot.token, principal: by, roles: ['admin'] },
        agent: { token: boot.agentToken, tokenId: agentPrincipal?.tokenId ?? '' },
        stdio: { command: 'node', args: [] },
      },
      ...more,
    },
    0,
  );
  return {
    stage,
    api,
    tokens,
    logged,
    async call(method, where, body, token = tokens.agent) {
      const response = await fetch(api.url + where, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      };
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await stage[Symbol.asyncDispose]();
    },
  };
};
