import type { PlanStep } from '../../contracts/caopEvents.ts';
import type { SteeringDelta } from '../../contracts/caop/compact.ts';
import { mergePatch } from '../mergePatch.ts';

export type Steered =
  | { readonly ok: true; readonly steps: readonly PlanStep[] }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** RFC 7396 per step. `settled` steps are history and cannot be changed. */
export const steer = (steps: readonly PlanStep[], delta: SteeringDelta, settled: ReadonlySet<number>): Steered => {
  const path = 'steering_delta.patched_step_arguments[].step_index';
  let patched = steps;
  for (const { step_index, argument_overrides } of delta.patched_step_arguments ?? []) {
    if (!steps.some((step) => step.step_index === step_index)) {
      const known = steps.map((step) => step.step_index).join(', ');
      return { ok: false, path, message: `The plan has no step ${step_index}. Its steps: ${known}.` };
    }
    if (settled.has(step_index)) return { ok: false, path, message: `Step ${step_index} has been performed already.` };
    patched = patched.map((step) =>
      step.step_index === step_index
        ? { ...step, arguments: mergePatch(step.arguments, argument_overrides) as Record<string, unknown> }
        : step,
    );
  }
  return { ok: true, steps: patched };
};
