// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { EventsContext, eventBus } from '../events/events.ts';
import { PlaceReport } from './PlaceReport.tsx';

afterEach(cleanup);

it('says the name of each page that comes on screen, and nothing else of its address', async () => {
  const said: unknown[] = [];
  const say = (name: string, payload: object) => void said.push([name, payload]);
  const nothing = () => () => undefined;
  const known = { state: 'Online', offlineSince: null, nextTryAt: null, tryNow: () => undefined } as const;
  const events = { ...known, watchLive: nothing, viewShips: () => undefined, say, bus: eventBus() };
  const router = createMemoryRouter([{ path: '*', element: <PlaceReport /> }], { initialEntries: ['/missions'] });
  render(
    <EventsContext value={events}>
      <RouterProvider router={router} />
    </EventsContext>,
  );

  await act(() => router.navigate('/missions?mission=0b1f1c0e&text=harbour'));
  await act(() => router.navigate('/missions?mission=0b1f1c0e&text=harbour&time=7'));
  await act(() => router.navigate('/documents?search=plan'));

  expect(said).toEqual(['Missions', 'Mission view', 'Documents'].map((status) => ['UpdateConnectedUser', { status }])); // S1-440
});
