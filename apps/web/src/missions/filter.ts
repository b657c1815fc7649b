import { aoiModes, type MissionFilter, missionSorts } from '@osprey/contract';
import { z } from 'zod';
import { readStored, readStoredJson, storageKeys, writeStored } from '../base/keys.ts';
import {
  type CommonFilter,
  commonFilter,
  commonQuery,
  type FilterRules,
  listOf,
  polygon,
} from '../ui/filter/query-filter.ts';

export type AoiMode = (typeof aoiModes)[number];
export type SortKey = NonNullable<MissionFilter['sort']>;

/** Filter of the list of missions. */
export type Filter = CommonFilter & { countries: readonly string[]; aoiMode: AoiMode };

export const noFilter: Filter = {
  start: null,
  end: null,
  tags: [],
  countries: [],
  usergroups: [],
  area: null,
  aoiMode: 'sensorArea',
  search: '',
};

export const filterNames = ['time', 'area', 'tags', 'country', 'usergroups'] as const;
export type FilterName = (typeof filterNames)[number];

/** Fields of each filter; clearing the filter resets them. */
export const fieldsOf: Record<FilterName | 'search', (keyof Filter)[]> = {
  time: ['start', 'end'],
  area: ['area', 'aoiMode'],
  tags: ['tags'],
  country: ['countries'],
  usergroups: ['usergroups'],
  search: ['search'],
};

export function without(filter: Filter, name: FilterName | 'search'): Filter {
  const cleared = Object.fromEntries(fieldsOf[name].map((field) => [field, noFilter[field]]));
  return { ...filter, ...cleared };
}

export function isActive(filter: Filter, name: FilterName | 'search'): boolean {
  const [field] = fieldsOf[name];
  if (name === 'time') return filter.start !== null || filter.end !== null;
  const value = filter[field!];
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== '';
}

export const activeFilters = (filter: Filter): (FilterName | 'search')[] =>
  [...filterNames, 'search' as const].filter((name) => isActive(filter, name));

/** Returns the filter as query parameters for the server. */
export function toQuery(filter: Filter): Record<string, string> {
  const query = commonQuery(filter);
  if (filter.countries.length > 0) query.country_codes = filter.countries.join(',');
  if (filter.area !== null) query.aoiMode = filter.aoiMode;
  return query;
}

/** Reads the filter from the query string of an address; invalid parts are ignored. */
export function fromQuery(query: URLSearchParams): Filter {
  const mode = query.get('aoiMode');
  return {
    ...commonFilter(query),
    countries: listOf(query.get('country_codes')).filter((code) => /^[A-Z]{2}$/.test(code)),
    aoiMode: aoiModes.find((one) => one === mode) ?? noFilter.aoiMode,
  };
}

const storedList = z.array(z.string()).catch([]);
const storedTime = z.object({ start: z.int().nullable(), end: z.int().nullable() }).catch({ start: null, end: null });
const storedRest = z
  .object({ area: polygon.nullable(), aoiMode: z.enum(aoiModes), search: z.string() })
  .catch({ area: null, aoiMode: noFilter.aoiMode, search: '' });

/**
 * Stores the filter under the keys of the specification; area and search are stored for the lifetime of the tab only.
 */
export function storeFilter(filter: Filter): void {
  const { start, end, tags, countries, usergroups, area, aoiMode, search } = filter;
  const listOrNull = (list: readonly string[]) => (list.length === 0 ? null : JSON.stringify(list));
  writeStored(storageKeys.timeSelection, start === null && end === null ? null : JSON.stringify({ start, end }));
  writeStored(storageKeys.filterTags, listOrNull(tags));
  writeStored(storageKeys.filterCountries, listOrNull(countries));
  writeStored(storageKeys.filterUsergroups, listOrNull(usergroups));
  const rest = area === null && search === '' ? null : JSON.stringify({ area, aoiMode, search });
  writeStored(storageKeys.queryFilter, rest, sessionStorage);
}

export function storedFilter(): Filter {
  const { start, end } = storedTime.parse(readStoredJson(storageKeys.timeSelection));
  return {
    start,
    end,
    tags: storedList.parse(readStoredJson(storageKeys.filterTags)),
    countries: storedList.parse(readStoredJson(storageKeys.filterCountries)),
    usergroups: storedList.parse(readStoredJson(storageKeys.filterUsergroups)),
    ...storedRest.parse(restOf()),
  };
}

/**
 * Reads area and search from session storage. Older versions kept them in local storage, from where the value is moved
 * once.
 */
function restOf(): unknown {
  const inSession = readStoredJson(storageKeys.queryFilter, sessionStorage);
  if (inSession !== null) return inSession;
  const old = readStored(storageKeys.queryFilter);
  if (old === null) return null;
  writeStored(storageKeys.queryFilter, null);
  writeStored(storageKeys.queryFilter, old, sessionStorage);
  return readStoredJson(storageKeys.queryFilter, sessionStorage);
}

/** Rules of the mission filter. Its query parameters have the names used by GET missions/brief. */
export const filterRules: FilterRules<Filter, SortKey> = {
  names: ['start', 'end', 'tags', 'country_codes', 'usergroups', 'geometry', 'aoiMode', 'search'],
  toQuery,
  fromQuery,
  stored: storedFilter,
  store: storeFilter,
  sorts: missionSorts.flatMap((key): SortKey[] => [key, `-${key}`]),
  // Sorted by creation time, newest first, so that a new mission is at the top even before its times are known.
  defaultSort: '-creationTime',
};
