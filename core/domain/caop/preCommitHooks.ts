import type { AttestationTier, FailedHook, PreCommitHook } from '../../contracts/caop/base.ts';
import type { ExecutionLocus } from '../../contracts/caop/capability.ts';

/** Checks of a plan before it may be approved or dispatched. All failures are listed, none hides another. */

export const hookConditions = [
  'NON_EMPTY_PRINCIPAL_REF',
  'NON_EMPTY_ARRAY',
  'ALL_UPSTREAM_FACTS_VERIFIED_ACTIVE',
] as const;

export const hookErrorCodes = [
  'CAOP_422_PRECOMMIT_HOOK_FAILED',
  'CAOP_422_PRECOMMIT_MISSING_OWNER',
  'CAOP_422_PRECOMMIT_MISSING_LINEAGE',
  'CAOP_422_PRECOMMIT_STALE_DEPENDENCY',
  'CAOP_422_PRECOMMIT_UNKNOWN_FACT_ID',
] as const;

/** What is known of an upstream fact. */
export interface Upstream {
  readonly verified: boolean;
  /** CURRENT and not superseded. */
  readonly active: boolean;
}

interface Found {
  readonly path: string;
  readonly value: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every value at a dotted path; `[]` stands for every element of a list. A missing key is `undefined`. */
const valuesAt = (root: unknown, path: string): readonly Found[] =>
  path.split('.').reduce<readonly Found[]>(
    (found, part) => {
      const each = part.endsWith('[]');
      const key = each ? part.slice(0, -2) : part;
      return found.flatMap(({ path: at, value }): readonly Found[] => {
        const next = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
        const here = at === '' ? key : `${at}.${key}`;
        if (!each) return [{ path: here, value: next }];
        if (!Array.isArray(next)) return [{ path: here, value: undefined }];
        return next.map((item: unknown, index) => ({ path: `${here}[${index}]`, value: item }));
      });
    },
    [{ path: '', value: root }],
  );

const isPrincipal = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() !== ''
    : isObject(value) && typeof value['id'] === 'string' && value['id'].trim() !== '';

const factIdsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(factIdsIn) : [];

const howToMend = (hook: PreCommitHook, at: string, facts: readonly string[]): string => {
  switch (hook.condition) {
    case 'NON_EMPTY_PRINCIPAL_REF':
      return `Name a responsible principal in ${at} (ask the user who owns this), then stage again.`;
    case 'NON_EMPTY_ARRAY':
      return `Give at least one entry in ${at}: the facts this rests on (ask the user when they are unknown), then stage again.`;
    case 'ALL_UPSTREAM_FACTS_VERIFIED_ACTIVE':
      return `Rest ${at} on verified, current facts only. Not so: ${facts.join(', ')}. Replace or re-verify them, then stage again.`;
    default:
      return `Policy condition ${hook.condition} is not known to this version, so it fails. Ask an administrator to mend the policy.`;
  }
};

const failureOf = (hook: PreCommitHook, found: Found, upstream: ReadonlyMap<string, Upstream>): FailedHook | null => {
  const fail = (facts: readonly string[] = []): FailedHook => ({
    hook_id: hook.hook_id,
    error_code: hook.error_code,
    remediation: howToMend(hook, found.path, facts),
  });
  switch (hook.condition) {
    case 'NON_EMPTY_PRINCIPAL_REF':
      return isPrincipal(found.value) ? null : fail();
    case 'NON_EMPTY_ARRAY':
      return Array.isArray(found.value) && found.value.length > 0 ? null : fail();
    case 'ALL_UPSTREAM_FACTS_VERIFIED_ACTIVE': {
      const bad = factIdsIn(found.value).filter((id) => {
        const fact = upstream.get(id);
        return fact === undefined || !fact.verified || !fact.active;
      });
      return bad.length === 0 ? null : fail(bad);
    }
    default:
      return fail();
  }
};

export const failedHooks = (
  hooks: readonly PreCommitHook[],
  staged: unknown,
  upstream: ReadonlyMap<string, Upstream>,
): readonly FailedHook[] =>
  hooks.flatMap((hook) =>
    valuesAt(staged, hook.target_path).flatMap((found) => failureOf(hook, found, upstream) ?? []),
  );

const tiers: readonly AttestationTier[] = ['HOST_ASSERTED', 'KERNEL_ATTESTED', 'USER_CONFIRMED'];
export const strongestTier = (wanted: readonly AttestationTier[]): AttestationTier | null =>
  tiers.filter((tier) => wanted.includes(tier)).at(-1) ?? null;

/** USER_CONFIRMED is not the locus' to give: a person gives it later, at RECORD. */
export const attestationFailure = (minimum: AttestationTier | null, locus: ExecutionLocus): FailedHook | null => {
  if (minimum !== 'KERNEL_ATTESTED' || locus === 'KERNEL_PROXIED') return null;
  return {
    hook_id: 'MINIMUM_ATTESTATION',
    error_code: 'CAOP_422_PRECOMMIT_HOOK_FAILED',
    remediation:
      'A policy wants evidence that the kernel itself has seen (KERNEL_ATTESTED), and host-delegated steps give HOST_ASSERTED. Plan this with KERNEL_PROXIED capabilities.',
  };
};
