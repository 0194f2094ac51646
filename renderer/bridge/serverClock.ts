/** The server's clock as seen from here, so that countdowns are right on a machine whose clock is not. */
let offsetMs = 0;

export const noteServerTime = (iso: string): void => {
  offsetMs = Date.parse(iso) - Date.now();
};

/** Milliseconds since the epoch by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
