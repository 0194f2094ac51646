const closeWithinMs = 5_000;

/** Resolves at the first SIGTERM or SIGINT from now on; a second one ends the process at once. */
export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let count = 0;
    const onSignal = (): void => {
      count += 1;
      if (count > 1) process.exit(130);
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });

/** Closes once `stopped` and ends the process with 0; a close that takes more than 5 s is cut off with 1. */
export const closeWhenStopped = async (stopped: Promise<void>, close: () => Promise<void>): Promise<never> => {
  await stopped;
  setTimeout(() => {
    console.error('signalbox: closing took more than 5 s; ending now. The log says what was left.');
    process.exit(1);
  }, closeWithinMs).unref();
  try {
    await close();
  } catch (error) {
    console.error(`signalbox: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
  process.exit(0);
};
