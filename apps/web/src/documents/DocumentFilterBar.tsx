import { polygonAreaSqKm } from '@osprey/geo';
import { useState } from 'react';
import { useUsergroups } from '../api/useUsergroups.ts';
import { formatArea, formatFound } from '../base/format.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { choicePart } from '../ui/filter/choice-part.tsx';
import { FilterBar, type FilterPart } from '../ui/filter/FilterBar.tsx';
import { TimeFilter } from '../ui/filter/TimeFilter.tsx';
import { rangeText } from '../ui/filter/time-range.ts';
import { type Filter, type FilterName, noFilter, without } from './filter.ts';
import { texts } from './texts.ts';
import { useDocumentTags } from './useDocuments.ts';

const AreaFilter = laterDialog(async () => (await import('./AreaFilter.tsx')).AreaFilter);

type Props = {
  filter: Filter;
  onChange: (filter: Filter) => void;
  /** Number of rows that match the filter, and number of all rows; null while unknown. */
  count: number | null;
  all: number | null;
};

const words = texts.filters;

export function DocumentFilterBar({ filter, onChange, count, all }: Props) {
  const [drawing, setDrawing] = useState(false);
  const groups = useUsergroups();
  const tags = useDocumentTags();
  const part = (name: FilterName, text: string | null): FilterPart => ({
    name,
    label: words[name],
    text,
    onRemove: () => onChange(without(filter, name)),
  });
  const ring = (filter.area?.coordinates[0] ?? []) as [number, number][];

  const parts: FilterPart[] = [
    {
      ...part('time', rangeText(filter)),
      editor: (done) => (
        <TimeFilter
          value={filter}
          onApply={({ start, end }) => {
            onChange({ ...filter, start, end });
            done();
          }}
        />
      ),
    },
    choicePart({
      name: 'tags',
      label: words.tags,
      choices: tags.map((tag) => ({ id: tag, name: tag })),
      value: filter.tags,
      onChange: (chosen) => onChange({ ...filter, tags: chosen.flatMap((tag) => tag.split(',')) }),
      free: true,
    }),
    choicePart({
      name: 'usergroups',
      label: words.usergroups,
      choices: groups.map((group) => ({ id: group._id, name: group.name })),
      value: filter.usergroups,
      onChange: (chosen) => onChange({ ...filter, usergroups: chosen }),
      unknown: words.unknownGroup,
    }),
    { ...part('area', filter.area && formatArea(polygonAreaSqKm(ring))), onEdit: () => setDrawing(true) },
    part('search', filter.search || null),
  ];

  return (
    <>
      <FilterBar filters={parts} onClear={() => onChange(noFilter)} count={formatFound(count, all, texts.count)} />
      {drawing && (
        <AreaFilter
          title={words.area}
          hint={words.areaHint}
          value={filter.area}
          onApply={(area) => {
            onChange({ ...filter, area });
            setDrawing(false);
          }}
          onClose={() => setDrawing(false)}
        />
      )}
    </>
  );
}
