import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SignalboxError } from '../../contracts/errors.ts';
import type { Picture } from '../../kernel/ports.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0) || value === '';

/** Leaves out optional keys that say nothing: every byte of an answer is read by a model. */
const compact = (schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(([key, item]) => !(schema.shape[key] instanceof z.ZodOptional && isEmpty(item))),
  );

/** Structured content per contract, the same as text, and the picture when there is one. */
export const toolResult = (
  schema: z.ZodObject,
  output: Record<string, unknown>,
  picture: Picture | undefined,
): CallToolResult => {
  const structuredContent = compact(schema, schema.parse(output));
  return {
    content: [
      { type: 'text', text: JSON.stringify(structuredContent) },
      ...(picture === undefined
        ? []
        : [
            {
              type: 'image' as const,
              data: Buffer.from(picture.bytes).toString('base64'),
              mimeType: picture.mediaType,
            },
          ]),
    ],
    structuredContent,
  };
};

/**
 * Failures over MCP (`surfaces.md`). No `structuredContent`: clients hold that against the output
 * schema even for errors.
 */
export const toolFailure = (error: SignalboxError, traceId: string): CallToolResult => {
  const body = {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    details: { ...error.details, ...(error.code === 'INTERNAL' ? { trace_id: traceId } : {}) },
  };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    _meta: { 'signalbox/error': body },
  };
};
