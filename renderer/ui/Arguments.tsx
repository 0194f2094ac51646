import { LongText } from './LongText.tsx';
import { Visible } from './Visible.tsx';

const Value = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' ? <LongText value={value} /> : <LongText value={JSON.stringify(value, null, 2) ?? ''} />;

/** Arguments exactly as given, one row each, in the order given. */
export const Arguments = ({
  value,
  hint,
}: {
  readonly value: Readonly<Record<string, unknown>>;
  /** Plain words beside a value, e.g. what a reference stands for. */
  readonly hint?: (key: string) => string | null;
}) => (
  <dl className="grid grid-cols-[fit-content(46%)_minmax(0,1fr)] text-xs">
    {Object.entries(value).map(([key, each]) => {
      const words = hint?.(key) ?? null;
      return (
        <div key={key} className="col-span-2 grid grid-cols-subgrid border-t border-line py-1.5 first:border-t-0">
          <dt className="min-w-20 pr-3 font-mono leading-5 break-words text-text-3">
            <Visible value={key} />
          </dt>
          <dd className="min-w-0 text-text">
            <Value value={each} />
            {words !== null && (
              <span className="block text-xs text-text-2">
                <Visible value={words} />
              </span>
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);
