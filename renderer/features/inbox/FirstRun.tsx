import { Link } from 'wouter';
import { ConnectPanel } from '../../ui/ConnectPanel.tsx';
import { inbox } from './strings.ts';

const Step = ({ n, title, body, children }: { n: number; title: string; body: string; children?: React.ReactNode }) => (
  <li className="grid grid-cols-[28px_minmax(0,1fr)] gap-3">
    <span
      aria-hidden
      className="flex size-7 items-center justify-center rounded-full border border-line-strong text-sm font-semibold"
    >
      {n}
    </span>
    <div className="min-w-0 space-y-2 pt-0.5">
      <h3 className="text-base font-semibold">{title}</h3>
      <p className="max-w-[64ch] text-sm text-text-2">{body}</p>
      {children}
    </div>
  </li>
);

/** Before the first call of any agent: how to get one here. */
export const FirstRun = () => (
  <div className="h-full overflow-y-auto bg-panel">
    <div className="mx-auto max-w-[760px] px-6 py-8">
      <h2 className="mb-6 text-xl font-semibold">{inbox.firstRun.title}</h2>
      <ol className="space-y-6">
        <Step n={1} title={inbox.firstRun.connect} body={inbox.firstRun.connectBody}>
          <ConnectPanel />
        </Step>
        <Step n={2} title={inbox.firstRun.asks} body={inbox.firstRun.asksBody}>
          <Link href="/surfaces" className="text-sm text-accent underline underline-offset-2">
            {inbox.firstRun.surfaces}
          </Link>
        </Step>
        <Step n={3} title={inbox.firstRun.decides} body={inbox.firstRun.decidesBody} />
      </ol>
    </div>
  </div>
);
