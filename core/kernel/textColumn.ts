import type { Row } from './eventStore.ts';

/** A text column that its table never leaves empty. */
export const textColumn = (row: Row, name: string): string => {
  const value = row[name];
  if (typeof value !== 'string') throw new TypeError(`Column ${name} holds no text.`);
  return value;
};
