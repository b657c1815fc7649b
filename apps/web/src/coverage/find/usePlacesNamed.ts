import { type SitePlace, searchSitePlaces, type TargetShape } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useNewestPlaced } from '../../api/useNewestPlaced.ts';
import { formatPlace } from '../../base/units.ts';
import { middleOfMap } from '../../map/map-storage.ts';
import { inOrder, placesNamed } from './place-names.ts';

/** A place found by its name. `kind`: its country or, for a place of the site, its kind in the site's list. */
export type FoundPlace = { key: string; name: string; kind: string; shape: TargetShape };

const CHOICES = 8;
/** Radius in metres of the circle around the centre of a named place. */
const PLACE_RADIUS_M = 5000;
/** Query option: the list of the base map does not change while the page is open, so it never becomes stale. */
const NEVER_OLD = { staleTime: Number.POSITIVE_INFINITY };

/**
 * Returns places of the site and of the base map whose name begins with this text, if it has at least two letters.
 * Exact matches come first. Within each group, places of the site come first, then those nearest to the centre of the
 * map, or otherwise to the newest mission. `isKnown`: whether both sources have responded. If one of them cannot be
 * read, the results of the other are returned.
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
    queryFn: () => placesNamed(search),
  });
  const near = useNear(enabled);
  const places = useMemo(() => {
    const ofSite = inOrder(site.data ?? [], search, near);
    const ofBase = inOrder(base.data ?? [], search, near)
      .slice(0, CHOICES)
      .map(({ country, ...place }) => ({ ...place, kind: countryName(country) }));
    return inOrder([...ofSite, ...ofBase], search, null).map(placeOf);
  }, [site.data, base.data, search, near]);
  return { places, isKnown: enabled && !site.isPending && !base.isPending };
}

/** Returns the position near which places are preferred; null if none is known yet. */
function useNear(enabled: boolean): Point | null {
  const [middle] = useState(middleOfMap);
  const place = useNewestPlaced(enabled && middle === null)?.place;
  const [lon, lat] = place ?? [];
  return useMemo(() => middle ?? (lon === undefined || lat === undefined ? null : { lon, lat }), [middle, lon, lat]);
}

const placeOf = ({ name, kind, lon, lat }: SitePlace): FoundPlace => ({
  key: `${name} ${lon},${lat}`,
  name,
  kind,
  shape: { type: 'Circle', centre: [lon, lat], radiusM: PLACE_RADIUS_M },
});

/** Returns a text that distinguishes places of the same name: the kind and the coordinate. */
export function hintOf({ kind, shape }: FoundPlace): string {
  if (shape.type !== 'Circle') return kind;
  const [lon, lat] = shape.centre;
  return [kind, formatPlace({ lon, lat })].filter(Boolean).join(', ');
}

const countries = new Intl.DisplayNames('en', { type: 'region' });

function countryName(code: string): string {
  try {
    return countries.of(code) ?? code;
  } catch {
    return code;
  }
}
