import { later } from '../later.tsx';
import type { Choice } from './ChoiceFilter.tsx';
import type { FilterPart } from './FilterBar.tsx';

// The editor of a filter is loaded when it is opened.
const ChoiceFilter = later(async () => (await import('./ChoiceFilter.tsx')).ChoiceFilter);

type Chosen = {
  name: string;
  label: string;
  choices: readonly Choice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Accepts typed text that is not in the list (tags). */
  free?: boolean;
  /** Text of the chip for an id that is not in the list; if omitted, the id itself. */
  unknown?: string;
};

/** Returns a filter by several entries of a list. */
export function choicePart({ name, label, choices, value, onChange, free = false, unknown }: Chosen): FilterPart {
  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? unknown ?? id;
  return {
    name,
    label,
    text: value.length > 0 ? value.map(nameOf).join(', ') : null,
    onRemove: () => onChange([]),
    editor: (done) => (
      <ChoiceFilter label={label} choices={choices} value={value} onChange={onChange} free={free} onDone={done} />
    ),
  };
}

type Lists<Filter, Name extends string> = {
  labels: Record<NoInfer<Name>, string>;
  choices: Record<Name, readonly Choice[]>;
  filter: Filter;
  onChange: (filter: Filter) => void;
};

/** Returns such a filter for each list in `choices`, whose value has the same name in the filter. */
export function choiceParts<Name extends string, Filter extends Record<Name, readonly string[]>>({
  labels,
  choices,
  filter,
  onChange,
}: Lists<Filter, Name>): FilterPart[] {
  return (Object.keys(choices) as Name[]).map((name) =>
    choicePart({
      name,
      label: labels[name],
      choices: choices[name],
      value: filter[name],
      onChange: (ids) => onChange({ ...filter, [name]: ids }),
    }),
  );
}
