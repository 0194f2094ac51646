import type { Clock } from '../../kernel/ports.ts';

/** Node keeps timers in 32 bits; a longer wait is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock = (): Clock => ({
  now: () => Date.now(),
  schedule(at, run) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const wait = Math.max(0, at - Date.now());
      timer = setTimeout(() => (at - Date.now() > 0 ? arm() : run()), Math.min(wait, LONGEST_TIMER_MS));
      timer.unref();
    };
    arm();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
});
