// @vitest-environment jsdom
import createCache from '@emotion/cache';
import { Box } from '@mui/material';
import { QueryClient } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, useSearchParams } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionContext } from '../api/session.ts';
import { EventsContext, eventBus } from '../events/events.ts';
import { liveWatch } from '../events/live-watch.ts';
import { Surroundings } from '../shell/Surroundings.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { giveLayout, sessionOf } from '../testing/show.tsx';
import { forgetTyped, useHoldTyped } from '../ui/dialog/typed.ts';
import { DetailPanel } from '../ui/table/DetailPanel.tsx';
import { TypedCare } from './TypedCare.tsx';

// Shows the dialog pages/SessionEnded.tsx Dialog

afterEach(() => {
  cleanup();
  forgetTyped();
});

function Form({ name }: { name: string | null }) {
  useHoldTyped(true, name);
  const [address, setAddress] = useSearchParams();
  return (
    <>
      <div data-part="table">
        <Box role="row" tabIndex={0}>
          Ana
        </Box>
      </div>
      {name !== null && address.has(name) && (
        <DetailPanel label="Details" width={400} head={null} foot={null} onEscape={() => setAddress({})}>
          <input aria-label="Company" />
        </DetailPanel>
      )}
      <TypedCare />
    </>
  );
}

const { watch: watchLive } = liveWatch(() => undefined);
const events = {
  state: 'Online' as const,
  offlineSince: null,
  nextTryAt: null,
  tryNow: () => undefined,
  watchLive,
  viewShips: () => undefined,
  say: () => undefined,
  bus: eventBus(),
};

/** A page with a form that is not saved, which goes with the value of `name` in the address. */
function open({ name = null, ended = false }: { name?: string | null; ended?: boolean } = {}) {
  giveLayout();
  const session = sessionOf({ ended });
  const router = createMemoryRouter(
    [
      { path: '/users', element: <Form name={name} /> },
      { path: '/missions', element: <p>Another page</p> },
    ],
    { initialEntries: ['/missions', '/users?user=ana'], initialIndex: 1 },
  );
  render(
    <Surroundings styles={createCache({ key: 'typed' })} api={fakeApi({}).api} queries={new QueryClient()}>
      <SessionContext value={session}>
        <EventsContext value={events}>
          <RouterProvider router={router} />
        </EventsContext>
      </SessionContext>
    </Surroundings>,
  );
  return { session, router };
}

const question = () => screen.findByRole('alertdialog', { name: 'Discard your entries?' });

it('asks before Back takes away what was typed', async () => {
  const { router } = open();

  await router.navigate(-1);
  await question();
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.queryByText('Another page')).toBeNull();
  await router.navigate(-1);
  await question();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));

  expect(await screen.findByText('Another page')).toBeDefined();
});

it('asks before another row replaces a form that belongs to one, not before a filter', async () => {
  const { router } = open({ name: 'user' });

  await router.navigate('/users?user=ana&search=kea');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await router.navigate('/users?user=ben&search=kea');
  await question();

  expect(router.state.location.search).toBe('?user=ana&search=kea');
});

it('gives the focus of a panel to its row when the question has let the panel go', async () => {
  open({ name: 'user' });

  await userEvent.click(screen.getByLabelText('Company'));
  await userEvent.keyboard('{Escape}');
  await question();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));

  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Ana')));
  expect(screen.queryByLabelText('Company')).toBeNull();
});

it('holds the browser back from a reload', () => {
  open();

  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
});

it('asks for the password over the page when the session has ended', async () => {
  const { session } = open({ ended: true });

  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await userEvent.type(screen.getByLabelText('Password'), 'Kestrel');
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));

  await vi.waitFor(() => expect(session.login).toHaveBeenCalledWith({ username: 'ana', password: 'Kestrel' }));
  await userEvent.click(screen.getByRole('button', { name: 'Leave without it' }));
  expect(session.logout).toHaveBeenCalledOnce();
});
