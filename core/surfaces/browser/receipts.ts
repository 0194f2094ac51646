import type { Effect, Readiness, Receipt } from '../../contracts/operatorClass.ts';

export interface ReceiptParts {
  readonly changed: boolean;
  readonly readiness: Readiness;
  readonly effects?: readonly Effect[];
  readonly lateEffects?: readonly Effect[];
  readonly valueAfter?: string;
  readonly timing?: Receipt['timing'];
}

/** Empty parts are left out. */
export const receipt = (parts: ReceiptParts): Receipt => ({
  changed: parts.changed,
  readiness: parts.readiness,
  ...(parts.effects !== undefined && parts.effects.length > 0 && { effects: [...parts.effects] }),
  ...(parts.lateEffects !== undefined && parts.lateEffects.length > 0 && { late_effects: [...parts.lateEffects] }),
  ...(parts.valueAfter !== undefined && { value_after: parts.valueAfter }),
  ...(parts.timing !== undefined && { timing: parts.timing }),
});

/** Nothing was sent. */
export const blockedReceipt = (blockedBy: string, readiness: Readiness): Receipt => ({
  changed: false,
  readiness,
  blocked_by: blockedBy,
});
