import { useState } from 'react';
import { Field } from '../../ui/Field.tsx';
import type { FieldIds } from '../../ui/Field.tsx';
import { text } from '../../ui/strings.ts';
import { Visible } from '../../ui/Visible.tsx';
import { asShown } from './diff.ts';
import type { FormField } from './steerForm.ts';
import { inbox } from './strings.ts';

interface ControlProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly autoFocus: boolean;
  readonly onChange: (value: unknown) => void;
}

const LONG_TEXT = 60;

const TextControl = ({ field, value, autoFocus, onChange, ids }: ControlProps & { readonly ids: FieldIds }) => {
  const shown = value === undefined ? '' : asShown(value);
  const common = {
    ...ids,
    autoFocus,
    spellCheck: false,
    placeholder: value === undefined ? inbox.notGiven : '',
    className: 'sb-field font-mono text-xs',
  };
  if (shown.length > LONG_TEXT || shown.includes('\n') || field.name === 'value') {
    const rows = Math.min(8, Math.max(2, shown.split('\n').length));
    return <textarea {...common} rows={rows} value={shown} onChange={(event) => onChange(event.target.value)} />;
  }
  return <input {...common} type="text" value={shown} onChange={(event) => onChange(event.target.value)} />;
};

const JsonControl = ({ value, onChange, ids }: ControlProps & { readonly ids: FieldIds }) => {
  const [draft, setDraft] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  return (
    <textarea
      {...ids}
      rows={3}
      spellCheck={false}
      className="sb-field font-mono text-xs"
      value={draft}
      onChange={(event) => {
        setDraft(event.target.value);
        try {
          onChange(JSON.parse(event.target.value));
        } catch {
          onChange(event.target.value);
        }
      }}
    />
  );
};

const ChoiceControl = ({ field, value, onChange, ids }: ControlProps & { readonly ids: FieldIds }) => (
  <select {...ids} className="sb-field" value={asShown(value ?? '')} onChange={(event) => onChange(event.target.value)}>
    {!field.required && <option value="">{inbox.notGiven}</option>}
    {typeof value === 'string' && value !== '' && !field.options.includes(value) && (
      <option value={value}>{value}</option>
    )}
    {field.options.map((option) => (
      <option key={option} value={option}>
        {option}
      </option>
    ))}
  </select>
);

const NumberControl = ({ value, onChange, ids }: ControlProps & { readonly ids: FieldIds }) => (
  <input
    {...ids}
    type="number"
    className="sb-field"
    value={typeof value === 'number' ? value : ''}
    onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
  />
);

const SwitchControl = ({ value, onChange, ids }: ControlProps & { readonly ids: FieldIds }) => (
  <input {...ids} type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
);

const controls = {
  text: TextControl,
  json: JsonControl,
  choice: ChoiceControl,
  number: NumberControl,
  switch: SwitchControl,
} as const;

export const SteerField = (props: ControlProps) => {
  const { field } = props;
  const Control = controls[field.control];
  return (
    <Field
      label={
        <span className="font-mono">
          <Visible value={field.name} />
        </span>
      }
      aside={field.required ? text.required.toLowerCase() : undefined}
    >
      {(ids) => <Control {...props} ids={ids} />}
    </Field>
  );
};
