import { z } from 'zod';

/** CAOP v0.2 `EventEnvelope`: the unit of the append-only log. */
export const eventEnvelope = z.strictObject({
  event_id: z.string(),
  event_type: z.string(),
  schema_version: z.string(),
  occurred_at: z.iso.datetime(),
  workspace_id: z.string(),
  subject_id: z.string(),
  correlation_id: z.string(),
  causation_id: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;

/** CAOP v0.2 §7.1 error envelope; every REST error has this body. */
export const errorEnvelope = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  trace_id: z.string(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
