import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { text } from '../../ui/strings.ts';
import { inbox } from './strings.ts';

/** Asks for the reason at the foot of the card; the evidence stays in view. */
export const RejectPanel = ({
  busy,
  onCancel,
  onReject,
}: {
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onReject: (reason: string) => void;
}) => {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (): void => {
    if (reason.trim() === '') setMissing(true);
    else onReject(reason.trim());
  };
  return (
    <form
      aria-label={inbox.reject}
      className="shrink-0 border-t border-line bg-sunken px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      }}
    >
      <Field label={inbox.rejectReason} fault={missing ? inbox.rejectReasonMissing : null}>
        {(ids) => (
          <textarea
            {...ids}
            autoFocus
            aria-required
            rows={2}
            maxLength={4_000}
            className="sb-field resize-y"
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setMissing(false);
            }}
          />
        )}
      </Field>
      <div className="mt-2 flex justify-end gap-2">
        <Button look="quiet" onPress={onCancel}>
          {text.cancel}
        </Button>
        <Button look="danger" type="submit" isDisabled={busy}>
          {inbox.rejectGo}
        </Button>
      </div>
    </form>
  );
};
