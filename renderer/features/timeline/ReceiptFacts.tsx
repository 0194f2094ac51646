import type { Effect, Receipt } from '../../../core/contracts/operatorClass.ts';
import { duration } from '../../ui/format.ts';
import { LongText } from '../../ui/LongText.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { Signal } from '../../ui/Signal.tsx';
import { Visible } from '../../ui/Visible.tsx';
import { timelineText as t } from './strings.ts';

const EffectList = ({ effects }: { readonly effects: readonly Effect[] }) => (
  <ul className="text-sm">
    {effects.map((effect, index) => (
      <li
        key={`${index} ${effect.kind}`}
        className="grid grid-cols-[120px_minmax(0,1fr)] gap-3 border-t border-line py-1 first:border-t-0"
      >
        <span className="font-mono text-xs leading-5 text-text-3">{effect.kind}</span>
        <span className="break-words">
          <Visible value={effect.detail} />
        </span>
      </li>
    ))}
  </ul>
);

const Timings = ({ timing }: { readonly timing: NonNullable<Receipt['timing']> }) => {
  const steps = (['queued', 'approved', 'acted', 'settled'] as const).flatMap((name) => {
    const ms = timing[name];
    return ms === undefined ? [] : [{ name, ms }];
  });
  const end = Math.max(1, ...steps.map((step) => step.ms));
  const startOf = (index: number): number => steps[index - 1]?.ms ?? 0;
  return (
    <section>
      <SectionLabel>{t.timings}</SectionLabel>
      <dl className="text-xs">
        {steps.map((step, index) => (
          <div key={step.name} className="grid grid-cols-[88px_minmax(0,1fr)_72px] items-center gap-3 py-0.5">
            <dt className="text-text-2">{t.timing[step.name]}</dt>
            <dd aria-hidden className="h-1 rounded-full bg-hover">
              <span
                className="block h-1 rounded-full bg-accent"
                style={{
                  marginLeft: `${Math.min(99, (startOf(index) / end) * 100)}%`,
                  width: `${Math.max(1, ((step.ms - startOf(index)) / end) * 100)}%`,
                }}
              />
            </dd>
            <dd className="text-right text-text-2">{duration(step.ms)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-text-3">{t.timingsHint}</p>
    </section>
  );
};

/** What a receipt says: whether anything changed, what, and when. */
export const ReceiptFacts = ({ receipt }: { readonly receipt: Receipt }) => (
  <div className="space-y-4">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {receipt.blocked_by !== undefined ? (
        <Signal tone="caution">
          {t.blockedBy}: <Visible value={receipt.blocked_by} />
        </Signal>
      ) : (
        <Signal tone={receipt.changed ? 'clear' : 'neutral'}>{receipt.changed ? t.changed : t.unchanged}</Signal>
      )}
      <span className="text-xs text-text-3">
        {t.readiness}: {receipt.readiness}
      </span>
    </div>
    <section>
      <SectionLabel>{t.effects}</SectionLabel>
      {receipt.effects === undefined || receipt.effects.length === 0 ? (
        <p className="text-sm text-text-2">{t.noEffects}</p>
      ) : (
        <EffectList effects={receipt.effects} />
      )}
    </section>
    {receipt.late_effects !== undefined && receipt.late_effects.length > 0 && (
      <section>
        <SectionLabel>{t.lateEffects}</SectionLabel>
        <EffectList effects={receipt.late_effects} />
      </section>
    )}
    {receipt.value_after !== undefined && (
      <section>
        <SectionLabel>{t.valueAfter}</SectionLabel>
        <LongText value={receipt.value_after} />
      </section>
    )}
    {receipt.timing !== undefined && <Timings timing={receipt.timing} />}
  </div>
);
