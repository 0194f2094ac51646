import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApprovalView } from '../../../core/contracts/console.ts';
import type { PrincipalRef } from '../../../core/contracts/principal.ts';
import { Phrase } from '../../ui/Phrase.tsx';
import { Principal } from '../../ui/Principal.tsx';
import { Signal } from '../../ui/Signal.tsx';
import { SurfaceIcon } from '../../ui/SurfaceIcon.tsx';
import { Countdown, Time } from '../../ui/Time.tsx';
import { useNow } from '../../ui/useNow.ts';
import { Visible } from '../../ui/Visible.tsx';
import { Ended } from './Ended.tsx';
import { inbox } from './strings.ts';

export const Where = ({
  surfaceId,
  label,
  kind,
  address,
}: {
  readonly surfaceId: string | null;
  readonly label: string | null;
  readonly kind: string | null;
  readonly address: string | null;
}) => {
  if (surfaceId === null) return <span className="text-xs text-text-3">{inbox.noSurface}</span>;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs">
      <SurfaceIcon kind={kind} />
      <Link href={`/surfaces/${surfaceId}`} className="shrink-0 text-text-2 underline-offset-2 hover:underline">
        <Visible value={label ?? surfaceId} />
      </Link>
      {address !== null && (
        <span className="min-w-0 font-mono break-all text-text-2" title={address}>
          <Visible value={address} />
        </span>
      )}
    </span>
  );
};

export const Headline = ({ who, children }: { readonly who: PrincipalRef; readonly children: ReactNode }) => (
  <h2 className="min-w-0 text-lg leading-6 break-words text-text-2">
    <span className="mr-1.5 inline-flex translate-y-px text-text">
      <Principal of={who} />
    </span>
    {children}
  </h2>
);

const TimeLeft = ({ until }: { readonly until: string }) => {
  const over = useNow() >= Date.parse(until);
  if (over) return <Signal tone="caution">{inbox.expired}</Signal>;
  return (
    <span className="flex items-center gap-1 text-sm whitespace-nowrap text-text-2">
      <Clock aria-hidden size={14} />
      {inbox.timeLeft} <Countdown until={until} />
    </span>
  );
};

/** Who asks for what, where, and how long there is. */
export const CardHead = ({ approval }: { readonly approval: ApprovalView }) => (
  <header className="shrink-0 border-b border-line px-4 py-2.5">
    <div className="flex items-start justify-between gap-4">
      <Headline who={approval.requested_by}>
        {inbox.wantsTo} <Phrase verb={approval.verb} args={approval.arguments} target={approval.target} />
      </Headline>
      {approval.status === 'pending' ? <TimeLeft until={approval.expires_at} /> : <Ended approval={approval} />}
    </div>
    <div className="mt-0.5 flex items-baseline justify-between gap-4">
      <Where
        surfaceId={approval.surface_id}
        label={approval.surface_label}
        kind={approval.surface_kind}
        address={approval.address}
      />
      <span className="shrink-0 text-xs text-text-3">
        {inbox.asked} <Time at={approval.requested_at} />
      </span>
    </div>
  </header>
);
