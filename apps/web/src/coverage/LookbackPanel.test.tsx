// @vitest-environment jsdom
import type { Lookback } from '@osprey/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { LookbackPanel } from './LookbackPanel.tsx';
import { isGrowing } from './useLookback.ts';

afterEach(cleanup);

const CALL = 'GET /coverage/lookback';
const PICTURES = 'GET /sensors/pictures/:mission/:sensor';
const MISSION = '00000000-0000-4000-8000-000000000001';
const SENSOR = '00000000-0000-4000-8000-000000000002';
const START = 1_700_000_000_000_000;
const names = { missionId: MISSION, mission: 'PATROL-7', sensorId: SENSOR, sensor: 'EO/IR' };
const none = { count: 0, sensors: [] };
const nothing: Lookback = { spans: [], more: false, notIndexed: none, withoutPosition: none, uncertainClock: none };

function open(answer: Partial<Lookback> | 'fails') {
  const onClose = vi.fn();
  let now = answer;
  const fake = fakeApi({
    [CALL]: answer === 'fails' ? refusing('invalid') : () => ({ ...nothing, ...(now as Partial<Lookback>) }),
    [PICTURES]: () => [{ time: START, url: '/picture.jpg' }],
  });
  const view = show(<LookbackPanel place={{ lon: 10, lat: 54 }} onClose={onClose} />, { api: fake.api });
  const become = (next: Partial<Lookback>) => {
    now = next;
  };
  return { container: view.container, bus: view.bus, fake, onClose, become };
}

it('lists when the place was seen, with how far and how sharp, and the picture of the moment', async () => {
  const span = { ...names, from: START, to: START + 5e6, first: START, distanceM: 834, resolutionM: 0.25 };
  const { container } = open({ spans: [span] });

  const row = await screen.findByRole('button', { name: /^Play PATROL-7, EO\/IR/ });
  expect(row.textContent).toContain('from 834 m');
  expect(row.textContent).toContain('0.25 m per pixel');
  await vi.waitFor(() => expect(row.querySelector('img')?.getAttribute('src')).toBe('/picture.jpg'));
  expect(await seriousFindings(container)).toEqual([]);
});

it('says never only where everything was searched', async () => {
  open({});
  expect(await screen.findByText('No recording shows this place.')).toBeTruthy();
  cleanup();

  open({ notIndexed: { count: 2, sensors: [names] }, withoutPosition: { count: 1, sensors: [names] } });
  expect(await screen.findByText('Nothing was found so far. Not every recording could be searched.')).toBeTruthy();
  expect(screen.queryByText('No recording shows this place.')).toBeNull();
  expect(screen.getByText('2 recordings are not yet indexed')).toBeTruthy();
  expect(screen.getByText('1 recording without a view of the ground')).toBeTruthy();
  expect(screen.getByText('and 1 more')).toBeTruthy();
});

it('takes back that a place was never seen once a mission that records sees it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { bus, fake, become } = open({});
    await screen.findByText('No recording shows this place.');
    become({ spans: [{ ...names, from: START, to: START + 2e6, first: START, distanceM: 834, resolutionM: 0.25 }] });
    // As often as several missions send it.
    for (let times = 0; times < 6; times += 1) {
      bus.emit('ground', { ids: [MISSION] });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(await screen.findByRole('button', { name: /^Play PATROL-7/ })).toBeTruthy();
    expect(screen.queryByText('No recording shows this place.')).toBeNull();
    expect(fake.inputsOf(CALL).length).toBeLessThanOrEqual(3);
  } finally {
    vi.useRealTimers();
  }
});

it('takes the focus, and gives it back to the map', async () => {
  const map = document.body.appendChild(document.createElement('button'));
  map.focus();
  open({});
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'When this was seen' }));
  cleanup();
  expect(document.activeElement).toBe(map);
  map.remove();
});

it('says what failed, and is closed by Escape and its button', async () => {
  const { onClose } = open('fails');
  expect(await screen.findByText('The recordings could not be searched')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(2);
});

it('is read again while the place is in view of what is recorded, and not for what is past', () => {
  const until = (to: number) => ({
    ...nothing,
    spans: [{ ...names, from: to - 5e6, to, first: to - 5e6, distanceM: null, resolutionM: null }],
  });
  const now = START + 3_600_000_000;
  expect(isGrowing(until(now - 4e6), now)).toBe(true);
  expect(isGrowing(until(now - 60e6), now)).toBe(false);
  expect(isGrowing(nothing, now)).toBe(false);
  expect(isGrowing(undefined, now)).toBe(false);
});
