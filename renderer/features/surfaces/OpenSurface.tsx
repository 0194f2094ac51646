import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useMayApprove, useOpenSurface } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { text } from '../../ui/strings.ts';
import { surfacesText as t } from './strings.ts';

/** Opens in place, above the tiles. */
export const OpenSurfaceForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [url, setUrl] = useState('');
  const [label, setLabel] = useState('');
  const [missing, setMissing] = useState(false);
  const [, navigate] = useLocation();
  const open = useOpenSurface();
  const submit = (): void => {
    if (url.trim() === '') return setMissing(true);
    const body = { kind: 'browser' as const, url: url.trim(), ...(label.trim() === '' ? {} : { label: label.trim() }) };
    open.mutate(body, { onSuccess: (surface) => navigate(`/surfaces/${surface.id}`) });
  };
  return (
    <form
      aria-label={t.open}
      className="border-b border-line bg-sunken px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="grid max-w-[860px] grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] items-start gap-3">
        <Field label={t.openUrl} hint={t.openUrlHint} fault={missing ? t.openUrlMissing : null}>
          {(ids) => (
            <input
              {...ids}
              autoFocus
              type="text"
              inputMode="url"
              spellCheck={false}
              className="sb-field"
              value={url}
              onChange={(event) => {
                setUrl(event.target.value);
                setMissing(false);
              }}
            />
          )}
        </Field>
        <Field label={t.openLabel}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              maxLength={120}
              className="sb-field"
              value={label}
              onChange={(event) => setLabel(event.target.value)}
            />
          )}
        </Field>
        <div className="flex gap-2 pt-5">
          <Button look="solid" type="submit" isDisabled={open.isPending}>
            {t.openGo}
          </Button>
          <Button look="quiet" onPress={onClose}>
            {text.cancel}
          </Button>
        </div>
      </div>
      {open.isError && (
        <div className="mt-2 max-w-[860px]">
          <ErrorNotice error={open.error} />
        </div>
      )}
    </form>
  );
};

export const OpenSurfaceButton = ({ open, onOpen }: { readonly open: boolean; readonly onOpen: () => void }) => {
  const mayApprove = useMayApprove();
  if (!mayApprove) return null;
  return (
    <Button onPress={onOpen} aria-expanded={open}>
      <Plus aria-hidden size={16} />
      {t.open}
    </Button>
  );
};
