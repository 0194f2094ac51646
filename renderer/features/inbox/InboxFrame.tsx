import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../../ui/cx.ts';
import { ToneIcon } from '../../ui/Signal.tsx';
import { clearDecision, useLastDecision } from './lastDecision.ts';
import { inbox } from './strings.ts';
import { Button } from '../../ui/Button.tsx';
import { text } from '../../ui/strings.ts';

const tabClass = (on: boolean): string =>
  cx(
    'flex h-8 items-center border-b-2 text-sm wide:h-10',
    on ? 'border-accent font-medium text-text' : 'border-transparent text-text-2 hover:text-text',
  );

const LastDecision = () => {
  const done = useLastDecision((state) => state.done);
  return (
    <div role="status" className={cx('shrink-0', done !== null && 'border-b border-line bg-sunken px-4 py-1.5')}>
      {done !== null && (
        <p className="flex items-center gap-2 text-sm" data-done={done.id}>
          <ToneIcon tone="clear" />
          <span className="min-w-0 flex-1 truncate">
            {done.words}: <bdi>{done.what}</bdi>
          </span>
          <Link href={done.href} className="text-accent underline underline-offset-2">
            {inbox.show}
          </Link>
          <Button size="small" look="quiet" onPress={clearDecision}>
            {text.close}
          </Button>
        </p>
      )}
    </div>
  );
};

/** List left and detail right; stacked on a narrow window so that the evidence keeps its width. */
export const InboxFrame = ({
  tab,
  list,
  children,
  count,
}: {
  readonly tab: 'needs-you' | 'decided';
  readonly list: ReactNode;
  readonly children: ReactNode;
  readonly count?: number;
}) => (
  <div className="flex min-h-0 flex-1 flex-col wide:flex-row">
    <div className="flex shrink-0 flex-col border-b border-line bg-panel wide:min-h-0 wide:w-[304px] wide:border-r wide:border-b-0">
      <div className="flex shrink-0 items-center gap-4 border-b border-line px-4">
        <h1 className="sr-only">{inbox.title}</h1>
        <Link
          href="/inbox"
          aria-current={tab === 'needs-you' ? 'page' : undefined}
          className={tabClass(tab === 'needs-you')}
        >
          {inbox.needsYou}
          {count !== undefined && count > 0 && <span className="ml-1.5 text-text-3">{count}</span>}
        </Link>
        <Link
          href="/inbox/decided"
          aria-current={tab === 'decided' ? 'page' : undefined}
          className={tabClass(tab === 'decided')}
        >
          {inbox.decided}
        </Link>
      </div>
      <div className="max-h-[87px] overflow-y-auto wide:max-h-none wide:flex-1">{list}</div>
    </div>
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-panel">
      <LastDecision />
      {children}
    </div>
  </div>
);
