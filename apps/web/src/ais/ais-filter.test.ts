// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { minutesOf, readAisFilter, toQuery, usualFilter, writeAisFilter } from './ais-filter.ts';
import { headingText } from './columns.tsx';

beforeEach(() => localStorage.clear());

it('The filter of ships is kept in aisQueryFilter; it begins with last, vessels, 6 and 10 minutes, and heals what is broken', () => {
  expect(readAisFilter()).toEqual({
    ...{ mode: 'last', aisType: 'vessels', info: true, retention: 6, trail: 10 },
    ...{ mission: null, list: null, plain: [], start: null, end: null },
  });
  const mission = { id: crypto.randomUUID(), name: 'SAR-1' };
  const changed = { ...usualFilter, mode: 'all', aisType: 'baseStations', trail: 30, mission } as const;
  writeAisFilter(changed);
  expect(readAisFilter()).toEqual(changed);
  localStorage.setItem('aisQueryFilter', JSON.stringify({ ...changed, mode: 'none', retention: 0, trail: 'x' }));
  expect(readAisFilter()).toEqual({ ...changed, mode: 'last', trail: 10 });
});

it('Retention and trail are whole numbers of at least 1', () => {
  expect(['1', '6', ' 15 ', '0', '-1', '1.5', 'x', ''].map(minutesOf)).toEqual([
    1,
    6,
    15,
    null,
    null,
    null,
    null,
    null,
  ]);
});

it('A query asks for the retention; for the time range where it is on; for a whole mission', () => {
  const now = 1_000_000_000;
  expect(toQuery(usualFilter, '', now)).toEqual({ mode: 'last', aisType: 'vessels', info: '1', start: '640000000' });
  expect(toQuery({ ...usualFilter, start: 5, end: 9 }, 'polaris', now)).toMatchObject({
    ...{ start: '5', end: '9', search: 'polaris' },
  });
  const mission = { id: crypto.randomUUID(), name: 'SAR-1' };
  expect(toQuery({ ...usualFilter, mission }, '', now)).toEqual({
    ...{ mode: 'last', aisType: 'vessels', info: '1', mission: mission.id },
  });
});

it('A heading of 511 is shown as N/A', () => {
  const at = { lat: 37.6, lon: 24.3, timestamp: 0 };
  expect([511, null, 16].map((hdg) => headingText({ ...at, hdg }))).toEqual(['N/A', 'N/A', '016°']);
});
