import { randomInt } from 'node:crypto';

const LETTERS = 26;

const letters = (n: number): string => {
  let rest = n;
  let word = '';
  do {
    word = String.fromCharCode(97 + (rest % LETTERS)) + word;
    rest = Math.floor(rest / LETTERS) - 1;
  } while (rest >= 0);
  return word;
};

/**
 * Beginnings of refs, another for every document of every surface. They begin at a random place, so
 * that a ref kept from an earlier run is hardly ever taken for one of this run.
 */
export const prefixes = (): (() => string) => {
  let n = LETTERS + randomInt(LETTERS * LETTERS);
  return () => letters(n++);
};
