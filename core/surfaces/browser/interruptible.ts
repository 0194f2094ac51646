import type { TargetEnd } from './cdpTarget.ts';
import type { PageHost } from './pageHost.ts';

/** What came first of what was waited for and what ends all waiting on a page. */
export type Waited<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** The page's thread stands still until the dialog is answered. */
  | { readonly kind: 'dialog' }
  | { readonly kind: 'ended'; readonly end: TargetEnd }
  | { readonly kind: 'late' };

/**
 * Waits for `promise`, but no longer than `ms`, nor into a dialog, nor past the page's end. `answering`:
 * the dialog that is open now does not count, since it is being answered.
 */
export const waitOn = async <T>(
  host: PageHost,
  promise: Promise<T>,
  ms: number,
  answering = false,
): Promise<Waited<T>> => {
  // It may fail after something else came first.
  promise.catch(() => undefined);
  if (host.end !== null) return { kind: 'ended', end: host.end };
  if (host.dialogs.open !== null && !answering) return { kind: 'dialog' };
  const held: Disposable[] = [];
  try {
    return await new Promise<Waited<T>>((resolve, reject) => {
      const timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, ms));
      held.push({ [Symbol.dispose]: () => clearTimeout(timer) });
      held.push(host.dialogs.onChange.add((dialog) => dialog !== null && resolve({ kind: 'dialog' })));
      held.push(host.onEnd.add((end) => resolve({ kind: 'ended', end })));
      promise.then((value) => resolve({ kind: 'value', value }), reject);
    });
  } finally {
    for (const one of held) one[Symbol.dispose]();
  }
};

/** Resolves when any of these tells something. Dispose of it when done. */
export const nextOf = (
  ...sources: readonly { add(listener: () => void): Disposable }[]
): { readonly promise: Promise<void> } & Disposable => {
  const held: Disposable[] = [];
  const promise = new Promise<void>((resolve) => {
    for (const source of sources) held.push(source.add(() => resolve()));
  });
  return { promise, [Symbol.dispose]: () => held.forEach((one) => one[Symbol.dispose]()) };
};
