import type { PromotionPolicy } from '../../contracts/caop/capability.ts';
import type { SystemAdvisory } from '../../contracts/caop/pulse.ts';

const DAY_MS = 86_400_000;

export const windowStart = (policy: PromotionPolicy, now: number): string =>
  new Date(now - policy.rolling_window_days * DAY_MS).toISOString();

/** Leases that run out again and again are a reason to let the kernel do the step itself. */
export const promotionAdvice = (
  capability: { readonly capability_id: string; readonly promotion_policy: PromotionPolicy },
  expired: number,
): SystemAdvisory | null => {
  const { max_expired_leases_before_stage2_prompt: most, rolling_window_days: days } = capability.promotion_policy;
  if (expired < most) return null;
  const leases = expired === 1 ? '1 lease' : `${expired} leases`;
  return {
    code: 'STAGE_UPGRADE_RECOMMENDED',
    capability_id: capability.capability_id,
    message: `${leases} of ${capability.capability_id} expired within ${days} days. Put its server behind the gate (signalbox supervise), so that the kernel performs it itself (KERNEL_PROXIED).`,
  };
};
