// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { show } from '../testing/show.tsx';
import { PlatformsCard } from './PlatformsCard.tsx';

afterEach(cleanup);

it('says how many platforms are recorded and how many are online, which follows their streams', async () => {
  const states = ['online', 'partial', 'lost', 'offline'] as const;
  const platforms = states.map((state) => livePlatformOf({ name: state, state }));
  const { api } = fakeApi({ 'GET /platforms': () => platforms });
  const counts = { total: 4, live: 1, sensors: 6, autostart: 3 };
  const { bus, liveWishes } = show(<PlatformsCard platforms={counts} />, { api });
  const card = screen.getByRole('region', { name: 'Platforms' });
  const factOf = (name: string) => within(card).getByText(name).nextElementSibling?.textContent;

  expect(within(card).getByText('1 recording')).toBeDefined();
  expect(within(card).getByText('4').nextElementSibling?.textContent).toBe('platforms, 6 sensors');
  await expect.poll(() => factOf('Online')).toBe('2');
  expect(factOf('Auto-start')).toBe('3');
  expect(liveWishes).toEqual(['subscribe']);

  const [, , lost] = platforms;
  lost!.state = 'online';
  const reported = { topic: 'state', platform: lost!._id, sensor: null, state: 'online', since: Date.now() * 1000 };
  act(() => bus.emit('streamMonitor', reported));
  await expect.poll(() => factOf('Online')).toBe('3');
  expect(within(card).getByText('1 recording')).toBeDefined();
});
