import { useState } from 'react';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { foldAt, safeCut } from './fold.ts';
import { count } from './format.ts';
import { text } from './strings.ts';
import { Visible } from './Visible.tsx';

/** Rendered per step, so that a hostile 1 MB argument cannot freeze the console. */
const STEP = 20_000;

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
