import type { ReactNode } from 'react';
import { isRestError } from '../bridge/restError.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { ToneIcon } from './Signal.tsx';
import type { Tone } from './Signal.tsx';
import { text } from './strings.ts';

const frames: Readonly<Record<Tone, string>> = {
  clear: 'border-clear bg-clear-soft',
  caution: 'border-caution bg-caution-soft',
  danger: 'border-danger bg-danger-soft',
  unknown: 'border-caution bg-caution-soft',
  neutral: 'border-line bg-sunken',
  active: 'border-accent bg-accent-soft',
};

export const Notice = ({
  tone,
  children,
  action,
  role,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'status' | 'alert';
}) => (
  <div role={role} className={cx('flex items-start gap-2 rounded-md border px-3 py-2 text-sm text-text', frames[tone])}>
    <span className="mt-[3px]">
      <ToneIcon tone={tone} />
    </span>
    <div className="min-w-0 flex-1 break-words">{children}</div>
    {action}
  </div>
);

/** What went wrong, in the server's words, with the trace id to look it up by. */
export const ErrorNotice = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => (
  <Notice
    tone="danger"
    role="alert"
    action={
      onRetry !== undefined && (
        <Button size="small" onPress={onRetry}>
          {text.retry}
        </Button>
      )
    }
  >
    {error instanceof Error ? error.message : String(error)}
    {isRestError(error) && error.traceId !== null && (
      <span className="block text-xs text-text-2">
        {text.traceId} <code className="font-mono">{error.traceId}</code>
      </span>
    )}
  </Notice>
);
