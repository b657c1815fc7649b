// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { EventsContext, eventBus, type ServerState } from '../events/events.ts';
import { NotLoaded } from '../shell/NotLoaded.tsx';
import { PageNotLoaded } from './PageNotLoaded.tsx';
import { routes } from './routes.tsx';

afterEach(cleanup);

const bus = eventBus();
const eventsOf = (state: ServerState) => ({
  state,
  offlineSince: state === 'Online' ? null : 1,
  nextTryAt: null,
  tryNow: () => undefined,
  watchLive: () => () => undefined,
  viewShips: () => undefined,
  say: () => undefined,
  bus,
});

it('keeps the frame of a page that cannot be fetched, and fetches it when asked again', async () => {
  let away = true;
  const lazy = async () => {
    if (away) throw new TypeError('Failed to fetch dynamically imported module: /assets/Page.js');
    return { Component: () => <p>The page</p> };
  };
  const frame = (
    <>
      <p>The frame</p>
      <Outlet />
    </>
  );
  const pages = [{ errorElement: <PageNotLoaded />, children: [{ path: '/page', lazy }] }];
  const router = createMemoryRouter([{ element: frame, hydrateFallbackElement: <></>, children: pages }], {
    initialEntries: ['/page'],
  });

  render(
    <EventsContext value={eventsOf('Offline')}>
      <RouterProvider router={router} />
    </EventsContext>,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('as soon as the server is back');
  expect(screen.getByText('The frame')).toBeDefined();
  away = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByText('The page')).toBeDefined();
});

it('reloads the page when the server is back, and not while it was there all the time', () => {
  const reload = vi.fn();
  const shown = (state: ServerState) => (
    <EventsContext value={eventsOf(state)}>
      <NotLoaded onAgain={() => undefined} reload={reload} />
    </EventsContext>
  );

  const { rerender } = render(shown('Online'));
  expect(reload).not.toHaveBeenCalled();
  rerender(shown('Offline'));
  rerender(shown('Online'));

  expect(reload).toHaveBeenCalledOnce();
});

it('guards every page inside its frame', () => {
  const unguarded = (list: readonly RouteObject[], guarded: boolean): RouteObject[] =>
    list.flatMap((route) => {
      const here = guarded || (route.errorElement !== undefined && route.lazy === undefined);
      if (route.children) return unguarded(route.children, here);
      return route.lazy && !here ? [route] : [];
    });

  expect(routes.every(({ errorElement }) => errorElement === undefined)).toBe(true);
  expect(unguarded(routes, false)).toEqual([]);
});
