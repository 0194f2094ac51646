import { SignalboxError } from '../contracts/errors.ts';
import type { Row } from './eventStore.ts';

/** Lists run newest first; a cursor is the position of the last item given. */

export const readCursor = (page: { readonly cursor?: string | undefined }): { past: number } => {
  if (page.cursor === undefined) return { past: Number.MAX_SAFE_INTEGER };
  if (!/^\d{1,15}$/.test(page.cursor)) {
    throw new SignalboxError('INVALID_REQUEST', 'cursor: not one that this list gave out. Start again without it.', {
      details: { issues: [{ path: 'cursor', message: 'Not one that this list gave out.' }] },
    });
  }
  return { past: Number(page.cursor) };
};

/** `rows` holds one more than the limit when there is a next page. */
export const pageOf = (
  rows: readonly Row[],
  limit: number,
  column: string,
): { items: readonly Row[]; next: { next_cursor?: string } } => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next: rows.length > limit && last !== undefined ? { next_cursor: Number(last[column]).toString() } : {},
  };
};
