import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { caopOperations, type CaopOperation, type CaopOperationId } from '../../contracts/caop/operations.ts';
import type { Principal } from '../../contracts/principal.ts';
import { callCaop, type CaopDeps } from '../caopCalls.ts';
import { refuseUnstorable } from '../storable.ts';
import { toolResult } from './toolResult.ts';
import type { ToolDeclaration } from './tools.ts';

/** The tools that CAOP v0.2 names, from its table of operations. */

const reads: ReadonlySet<CaopOperationId> = new Set([
  'context.resolve',
  'commitments.list',
  'executions.get',
  'reviews.evaluate',
]);
const idempotent: ReadonlySet<CaopOperationId> = new Set([
  'observations.ingest',
  'executions.start',
  'executions.submit_result',
  'compact.settle_receipt',
  'compact.dispatch_work',
]);

/** Path, query and body side by side: a tool has one flat object of arguments. */
const inputOf = ({ params, query, body }: CaopOperation): z.ZodObject => {
  const shape = { ...params?.shape, ...query?.shape, ...body?.shape };
  return z.looseObject(shape);
};

/** A directive or a settlement: told apart by their own fields. */
const outputOf = ({ response }: CaopOperation): z.ZodObject =>
  response instanceof z.ZodObject ? response : z.looseObject({ work_id: z.string(), lifecycle_stage: z.string() });

export const caopTools: readonly ToolDeclaration[] = (
  Object.entries(caopOperations) as [CaopOperationId, CaopOperation][]
).flatMap(([id, operation]): ToolDeclaration[] =>
  operation.tool === undefined
    ? []
    : [
        {
          name: operation.tool,
          summary: operation.summary,
          set: 'caop',
          readOnly: reads.has(id),
          idempotent: reads.has(id) || idempotent.has(id),
          input: inputOf(operation),
          output: outputOf(operation),
          operation: id,
        },
      ],
);

const pick = (schema: z.ZodObject | undefined, args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([key]) => schema !== undefined && key in schema.shape));

export const callCaopTool = async (
  deps: CaopDeps,
  tool: ToolDeclaration,
  id: CaopOperationId,
  args: unknown,
  principal: Principal,
): Promise<CallToolResult> => {
  refuseUnstorable(args);
  const operation: CaopOperation = caopOperations[id];
  const given = (args ?? {}) as Readonly<Record<string, unknown>>;
  const params = pick(operation.params, given);
  const query = pick(operation.query, given);
  const body = Object.fromEntries(Object.entries(given).filter(([key]) => !(key in params) && !(key in query)));
  const answer = await callCaop(deps, id, { params, query, body }, principal);
  return toolResult(tool.output, answer.body as Record<string, unknown>, undefined);
};
