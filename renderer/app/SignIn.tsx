import { useState } from 'react';
import { signInWith } from '../bridge/session.ts';
import type { SignedOutReason } from '../bridge/token.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Mark } from '../ui/Mark.tsx';
import { ErrorNotice, Notice } from '../ui/Notice.tsx';
import { text } from '../ui/strings.ts';
import { appText } from './strings.ts';

const t = appText.signIn;

const PasteToken = () => {
  const [token, setToken] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await signInWith(token.trim()).catch(setError);
    setBusy(false);
  };
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') void submit();
      }}
    >
      <Field label={t.paste} hint={t.pasteHint}>
        {(ids) => (
          <input
            {...ids}
            type="password"
            autoComplete="off"
            className="sb-field"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
      </Field>
      {error !== null && <ErrorNotice error={error} />}
      <Button type="submit" isDisabled={busy}>
        {t.go}
      </Button>
    </form>
  );
};

/** Without a token: how to get one. Nothing else can be seen. */
export const SignIn = ({ reason }: { readonly reason: SignedOutReason }) => (
  <main className="flex h-full items-center justify-center overflow-y-auto p-6">
    <div className="w-full max-w-[480px] space-y-5 rounded-md border border-line bg-panel p-6">
      <p className="flex items-center gap-2 text-base font-semibold">
        <Mark />
        {text.product}
      </p>
      {t.reasons[reason] !== '' && (
        <Notice tone="caution" role="alert">
          {t.reasons[reason]}
        </Notice>
      )}
      <div className="space-y-2">
        <h1 className="text-lg font-semibold">{t.title}</h1>
        <p className="text-sm text-text-2">{t.body}</p>
        <pre className="rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-6">
          {`npm start\n`}
          <span className="font-sans text-text-3">{t.or}</span>
          {`\nsignalbox serve`}
        </pre>
      </div>
      <hr className="border-line" />
      <PasteToken />
    </div>
  </main>
);
