import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { text } from '../../ui/strings.ts';
import { ArgumentsDiff } from './ArgumentsDiff.tsx';
import { CardBody } from './CardBody.tsx';
import { mergePatch } from './mergePatch.ts';
import type { JsonObject } from './mergePatch.ts';
import { SteerField } from './SteerField.tsx';
import { formFields, inputSchema, parseJsonObject, setField } from './steerForm.ts';
import { inbox } from './strings.ts';
import type { Deciding } from './useDeciding.ts';

interface Props {
  readonly approval: ApprovalView;
  readonly evidence: ReactNode;
  readonly deciding: Deciding;
  readonly onCancel: () => void;
}

const pretty = (value: JsonObject): string => JSON.stringify(value, null, 2);

/** The arguments as a form from the verb's schema, or raw; what changes is shown beside what was proposed. */
export const SteerPanel = ({ approval, evidence, deciding, onCancel }: Props) => {
  const proposed = approval.arguments;
  const schema = inputSchema(approval.verb);
  const focusFirst = Object.hasOwn(proposed, 'value') ? 'value' : 'target';
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
    if (parsed === null || unchanged || rationale.trim() === '') return;
    deciding.decide({ decision: 'steer', steering_delta: { ...patch }, reason: rationale.trim() });
  };
  const switchMode = (next: 'form' | 'raw'): void => {
    if (next === 'raw') setRaw(pretty(values));
    else if (parsed !== null) setValues(parsed);
    if (next === 'raw' || parsed !== null) setMode(next);
  };
  const comparison = (
    <section aria-label={`${inbox.columnProposed} / ${inbox.columnSteered}`}>
      <div className="rounded-md border border-line px-3">
        <ArgumentsDiff before={proposed} after={parsed ?? proposed} />
      </div>
    </section>
  );
  return (
    <form
      aria-label={inbox.steering}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      }}
    >
      <CardBody
        left={
          <>
            {evidence}
            <div className="hidden wide:block">{comparison}</div>
          </>
        }
        right={
          <>
            {deciding.notice !== null && (
              <Notice tone="caution" role="alert">
                {deciding.notice}
              </Notice>
            )}
            <div className="flex items-center justify-between gap-3">
              <h2 className="text-sm font-semibold">{inbox.steering}</h2>
              {schema !== null && (
                <Segmented
                  label={inbox.steeringMode}
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
              formFields(schema, proposed).map((field) => (
                <SteerField
                  key={field.name}
                  field={field}
                  value={values[field.name]}
                  autoFocus={field.name === focusFirst}
                  onChange={(value) => setValues((known) => setField(known, proposed, field.name, value))}
                />
              ))
            ) : (
              <Field label={inbox.steerRaw} fault={parsed === null ? inbox.invalidJson : null}>
                {(ids) => (
                  <textarea
                    {...ids}
                    autoFocus
                    rows={12}
                    spellCheck={false}
                    className="sb-field resize-y font-mono text-xs"
                    value={raw}
                    onChange={(event) => setRaw(event.target.value)}
                  />
                )}
              </Field>
            )}
            <div className="wide:hidden">{comparison}</div>
          </>
        }
      />
      <footer className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3">
        <Field label={inbox.rationale} fault={asked && rationale.trim() === '' ? inbox.rationaleMissing : null}>
          {(ids) => (
            <textarea
              {...ids}
              aria-required
              rows={1}
              maxLength={4_000}
              className="sb-field resize-y"
              value={rationale}
              onChange={(event) => setRationale(event.target.value)}
            />
          )}
        </Field>
        <div className="flex gap-2 pb-1">
          <Button look="quiet" onPress={onCancel}>
            {text.cancel}
          </Button>
          <Button look="solid" type="submit" isDisabled={deciding.busy}>
            {inbox.steerGo}
          </Button>
        </div>
        {unchanged && (
          <p role={asked ? 'alert' : undefined} className={asked ? 'text-xs text-danger' : 'text-xs text-text-3'}>
            {inbox.unchanged}
          </p>
        )}
      </footer>
    </form>
  );
};
