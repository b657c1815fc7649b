// @vitest-environment jsdom

import { type Classification, changedEventsOf, type DocumentRow, items, reading } from '@osprey/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Api } from '../api/api.ts';
import { SessionContext } from '../api/session.ts';
import { documentOf } from '../testing/documents.ts';
import { missionOf, newId } from '../testing/fake-api.ts';
import { info, sessionOf, show } from '../testing/show.tsx';
import { EventsProvider } from './EventsProvider.tsx';
import { useEvents } from './events.ts';
import { listOf, type PageItem, pageItems } from './items.ts';
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
function open(infoFields: Record<string, unknown> = {}, itemTable = pageItems) {
  const emitted: unknown[] = [];
  const listeners = new Map<string, (payload: unknown) => void>();
  const given: Hints[] = [];
  let onAny: ((name: string, payload: unknown) => void) | null = null;
  const socket = {
    auth: null,
    connect: () => undefined,
    disconnect: () => undefined,
    emit: (name: string, payload: unknown) => emitted.push([name, payload]),
    on: (name: string, listener: (payload: unknown) => void) => listeners.set(name, listener),
    onAny: (listener: (name: string, payload: unknown) => void) => {
      onAny = listener;
    },
  };
  const api: Api = { call: async (call) => call.answer.parse({ ticket: 'once' }) };
  let session = sessionOf({ info: { ...info, ...infoFields } });
  const createSocket = (hints: unknown) => {
    given.push(hints as Hints);
    return socket;
  };
  const page = (parts: React.ReactNode) => (
    <SessionContext value={session}>
      <EventsProvider createSocket={createSocket} items={itemTable}>
        <State />
        {parts}
      </EventsProvider>
    </SessionContext>
  );
  const view = show(page(null), { api, state: 'Offline' });
  const draw = (parts: React.ReactNode) => view.rerender(page(parts));
  const say = (name: string, payload: unknown = {}) =>
    act(() => (listeners.has(name) ? listeners.get(name)?.(payload) : onAny?.(name, payload)));
  const connected = () => waitFor(() => expect(listeners.size).toBeGreaterThan(0)).then(() => say('connect'));
  const limit = (label: Classification) => {
    session = { ...session, limit: { label, by: 'login' } };
    draw(null);
  };
  return { ...view, session, say, connected, given, emitted, draw, limit };
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

it('opens another socket when the same account comes back with another limit, and for nothing else', async () => {
  const { connected, given, draw, limit } = open();
  await connected();
  draw(<Live />);
  expect(given).toHaveLength(1);

  limit('RESTRICTED');

  await waitFor(() => expect(given).toHaveLength(2));
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

  const retained = queries.getQueryCache().findAll({ queryKey: ['documents'] });
  expect(JSON.stringify(retained.map(({ state }) => state.data ?? null))).not.toContain('Gone soon');
  expect(retained.map(({ queryKey }) => queryKey[2])).not.toContain('before');
  await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(asked));
  // The cached value is gone at once; the page is drawn in the next turn.
  await waitFor(() => expect(screen.queryByText('Gone soon')).toBeNull());
  expect(screen.getByText('Stays')).toBeDefined();
});

it('reads again at the first connection what no event could report before it', async () => {
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
  expect(given[0]).toMatchObject({ user: 'ana', clientType: 'web', status: 'Another page', channel: '' });
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

type Toy = { _id: string; name: string };

const toyTable = { ...items, toy: { plural: 'toys', title: 'Toy', event: 'toysMoved', rules: { read: reading } } };
const toys: PageItem = {
  noun: 'toys',
  event: changedEventsOf(toyTable).toy!,
  one: [['toys', 'one']],
  lists: [
    listOf<{ rows: Toy[] }>(['toys', 'page'], ({ rows }, isLost) => ({ rows: rows.filter(({ _id }) => !isLost(_id)) })),
  ],
  changed: [['toys', 'page']],
  missed: [['toys']],
};

/** A page that shows toys, a mission and a document, on a table that has toys too; it has read all of them once. */
async function openWithToys() {
  const [gone, stays] = [newId(), newId()].map((_id, at) => ({ _id, name: at === 0 ? 'Kite' : 'Ball' })) as [Toy, Toy];
  const mission = missionOf({ name: 'Patrol' });
  const answers = [
    { queryKey: ['toys', 'page', 1], answer: { rows: [gone, stays] } },
    { queryKey: ['toys', 'one', gone._id], answer: gone },
    { queryKey: ['toys', 'one', stays._id], answer: stays },
    { queryKey: ['missions', 'one', mission._id], answer: mission },
    { queryKey: ['documents', 'one', newId()], answer: 'a document' },
  ];
  const read = vi.fn(async (answer: unknown) => answer);
  function Shown() {
    const queries = useQueries({
      queries: answers.map(({ queryKey, answer }) => ({ queryKey, queryFn: () => read(answer) })),
    });
    return <output>{JSON.stringify(queries.map(({ data }) => data ?? null))}</output>;
  }
  const page = open({}, [...pageItems, toys]);
  page.draw(<Shown />);
  await page.connected();
  await waitFor(() => expect(page.queries.isFetching()).toBe(0));
  page.queries.setQueryData(['toys', 'page', 2], { rows: [gone] });
  const shown = () => view().textContent;
  const view = () => screen.getAllByRole('status').find((one) => one.tagName === 'OUTPUT')!;
  expect(shown()).toContain('Kite');
  read.mockClear();
  // From now on the server answers nothing.
  read.mockReturnValue(new Promise(() => undefined));
  const retained = () =>
    JSON.stringify(
      page.queries
        .getQueryCache()
        .findAll({ queryKey: ['toys'] })
        .map(({ state }) => state),
    );
  return {
    ...page,
    mission,
    gone,
    stays,
    shown,
    kept: retained,
    asked: () => read.mock.calls.map(([answer]) => answer),
  };
}

it('asks again for the lists of any item in the table, and for those that its changed event names', async () => {
  const { say, gone, stays, asked } = await openWithToys();

  say('toysMoved', { ids: [gone._id] });

  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked()).toEqual([{ rows: [gone, stays] }, gone]);
});

it('T-036 keeps nothing of a revoked item of any kind in the table, and all that it has read of other items', async () => {
  const { say, mission, gone, stays, shown, kept: retained, asked } = await openWithToys();

  say('revoked', { noun: 'toys', ids: [gone._id] });

  expect(retained()).not.toContain('Kite');
  await waitFor(() => expect(shown()).not.toContain('Kite'));
  expect(JSON.parse(shown()!)).toEqual([{ rows: [stays] }, null, stays, mission, 'a document']);
  // The row after the last one moves up; the refusal of the lost one closes it.
  expect(asked()).toEqual(expect.arrayContaining([{ rows: [gone, stays] }, gone]));
  expect(asked()).toHaveLength(2);
});

it('T-036 keeps nothing of too many revoked items of any kind in the table', async () => {
  const { say, mission, shown, kept: retained } = await openWithToys();

  say('revoked', { noun: 'toys', ids: [], all: true });

  expect(retained()).not.toMatch(/Kite|Ball/);
  await waitFor(() => expect(JSON.parse(shown()!)).toEqual([null, null, null, mission, 'a document']));
});
