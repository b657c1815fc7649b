import { polygonAreaSqKm } from '@osprey/geo';
import { useUsergroups } from '../api/useUsergroups.ts';
import { formatArea } from '../base/format.ts';
import { rangeText } from '../ui/filter/time-range.ts';
import type { Filter, FilterName } from './filter.ts';
import { texts } from './texts.ts';

const words = texts.filters;

/**
 * Text for an area filter. It also names the part of a mission that is compared, since the same area matches different
 * missions for each part.
 */
function areaText({ area, aoiMode }: Filter): string {
  const ring = (area?.coordinates[0] ?? []) as [number, number][];
  return ring.length === 0 ? '' : `${formatArea(polygonAreaSqKm(ring))} · ${words.areaModes[aoiMode]}`;
}

/** Returns a function that gives the text of each filter's chip. */
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
