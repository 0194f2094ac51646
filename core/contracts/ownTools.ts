import { z } from 'zod';
import { surfaceObject } from './operatorClass.ts';

/** Tools of ours beside the class: all optional for a client. */

export const awaitWorkInput = z.object({
  /** From an APPROVAL_PENDING error. */
  work_id: z.string().describe('From the APPROVAL_PENDING error.'),
  wait_ms: z.number().int().min(0).max(600_000).default(50_000),
});
export type AwaitWorkInput = z.infer<typeof awaitWorkInput>;

export const getReceiptInput = z.object({ receipt_id: z.string() });

export const openSurfaceInput = z.object({
  kind: z.enum(['browser', 'terminal', 'desktop', 'other']),
  label: z.string().min(1).max(120).optional(),
  /** First address of a browser surface. */
  url: z.string().optional(),
  /** Named profile kept between runs; a temporary one when omitted. */
  profile: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .optional(),
});
export type OpenSurfaceInput = z.infer<typeof openSurfaceInput>;
export const openSurfaceOutput = z.object({ surface: surfaceObject });

export const closeSurfaceInput = z.object({ surface_id: z.string() });
export const closeSurfaceOutput = z.object({ closed: z.literal(true) });
