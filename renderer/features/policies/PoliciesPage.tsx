import { Plus, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { PolicyView } from '../../../core/contracts/console.ts';
import { useDisablePolicy, useMayApprove, usePolicies } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Empty, SkeletonRows } from '../../ui/Empty.tsx';
import { principalText } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/Notice.tsx';
import { ScreenHead } from '../../ui/Screen.tsx';
import { Signal, Tag } from '../../ui/Signal.tsx';
import type { Tone } from '../../ui/Signal.tsx';
import { text } from '../../ui/strings.ts';
import { Time } from '../../ui/Time.tsx';
import { useNow } from '../../ui/useNow.ts';
import { Visible } from '../../ui/Visible.tsx';
import { CreatePolicy } from './CreatePolicy.tsx';
import { policiesText as t } from './strings.ts';

const tones: Readonly<Record<PolicyView['effect'], Tone>> = {
  allow: 'clear',
  deny: 'danger',
  require_approval: 'active',
};

const Ends = ({ policy }: { readonly policy: PolicyView }) => {
  const now = useNow();
  if (policy.disabled_at !== null) return <Signal tone="neutral">{t.disabled}</Signal>;
  if (policy.expires_at === null) return <span className="text-text-3">{t.never}</span>;
  if (Date.parse(policy.expires_at) <= now) return <Signal tone="caution">{t.expired}</Signal>;
  return <Time at={policy.expires_at} />;
};

const Disable = ({ policy }: { readonly policy: PolicyView }) => {
  const [asking, setAsking] = useState(false);
  const disable = useDisablePolicy();
  if (policy.disabled_at !== null) return null;
  if (!asking) {
    return (
      <Button size="small" look="quiet" onPress={() => setAsking(true)}>
        {t.disable}
      </Button>
    );
  }
  return (
    <div className="space-y-2 text-right">
      <p className="text-xs">{t.disableSure}</p>
      <div className="flex justify-end gap-2">
        <Button size="small" autoFocus onPress={() => setAsking(false)}>
          {text.cancel}
        </Button>
        <Button
          size="small"
          look="danger"
          isDisabled={disable.isPending}
          onPress={() => disable.mutate(policy.policy_id, { onSuccess: () => setAsking(false) })}
        >
          {t.disableYes}
        </Button>
      </div>
      {disable.isError && <ErrorNotice error={disable.error} />}
    </div>
  );
};

const Row = ({
  policy,
  selected,
  mayChange,
}: {
  readonly policy: PolicyView;
  readonly selected: boolean;
  readonly mayChange: boolean;
}) => (
  <li
    id={policy.policy_id}
    data-policy={policy.policy_id}
    className={cx(
      'grid grid-cols-[minmax(0,1fr)_120px_110px_minmax(110px,auto)] items-start gap-4 border-b border-line px-4 py-2.5',
      selected && 'bg-accent-soft',
    )}
  >
    <div className="min-w-0">
      <p className={cx('text-sm font-medium', policy.disabled_at !== null && 'text-text-3')}>
        <Visible value={policy.title} />
      </p>
      <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-text-3">
        <code className="font-mono">{policy.policy_id}</code>
        <Tag>{`${t.scope} ${policy.scope}`}</Tag>
        {policy.enforcement === 'advisory' && <Tag>{t.enforcement.advisory}</Tag>}
        <span>{principalText(policy.created_by)}</span>
        <Time at={policy.created_at} />
      </p>
      <pre className="mt-1.5 rounded-sm bg-sunken px-2 py-1 font-mono text-xs break-words whitespace-pre-wrap">
        <Visible value={policy.condition} />
      </pre>
    </div>
    <Signal tone={policy.disabled_at === null ? tones[policy.effect] : 'neutral'}>{t.effect[policy.effect]}</Signal>
    <span className="text-xs">
      <Ends policy={policy} />
    </span>
    <div className="text-right">{mayChange && <Disable policy={policy} />}</div>
  </li>
);

/** `/policies` and `/policies/:id` (that one marked). */
export const PoliciesPage = ({ id }: { readonly id: string | null }) => {
  const policies = usePolicies();
  const mayChange = useMayApprove();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <ScreenHead title={t.title} detail={t.lead}>
        {mayChange && (
          <Button onPress={() => setCreating(true)} aria-expanded={creating}>
            <Plus aria-hidden size={16} />
            {t.create}
          </Button>
        )}
      </ScreenHead>
      <div className="min-h-0 flex-1 overflow-y-auto bg-panel">
        {creating && <CreatePolicy onClose={() => setCreating(false)} />}
        {policies.isPending && <SkeletonRows label={text.loading} />}
        {policies.isError && (
          <div className="p-4">
            <ErrorNotice error={policies.error} onRetry={() => void policies.refetch()} />
          </div>
        )}
        {policies.data?.length === 0 && (
          <Empty icon={ScrollText} title={t.emptyTitle}>
            {t.emptyBody}
          </Empty>
        )}
        <ul aria-label={t.title}>
          {policies.data?.map((policy) => (
            <Row
              key={`${policy.policy_id} ${policy.version}`}
              policy={policy}
              selected={policy.policy_id === id}
              mayChange={mayChange}
            />
          ))}
        </ul>
      </div>
    </>
  );
};
