import type { ApprovalView, TargetReading } from '../../../core/contracts/console.ts';
import { Arguments } from '../../ui/Arguments.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { visibleLine } from '../../ui/visibleText.ts';
import { ArgumentsDiff } from './ArgumentsDiff.tsx';
import { inbox } from './strings.ts';

const readingWords = (target: TargetReading): string => {
  const parts = [target.role, target.name === undefined ? null : `“${target.name}”`];
  if (target.row !== undefined) parts.push(`${inbox.row} “${target.row}”`);
  if (target.frame !== undefined) parts.push(`${inbox.frame} ${target.frame}`);
  return parts.filter((part) => part !== null).join(' ');
};

/** Verb and full arguments, exactly as they would be sent; both versions side by side once steered. */
export const CallPanel = ({ approval }: { readonly approval: ApprovalView }) => {
  const { target, steered_arguments: steered } = approval;
  return (
    <section aria-label={inbox.call}>
      <SectionLabel>{steered === null ? inbox.call : inbox.performed}</SectionLabel>
      <div className="rounded-md border border-line">
        <p className="border-b border-line bg-sunken px-3 py-1.5 font-mono text-xs font-medium">
          {visibleLine(approval.verb)}
        </p>
        <div className="px-3">
          {steered === null ? (
            <Arguments
              value={approval.arguments}
              hint={(key) => (key === 'target' && target !== null ? readingWords(target) : null)}
            />
          ) : (
            <ArgumentsDiff before={approval.arguments} after={steered} />
          )}
        </div>
      </div>
    </section>
  );
};
