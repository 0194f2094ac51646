import { useSyncExternalStore } from 'react';
import { serverNow } from '../bridge/serverClock.ts';

/** One clock for every time on screen, by the server's time, once a second. */
let now = serverNow();
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  if (timer === null) now = serverNow();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = serverNow();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
};

export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
