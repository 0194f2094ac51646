import type { z } from 'zod';
import { toJsonSchema, toJsonSchemaRef, type JsonSchema, type JsonSchemaOptions } from '../jsonSchema.ts';
import { caopOperations, type CaopOperation } from './operations.ts';

/** The `/v1/` half of the OpenAPI document, from the table of operations. */

const reasons: Readonly<Record<number, string>> = {
  202: 'Noted; more votes are needed.',
  400: 'The request is wrong; `details.issues` says where.',
  401: 'The token is missing, unknown or expired.',
  403: 'Not for this principal, or not before a person has approved.',
  404: 'There is no such thing.',
  409: 'It does not fit the present state.',
  413: 'Too much would become stale at once; nothing was applied.',
  422: 'Understood, and refused: a check before commitment or the receipt failed.',
  429: 'Too many requests; `retry-after` says when to come back.',
  500: 'Something failed inside. The log has the details under the trace id.',
};

const parameters = (schema: z.ZodObject | undefined, where: 'path' | 'query', refs: JsonSchemaOptions): JsonSchema[] =>
  Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: toJsonSchema(value as z.ZodType, refs),
  }));

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const responses = (operation: CaopOperation, refs: JsonSchemaOptions): JsonSchema => {
  const refusals = [...operation.errors, ...operation.added].sort((a, b) => a - b);
  return {
    [String(operation.status)]: {
      description: 'Done.',
      content: json(toJsonSchemaRef(operation.response, refs)),
    },
    ...Object.fromEntries(
      refusals.map((status) => [
        String(status),
        {
          description: reasons[status] ?? 'Refused.',
          content: json(
            status < 300
              ? { type: 'object', properties: { votes: { type: 'integer' }, needed: { type: 'integer' } } }
              : { $ref: `${refs.refPrefix}Error` },
          ),
        },
      ]),
    ),
  };
};

const operationObject = (id: string, operation: CaopOperation, refs: JsonSchemaOptions): JsonSchema => ({
  operationId: id,
  summary: operation.summary,
  tags: [operation.tag],
  'x-caop-stage': operation.stage,
  ...(operation.binding === undefined ? {} : { 'x-caop-binding': operation.binding }),
  ...(operation.tool === undefined ? {} : { 'x-caop-mcp-tool': operation.tool }),
  parameters: [...parameters(operation.params, 'path', refs), ...parameters(operation.query, 'query', refs)],
  ...(operation.body === undefined
    ? {}
    : { requestBody: { required: true, content: json(toJsonSchemaRef(operation.body, refs)) } }),
  responses: responses(operation, refs),
});

export const caopPaths = (refs: JsonSchemaOptions): JsonSchema => {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [id, operation] of Object.entries(caopOperations) as [string, CaopOperation][]) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(id, operation, refs);
  }
  return paths;
};
