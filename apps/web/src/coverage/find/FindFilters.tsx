import { type FindFilter, type FoundSpan, listPlatformTypes, NO_PLATFORM_NAME } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatCount, formatNumber } from '../../base/format.ts';
import { choicePart } from '../../ui/filter/choice-part.tsx';
import { FilterBar, type FilterPart } from '../../ui/filter/FilterBar.tsx';
import { TimeFilter } from '../../ui/filter/TimeFilter.tsx';
import { rangeText } from '../../ui/filter/time-range.ts';
import { clockOf, minuteOf } from './find-link.ts';
import { texts } from './texts.ts';
import { ValuesEditor } from './ValuesEditor.tsx';

type Props = {
  filter: FindFilter;
  /** Spans whose platform names are offered as choices. */
  spans: readonly FoundSpan[];
  /** Whether the queried shape has an area, so that a picture can show a share of it. */
  hasArea: boolean;
  onChange: (filter: FindFilter) => void;
};

const words = texts.filters;
const values = texts.values;
const fields = texts.fields;

type Name = keyof FindFilter;

/** Filters of the search results, shown as chips. */
export function FindFilters({ filter, spans, hasArea, onChange }: Props) {
  const api = useApi();
  const { data: types = [] } = useQuery({
    queryKey: ['platformTypes'],
    queryFn: ({ signal }) => api.call(listPlatformTypes, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const usergroups = useUsergroups();
  const platforms = useMemo(() => {
    const named = spans.map(({ platform }) => platform).filter((name) => name !== NO_PLATFORM_NAME);
    return [...new Set(named)].sort();
  }, [spans]);

  const set = (given: { [One in Name]?: FindFilter[One] | undefined }) => {
    const next = Object.entries({ ...filter, ...given }).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    );
    onChange(Object.fromEntries(next) as FindFilter);
  };
  const named = (names: readonly string[]) => names.map((name) => ({ id: name, name }));

  /** Returns a filter for a number that must be within `least` and `most`. */
  const numberPart = (
    name: 'days' | 'resolutionM' | 'share' | 'seconds',
    { least, most, integer, text }: { least: number; most: number; integer: boolean; text: (value: number) => string },
  ): FilterPart => ({
    name,
    label: words[name],
    text: filter[name] === undefined ? null : text(filter[name]),
    onRemove: () => set({ [name]: undefined }),
    editor: (done) => (
      <ValuesEditor
        fields={[
          {
            label: fields[name],
            value: filter[name] === undefined ? '' : String(filter[name]),
            read: (typed) => numberOf(typed, { least, most, integer }),
            wrong: fill(fields.wrong, { least: formatNumber(least, integer ? 0 : 1), most: formatNumber(most) }),
            isNumber: true,
          },
        ]}
        onApply={([value]) => {
          set({ [name]: value, ...(name === 'days' && { from: undefined, to: undefined }) });
          done();
        }}
      />
    ),
  });

  const parts: FilterPart[] = [
    {
      name: 'time',
      label: words.time,
      text: rangeText({ start: filter.from ?? null, end: filter.to ?? null }),
      onRemove: () => set({ from: undefined, to: undefined }),
      editor: (done) => (
        <TimeFilter
          value={{ start: filter.from ?? null, end: filter.to ?? null }}
          onApply={({ start, end }) => {
            set({ from: start ?? undefined, to: end ?? undefined, days: undefined });
            done();
          }}
        />
      ),
    },
    numberPart('days', {
      ...{ least: 1, most: 36_500, integer: true },
      text: (days) => formatCount(days, values.days),
    }),
    {
      name: 'day',
      label: words.day,
      text: filter.day ? fill(values.day, { from: clockOf(filter.day.from), to: clockOf(filter.day.to) }) : null,
      onRemove: () => set({ day: undefined }),
      editor: (done) => (
        <ValuesEditor
          help={fields.clockHelp}
          fields={[
            { label: fields.from, value: clockText(filter.day?.from), read: minuteOf, wrong: fields.clockWrong },
            { label: fields.to, value: clockText(filter.day?.to), read: minuteOf, wrong: fields.clockWrong },
          ]}
          check={([from, to]) => (from === to ? fields.clockSame : null)}
          onApply={([from, to]) => {
            set({ day: { from: from!, to: to! } });
            done();
          }}
        />
      ),
    },
    choicePart({
      name: 'pictures',
      label: words.pictures,
      choices: (['video', 'telemetry'] as const).map((id) => ({ id, name: values[id] })),
      value: filter.pictures ? [filter.pictures] : [],
      // Only the latest choice is kept, since choosing both would not filter anything.
      onChange: (ids) => set({ pictures: ids.at(-1) as FindFilter['pictures'] }),
    }),
    {
      name: 'sensor',
      label: words.sensor,
      text: filter.sensor ?? null,
      onRemove: () => set({ sensor: undefined }),
      editor: (done) => (
        <ValuesEditor
          fields={[
            {
              label: fields.sensor,
              value: filter.sensor ?? '',
              read: (typed) => typed.trim().slice(0, 64) || null,
              wrong: '',
            },
          ]}
          onApply={([sensor]) => {
            set({ sensor: sensor! });
            done();
          }}
        />
      ),
    },
    choicePart({
      name: 'platforms',
      label: words.platforms,
      choices: named(platforms),
      value: filter.platforms ?? [],
      onChange: (ids) => set({ platforms: ids.map((id) => id.slice(0, 64)).slice(0, 50) }),
      free: true,
    }),
    choicePart({
      name: 'platformTypes',
      label: words.platformTypes,
      choices: named(types),
      value: filter.platformTypes ?? [],
      onChange: (ids) => set({ platformTypes: ids }),
    }),
    choicePart({
      name: 'usergroups',
      label: words.usergroups,
      choices: usergroups.map(({ _id, name }) => ({ id: _id, name })),
      value: filter.usergroups ?? [],
      onChange: (ids) => set({ usergroups: ids }),
    }),
    numberPart('resolutionM', {
      ...{ least: 0.001, most: 1_000_000, integer: false },
      text: (metres) => fill(values.resolutionM, { metres: String(metres) }),
    }),
    {
      name: 'look',
      label: words.look,
      text: filter.look ? fill(values.look, filter.look) : null,
      onRemove: () => set({ look: undefined }),
      editor: (done) => (
        <ValuesEditor
          fields={(
            [
              ['from', fields.lookFrom],
              ['to', fields.lookTo],
            ] as const
          ).map(([end, label]) => ({
            label,
            value: filter.look ? String(filter.look[end]) : '',
            read: (typed) => numberOf(typed, { least: 0, most: 360, integer: false }),
            wrong: fill(fields.wrong, { least: '0', most: '360' }),
            isNumber: true,
          }))}
          onApply={([from, to]) => {
            set({ look: { from: from!, to: to! } });
            done();
          }}
        />
      ),
    },
    ...(hasArea || filter.share !== undefined
      ? [
          numberPart('share', {
            ...{ least: 1, most: 100, integer: false },
            text: (percent) => fill(values.share, { percent: String(percent) }),
          }),
        ]
      : []),
    numberPart('seconds', {
      ...{ least: 1, most: 86_400, integer: true },
      text: (seconds) => formatCount(seconds, values.seconds),
    }),
  ];

  return <FilterBar filters={parts} onClear={() => onChange({})} count="" />;
}

const clockText = (minute: number | undefined): string => (minute === undefined ? '' : clockOf(minute));

type Range = { least: number; most: number; integer: boolean };

function numberOf(typed: string, { least, most, integer }: Range): number | null {
  const text = typed.trim().replace(',', '.');
  const value = text === '' ? Number.NaN : Number(text);
  return value >= least && value <= most && (!integer || Number.isInteger(value)) ? value : null;
}
