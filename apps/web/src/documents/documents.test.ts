// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { intoQuery } from '../ui/filter/query-filter.ts';
import { filterRules, noFilter, storedFilter, storeFilter } from './filter.ts';
import { titleOfFile, typeOfFile } from './form.ts';
import { texts } from './texts.ts';

const filter = {
  ...noFilter,
  start: Date.parse('2026-10-25T00:00:00Z') * 1000,
  tags: ['sea', 'night'],
  search: 'boat 14',
  area: {
    type: 'Polygon' as const,
    coordinates: [
      [
        [24, 37],
        [25, 37],
        [25, 38],
        [24, 37],
      ],
    ],
  },
};

it('puts the filter into the link and reads it back; what is broken in a link narrows nothing', () => {
  expect(filterRules.fromQuery(intoQuery(filterRules, new URLSearchParams('document=1'), filter))).toEqual(filter);
  expect(filterRules.fromQuery(new URLSearchParams('start=never&geometry={&usergroups=x'))).toEqual(noFilter);
});

it('keeps the filter in session storage under docQueryFilter, and reads it back', () => {
  storeFilter(filter);

  expect(sessionStorage.getItem('docQueryFilter')).not.toBeNull();
  expect(storedFilter()).toEqual(filter);
  storeFilter(noFilter);
  expect(sessionStorage.getItem('docQueryFilter')).toBeNull();
});

it('makes a dropped picture an Image, a video or .ts file a Video, and leaves the rest', () => {
  expect(typeOfFile({ type: 'image/png', name: 'a.png' }, 'Note')).toBe('Image');
  expect(typeOfFile({ type: 'video/mp4', name: 'a.mp4' }, 'Note')).toBe('Video');
  expect(typeOfFile({ type: '', name: 'a.TS' }, 'Note')).toBe('Video');
  expect(typeOfFile({ type: 'application/pdf', name: 'a.pdf' }, 'Report')).toBe('Report');
});

it('makes a title of a file name that holds only what titles may', () => {
  expect(titleOfFile('sar_kea/1104 (v2).final.pdf', 16)).toBe('sar_kea 1104 v2');
  expect(titleOfFile('تقرير.pdf', 16)).toBe('تقرير');
});

it('names the types as the specification does', () => {
  expect(texts.types).toMatchObject({
    Report: 'Mission Report',
    Schedule: 'Flight Schedule',
    Misc: 'Other',
    Log: 'Log',
  });
});
