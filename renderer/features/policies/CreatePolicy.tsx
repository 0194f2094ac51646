import { useState } from 'react';
import type { PolicyView } from '../../../core/contracts/console.ts';
import { serverNow } from '../../bridge/serverClock.ts';
import { useCreatePolicy } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { toLocalInput } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { policiesText as t } from './strings.ts';

const EIGHT_HOURS_MS = 8 * 3_600_000;
const effects: readonly PolicyView['effect'][] = ['require_approval', 'deny', 'allow'];

/** Registers a policy, in place above the list. */
export const CreatePolicy = ({ onClose }: { readonly onClose: () => void }) => {
  const [title, setTitle] = useState('');
  const [scope, setScope] = useState('*');
  const [condition, setCondition] = useState('');
  const [effect, setEffect] = useState<PolicyView['effect']>('require_approval');
  const [ends, setEnds] = useState('');
  const [tried, setTried] = useState(false);
  const create = useCreatePolicy();
  const faults = {
    title: title.trim() === '' ? t.form.titleFault : null,
    condition: condition.trim() === '' ? t.form.conditionFault : null,
    ends: effect === 'allow' && ends === '' ? t.form.endsFault : null,
  };
  const submit = (): void => {
    setTried(true);
    if (faults.title !== null || faults.condition !== null || faults.ends !== null) return;
    create.mutate(
      {
        title: title.trim(),
        scope: scope.trim() === '' ? '*' : scope.trim(),
        condition: condition.trim(),
        effect,
        ...(ends === '' ? {} : { expires_at: new Date(ends).toISOString() }),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <form
      aria-label={t.create}
      className="border-b border-line bg-sunken px-4 py-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="grid max-w-[920px] grid-cols-4 items-start gap-3">
        <div className="col-span-2">
          <Field label={t.form.title} fault={tried ? faults.title : null}>
            {(ids) => (
              <input
                {...ids}
                autoFocus
                type="text"
                maxLength={200}
                className="sb-field"
                value={title}
                onChange={(event) => setTitle(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Field label={t.form.effect}>
          {(ids) => (
            <select
              {...ids}
              className="sb-field"
              value={effect}
              onChange={(event) => {
                const next = effects.find((each) => each === event.target.value) ?? 'require_approval';
                setEffect(next);
                if (next === 'allow' && ends === '') setEnds(toLocalInput(serverNow() + EIGHT_HOURS_MS));
              }}
            >
              {effects.map((each) => (
                <option key={each} value={each}>
                  {t.effect[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.form.ends} hint={t.form.endsHint} fault={tried ? faults.ends : null}>
          {(ids) => (
            <input
              {...ids}
              type="datetime-local"
              className="sb-field"
              value={ends}
              onChange={(event) => setEnds(event.target.value)}
            />
          )}
        </Field>
        <div className="col-span-3">
          <Field label={t.form.condition} hint={t.form.conditionHint} fault={tried ? faults.condition : null}>
            {(ids) => (
              <textarea
                {...ids}
                rows={2}
                maxLength={8_000}
                spellCheck={false}
                placeholder={t.form.conditionExample}
                className="sb-field resize-y font-mono text-xs"
                value={condition}
                onChange={(event) => setCondition(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Field label={t.form.scope} hint={t.form.scopeHint}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              spellCheck={false}
              className="sb-field font-mono text-xs"
              value={scope}
              onChange={(event) => setScope(event.target.value)}
            />
          )}
        </Field>
      </div>
      {create.isError && (
        <div className="mt-3 max-w-[920px]">
          <ErrorNotice error={create.error} />
        </div>
      )}
      <div className="mt-3 flex gap-2">
        <Button look="solid" type="submit" isDisabled={create.isPending}>
          {t.form.go}
        </Button>
        <Button look="quiet" onPress={onClose}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
};
