import type { StageWorkInput } from '../../contracts/caop/compact.ts';

/** A child scope does only what its parent's plan names, with every constraint of its parent. */
export interface ParentScope {
  readonly capabilities: readonly string[];
  /** Policy ids in force on the parent and texts added by steering. */
  readonly constraints: readonly string[];
}

/** Capabilities that the parent's plan does not name. */
export const beyondParent = (parent: ParentScope, steps: StageWorkInput['plan_steps']): readonly string[] => [
  ...new Set(steps.map((step) => step.capability_id).filter((id) => !parent.capabilities.includes(id))),
];

/** Constraints are inherited and may be added to, never taken away. */
export const inherited = (parent: ParentScope | null, own: readonly string[]): readonly string[] => [
  ...new Set([...(parent?.constraints ?? []), ...own]),
];
