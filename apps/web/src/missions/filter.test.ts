// @vitest-environment jsdom
import { listMissions } from '@osprey/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { intoQuery } from '../ui/filter/query-filter.ts';
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

const polygonText = (ring: number[][]) => JSON.stringify({ type: 'Polygon', coordinates: [ring] });

it.each([
  ['a time past what a number holds', { start: '9999999999999999', end: '-9999999999999999' }],
  ['a year that no clock tells', { start: '+099999-01-01T00:00:00Z' }],
  [
    'an area beyond the earth',
    {
      geometry: polygonText([
        [999, 0],
        [1, 0],
        [1, 1],
        [999, 0],
      ]),
    },
  ],
  [
    'an area of two points',
    {
      geometry: polygonText([
        [0, 0],
        [1, 0],
      ]),
    },
  ],
  ['an area without points', { geometry: polygonText([]) }],
  ['an area of too many points', { geometry: polygonText(Array.from({ length: 1001 }, () => [1, 1])) }],
  ['tags that no mission can have', { tags: `${'x'.repeat(300)},a\u0000b` }],
  ['a search that is too long', { search: 'y'.repeat(201) }],
  ['a search with a zero', { search: 'kea\u0000' }],
])('drops %s, which the server would refuse with the whole list', (_name, wrong: Record<string, string>) => {
  expect(fromQuery(new URLSearchParams(wrong))).toEqual(noFilter);
});

it('keeps no more groups of an address than one call takes', () => {
  const groups = Array.from({ length: 501 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`);

  const filter = fromQuery(new URLSearchParams({ usergroups: groups.join() }));

  expect(listMissions.input.safeParse({ query: toQuery(filter) }).success).toBe(true);
});

it('reads a time without a zone as UTC, for any zone of the reader', () => {
  vi.stubEnv('TZ', 'America/New_York');

  const times = ['2026-11-01T01:30', '2026-11-01T01:30:00.5', '2026-11-01', '2026-11-01T01:30:00+02:00'].map(
    (start) => fromQuery(new URLSearchParams({ start })).start,
  );

  vi.unstubAllEnvs();
  const hourUs = 3_600_000_000;
  const dayUs = Date.UTC(2026, 10, 1) * 1000;
  expect(times).toEqual([dayUs + 1.5 * hourUs, dayUs + 1.5 * hourUs + 500_000, dayUs, dayUs - 0.5 * hourUs]);
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
