import type { PerceiveOutput, Receipt, TargetObject } from '../../core/contracts/operatorClass.ts';
import { perceiveOutput, receiptObject } from '../../core/contracts/operatorClass.ts';
import type { CallOptions, McpAgent, ToolError } from './mcp.ts';

export type ActArgs = Readonly<{ action: string; value?: string; idempotency_key?: string }>;

/** An agent at work on one surface: the verbs, their results held against the contract. */
export class Operator {
  readonly agent: McpAgent;
  readonly surfaceId: string;

  constructor(agent: McpAgent, surfaceId: string) {
    this.agent = agent;
    this.surfaceId = surfaceId;
  }

  async perceive(args: Record<string, unknown> = {}): Promise<PerceiveOutput> {
    return perceiveOutput.parse(await this.agent.call('operator.perceive', { surface_id: this.surfaceId, ...args }));
  }

  /** The one target that `query` finds. */
  async find(query: string, role?: string): Promise<TargetObject> {
    const { targets } = await this.perceive({ query });
    const found = targets.filter((target) => role === undefined || target.role === role);
    const [only] = found;
    if (only === undefined || found.length > 1)
      throw new Error(`"${query}" found ${found.length} targets: ${JSON.stringify(targets)}`);
    return only;
  }

  async act(target: string, args: ActArgs, options?: CallOptions): Promise<Receipt> {
    return receiptObject.parse(await this.agent.call('operator.act', this.#actArgs(target, args), options));
  }

  async press(target: string, options?: CallOptions): Promise<Receipt> {
    return await this.act(target, { action: 'press' }, options);
  }

  async enter(target: string, value: string, options?: CallOptions): Promise<Receipt> {
    return await this.act(target, { action: 'enter_text', value }, options);
  }

  async actRefused(target: string, args: ActArgs, options?: CallOptions): Promise<ToolError> {
    return await this.agent.refused('operator.act', this.#actArgs(target, args), options);
  }

  async navigate(url: string, options?: CallOptions): Promise<Receipt> {
    const args = { surface_id: this.surfaceId, url };
    return receiptObject.parse(await this.agent.call('operator.navigate', args, options));
  }

  #actArgs(target: string, args: ActArgs): Record<string, unknown> {
    return { surface_id: this.surfaceId, target, ...args };
  }
}

/** All effects of a receipt as one text, for a test to look into. */
export const effectsText = (receipt: Pick<Receipt, 'effects'>): string =>
  (receipt.effects ?? []).map((effect) => `${effect.kind}: ${effect.detail}`).join('\n');
