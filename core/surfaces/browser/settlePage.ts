import type { Readiness } from '../../contracts/operatorClass.ts';
import { nextOf, waitOn } from './interruptible.ts';
import type { Waited } from './interruptible.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import type { PageHost } from './pageHost.ts';
import type { QuietResult } from './pageProtocol.ts';
import type { RequestMark } from './requests.ts';

/** Where an act began: what was under way then is not its doing. */
export interface SettleMark {
  readonly requests: RequestMark;
  readonly loads: number;
}

export interface SettleLimits {
  /** For the page to come to rest, requests included. */
  readonly quietMs: number;
  /** For a navigation to have loaded. */
  readonly loadMs: number;
}

/** A page that has loaded and stands still is not waited for longer: what is still open is a poll. */
const AFTER_LOAD_MS = 2_000;
/** More than the page's own limit, so that a page that answers is heard. */
const ANSWER_MS = 250;

type Quiet = QuietResult | 'gone';

const quietOf = async (document: PageDocument, timeoutMs: number): Promise<Quiet> => {
  try {
    await document.ready;
    return await document.call('quiet', { timeoutMs });
  } catch (error) {
    if (error instanceof DocumentGone) return 'gone';
    throw error;
  }
};

/**
 * Waits until nothing relevant moves: no navigation, no change, no request of this act. Answers at
 * once when a dialog opens or the page ends. `documents` are asked anew each round.
 */
export const settlePage = async (
  host: PageHost,
  mark: SettleMark,
  documents: () => readonly PageDocument[],
  limits: SettleLimits,
): Promise<Readiness> => {
  const began = performance.now();
  const left = (ms: number): number => began + ms - performance.now();
  const loading = (): boolean => host.loading && host.loads > mark.loads;
  let loadedAt: number | null = null;
  for (;;) {
    if (host.end !== null) return 'settled';
    if (host.dialogs.open !== null) return 'changing';
    if (loading()) {
      if (left(limits.loadMs) <= 0) return 'loading';
      await next(host, left(limits.loadMs), host.onChange);
      continue;
    }
    if (mark.loads >= 0 && host.loads > mark.loads) loadedAt ??= performance.now();
    const asked = documents();
    if (asked.length === 0) {
      if (left(limits.loadMs) <= 0) return 'loading';
      await next(host, left(limits.loadMs), host.frames.onDocument, host.onChange);
      continue;
    }
    const waited = await askQuiet(host, asked, Math.max(0, left(limits.quietMs)), loading);
    if (waited.kind !== 'value') {
      if (waited.kind === 'late') return loading() ? 'loading' : 'changing';
      continue;
    }
    if (loading()) continue;
    if (waited.value.includes('gone')) {
      if (asked.some((document) => document.alive)) continue;
      if (left(limits.loadMs) <= 0) return 'loading';
      continue;
    }
    if (waited.value.some((quiet) => quiet !== 'gone' && !quiet.quiet)) return 'changing';
    if (host.requests.pending(mark.requests) === 0) return 'settled';
    const patience = loadedAt === null ? left(limits.quietMs) : loadedAt + AFTER_LOAD_MS - performance.now();
    if (patience <= 0) return loadedAt === null ? 'changing' : 'settled';
    await next(host, patience, host.requests.onEnd, host.onChange);
  }
};

/** Gives up on the page's answer soon after the limit, or when a navigation begins. */
const askQuiet = async (
  host: PageHost,
  asked: readonly PageDocument[],
  ms: number,
  loading: () => boolean,
): Promise<Waited<Quiet[]>> => {
  const all = Promise.all(asked.map((document) => quietOf(document, ms)));
  all.catch(() => undefined);
  const begun = nextOf({
    add: (listener) => host.onChange.add(() => (loading() ? listener() : undefined)),
  });
  try {
    return await waitOn(host, Promise.race([all, begun.promise.then((): Quiet[] => ['gone'])]), ms + ANSWER_MS);
  } finally {
    begun[Symbol.dispose]();
  }
};

const next = async (
  host: PageHost,
  ms: number,
  ...sources: readonly { add(listener: () => void): Disposable }[]
): Promise<void> => {
  const change = nextOf(...sources);
  try {
    await waitOn(host, change.promise, ms);
  } finally {
    change[Symbol.dispose]();
  }
};
