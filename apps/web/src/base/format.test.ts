import { expect, it } from 'vitest';
import {
  fill,
  formatArea,
  formatCount,
  formatDuration,
  formatNumber,
  formatProgress,
  formatSize,
  formatTime,
  plainText,
} from './format.ts';

it('writes times as MMM DD YYYY, HH:mm in UTC and 24 hours', () => {
  expect(formatTime(Date.UTC(2026, 10, 4, 0, 5) * 1000)).toBe('Nov 04 2026, 00:05');
  expect(formatTime(Date.UTC(2026, 10, 4, 23, 59, 59) * 1000)).toBe('Nov 04 2026, 23:59');
  expect(formatTime(null)).toBe('–');
});

it('parts thousands and keeps decimals', () => {
  expect(formatNumber(12480.64, 1)).toBe('12\u202f480.6');
  expect(formatNumber(999)).toBe('999');
  expect(formatNumber(-0.4)).toBe('0');
  expect(formatNumber(Number.NaN)).toBe('–');
  expect(formatArea(12.34)).toBe('12.3 sq. km');
});

it('speaks of one as of one', () => {
  const files = { one: '1 file', many: '{count} files' };
  expect([0, 1, 12480].map((count) => formatCount(count, files))).toEqual(['0 files', '1 file', '12\u202f480 files']);
});

it('writes sizes in MB or kB for uploads and in the fitting unit elsewhere', () => {
  expect(formatProgress(1_024_000_000, 2_148_000_000)).toEqual(['1\u202f024', '2\u202f148 MB']);
  expect(formatProgress(300_000, 2_400_000)).toEqual(['0.3', '2.4 MB']);
  expect(formatProgress(0, 120)).toEqual(['0', '1 kB']);
  expect([0, 999, 8_400_000_000].map(formatSize)).toEqual(['0 B', '999 B', '8.4 GB']);
});

it('writes durations as a clock', () => {
  expect([0, 400, 4000].map(formatDuration)).toEqual(['0:00', '6:40', '1:06:40']);
});

it('fills placeholders and leaves unknown ones', () => {
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}');
});

it('shows by their number what is not seen and what turns letters around', () => {
  expect(plainText('a\u202Egpj.exe\u0000\u2066b\u061C')).toBe('a\\u202Egpj.exe\\u0000\\u2066b\\u061C');
  // Arabic, joined letters, line breaks and tabs stay as they are.
  const retained = 'سفينة \u0645\u200C\u06CC first\n\tsecond 🛩️';
  expect(plainText(retained)).toBe(retained);
});
