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
  aside,
  hint,
  fault,
  children,
}: {
  readonly label: ReactNode;
  /** Beside the label, not part of the control's name. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
  readonly children: (ids: FieldIds) => ReactNode;
}) => {
  const id = useId();
  const hasFault = fault !== undefined && fault !== null;
  const describedBy = hasFault || hint !== undefined ? `${id}-about` : undefined;
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline gap-2 text-xs">
        <label htmlFor={id} className="font-medium text-text-2">
          {label}
        </label>
        {aside !== undefined && <span className="text-text-3">{aside}</span>}
      </div>
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
