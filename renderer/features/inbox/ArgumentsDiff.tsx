import { Pencil, Minus, Plus } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import { LongText } from '../../ui/LongText.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { diffRows, textDiff } from './diff.ts';
import type { DiffRow, TextDiff } from './diff.ts';
import type { JsonObject } from './mergePatch.ts';
import { inbox } from './strings.ts';

/** Longer texts are shown whole (folded) instead of marked inside. */
const MARK_LIMIT = 2_000;

const shapes = { changed: Pencil, added: Plus, removed: Minus } as const;

const Marked = ({ part }: { readonly part: TextDiff }) => (
  <span className="block font-mono text-xs leading-5 break-words whitespace-pre-wrap">
    <Visible value={part.start} />
    {part.middle !== '' && (
      <mark className="rounded-sm bg-accent-soft text-text underline decoration-accent decoration-2 underline-offset-2">
        <Visible value={part.middle} />
      </mark>
    )}
    <Visible value={part.end} />
  </span>
);

const Cell = ({ value, part }: { readonly value: string | null; readonly part: TextDiff | null }) => {
  if (value === null) return <span className="text-xs text-text-3 italic">{inbox.notGiven}</span>;
  if (part === null || value === '' || value.length > MARK_LIMIT) return <LongText value={value} />;
  return <Marked part={part} />;
};

const Row = ({ row }: { readonly row: DiffRow }) => {
  const parts =
    row.kind === 'changed' && row.before !== null && row.after !== null ? textDiff(row.before, row.after) : null;
  const Shape = row.kind === 'same' ? null : shapes[row.kind];
  return (
    <tr className="border-t border-line align-top" data-diff={row.kind}>
      <th scope="row" className="py-1.5 pr-2 text-left font-mono text-xs leading-5 font-normal text-text-3">
        <Visible value={row.key} />
        {Shape !== null && (
          <span className="flex items-center gap-1 font-sans text-2xs text-accent">
            <Shape aria-hidden size={12} />
            {inbox[row.kind === 'same' ? 'changed' : row.kind]}
          </span>
        )}
      </th>
      <td className={cx('min-w-0 py-1.5 pr-3', row.kind === 'same' ? 'text-text-2' : 'text-text')}>
        <Cell value={row.before} part={parts?.[0] ?? null} />
      </td>
      <td className={cx('min-w-0 py-1.5', row.kind === 'same' ? 'text-text-2' : 'text-text')}>
        <Cell value={row.after} part={parts?.[1] ?? null} />
      </td>
    </tr>
  );
};

/** Proposed and steered arguments, side by side. */
export const ArgumentsDiff = ({ before, after }: { readonly before: JsonObject; readonly after: JsonObject }) => (
  <table className="w-full table-fixed">
    <colgroup>
      <col className="w-[92px]" />
      <col />
      <col />
    </colgroup>
    <thead>
      <tr className="text-left text-xs text-text-3">
        <td />
        <th scope="col" className="py-1 font-medium">
          {inbox.columnProposed}
        </th>
        <th scope="col" className="py-1 font-medium">
          {inbox.columnSteered}
        </th>
      </tr>
    </thead>
    <tbody>
      {diffRows(before, after).map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </tbody>
  </table>
);
