import { callOutcome } from '../../../core/contracts/console.ts';
import type { CallView } from '../../../core/contracts/console.ts';
import { verbs } from '../../../core/contracts/operatorClass.ts';
import { useSurfaces } from '../../bridge/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { principalText } from '../../ui/format.ts';
import { visibleLine } from '../../ui/visibleText.ts';
import { timelineText as t } from './strings.ts';
import type { useTimelineFilter } from './useTimelineFilter.ts';

const ownVerbs = ['signalbox.open_surface', 'signalbox.close_surface', 'signalbox.get_receipt', 'signalbox.await_work'];
const verbNames = [...verbs.map((verb) => verb.name as string), ...ownVerbs];

const Choice = ({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}) => (
  <select
    aria-label={label}
    className="sb-field h-7 w-auto max-w-[150px] py-0! text-xs!"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{`${label}: ${t.any}`}</option>
    {value !== '' && !options.some((option) => option.value === value) && <option value={value}>{value}</option>}
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

export const Filters = ({
  filter,
  calls,
}: {
  readonly filter: ReturnType<typeof useTimelineFilter>;
  readonly calls: readonly CallView[];
}) => {
  const surfaces = useSurfaces().data ?? [];
  const who = [...new Set(calls.map((call) => principalText(call.principal)))].toSorted();
  return (
    <div role="search" className="flex items-center gap-2">
      <input
        type="search"
        aria-label={t.filterText}
        placeholder={t.filterText}
        className="sb-field h-7 w-[180px] py-0! text-xs!"
        value={filter.local.text}
        onChange={(event) => filter.set('text', event.target.value)}
      />
      <Choice
        label={t.filterSurface}
        value={filter.server.surface_id ?? ''}
        options={surfaces.map((each) => ({ value: each.id, label: visibleLine(each.label ?? each.id).slice(0, 60) }))}
        onChange={(value) => filter.set('surface_id', value)}
      />
      <Choice
        label={t.filterAgent}
        value={filter.server.principal ?? ''}
        options={who.map((each) => ({ value: each, label: each }))}
        onChange={(value) => filter.set('principal', value)}
      />
      <Choice
        label={t.filterVerb}
        value={filter.server.verb ?? ''}
        options={verbNames.map((name) => ({ value: name, label: name }))}
        onChange={(value) => filter.set('verb', value)}
      />
      <Choice
        label={t.filterOutcome}
        value={filter.local.outcome ?? ''}
        options={callOutcome.options.map((each) => ({ value: each, label: t.outcome[each] }))}
        onChange={(value) => filter.set('outcome', value)}
      />
      {filter.any && (
        <Button size="small" look="quiet" onPress={filter.clear}>
          {t.clear}
        </Button>
      )}
    </div>
  );
};
