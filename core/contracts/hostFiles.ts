import { z } from 'zod';

/** Files of the data folder that other programs read or people write. */

const ms = (most: number) => z.number().int().min(1).max(most);

/** `config.json`. Unknown keys are refused: a typing error must not pass for a setting. */
export const configSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).optional(),
  gate: z
    .strictObject({
      /** How long a call waits for a person before APPROVAL_PENDING. */
      wait_budget_ms: ms(600_000).optional(),
      /** How long a person has to decide. */
      approval_ttl_ms: ms(86_400_000).optional(),
      /** How long a verb may take once its lease is open. */
      lease_ttl_ms: ms(3_600_000).optional(),
      /** How long a request may stand with nobody attached. */
      absent_ttl_ms: ms(86_400_000).optional(),
    })
    .optional(),
  browser: z
    .strictObject({
      /** Path of the Chromium to start; found by itself when omitted. */
      executable: z.string().min(1).optional(),
      headless: z.boolean().optional(),
    })
    .optional(),
});
export type Config = z.infer<typeof configSchema>;

/** `run.json`: where the running console is, for `signalbox mcp`. Holds the agent's token only. */
export const runFileSchema = z.object({ url: z.string(), pid: z.number().int(), agentToken: z.string() });
export type RunFile = z.infer<typeof runFileSchema>;
