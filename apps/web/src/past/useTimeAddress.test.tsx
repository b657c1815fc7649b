// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMissionClock, type MissionClock } from '../onscreen/clock/mission-clock.ts';
import { useTimeAddress } from './useTimeAddress.ts';

const HOUR_US = 3_600_000_000;
const START_US = Date.UTC(2026, 10, 4) * 1000;
/** Longer than the address waits. */
const LATER_MS = 2000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function Page({ clock }: { clock: MissionClock }) {
  useTimeAddress(clock);
  return 'Map';
}

/** The code of Find comes when `fetched` is called. */
function open() {
  const clock = createMissionClock({
    startUs: START_US,
    endUs: START_US + 24 * HOUR_US,
    timeUs: START_US,
    now: () => 0,
    onNextPaint: () => () => undefined,
  });
  const { promise: code, resolve: fetched } = Promise.withResolvers<void>();
  const find = { path: '/find', lazy: async () => code.then(() => ({ Component: () => 'Find' })) };
  const router = createMemoryRouter([{ path: '/map', element: <Page clock={clock} /> }, find], {
    initialEntries: ['/map'],
  });
  render(<RouterProvider router={router} />);
  return { clock, router, fetched };
}

const later = () => act(() => vi.advanceTimersByTimeAsync(LATER_MS));

it('writes the moment that is shown into the address', async () => {
  const { clock, router } = open();

  clock.seek(START_US + HOUR_US);
  await later();

  const { search } = router.state.location;
  expect(new URLSearchParams(search).get('t')).toBe('2026-11-04T01:00:00.000Z');
});

it('writes nothing while the code of the page that was chosen comes, so that this page is opened', async () => {
  const { clock, router, fetched } = open();

  clock.seek(START_US + HOUR_US);
  void router.navigate('/find');
  await later();
  expect(screen.getByText('Map')).toBeDefined();
  fetched();
  await later();

  expect(screen.getByText('Find')).toBeDefined();
  expect(router.state.location).toMatchObject({ pathname: '/find', search: '' });
});
