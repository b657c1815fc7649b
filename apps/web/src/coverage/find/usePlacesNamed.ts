import { type SoughtShape, searchSitePlaces } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { placesNamed } from './place-names.ts';

/** A place by its name; `kind`: its country, or what the list of the site calls it. */
export type FoundPlace = { key: string; name: string; kind: string; shape: SoughtShape };

const CHOICES = 8;
/** Around the middle of a place that is named. */
const PLACE_RADIUS_M = 5000;
/** The list of the base map never changes while the page is open. */
const NEVER_OLD = { staleTime: Number.POSITIVE_INFINITY };

/**
 * Places of the site, then of the base map, whose name begins with this text, from two letters on. `isKnown`: both were
 * asked. Where one of them cannot be read, the other is of use too.
 */
export function usePlacesNamed(search: string): { places: readonly FoundPlace[]; isKnown: boolean } {
  const api = useApi();
  const enabled = search.length > 1;
  const site = useQuery({
    queryKey: ['places', 'site', search],
    enabled,
    retry: false,
    queryFn: ({ signal }) => api.call(searchSitePlaces, { query: { search, limit: String(CHOICES) } }, { signal }),
  });
  const base = useQuery({
    queryKey: ['places', 'base', search],
    enabled,
    retry: false,
    ...NEVER_OLD,
    queryFn: () => placesNamed(search, CHOICES),
  });
  const places = [
    ...(site.data ?? []).map(({ name, kind, lon, lat }) => placeOf(name, kind, [lon, lat])),
    ...(base.data ?? []).map(({ name, country, lon, lat }) => placeOf(name, countryName(country), [lon, lat])),
  ];
  return { places, isKnown: enabled && !site.isPending && !base.isPending };
}

const placeOf = (name: string, kind: string, centre: [number, number]): FoundPlace => ({
  key: `${name} ${centre.join()}`,
  name,
  kind,
  shape: { type: 'Circle', centre, radiusM: PLACE_RADIUS_M },
});

const countries = new Intl.DisplayNames('en', { type: 'region' });

function countryName(code: string): string {
  try {
    return countries.of(code) ?? code;
  } catch {
    return code;
  }
}
