import { toJsonSchema } from '../contracts/jsonSchema.ts';
import { verbs } from '../contracts/operatorClass.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { Gate } from '../gate/gate.ts';
import type { ProxiedCapability, ProxiedPort } from '../kernel/caop/caopParts.ts';

/** The verbs of the class as capabilities that plans may name; performed through the gate like any call. */
export const proxiedVerbs = (gate: () => Gate | null): ProxiedPort => {
  const capabilities: readonly ProxiedCapability[] = verbs.map((verb) => ({
    capability_id: verb.name,
    summary: verb.summary,
    input_schema: toJsonSchema(verb.input),
    output_schema: toJsonSchema(verb.output),
    read_only: verb.readOnly,
  }));
  return {
    list: () => capabilities,
    async run({ capability_id, arguments: args, principal }) {
      const open = gate();
      if (open === null)
        throw new SignalboxError('INVALID_TRANSITION', 'The console is still starting. Dispatch again.');
      const gone = new AbortController();
      const { output } = await open.call(capability_id, args, {
        principal,
        client: 'plan',
        signal: gone.signal,
        // Nobody waits inside a plan: a step that a policy asks about by itself is withdrawn and fails.
        onWaiting: () => gone.abort('withdraw'),
      });
      return output;
    },
  };
};
