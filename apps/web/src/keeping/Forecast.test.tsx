// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { formatSize } from '../base/format.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { Forecast } from './Forecast.tsx';

afterEach(cleanup);

type Ships = { bytes: number; dayBytes: number; keepDays: number } | null;
const DAY_US = 24 * 3600 * 1_000_000;
const nowUs = () => Date.now() * 1000;
const forecast = (fullTime: number | null, growthBytes = 1e9) => ({
  totalBytes: 1e12,
  freeBytes: 4e11,
  growthBytes,
  binBytes: 0,
  fullTime,
  uploadsStopTime: null,
  days: [
    { time: 0, bytes: 0 },
    { time: DAY_US, bytes: 1e9 },
  ],
  ships: null as Ships,
});

it.each([
  [
    'in how many days the disk is full',
    () => forecast(nowUs() + 12.5 * DAY_US),
    /^Full in 12 days, on \w{3} \d\d \d{4}/,
  ],
  ['that it is full tomorrow', () => forecast(nowUs() + 1.5 * DAY_US), /^Full in 1 day, on/],
  ['that nothing came, so nothing can be said', () => forecast(null, 0), /no forecast/],
  ['that it will not be full for long', () => forecast(null), /^More than 10 years left$/],
  [
    'no day that is years away',
    () => ({ ...forecast(nowUs() + 4839 * DAY_US), uploadsStopTime: nowUs() + 3900 * DAY_US }),
    /^More than 10 years left$/,
  ],
])('says %s, beside a chart of the last days', async (_what, answer, text) => {
  const { api } = fakeApi({ 'GET /retention/forecast': answer });

  show(<Forecast />, { api });

  expect(await screen.findByText(text)).toBeDefined();
  expect(screen.getByRole('img').children).toHaveLength(2);
});

it('says what ships take that belong to no mission, a day and once all days are kept', async () => {
  const ships = { bytes: 2e8, dayBytes: 5e7, keepDays: 30 };
  const { api } = fakeApi({ 'GET /retention/forecast': () => ({ ...forecast(null), ships }) });

  show(<Forecast />, { api });

  const text = (await screen.findByText(/^Ships:/)).textContent;
  expect(text).toBe(
    `Ships: ${formatSize(2e8)} of positions that belong to no mission, ${formatSize(5e7)} a day; ${formatSize(1.5e9)} once 30 days are kept.`,
  );
});
