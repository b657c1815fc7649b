import { platformTypes, streamStates } from '@osprey/contract';
import { useUsergroups } from '../api/useUsergroups.ts';
import { formatCount } from '../base/format.ts';
import { choiceParts } from '../ui/filter/choice-part.tsx';
import { FilterBar, type FilterPart } from '../ui/filter/FilterBar.tsx';
import { matches, noFilter } from './filter.ts';
import { texts } from './texts.ts';
import type { LivePlatforms } from './useLivePlatforms.ts';
import type { PlatformsView } from './usePlatformsView.ts';

const words = texts.filters;

/** Filter bar below the toolbar of the table of platforms, with the number of platforms that match. */
export function PlatformFilterBar({ live, view }: { live: LivePlatforms; view: PlatformsView }) {
  const { filter, setFilter } = view;
  const groups = useUsergroups();
  const choices = {
    states: streamStates.map((state) => ({ id: state, name: texts.states[state] })),
    types: platformTypes.map((type) => ({ id: type, name: type })),
    usergroups: groups.map(({ _id, name }) => ({ id: _id, name })),
  };

  const search: FilterPart = {
    name: 'search',
    label: words.search,
    text: filter.search === '' ? null : filter.search,
    onRemove: () => setFilter({ ...filter, search: '' }),
  };
  const count = live.platforms.filter((platform) => matches(filter, platform)).length;
  return (
    <FilterBar
      filters={[...choiceParts({ labels: words, choices, filter, onChange: setFilter }), search]}
      onClear={() => setFilter(noFilter)}
      count={live.loading ? '' : formatCount(count, texts.count)}
    />
  );
}
