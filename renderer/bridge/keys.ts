import type { ApprovalStatus } from '../../core/contracts/console.ts';
import type { CallFilter } from './callPages.ts';

/** Names of everything fetched: one place, so that what an event makes stale can be said exactly. */
export const keys = {
  system: ['system'] as const,
  me: ['me'] as const,
  connect: ['connect'] as const,
  surfaces: ['surfaces'] as const,
  targets: (surfaceId: string, query: string) => ['targets', surfaceId, query] as const,
  approvals: (status: ApprovalStatus | 'all') => ['approvals', status] as const,
  approval: (id: string) => ['approval', id] as const,
  leases: (state: string) => ['leases', state] as const,
  work: (id: string) => ['work', id] as const,
  receipts: (surfaceId: string | null) => ['receipts', surfaceId] as const,
  receipt: (id: string) => ['receipt', id] as const,
  calls: (filter: CallFilter) => ['calls', filter] as const,
  call: (id: string) => ['call', id] as const,
  tokens: ['tokens'] as const,
  policies: ['policies'] as const,
  artifact: (sha256: string) => ['artifact', sha256] as const,
} as const;

/** Immutable or fed by their own messages: never refetched because of an event. */
const lasting = new Set(['artifact', 'calls', 'call', 'me', 'connect', 'targets']);

const staleBySubject: Readonly<Record<string, readonly string[]>> = {
  approval: ['approvals', 'approval', 'work', 'system', 'surfaces'],
  work: ['approvals', 'approval', 'work', 'leases', 'system'],
  compact: ['approvals', 'approval', 'work', 'leases', 'system'],
  lease: ['leases', 'work', 'approval', 'approvals', 'system'],
  receipt: ['receipts', 'receipt', 'work', 'approval', 'approvals', 'leases'],
  policy: ['policies', 'system'],
  token: ['tokens'],
  principal: ['tokens'],
  surface: ['surfaces'],
  pause: ['system'],
  system: ['system'],
};

/**
 * Which queries an event makes stale, by the part of its type before the first dot. An event type
 * nobody here knows makes everything stale: slower, never wrong.
 */
export const staleAfter = (eventType: string): ((queryKey: readonly unknown[]) => boolean) => {
  const stale = staleBySubject[eventType.split('.')[0] ?? ''];
  return ([name]) => typeof name === 'string' && !lasting.has(name) && (stale === undefined || stale.includes(name));
};
