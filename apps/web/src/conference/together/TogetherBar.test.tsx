// @vitest-environment jsdom

import type { SharedView, TogetherRoom } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { TogetherBar } from './TogetherBar.tsx';

afterEach(cleanup);

const ROOM = '00000000-0000-4000-8000-000000000001';
const MISSION = '00000000-0000-4000-8000-000000000002';
const view: SharedView = {
  ...{ mission: MISSION, sensor: null, shown: null, timeUs: 1_780_304_400_000_000, playing: false, waiting: false },
  ...{ speed: 1, map: null },
};

function open() {
  const page = show(<TogetherBar />, { api: fakeApi({}).api });
  const reported = (change: Partial<TogetherRoom> | null) => {
    const room = { _id: ROOM, name: 'Bridge', securityClassification: 'RESTRICTED' as const };
    const rooms = change && [{ ...room, leader: null, page: 'neither', refused: null, ...change }];
    act(() => page.bus.emit('together', { rooms: rooms ?? [] }));
  };
  const shown = (next: SharedView | null) => act(() => page.bus.emit('togetherView', { room: ROOM, view: next }));
  const wishes = () => page.said.filter(([name]) => name === 'Together').map(([, wish]) => wish);
  return { ...page, reported, shown, wishes };
}

const sentence = () => (screen.queryByRole('status') ?? screen.queryByRole('alert'))?.textContent;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('asks for the rooms of the account, and says nothing outside of any', () => {
  const { wishes, reported } = open();

  expect(wishes()).toEqual([{ command: 'watch' }]);
  reported(null);
  expect(screen.queryByRole('region')).toBe(null);
});

it.each<[Partial<TogetherRoom>, string, string[]]>([
  [{}, 'You are in room Bridge: nobody leads.', ['Lead']],
  [{ leader: 'anna' }, 'anna leads in room Bridge. You are not following.', ['Follow', 'Lead instead']],
  [
    { leader: 'anna', page: 'follows' },
    'You are not following: anna shows nothing that you can see now. It appears here when that changes.',
    ['Lead instead', 'Stop following'],
  ],
  [{ page: 'follows' }, 'You are not following: nobody leads in room Bridge now.', ['Lead', 'Stop following']],
  [
    { leader: 'admin', page: 'leads' },
    'You lead in room Bridge. Open a mission or the live page: those who follow see it with you.',
    ['Stop leading'],
  ],
  [
    { leader: 'admin', page: 'leads', refused: 'SECRET' },
    'The label of room Bridge is RESTRICTED: this mission, SECRET, is not shown to anybody there.',
    ['Stop leading'],
  ],
])('of %j says what holds, and offers what can be done', (room, text, buttons) => {
  const { reported } = open();

  reported(room);

  expect(sentence()).toBe(text);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons);
});

it('goes to the mission of the leader, and says so until there is nothing to see', async () => {
  const { reported, shown, place } = open();
  reported({ leader: 'anna', page: 'follows' });

  shown(view);
  expect(sentence()).toBe('You are following anna in room Bridge.');
  const address = `/missions?mission=${MISSION}&t=2026-06-01T09%3A00%3A00.000Z`;
  await waitFor(() => expect(place.current).toBe(address));
  shown(null);
  expect(sentence()).toContain('You are not following');
});

it('goes to the live page of the leader, with the sensors on their screen', async () => {
  const { reported, shown, place } = open();
  reported({ leader: 'anna', page: 'follows' });

  shown({ live: [MISSION], sensor: null, playing: true, behindS: 0, map: null });
  expect(sentence()).toBe('You are following anna in room Bridge.');
  await waitFor(() => expect(place.current).toBe(`/live?sensors=${MISSION}`));
});

it('follows again after a connection that broke off, and leads again where nobody else does', () => {
  const { reported, wishes, bus } = open();
  reported({ leader: 'anna' });
  press('Follow');
  reported({ leader: 'anna', page: 'follows' });
  act(() => bus.emit('state', { state: 'Online', serverStartTime: 0 }));
  reported({ leader: 'anna' });
  expect(wishes().slice(1)).toEqual([
    { command: 'follow', room: ROOM },
    { command: 'watch' },
    { command: 'follow', room: ROOM },
  ]);
  reported({ leader: 'anna', page: 'follows' });
  press('Stop following');
  reported({ leader: null });
  press('Lead');
  reported({ leader: 'admin', page: 'leads' });
  reported({ leader: null });
  expect(wishes().slice(4)).toEqual([
    { command: 'stop', room: ROOM },
    { command: 'lead', room: ROOM },
    { command: 'lead', room: ROOM },
  ]);
  reported({ leader: 'birk' });
  reported({ leader: null });
  expect(wishes()).toHaveLength(7);
});
