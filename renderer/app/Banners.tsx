import { Octagon, TriangleAlert, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useConnection } from '../bridge/connection.ts';
import { useDisablePolicy, useMayApprove, useSystem } from '../bridge/queries.ts';
import { Button } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { principalText } from '../ui/format.ts';
import { Countdown, Time } from '../ui/Time.tsx';
import { appText } from './strings.ts';
import { useOverdue } from './useOverdue.ts';

const Banner = ({
  look,
  name,
  children,
}: {
  readonly look: string;
  readonly name: string;
  readonly children: ReactNode;
}) => (
  <div
    role="alert"
    data-banner={name}
    className={cx('flex min-h-9 shrink-0 items-center gap-2 border-b px-4 py-1 text-sm font-medium', look)}
  >
    {children}
  </div>
);

/** Only after it has been gone for a while: a short hiccup is no news. */
const OFFLINE_AFTER_MS = 2_000;

const Offline = () => {
  const lostAt = useConnection((state) => state.lostAt);
  const overdue = useOverdue(lostAt, OFFLINE_AFTER_MS);
  if (!overdue || lostAt === null) return null;
  return (
    <Banner name="offline" look="border-danger bg-danger-soft text-danger">
      <Unplug aria-hidden size={16} />
      <span className="flex-1">{appText.offline}</span>
      <span className="text-xs font-normal">
        {appText.offlineSince} <Time at={new Date(lostAt).toISOString()} />
      </span>
    </Banner>
  );
};

const AutoApprove = ({ policyId, until }: { readonly policyId: string; readonly until: string }) => {
  const disable = useDisablePolicy();
  const mayApprove = useMayApprove();
  return (
    <Banner name="auto-approve" look="border-caution bg-caution-soft text-caution">
      <TriangleAlert aria-hidden size={16} />
      <span className="flex-1">{appText.autoBanner}</span>
      <span className="text-sm font-normal">
        {appText.autoLeft} <Countdown until={until} />
      </span>
      {mayApprove && (
        <Button size="small" isDisabled={disable.isPending} onPress={() => disable.mutate(policyId)}>
          {appText.autoStop}
        </Button>
      )}
    </Banner>
  );
};

/** What a person must not miss, above everything else and on every screen. */
export const Banners = () => {
  const system = useSystem().data;
  return (
    <>
      <Offline />
      {system?.paused != null && (
        <Banner name="paused" look="border-danger bg-danger-soft text-danger">
          <Octagon aria-hidden size={16} />
          <span className="flex-1">{appText.pausedBanner}</span>
          <span className="text-xs font-normal">
            {appText.pausedBy} {principalText(system.paused.by)} <Time at={system.paused.at} />
          </span>
        </Banner>
      )}
      {system?.auto_approve != null && (
        <AutoApprove policyId={system.auto_approve.policy_id} until={system.auto_approve.until} />
      )}
    </>
  );
};
