import { type LivePlatform, platformTypes, streamStates } from '@osprey/contract';
import { type AddressRules, idsOf, listOf } from '../ui/filter/query-filter.ts';

/** Filter for the table of platforms; empty lists do not filter. */
export type PlatformFilter = {
  search: string;
  states: readonly (typeof streamStates)[number][];
  types: readonly (typeof platformTypes)[number][];
  usergroups: readonly string[];
};

export const noFilter: PlatformFilter = { search: '', states: [], types: [], usergroups: [] };

/** Representation of the filter in an address; invalid parts are ignored. */
export const platformQuery: AddressRules<PlatformFilter> = {
  names: ['search', 'states', 'types', 'usergroups'],
  toQuery({ search, states, types, usergroups }) {
    const lists = { search, states: states.join(','), types: types.join(','), usergroups: usergroups.join(',') };
    return Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== ''));
  },
  fromQuery(query) {
    const [states, types] = [listOf(query.get('states')), listOf(query.get('types'))];
    return {
      search: query.get('search') ?? '',
      states: streamStates.filter((state) => states.includes(state)),
      types: platformTypes.filter((type) => types.includes(type)),
      usergroups: idsOf(query.get('usergroups')),
    };
  },
};

/** Returns whether a platform matches. One that is shared with everyone belongs to no user group. */
export function matches(filter: PlatformFilter, platform: LivePlatform): boolean {
  const { search, states, types, usergroups } = filter;
  const { name, description, type, state, sensors } = platform;
  const words = [name, description, type, ...sensors.map((sensor) => sensor.name)].join('\n').toLowerCase();
  return (
    words.includes(search.toLowerCase()) &&
    (states.length === 0 || states.includes(state)) &&
    (types.length === 0 || types.some((one) => one === type)) &&
    (usergroups.length === 0 || platform.usergroups.some((id) => usergroups.includes(id)))
  );
}
