import { afterEach, expect, it, vi } from 'vitest';
import { filterOf, noFilter } from './useActivityFilter.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes a time of the address without a zone for UTC, for any zone of the reader', () => {
  vi.stubEnv('TZ', 'Pacific/Apia');

  const { start, end } = filterOf(new URLSearchParams('start=2026-11-26T10:00&end=1795734000000000'));

  expect([start, end]).toEqual([Date.UTC(2026, 10, 26, 10) * 1000, 1_795_734_000_000_000]);
});

it('narrows by nothing that is broken in the address', () => {
  expect(filterOf(new URLSearchParams('start=noon&kinds=none&outcome=maybe'))).toEqual(noFilter);
});
