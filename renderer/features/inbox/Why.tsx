import type { PolicyDecision } from '../../../core/contracts/console.ts';
import { usePolicies } from '../../bridge/queries.ts';
import { Arguments } from '../../ui/Arguments.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { Link } from 'wouter';
import { inbox } from './strings.ts';

/** Why a person is asked: the sentence and the values that decided; the rest when explained. */
export const Why = ({ policy, explained }: { readonly policy: PolicyDecision; readonly explained: boolean }) => (
  <section aria-label={inbox.why}>
    <SectionLabel>{inbox.why}</SectionLabel>
    <p className="text-sm">
      <Visible value={policy.because} />
    </p>
    {Object.keys(policy.values).length > 0 && (
      <div className="mt-1 border-l-2 border-line pl-3">
        <Arguments value={policy.values} />
      </div>
    )}
    {explained && <Explanation policy={policy} />}
  </section>
);

const Explanation = ({ policy }: { readonly policy: PolicyDecision }) => {
  const condition = usePolicies().data?.find((each) => each.policy_id === policy.policy_id)?.condition;
  return (
    <div className="mt-2 space-y-2 rounded-md border border-line bg-sunken p-3 text-xs" data-explanation>
      {policy.policy_id === null ? (
        <p className="text-text-2">{inbox.policyNone}</p>
      ) : (
        <p>
          <Link href={`/policies/${policy.policy_id}`} className="font-mono text-accent underline underline-offset-2">
            {policy.policy_id}
          </Link>{' '}
          <span className="text-text-3">{policy.policy_version}</span>
        </p>
      )}
      {condition !== undefined && (
        <div>
          <p className="sb-label">{inbox.condition}</p>
          <pre className="font-mono break-words whitespace-pre-wrap">
            <Visible value={condition} />
          </pre>
        </div>
      )}
      {policy.matched.length > 0 && (
        <div>
          <p className="sb-label">{inbox.matched}</p>
          <ul className="font-mono">
            {policy.matched.map((each) => (
              <li key={each.policy_id}>
                {each.policy_id} <span className="text-text-3">{each.version}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
};
