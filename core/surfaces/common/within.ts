/** What came of waiting: the value, or that the time was over first. */
export type Within<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: 'late' };

/** Waits for `promise` for at most `ms` milliseconds. The promise goes on by itself when it is late. */
export const within = async <T>(promise: Promise<T>, ms: number): Promise<Within<T>> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Within<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise.then((value): Within<T> => ({ kind: 'value', value })), late]);
  } finally {
    clearTimeout(timer);
  }
};
