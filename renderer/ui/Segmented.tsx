import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

/** One of a few, all visible. */
export const Segmented = <T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly { readonly id: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) => (
  <ToggleButtonGroup
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(selected) => {
      const next = options.find((option) => selected.has(option.id));
      if (next !== undefined) onChange(next.id);
    }}
    className="inline-flex rounded-md border border-line bg-sunken p-0.5"
  >
    {options.map((option) => (
      <ToggleButton
        key={option.id}
        id={option.id}
        className="h-6 rounded-sm border border-transparent px-2.5 text-xs font-medium whitespace-nowrap text-text-2 hover:text-text data-[selected]:border-line-strong data-[selected]:bg-panel data-[selected]:text-text"
      >
        {option.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
