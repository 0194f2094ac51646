/** A set of listeners. One that throws does not keep the others from being told. */
export interface Listeners<T> {
  add(listener: (value: T) => void): Disposable;
  tell(value: T): void;
  readonly size: number;
}

export const createListeners = <T>(): Listeners<T> => {
  const all = new Set<(value: T) => void>();
  return {
    add(listener) {
      // A wrapper of its own, so that adding one function twice needs disposing of twice.
      const own = (value: T): void => listener(value);
      all.add(own);
      return { [Symbol.dispose]: () => void all.delete(own) };
    },
    tell(value) {
      const failures: unknown[] = [];
      for (const listener of [...all]) {
        try {
          listener(value);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    get size() {
      return all.size;
    },
  };
};
