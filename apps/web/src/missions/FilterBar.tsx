import { useState } from 'react';
import { useTags } from '../api/useTags.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { formatFound } from '../base/format.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { FilterBar as Bar, type FilterPart } from '../ui/filter/FilterBar.tsx';
import { later } from '../ui/later.tsx';
import { activeFilters, type Filter, type FilterName, filterNames, noFilter, without } from './filter.ts';
import { texts } from './texts.ts';
import { useFilterTexts } from './useFilterTexts.ts';
import { useCountries } from './useLookups.ts';

// The code of a filter's editor is loaded when it is opened.
const TimeFilter = later(async () => (await import('../ui/filter/TimeFilter.tsx')).TimeFilter);
const ChoiceFilter = later(async () => (await import('../ui/filter/ChoiceFilter.tsx')).ChoiceFilter);
const AreaFilter = laterDialog(async () => (await import('./AreaFilter.tsx')).AreaFilter);

type Props = {
  filter: Filter;
  onChange: (filter: Filter) => void;
  /** Number of rows that match the filter, and number of all rows; null while unknown. */
  count: number | null;
  all: number | null;
};

const words = texts.filters;

export function FilterBar({ filter, onChange, count, all }: Props) {
  const [drawing, setDrawing] = useState(false);
  const textOf = useFilterTexts(filter);
  const active = activeFilters(filter);

  const part = (name: FilterName | 'search'): FilterPart => ({
    name,
    label: words[name],
    text: active.includes(name) ? textOf(name) : null,
    onRemove: () => onChange(without(filter, name)),
  });
  const parts = filterNames.map((name): FilterPart => {
    if (name === 'area') return { ...part(name), onEdit: () => setDrawing(true) };
    return {
      ...part(name),
      editor: (done) => <Editor name={name} filter={filter} onChange={onChange} onDone={done} />,
    };
  });

  return (
    <>
      <Bar
        filters={[...parts, part('search')]}
        onClear={() => onChange(noFilter)}
        count={formatFound(count, active.length > 0 ? all : null, texts.count)}
      />
      {drawing && <AreaFilter filter={filter} onChange={onChange} onClose={() => setDrawing(false)} />}
    </>
  );
}

type EditorProps = {
  name: Exclude<FilterName, 'area'>;
  filter: Filter;
  onChange: (filter: Filter) => void;
  onDone: () => void;
};

function Editor({ name, filter, onChange, onDone }: EditorProps) {
  const tags = useTags();
  const countries = useCountries('used');
  const groups = useUsergroups();
  if (name === 'time') {
    return (
      <TimeFilter
        value={filter}
        onApply={({ start, end }) => {
          onChange({ ...filter, start, end });
          onDone();
        }}
      />
    );
  }
  if (name === 'tags') {
    return (
      <ChoiceFilter
        label={words.tags}
        choices={tags.map((tag) => ({ id: tag, name: tag }))}
        value={filter.tags}
        onChange={(chosen) => onChange({ ...filter, tags: chosen.flatMap((tag) => tag.split(',')) })}
        free
        onDone={onDone}
      />
    );
  }
  if (name === 'country') {
    return (
      <ChoiceFilter
        label={words.country}
        choices={countries.map((country) => ({ id: country.code, name: country.name, flag: country.code }))}
        value={filter.countries}
        onChange={(chosen) => onChange({ ...filter, countries: chosen })}
        onDone={onDone}
      />
    );
  }
  return (
    <ChoiceFilter
      label={words.usergroups}
      choices={groups.map((group) => ({ id: group._id, name: group.name }))}
      value={filter.usergroups}
      onChange={(chosen) => onChange({ ...filter, usergroups: chosen })}
      onDone={onDone}
    />
  );
}
