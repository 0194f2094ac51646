import { useState } from 'react';
import { tokenCreateInput } from '../../../core/contracts/console.ts';
import type { RouteBodyInput } from '../../../core/contracts/routes.ts';
import type { Role } from '../../../core/contracts/principal.ts';
import { useMintToken } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyBlock } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { agentsText as t } from './strings.ts';

type Kind = 'agent' | 'user' | 'service';
const roles: readonly Role[] = ['viewer', 'approver', 'admin'];

interface Draft {
  readonly kind: Kind;
  readonly id: string;
  readonly label: string;
  readonly roles: readonly Role[];
  readonly ends: string;
  readonly surfaces: string;
}

const blank: Draft = { kind: 'agent', id: '', label: '', roles: [], ends: '', surfaces: '' };

const bodyOf = (draft: Draft): RouteBodyInput<'tokens.create'> => {
  const surfaces = draft.surfaces
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  return {
    principal: { type: draft.kind, id: draft.id.trim() },
    ...(draft.kind === 'agent' || draft.roles.length === 0 ? {} : { roles: [...draft.roles] }),
    ...(draft.label.trim() === '' ? {} : { label: draft.label.trim() }),
    ...(draft.ends === '' ? {} : { expires_at: new Date(draft.ends).toISOString() }),
    ...(surfaces.length === 0 ? {} : { surfaces }),
  };
};

const Minted = ({ token, onClose }: { readonly token: string; readonly onClose: () => void }) => (
  <div className="max-w-[860px] space-y-2" role="status">
    <p className="text-sm font-medium">{t.mintedTitle}</p>
    <CopyBlock caption={t.minted} code={token} />
    <Button onPress={onClose}>{t.mintedDone}</Button>
  </div>
);

const Roles = ({ draft, onChange }: { readonly draft: Draft; readonly onChange: (roles: readonly Role[]) => void }) => (
  <fieldset>
    <legend className="mb-1 text-xs font-medium text-text-2">{t.form.roles}</legend>
    <div className="flex h-8 items-center gap-4">
      {roles.map((role) => (
        <label key={role} className="flex items-center gap-1.5 text-sm">
          <input
            type="checkbox"
            checked={draft.roles.includes(role)}
            onChange={(event) =>
              onChange(event.target.checked ? [...draft.roles, role] : draft.roles.filter((each) => each !== role))
            }
          />
          {role}
        </label>
      ))}
    </div>
  </fieldset>
);

/** Mints a token in place; its secret is shown once. */
export const MintToken = ({ onClose }: { readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(blank);
  const [fault, setFault] = useState<string | null>(null);
  const mint = useMintToken();
  const set = (part: Partial<Draft>): void => setDraft((known) => ({ ...known, ...part }));
  const submit = (): void => {
    const body = bodyOf(draft);
    const idOk = tokenCreateInput.shape.principal.shape.id.safeParse(body.principal.id).success;
    setFault(idOk ? null : t.form.idFault);
    if (idOk) mint.mutate(body);
  };
  return (
    <div className="border-b border-line bg-sunken px-6 py-4">
      {mint.data !== undefined ? (
        <Minted token={mint.data.token} onClose={onClose} />
      ) : (
        <form
          aria-label={t.mint}
          className="grid max-w-[860px] grid-cols-3 items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        >
          <Field label={t.form.type}>
            {(ids) => (
              <select
                {...ids}
                className="sb-field"
                value={draft.kind}
                onChange={(event) => set({ kind: event.target.value as Kind })}
              >
                <option value="agent">agent</option>
                <option value="user">user</option>
                <option value="service">service</option>
              </select>
            )}
          </Field>
          <Field label={t.form.id} hint={t.form.idHint} fault={fault}>
            {(ids) => (
              <input
                {...ids}
                autoFocus
                type="text"
                spellCheck={false}
                className="sb-field"
                value={draft.id}
                onChange={(event) => set({ id: event.target.value })}
              />
            )}
          </Field>
          <Field label={t.form.label}>
            {(ids) => (
              <input
                {...ids}
                type="text"
                maxLength={120}
                className="sb-field"
                value={draft.label}
                onChange={(event) => set({ label: event.target.value })}
              />
            )}
          </Field>
          <Field label={t.form.ends}>
            {(ids) => (
              <input
                {...ids}
                type="datetime-local"
                className="sb-field"
                value={draft.ends}
                onChange={(event) => set({ ends: event.target.value })}
              />
            )}
          </Field>
          <Field label={t.form.surfaces} hint={t.form.surfacesHint}>
            {(ids) => (
              <input
                {...ids}
                type="text"
                spellCheck={false}
                className="sb-field"
                value={draft.surfaces}
                onChange={(event) => set({ surfaces: event.target.value })}
              />
            )}
          </Field>
          {draft.kind === 'agent' ? <span /> : <Roles draft={draft} onChange={(next) => set({ roles: next })} />}
          {mint.isError && (
            <div className="col-span-3">
              <ErrorNotice error={mint.error} />
            </div>
          )}
          <div className="col-span-3 flex gap-2">
            <Button look="solid" type="submit" isDisabled={mint.isPending}>
              {t.form.go}
            </Button>
            <Button look="quiet" onPress={onClose}>
              {text.cancel}
            </Button>
          </div>
        </form>
      )}
    </div>
  );
};
