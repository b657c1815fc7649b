import { activityKinds, listAuditActions } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useApi } from '../api/api.ts';
import { formatCount } from '../base/format.ts';
import { choicePart } from '../ui/filter/choice-part.tsx';
import { FilterBar, type FilterPart } from '../ui/filter/FilterBar.tsx';
import { rangeText } from '../ui/filter/time-range.ts';
import { later } from '../ui/later.tsx';
import { FeatureTexts } from './action-texts.ts';
import { ItemChoice, UserChoice, useNames } from './FilterParts.tsx';
import { actionChoices } from './sentences.ts';
import { texts } from './texts.ts';
import { type Filter, noFilter, type View } from './useActivityFilter.ts';

const TimeFilter = later(async () => (await import('../ui/filter/TimeFilter.tsx')).TimeFilter);

type Props = {
  view: Exclude<View, 'sessions'>;
  filter: Filter;
  onChange: (filter: Filter) => void;
  total: number | null;
};

const words = texts.filters;
const outcomes = ['allowed', 'refused'] as const;

/**
 * Filters the rows by time, user, action, item and outcome. The audit is filtered by exact actions, the activity by
 * kinds of actions.
 */
export function ActivityFilterBar({ view, filter, onChange, total }: Props) {
  const api = useApi();
  const names = useNames(filter.users);
  const ofFeatures = useContext(FeatureTexts);
  const actions = useQuery({
    queryKey: ['audit', 'actions'],
    queryFn: ({ signal }) => api.call(listAuditActions, {}, { signal }),
    enabled: view === 'audit',
  });
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change });

  const byAction =
    view === 'audit'
      ? choicePart({
          name: 'actions',
          label: words.actions,
          choices: actionChoices(actions.data ?? [], ofFeatures),
          value: filter.actions,
          onChange: (chosen) => set({ actions: chosen }),
        })
      : choicePart({
          name: 'kinds',
          label: words.kinds,
          choices: activityKinds.map((kind) => ({ id: kind, name: texts.kinds[kind] })),
          value: filter.kinds,
          onChange: (chosen) => set({ kinds: activityKinds.filter((kind) => chosen.includes(kind)) }),
        });

  const filters: FilterPart[] = [
    {
      name: 'time',
      label: words.time,
      text: rangeText(filter),
      onRemove: () => set({ start: null, end: null }),
      editor: (done) => (
        <TimeFilter
          value={filter}
          onApply={(range) => {
            set(range);
            done();
          }}
        />
      ),
    },
    {
      name: 'users',
      label: words.users,
      text: filter.users.length > 0 ? filter.users.map((id) => names.get(id) ?? id).join(', ') : null,
      onRemove: () => set({ users: [] }),
      editor: (done) => (
        <UserChoice
          value={filter.users}
          several={view === 'activity'}
          onChange={(users) => set({ users })}
          onDone={done}
        />
      ),
    },
    byAction,
    {
      name: 'item',
      label: words.item,
      text: filter.item === '' ? null : filter.item,
      onRemove: () => set({ item: '' }),
      editor: (done) => (
        <ItemChoice
          value={filter.item}
          byName={view === 'audit'}
          onApply={(item) => {
            set({ item });
            done();
          }}
        />
      ),
    },
    choicePart({
      name: 'outcome',
      label: words.outcome,
      choices: outcomes.map((id) => ({ id, name: texts.outcomes[id] })),
      value: filter.outcome === '' ? [] : [filter.outcome],
      onChange: (chosen) => set({ outcome: outcomes.find((one) => one === chosen.at(-1)) ?? '' }),
    }),
  ];
  const count = total === null ? '' : formatCount(total, texts.count);
  return <FilterBar filters={filters} onClear={() => onChange(noFilter)} count={count} />;
}
