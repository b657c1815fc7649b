import { listShipLists } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/api.ts';
import type { AisFilter } from '../ais-filter.ts';
import { coloursOf, shipListsQuery } from './coloured.ts';

const none = { rows: [], coloured: [] };

/** Returns the ship lists that the user can see, and the colours that they give to ships. */
export function useShipLists({ plain }: Pick<AisFilter, 'plain'>) {
  const api = useApi();
  const query = useQuery(shipListsQuery(api));
  const { rows, coloured } = query.data ?? none;
  const colours = useMemo(() => coloursOf(coloured, plain), [coloured, plain]);
  return { rows, colours, isRead: query.data !== undefined, error: query.error };
}

/** Returns the ids of the lists that contain a ship; undefined until they are known. */
export function useListsWith(mmsi: number, enabled: boolean): ReadonlySet<string> | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['shiplists', 'with', mmsi],
    queryFn: ({ signal }) => api.call(listShipLists, { query: { mmsi: String(mmsi) } }, { signal }),
    enabled,
  });
  return useMemo(() => data && new Set(data.map(({ _id }) => _id)), [data]);
}
