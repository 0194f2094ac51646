import { flatChildren, isElement, squeeze } from './dom.ts';
import { skippedTags } from './roleTables.ts';

const inlineTags = new Set(
  'a abbr b bdi bdo cite code em font i kbd label mark q s samp small span strong sub sup time u var wbr slot'.split(
    ' ',
  ),
);
/** Pieces read from one node; a whole page that comes or goes is told by samples anyway. */
const MOST_PIECES = 30;
const PIECE_LENGTH = 160;

/**
 * Text of a node, one piece a block. Told by tags alone, so that it reads the same before and after
 * a node left the page. `seen` says which elements count.
 */
export function textPieces(node: Node, seen: (element: Element) => boolean = () => true): string[] {
  const pieces: string[] = [];
  let line = '';
  const end = () => {
    const text = squeeze(line);
    if (text !== '' && pieces.length < MOST_PIECES) pieces.push(text.slice(0, PIECE_LENGTH));
    line = '';
  };
  const walk = (n: Node): void => {
    if (pieces.length >= MOST_PIECES) return;
    if (n.nodeType === Node.TEXT_NODE) {
      line += (n as Text).data;
      return;
    }
    if (!isElement(n) || (skippedTags.has(n.localName) && n.localName !== 'br') || !seen(n)) return;
    const inline = inlineTags.has(n.localName);
    if (!inline) end();
    for (const child of flatChildren(n)) walk(child);
    if (!inline) end();
  };
  walk(node);
  end();
  return pieces;
}

/** Takes out of both what is in both, keeping order. */
export function withoutCommon(before: readonly string[], after: readonly string[]): [string[], string[]] {
  const counts = new Map<string, number>();
  for (const text of after) counts.set(text, (counts.get(text) ?? 0) + 1);
  const gone = before.filter((text) => {
    const left = counts.get(text) ?? 0;
    if (left === 0) return true;
    counts.set(text, left - 1);
    return false;
  });
  const appeared = after.filter((text) => {
    const left = counts.get(text) ?? 0;
    if (left === 0) return false;
    counts.set(text, left - 1);
    return true;
  });
  return [gone, appeared];
}
