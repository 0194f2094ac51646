const closeWithinMs = 5_000;

/**
 * Runs until SIGTERM or SIGINT (or `until`), then closes and ends the process with 0. A second signal, or
 * a close that takes more than 5 s, ends it at once.
 */
export const untilStopped = async (close: () => Promise<void>, until?: Promise<void>): Promise<never> => {
  const signalled = new Promise<void>((resolve) => {
    let count = 0;
    const onSignal = (): void => {
      count += 1;
      if (count > 1) process.exit(130);
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
  await (until === undefined ? signalled : Promise.race([signalled, until]));
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
