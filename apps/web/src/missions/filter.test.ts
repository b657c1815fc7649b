// @vitest-environment jsdom
import { listMissions } from '@osprey/contract';
import { beforeEach, expect, it } from 'vitest';
import { intoQuery } from '../ui/query-filter.ts';
import {
  activeFilters,
  type Filter,
  filterRules,
  fromQuery,
  noFilter,
  storedFilter,
  storeFilter,
  toQuery,
  without,
} from './filter.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const GROUP = '00000000-0000-4000-8000-000000000001';
const full: Filter = {
  start: Date.UTC(2026, 9, 28) * 1000,
  end: Date.UTC(2026, 10, 4, 12, 30) * 1000,
  tags: ['patrol', 'sar'],
  countries: ['GR', 'IT'],
  usergroups: [GROUP],
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [24, 37],
        [25, 37],
        [25, 38],
        [24, 37],
      ],
    ],
  },
  aoiMode: 'frameCenter',
  search: 'kea west',
};

it('survives the way through the address', () => {
  const query = intoQuery(filterRules, new URLSearchParams('mission=m&sort=name'), full);

  expect(fromQuery(new URLSearchParams(query.toString()))).toEqual(full);
  expect(query.get('mission')).toBe('m');
});

it('asks the server in the words of the contract', () => {
  expect(listMissions.input.parse({ query: toQuery(full) }).query).toMatchObject({
    start: full.start,
    end: full.end,
    tags: full.tags,
    country_codes: full.countries,
    usergroups: full.usergroups,
    aoiMode: 'frameCenter',
    search: 'kea west',
  });
});

it('drops what is broken in an address, and countries named twice', () => {
  const query = new URLSearchParams('start=soon&country_codes=GR,xx,GR&usergroups=me&geometry={&aoiMode=all');

  expect(fromQuery(query)).toEqual({ ...noFilter, countries: ['GR'] });
});

it("is remembered under the specification's keys, area and search as long as the tab", () => {
  storeFilter(full);

  expect(Object.keys(localStorage).sort()).toEqual([
    'filterCountries',
    'filterTags',
    'filterUsergroups',
    'timeSelection',
  ]);
  expect(Object.keys(sessionStorage)).toEqual(['queryFilter']);
  expect(storedFilter()).toEqual(full);

  storeFilter(noFilter);
  expect(localStorage).toHaveLength(0);
  expect(storedFilter()).toEqual(noFilter);
});

it('reads a queryFilter of local storage once', () => {
  localStorage.setItem('queryFilter', JSON.stringify({ area: null, aoiMode: 'sensorArea', search: 'old' }));

  expect(storedFilter().search).toBe('old');
  expect(localStorage.getItem('queryFilter')).toBeNull();
});

it('clears one filter and leaves the others', () => {
  expect(activeFilters(full)).toEqual(['time', 'area', 'tags', 'country', 'usergroups', 'search']);
  expect(activeFilters(without(full, 'time'))).toEqual(['area', 'tags', 'country', 'usergroups', 'search']);
  expect(activeFilters(noFilter)).toEqual([]);
});
