import { useState } from 'react';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { count } from './format.ts';
import { text } from './strings.ts';
import { Visible } from './Visible.tsx';

const FOLD_CHARACTERS = 600;
const FOLD_LINES = 8;
/** Rendered per step, so that a hostile 1 MB argument cannot freeze the console. */
const STEP = 20_000;

/** Where to fold: a cut never splits a surrogate pair. */
export const foldAt = (value: string): number => {
  let cut = Math.min(value.length, FOLD_CHARACTERS);
  let line = -1;
  for (let n = 0; n < FOLD_LINES; n += 1) {
    line = value.indexOf('\n', line + 1);
    if (line === -1) break;
  }
  if (line !== -1) cut = Math.min(cut, line);
  return safeCut(value, cut);
};

const safeCut = (value: string, cut: number): number => {
  if (cut >= value.length) return value.length;
  const code = value.charCodeAt(cut - 1);
  return code >= 0xd800 && code <= 0xdbff ? cut - 1 : cut;
};

/** All of a text. Long text is folded, says so with its length, and unfolds in place; nothing is ever cut. */
export const LongText = ({ value, mono = true }: { readonly value: string; readonly mono?: boolean }) => {
  const folded = foldAt(value);
  const [shown, setShown] = useState(folded);
  const end = Math.max(folded, Math.min(shown, value.length));
  if (value === '') return <span className="text-xs text-text-3 italic">{text.emptyText}</span>;
  return (
    <span className={cx('block break-words whitespace-pre-wrap', mono && 'font-mono text-xs leading-5')}>
      <Visible value={value.slice(0, end)} />
      {folded < value.length && (
        <span className="mt-1 flex flex-wrap items-center gap-2 font-sans text-xs text-text-2">
          {end < value.length && <span>{text.folded(count(value.length))}</span>}
          {end < value.length && (
            <Button size="small" onPress={() => setShown(safeCut(value, end + STEP))}>
              {value.length - end <= STEP
                ? text.showAll(count(value.length))
                : text.showMore(count(Math.min(STEP, value.length - end)))}
            </Button>
          )}
          {end > folded && (
            <Button size="small" onPress={() => setShown(folded)}>
              {text.fold}
            </Button>
          )}
        </span>
      )}
    </span>
  );
};
