import type { CallToolResult } from '@modelcontextprotocol/server';
import { internalError, isSignalboxError } from '../../contracts/errors.ts';
import type { CallContext, Gate } from '../../gate/gate.ts';
import type { Ids } from '../../kernel/ports.ts';
import type { CaopKernel } from '../../kernel/caop/caopKernel.ts';
import type { Log } from '../apiDeps.ts';
import { callCaopTool } from './caopTools.ts';
import { toolFailure, toolResult } from './toolResult.ts';
import type { ToolDeclaration } from './tools.ts';

export interface CallToolDeps {
  readonly gate: Pick<Gate, 'call' | 'awaitWork' | 'approval' | 'decide'>;
  readonly caop: CaopKernel;
  readonly ids: Pick<Ids, 'id'>;
  readonly log: Log;
}

/** One call of one tool through the gate. Never throws: failures are results too. */
export const callTool = async (
  deps: CallToolDeps,
  tool: ToolDeclaration,
  args: unknown,
  context: CallContext,
): Promise<CallToolResult> => {
  try {
    if (tool.operation !== undefined) return await callCaopTool(deps, tool, tool.operation, args, context.principal);
    const { output, picture } =
      tool.name === 'signalbox.await_work'
        ? await deps.gate.awaitWork(args, context)
        : await deps.gate.call(tool.name, args, context);
    return toolResult(tool.output, output, picture);
  } catch (thrown) {
    const traceId = deps.ids.id('trc');
    if (isSignalboxError(thrown) && thrown.code !== 'INTERNAL') return toolFailure(thrown, traceId);
    deps.log.error({ err: thrown, trace_id: traceId, tool: tool.name }, 'tool call failed');
    return toolFailure(internalError(thrown), traceId);
  }
};
