// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { groupRows } from './rows.ts';
import { copyText, nameOf, showValue } from './values.ts';

it('writes places in degrees, minutes and seconds, numbers with their unit', () => {
  expect(showValue('13', 37.6665)).toEqual({ text: '37°39\'59.40"N', unit: '' });
  expect(showValue('14', -86.69)).toEqual({ text: '86°41\'24.00"W', unit: '' });
  expect(showValue('15', 418.4)).toEqual({ text: '418', unit: 'm' });
  expect(showValue('21', 1109.4)).toEqual({ text: '1\u202f109', unit: 'm' });
  expect(showValue('18', 61.1245)).toEqual({ text: '61.12', unit: '°' });
});

it('keeps the decimals of small offsets', () => {
  expect(showValue('26', 0.00214)).toEqual({ text: '0.00214', unit: '°' });
});

it('writes times of day, names of enumerations, and a dash for nothing', () => {
  expect(showValue('2', Date.UTC(2026, 10, 4, 14, 26, 31, 520) * 1000)).toEqual({ text: '14:26:31.520', unit: 'Z' });
  expect(showValue('13', null).text).toBe('–');
  expect(showValue('10', 'OSP-21')).toEqual({ text: 'OSP-21', unit: '' });
  expect(showValue('200', 5)).toEqual({ text: '5', unit: '' });
});

it('copies a value with its unit, and none between an angle and its sign', () => {
  expect(copyText('15', 418.4)).toBe('418 m');
  expect(copyText('5', 28.41)).toBe('28.41°');
});

it('has a short name for the narrow panel and the full one for the rest', () => {
  expect(nameOf('13', 'short')).toBe('Latitude');
  expect(nameOf('13', 'full')).toBe('Sensor Latitude');
  expect(nameOf('999', 'full')).toBe('Item 999');
});

it('groups by meaning with pinned items first, in the order of their tags', () => {
  const groups = groupRows({ tags: ['13', '5', '14', '21', '2'], pinned: ['21', '40'], search: '' });

  expect(groups.map(({ key, tags }) => [key, tags])).toEqual([
    ['pinned', ['21']],
    ['platform', ['5', '13', '14']],
    ['time', ['2']],
  ]);
});

it('finds items by words of their name or by their number', () => {
  const found = (search: string) =>
    groupRows({ tags: ['13', '14', '113', '5'], pinned: [], search }).flatMap(({ tags }) => tags);

  expect(found('sensor lat')).toEqual(['13']);
  expect(found('HEADING')).toEqual(['5']);
  expect(found('13')).toEqual(['13']);
  expect(found('nothing')).toEqual([]);
});
