import { polygonAreaSqKm } from '@osprey/geo';
import { useUsergroups } from '../api/useUsergroups.ts';
import { formatArea } from '../base/format.ts';
import { rangeText } from '../ui/filter/time-range.ts';
import type { Filter, FilterName } from './filter.ts';
import { texts } from './texts.ts';

const words = texts.filters;

/** Names the compared part of a mission too, since the same area finds other missions for each. */
function areaText({ area, aoiMode }: Filter): string {
  const ring = (area?.coordinates[0] ?? []) as [number, number][];
  return ring.length === 0 ? '' : `${formatArea(polygonAreaSqKm(ring))} · ${words.areaModes[aoiMode]}`;
}

/** Text of each filter's chip. */
export function useFilterTexts(filter: Filter): (name: FilterName | 'search') => string {
  const groups = useUsergroups();
  return (name) => {
    switch (name) {
      case 'time':
        return rangeText(filter) ?? '';
      case 'area':
        return areaText(filter);
      case 'tags':
        return filter.tags.join(', ');
      case 'country':
        return filter.countries.join(', ');
      case 'usergroups':
        return filter.usergroups
          .map((id) => groups.find((group) => group._id === id)?.name ?? words.unknownGroup)
          .join(', ');
      case 'search':
        return filter.search;
    }
  };
}
