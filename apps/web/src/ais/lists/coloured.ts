import { getShipList, listShipLists, type ShipList, type ShipListRow } from '@osprey/contract';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../api/api.ts';

/** Maximum number of lists whose ships are coloured at the same time. */
const COLOURED_MAX = 20;

export type ShipLists = {
  rows: ShipListRow[];
  /** Lists that have a colour, together with their ships. */
  coloured: ShipList[];
};

/** Reads all lists that the user can see, and the ships of those lists that have a colour. */
export const shipListsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['shiplists', 'all'],
    queryFn: async ({ signal }): Promise<ShipLists> => {
      const rows = await api.call(listShipLists, { query: {} }, { signal });
      const requested = rows.filter(({ colour, ships }) => colour !== null && ships > 0).slice(0, COLOURED_MAX);
      const read = requested.map(({ _id }) => api.call(getShipList, { params: { id: _id } }, { signal }));
      // A list that was deleted in the meantime is left out; the event of its deletion causes the others to be read
      // again.
      const coloured = (await Promise.allSettled(read)).flatMap((one) =>
        one.status === 'fulfilled' ? [one.value] : [],
      );
      return { rows, coloured };
    },
  });

export type ListColour = { name: string; colour: string };

/**
 * Returns the colour of each listed ship, ignoring the lists in `plain`. If a ship is on several lists, the first list
 * by name determines the colour.
 */
export function coloursOf(coloured: readonly ShipList[], plain: readonly string[]): ReadonlyMap<number, ListColour> {
  const colours = new Map<number, ListColour>();
  for (const { _id, name, colour, listed } of coloured) {
    if (colour === null || plain.includes(_id)) continue;
    for (const { mmsi } of listed) if (!colours.has(mmsi)) colours.set(mmsi, { name, colour });
  }
  return colours;
}
