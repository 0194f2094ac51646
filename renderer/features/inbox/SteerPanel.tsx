import { useState } from 'react';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { text } from '../../ui/strings.ts';
import { ArgumentsDiff } from './ArgumentsDiff.tsx';
import { mergePatch } from './mergePatch.ts';
import type { JsonObject } from './mergePatch.ts';
import { SteerField } from './SteerField.tsx';
import { formFields, inputSchema, parseJsonObject, setField } from './steerForm.ts';
import { inbox } from './strings.ts';

interface Props {
  readonly approval: ApprovalView;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onSteer: (patch: JsonObject, rationale: string) => void;
}

const pretty = (value: JsonObject): string => JSON.stringify(value, null, 2);

/** The arguments as a form from the verb's schema, or raw; what changes is shown beside what was proposed. */
export const SteerPanel = ({ approval, busy, onCancel, onSteer }: Props) => {
  const proposed = approval.arguments;
  const schema = inputSchema(approval.verb);
  const [mode, setMode] = useState<'form' | 'raw'>(schema === null ? 'raw' : 'form');
  const [values, setValues] = useState<JsonObject>(proposed);
  const [raw, setRaw] = useState(() => pretty(proposed));
  const [rationale, setRationale] = useState('');
  const [asked, setAsked] = useState(false);
  const parsed = mode === 'raw' ? parseJsonObject(raw) : values;
  const patch = parsed === null ? {} : mergePatch(proposed, parsed);
  const unchanged = Object.keys(patch).length === 0;
  const submit = (): void => {
    setAsked(true);
    if (parsed !== null && !unchanged && rationale.trim() !== '') onSteer(patch, rationale.trim());
  };
  const switchMode = (next: 'form' | 'raw'): void => {
    if (next === 'raw') setRaw(pretty(values));
    else if (parsed !== null) setValues(parsed);
    if (next === 'raw' || parsed !== null) setMode(next);
  };
  return (
    <form
      aria-label={inbox.steering}
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      }}
    >
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{inbox.steering}</h3>
        {schema !== null && (
          <Segmented
            label={inbox.steerForm}
            options={[
              { id: 'form', label: inbox.steerForm },
              { id: 'raw', label: inbox.steerRaw },
            ]}
            value={mode}
            onChange={switchMode}
          />
        )}
      </div>
      {mode === 'form' && schema !== null ? (
        <div className="space-y-2.5">
          {formFields(schema, proposed).map((field, index) => (
            <SteerField
              key={field.name}
              field={field}
              value={values[field.name]}
              autoFocus={index === 0 || field.name === 'value'}
              onChange={(value) => setValues((known) => setField(known, proposed, field.name, value))}
            />
          ))}
        </div>
      ) : (
        <Field label={inbox.steerRaw} fault={parsed === null ? inbox.invalidJson : null}>
          {(ids) => (
            <textarea
              {...ids}
              autoFocus
              rows={9}
              spellCheck={false}
              className="sb-field resize-y font-mono text-xs"
              value={raw}
              onChange={(event) => setRaw(event.target.value)}
            />
          )}
        </Field>
      )}
      <section>
        <SectionLabel>{`${inbox.columnProposed} / ${inbox.columnSteered}`}</SectionLabel>
        {unchanged ? (
          <p className={asked ? 'text-xs text-danger' : 'text-xs text-text-3'}>{inbox.unchanged}</p>
        ) : (
          <div className="rounded-md border border-line px-3">
            <ArgumentsDiff before={proposed} after={parsed ?? proposed} />
          </div>
        )}
      </section>
      <Field label={inbox.rationale} fault={asked && rationale.trim() === '' ? inbox.rationaleMissing : null}>
        {(ids) => (
          <textarea
            {...ids}
            required
            rows={2}
            maxLength={4_000}
            className="sb-field resize-y"
            value={rationale}
            onChange={(event) => setRationale(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button look="quiet" onPress={onCancel}>
          {text.cancel}
        </Button>
        <Button look="solid" type="submit" isDisabled={busy}>
          {inbox.steerGo}
        </Button>
      </div>
    </form>
  );
};
