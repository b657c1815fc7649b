// @vitest-environment jsdom

import type { DocumentRow } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Api } from '../api/api.ts';
import { SessionContext } from '../api/session.ts';
import { documentOf } from '../testing/documents.ts';
import { info, sessionOf, show } from '../testing/show.tsx';
import { EventsProvider } from './EventsProvider.tsx';
import { useEvents } from './events.ts';
import { useLiveEvents } from './useLiveEvents.ts';

afterEach(cleanup);

type Hints = Record<string, string>;

function State() {
  const { state } = useEvents();
  return <p role="status">{state}</p>;
}

function Live() {
  useLiveEvents();
  return null;
}

/** The provider on a socket that says what the test wants. */
function open(infoFields: Record<string, unknown> = {}) {
  const emitted: unknown[] = [];
  const listeners = new Map<string, (payload: unknown) => void>();
  const given: Hints[] = [];
  const socket = {
    auth: null,
    connect: () => undefined,
    disconnect: () => undefined,
    emit: (name: string, payload: unknown) => emitted.push([name, payload]),
    on: (name: string, listener: (payload: unknown) => void) => listeners.set(name, listener),
  };
  const api: Api = { call: async (call) => call.answer.parse({ ticket: 'once' }) };
  const session = sessionOf({ info: { ...info, ...infoFields } });
  const createSocket = (hints: unknown) => {
    given.push(hints as Hints);
    return socket;
  };
  const page = (parts: React.ReactNode) => (
    <SessionContext value={session}>
      <EventsProvider createSocket={createSocket}>
        <State />
        {parts}
      </EventsProvider>
    </SessionContext>
  );
  const view = show(page(null), { api, state: 'Offline' });
  const draw = (parts: React.ReactNode) => view.rerender(page(parts));
  const say = (name: string, payload: unknown = {}) => act(() => listeners.get(name)?.(payload));
  const connected = () => waitFor(() => expect(listeners.size).toBeGreaterThan(0)).then(() => say('connect'));
  return { ...view, session, say, connected, given, emitted, draw };
}

const state = () => screen.getByRole('status').textContent;

it('says nothing of the server but that it connects until the first answer', async () => {
  const { connected } = open();

  expect(state()).toBe('Connecting');
  await connected();

  expect(state()).toBe('Online');
});

it('asks again who we are and what the server offers, once it is connected and after each time away', async () => {
  const { connected, say, session } = open();
  await connected();

  expect(session.refresh).toHaveBeenCalledTimes(1);
  say('disconnect', 'transport close');
  say('connect');

  expect(session.refresh).toHaveBeenCalledTimes(2);
});

it('says "Server offline" when an open connection is lost', async () => {
  const { connected, say } = open();
  await connected();

  say('disconnect', 'transport close');

  await screen.findByText('Server offline');
  expect(state()).not.toBe('Online');
});

it('says nothing of an offline server that has ended the session itself, as after a log-out', async () => {
  const { connected, say } = open();
  await connected();

  say('disconnect', 'io server disconnect');

  await waitFor(() => expect(state()).not.toBe('Online'));
  expect(screen.queryByText('Server offline')).toBeNull();
});

it('shows errors and messages of the server in the words of the specification', async () => {
  const { connected, say } = open();
  await connected();

  say('error', { text: 'The disk is full.' });
  expect((await screen.findByText('Server error: The disk is full.')).closest('[role="alert"]')?.className).toContain(
    'Error',
  );
  act(() => screen.getByRole('button', { name: 'Close' }).click());
  say('message', { text: 'Maintenance at 22:00' });

  expect(
    (await screen.findByText('Server message: Maintenance at 22:00.')).closest('[role="alert"]')?.className,
  ).toContain('Warning');
});

it('asks again for what users, usergroups and info say has changed', async () => {
  const { connected, say, queries, session } = open();
  await connected();
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  const refresh = vi.mocked(session.refresh);
  refresh.mockClear();

  say('users', { ids: [] });
  expect(invalidate).toHaveBeenCalledWith({ queryKey: ['users'] });
  say('usergroups', { ids: [] });
  expect(invalidate).toHaveBeenCalledWith({ queryKey: ['usergroups'] });
  expect(refresh).toHaveBeenCalledTimes(1);
  say('info');

  expect(refresh).toHaveBeenCalledTimes(2);
});

it('T-036 keeps nothing of documents whose right was revoked, on pages shown before neither, before the server answers', async () => {
  const [gone, stays] = [documentOf({ title: 'Gone soon' }), documentOf({ title: 'Stays' })];
  const read = vi.fn<() => Promise<{ rows: DocumentRow[] }>>();
  const readOne = vi.fn<() => Promise<DocumentRow>>();
  const never = new Promise<never>(() => undefined);
  function Shown() {
    const page = useQuery({ queryKey: ['documents', 'page', 'shown'], queryFn: read });
    const one = useQuery({ queryKey: ['documents', 'one', gone._id], queryFn: readOne });
    return [...(page.data?.rows ?? []), one.data].map((row, at) => <p key={String(at)}>{row?.title}</p>);
  }
  read.mockResolvedValueOnce({ rows: [gone, stays] }).mockReturnValue(never);
  readOne.mockResolvedValueOnce(gone).mockReturnValue(never);
  const { connected, say, queries, draw } = open();
  draw(<Shown />);
  await waitFor(() => expect(screen.getAllByText('Gone soon')).toHaveLength(2));
  await connected();
  for (const part of ['page', 'bin', 'count', 'tags']) {
    queries.setQueryData(['documents', part, 'before'], part === 'page' ? { rows: [gone] } : [gone]);
  }
  queries.setQueryData(['documents', 'text', gone._id], { text: 'Gone soon' });
  const asked = read.mock.calls.length;

  say('revoked', { noun: 'documents', ids: [gone._id] });

  const kept = queries.getQueryCache().findAll({ queryKey: ['documents'] });
  expect(JSON.stringify(kept.map(({ state }) => state.data ?? null))).not.toContain('Gone soon');
  expect(kept.map(({ queryKey }) => queryKey[2])).not.toContain('before');
  await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(asked));
  expect(screen.getByText('Stays')).toBeDefined();
  expect(screen.queryByText('Gone soon')).toBeNull();
});

it('reads again at the first connection what nobody was told of before it', async () => {
  const { connected, queries } = open();
  const invalidate = vi.spyOn(queries, 'invalidateQueries');

  await connected();

  const nouns = invalidate.mock.calls.map(([filters]) => filters?.queryKey?.[0]);
  expect(nouns).toEqual(expect.arrayContaining(['missions', 'documents', 'backups', 'users', 'platforms', 'licence']));
});

it('introduces itself with a client id of its own: the given name and a number from 1 to 99999', async () => {
  const { connected, given } = open({ clientId: 'bridge' });
  await connected();

  const [, suffix] = /^bridge-(\d+)$/.exec(given[0]?.clientId ?? '') ?? [];
  expect(Number(suffix)).toBeGreaterThanOrEqual(1);
  expect(Number(suffix)).toBeLessThanOrEqual(99_999);
  expect(given[0]).toMatchObject({ user: 'ana', clientType: 'web', status: expect.any(String), channel: '' });
});

it('asks for the events of live streams once while a page needs them, and again after the connection was lost', async () => {
  const { connected, say, draw, emitted } = open();
  const subscribe = ['LiveStreamEvents', { command: 'subscribe' }];
  const unsubscribe = ['LiveStreamEvents', { command: 'unsubscribe' }];
  draw([<Live key="first" />]);
  await connected();
  expect(emitted).toEqual([subscribe]);

  draw([<Live key="first" />, <Live key="second" />]);
  draw([<Live key="second" />]);
  expect(emitted).toEqual([subscribe]);
  say('disconnect', 'transport close');
  say('connect');
  expect(emitted).toEqual([subscribe, subscribe]);
  draw([]);

  expect(emitted).toEqual([subscribe, subscribe, unsubscribe]);
});

it('shows an error of the recorder in the words of the specification', async () => {
  const { connected, say } = open();
  await connected();

  say('recorder', { topic: 'state', info: 'KEA-1 is recorded.', platform: null, mission: null });
  say('recorder', { topic: 'error', info: 'disk full', platform: null, mission: null });

  const note = await screen.findByText('Recorder error: disk full');
  expect(note.closest('[role="alert"]')?.className).toContain('Error');
  expect(screen.queryByText(/KEA-1/)).toBeNull();
});
