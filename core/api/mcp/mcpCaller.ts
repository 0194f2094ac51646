import { SignalboxError } from '../../contracts/errors.ts';
import { isAgent, principalKey, type Principal } from '../../contracts/principal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { authenticate, bearerToken } from '../auth.ts';

/** Names the agent of one stdio client: `signalbox mcp --agent NAME`. */
export const agentNameHeader = 'signalbox-agent';
const agentName = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

/**
 * Whoever can read `run.json` may act under any agent name, except one for which a person has made a
 * token: that one needs its token.
 */
const renamed = async (
  kernel: Pick<Kernel, 'tokens'>,
  principal: Principal,
  name: string,
  bootTokenId: string,
): Promise<Principal> => {
  if (!agentName.test(name)) {
    throw new SignalboxError('INVALID_REQUEST', `"${name}" is no agent name: letters, digits, dot, dash, underscore.`);
  }
  if (principal.tokenId !== bootTokenId) {
    throw new SignalboxError('FORBIDDEN', `This token is ${principalKey(principal.ref)}'s alone: leave out --agent.`);
  }
  const taken = (await kernel.tokens()).some(
    (token) => token.principal.type === 'agent' && token.principal.id === name && token.token_id !== bootTokenId,
  );
  if (taken) throw new SignalboxError('FORBIDDEN', `agent:${name} has a token of its own: give it with --token.`);
  return { ...principal, ref: { type: 'agent', id: name } };
};

/** The agent that a request to `/mcp` acts for. */
export const mcpCaller = async (
  kernel: Pick<Kernel, 'authenticate' | 'tokens'>,
  headers: Headers,
  bootTokenId: string,
): Promise<Principal> => {
  const principal = await authenticate(kernel, bearerToken(headers.get('authorization')));
  if (!isAgent(principal)) {
    throw new SignalboxError(
      'FORBIDDEN',
      `MCP is for agents, and this token is ${principalKey(principal.ref)}'s. Use an agent's token (Agents → Connect).`,
    );
  }
  const name = headers.get(agentNameHeader);
  if (name === null || name === principal.ref.id) return principal;
  return renamed(kernel, principal, name, bootTokenId);
};
