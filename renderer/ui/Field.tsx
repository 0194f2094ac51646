import { useId } from 'react';
import type { ReactNode } from 'react';
import { ToneIcon } from './Signal.tsx';

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** Label, control, hint and fault, tied together for assistive technology. */
export const Field = ({
  label,
  hint,
  fault,
  children,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
  readonly children: (ids: FieldIds) => ReactNode;
}) => {
  const id = useId();
  const hasFault = fault !== undefined && fault !== null;
  const describedBy = hasFault || hint !== undefined ? `${id}-about` : undefined;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-text-2">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy })}
      {describedBy !== undefined && (
        <p id={describedBy} className="mt-1 flex items-center gap-1 text-xs text-text-3">
          {hasFault && <ToneIcon tone="danger" />}
          <span className={hasFault ? 'text-danger' : ''}>{hasFault ? fault : hint}</span>
        </p>
      )}
    </div>
  );
};
