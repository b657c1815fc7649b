// @vitest-environment jsdom
import type { SearchHit } from '@osprey/contract';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { SearchHits } from '../coverage/hits/SearchHits.tsx';
import { ActivityTray } from '../missions/tray/ActivityTray.tsx';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { SearchHitsCare } from './SearchHitsCare.tsx';

afterEach(cleanup);

const found: Omit<SearchHit, 'seen'> = {
  ...{
    _id: newId(),
    searchId: newId(),
    search: 'Area 12',
    missionId: newId(),
    mission: 'Patrol',
    platform: 'PATROL-7',
  },
  ...{ sensorId: newId(), sensor: 'EO', first: Date.UTC(2026, 4, 1, 12) * 1000, now: true },
  ...{ securityClassification: 'UNCLASSIFIED', marked: true },
};

it('says on every page who sees a place, leads there, and keeps it in Activity until it is cleared', async () => {
  let hits: SearchHit[] = [];
  const fake = fakeApi({
    'GET /coverage/hits': () => hits,
    'POST /coverage/hits/seen': () => {
      hits = hits.map((hit) => ({ ...hit, seen: true }));
      return { message: 'Seen' };
    },
    'DELETE /coverage/hits': () => {
      hits = [];
      return { message: 'Cleared' };
    },
    'GET /exports': () => [],
  });
  // An account without the right to upload has Activity too.
  const { bus, place } = show(
    <>
      <SearchHitsCare />
      <ActivityTray news={<SearchHits />} />
    </>,
    { api: fake.api, session: { actor: { ...admin, role: 'user' } } },
  );
  await expect.poll(() => fake.inputsOf('GET /coverage/hits')).toHaveLength(1);
  screen.getByRole('button', { name: 'Activity 0 running' });

  hits = [{ ...found, seen: false }];
  act(() => bus.emit('searchHit', found));
  await screen.findByText('PATROL-7 sees Area 12 now');
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(place.current).toContain(`mission=${found.missionId}`);

  await userEvent.click(await screen.findByRole('button', { name: 'Activity 0 running, 1 new' }));
  const list = await screen.findByRole('dialog', { name: 'Activity' });
  const link = await screen.findByRole('link', { name: 'PATROL-7 sees Area 12 now' });
  expect(link.getAttribute('href')).toContain(`sensor=${found.sensorId}&t=2026-05-01T12`);
  expect(await seriousFindings(list)).toEqual([]);
  await screen.findByRole('button', { name: 'Activity 0 running', hidden: true });
  await userEvent.click(screen.getByRole('button', { name: 'Clear hits' }));
  await expect.poll(() => screen.queryByRole('link', { name: /PATROL-7/ })).toBeNull();
  expect(fake.inputsOf('DELETE /coverage/hits')).toHaveLength(1);
});
