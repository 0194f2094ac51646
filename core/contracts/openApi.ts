import { z } from 'zod';
import { errorEnvelope } from './caop.ts';
import { caopOperations } from './caop/operations.ts';
import { caopPaths } from './caop/openApi.ts';
import { caopSchemas } from './caop/schemas.ts';
import {
  approvalView,
  callView,
  humanInput,
  leaseView,
  policyDecision,
  policyView,
  receiptView,
  surfaceView,
  systemView,
  targetReading,
  tokenView,
  workView,
} from './console.ts';
import { caopErrorCodes, surfaceErrorCodes } from './errors.ts';
import { toJsonSchema, toJsonSchemaRef, type JsonSchema, type JsonSchemaOptions } from './jsonSchema.ts';
import { effect, receiptObject, surfaceObject, targetObject } from './operatorClass.ts';
import { routes, type Route, type RouteName } from './routes.ts';

/** The OpenAPI 3.1 document of the REST API, generated from the route table. */

const withCodes = (codes: readonly string[]) =>
  z.strictObject({ ...errorEnvelope.shape, error: errorEnvelope.shape.error.extend({ code: z.enum(codes) }) });

const named = {
  ...caopSchemas,
  /** Under `/x/` the codes of the surfaces come in addition. */
  ExtensionError: withCodes([...new Set([...Object.keys(caopErrorCodes), ...Object.keys(surfaceErrorCodes)])]),
  SurfaceObject: surfaceObject,
  Target: targetObject,
  Receipt: receiptObject,
  Effect: effect,
  Surface: surfaceView,
  ApprovalView: approvalView,
  TargetReading: targetReading,
  PolicyDecision: policyDecision,
  WorkView: workView,
  Lease: leaseView,
  ReceiptRecord: receiptView,
  Call: callView,
  Token: tokenView,
  PolicyRecord: policyView,
  System: systemView,
  HumanInput: humanInput,
} satisfies Record<string, z.ZodType>;

const refs: JsonSchemaOptions = { named, refPrefix: '#/components/schemas/' };

/** Media types of the answers that are not JSON. */
const rawMedia: Partial<Record<RouteName, string>> = {
  events: 'text/event-stream',
  'surfaces.picture': 'image/png',
  'artifacts.get': 'application/octet-stream',
};

const reasons: Record<number, string> = {
  200: 'Done.',
  201: 'Made.',
  204: 'Done; nothing to say.',
  400: 'The request is wrong; `details.issues` says where.',
  401: 'The token is missing, unknown or expired.',
  403: 'Not for this principal.',
  404: 'There is no such thing.',
  409: 'It does not fit the present state.',
  422: 'Understood, and refused.',
  500: 'Something failed inside. The log has the details under the trace id.',
};

const parameters = (schema: z.ZodObject | undefined, where: 'path' | 'query'): JsonSchema[] =>
  Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: toJsonSchema(value as z.ZodType, refs),
  }));

const successResponse = (name: RouteName, route: Route): JsonSchema => {
  const media = rawMedia[name];
  const description = reasons[route.status] ?? 'Done.';
  if (media !== undefined) return { description, content: { [media]: { schema: { type: 'string' } } } };
  if (route.response === undefined) return { description };
  return { description, content: { 'application/json': { schema: toJsonSchemaRef(route.response, refs) } } };
};

const errorResponses = (route: Route): JsonSchema => {
  const statuses = new Set([...route.errors, ...(route.access === 'open' ? [] : [401]), 403, 500]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        String(status),
        {
          description: reasons[status] ?? 'Refused.',
          content: { 'application/json': { schema: { $ref: `${refs.refPrefix}ExtensionError` } } },
        },
      ]),
  );
};

export const operationIdOf = (name: RouteName): string => (Object.hasOwn(caopOperations, name) ? `x.${name}` : name);

const operation = (name: RouteName, route: Route): JsonSchema => ({
  // One name for one operation: CAOP has its own of that name.
  operationId: operationIdOf(name),
  summary: route.summary,
  tags: [route.path.split('/')[2]?.split('.')[0] ?? 'x'],
  ...(route.access === 'open' ? { security: [] } : { 'x-access': route.access }),
  parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
  ...(route.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: toJsonSchemaRef(route.body, refs) } },
        },
      }),
  responses: { [String(route.status)]: successResponse(name, route), ...errorResponses(route) },
});

const paths = (): JsonSchema => {
  const out: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    (out[route.path] ??= {})[route.method] = operation(name, route);
  }
  return out;
};

export const openApiDocument = (version: string, url: string): Record<string, unknown> => ({
  openapi: '3.1.0',
  info: { title: 'Signalbox', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  servers: [{ url }],
  security: [{ bearerAuth: [] }],
  paths: { ...caopPaths(refs), ...paths() },
  components: {
    securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, toJsonSchema(schema, refs)])),
  },
});
