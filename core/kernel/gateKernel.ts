import type { Kernel } from './kernel.ts';

/** What the gate needs of the kernel beyond what REST and MCP see. */
export interface GateKernel extends Kernel {
  /** Fresh each start; the boot tokens of earlier starts are revoked. */
  mintBootTokens(): Promise<{ token: string; agentToken: string }>;
  close(): Promise<void>;
}
