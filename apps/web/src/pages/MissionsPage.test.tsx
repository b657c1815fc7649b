// @vitest-environment jsdom
import { AppError, type Mission } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { isQuiet } from '../base/quiet.ts';
import { everythingChanged } from '../events/invalidate.ts';

import type { TabParts, ViewTab } from '../missionview/feature.ts';
import { fakeApi, missionOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import type { MarkedMissionView as View } from './MarkedMissionView.tsx';
import { MissionsPage } from './MissionsPage.tsx';

// Players and maps need a browser; showing and removing the view does not.
vi.mock('./ahead.ts', async () => {
  const { useMissionKeys } = await import('./useMissionKeys.ts');
  type Shown = Pick<ComponentProps<typeof View>, 'mission' | 'regionRef' | 'actions' | 'neighbours'>;
  return {
    MissionView({ mission, regionRef, actions, neighbours }: Shown) {
      useMissionKeys(mission._id, neighbours);
      return (
        <article key={mission._id} ref={regionRef} tabIndex={-1} data-part="mission-view">
          {mission.name}
          {actions}
        </article>
      );
    },
  };
});
vi.mock('../map/PlacesMap.tsx', () => ({
  PlacesMap: ({ missions }: { missions: readonly Mission[] }) => missions.map(({ name }) => <p key={name}>{name}</p>),
}));

const further = vi.hoisted(() => ({ tabs: [] as ViewTab[] }));
vi.mock('./view-features.ts', () => ({
  get viewTabs() {
    return further.tabs;
  },
}));

beforeEach(() => {
  localStorage.clear();
  further.tabs = [];
});
afterEach(cleanup);

const [lost, stays] = [missionOf({ name: 'M2' }), missionOf({ name: 'M1' })];
const never = new Promise<never>(() => undefined);

/** The page with both missions in its table and the first of them open, until the server answers otherwise. */
async function open(opened: string | null = lost._id) {
  const server: { visible: Mission[]; answers: boolean } = { visible: [lost, stays], answers: true };
  const answer = <Answer,>(given: () => Answer) => (server.answers ? given() : never);
  const found = (id: string | undefined) => {
    const mission = server.visible.find(({ _id }) => _id === id);
    if (!mission) throw new AppError('notFound');
    return mission;
  };
  const { api } = fakeApi({
    'GET /missions/brief': () =>
      answer(() => new WithHeaders(server.visible, { 'x-total-count': String(server.visible.length) })),
    'GET /missions/:mission': ({ params }) => answer(() => found(params?.mission)),
    'GET /sensors': ({ query }) => answer(() => found(query?.missionIdOrName).sensors),
    'GET /tags': () => answer(() => []),
    'GET /usergroups': () => answer(() => []),
    'GET /countryCodes': () => answer(() => []),
  });
  const page = show(<MissionsPage />, { api, at: opened === null ? '/missions' : `/missions?mission=${opened}` });
  if (opened === lost._id) await screen.findByRole('article');
  return { ...page, server };
}

const text = () => document.body.textContent;

it('T-036 closes the open mission whose right was lost while no event could arrive, and keeps nothing of it', async () => {
  const { queries, server, place } = await open();
  expect(text()).toContain('M2');
  server.visible = [stays];

  act(() => everythingChanged(queries));

  expect(await screen.findByText('The mission you had open is no longer available to you.')).toBeDefined();
  await waitFor(() => expect(text()).not.toContain('M2'));
  expect(place.current).toBe('/missions');
  const retained = queries.getQueryCache().getAll();
  expect(JSON.stringify(retained.map(({ state }) => state.data ?? null))).not.toContain('M2');
});

it('T-036 shows nothing of lost missions that are too many to be named, before the server answers', async () => {
  const { bus, server } = await open();
  server.answers = false;

  act(() => bus.emit('revoked', { noun: 'missions', ids: [], all: true }));

  await waitFor(() => expect(text()).not.toContain('M2'));
});

it('connects at once for a link to a mission that is not there, without waiting for a picture', async () => {
  vi.stubGlobal('requestIdleCallback', (go: () => void) => setTimeout(go));
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
  await open('00000000-0000-4000-8000-00000000dead');

  expect(await screen.findByText('Mission not found')).toBeDefined();
  await waitFor(() => expect(isQuiet()).toBe(false), { timeout: 3000 });
  vi.unstubAllGlobals();
});

it('has the tab VOD alone, and remembers its number', async () => {
  await open();

  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(['VOD']);
  expect(localStorage.getItem('missionsTabValue')).toBe('0');
});

it('shows the places of its missions also while another tab is chosen', async () => {
  vi.stubGlobal('requestIdleCallback', (go: () => void) => setTimeout(go));
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
  onTestFinished(() => void vi.unstubAllGlobals());
  const content = ({ strip, panel }: TabParts) => <div {...panel}>{strip}</div>;
  further.tabs = [{ id: 'toy', label: 'Toy', content }];
  localStorage.setItem('missionsTabValue', '1');

  await open(null);

  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(['VOD', 'Toy']);
  const places = await screen.findByRole('region', { name: 'Mission map (2)' });
  await waitFor(() => expect(places.textContent).toContain('M2M1'), { timeout: 3000 });
  expect(screen.queryByRole('treegrid')).toBeNull();
});

it('gives the keyboard focus to the mission that Enter opened, goes to others by keys, and gives it back when Escape closes', async () => {
  // The table gets its size after it has come to its place.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly report: () => void;
      constructor(report: (entries: readonly object[]) => void) {
        this.report = () => report([{ contentRect: { width: 1200, height: 600 } }]);
      }
      observe = () => void setTimeout(this.report);
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  await open(null);
  const row = await screen.findByRole('row', { name: /M1/ });
  act(() => row.focus());

  fireEvent.keyDown(row, { key: 'Enter' });

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article')));
  fireEvent.keyDown(screen.getByRole('article'), { key: 'PageUp', shiftKey: true });
  await waitFor(() => expect(screen.getByRole('article').textContent).toContain('M2'));
  expect(document.activeElement).toBe(screen.getByRole('article'));
  fireEvent.keyDown(screen.getByRole('article'), { key: 'PageDown', shiftKey: true });
  await waitFor(() => expect(screen.getByRole('article').textContent).toContain('M1'));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close the mission' }), { key: 'Escape' });
  fireEvent.keyDown(screen.getByRole('article'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  expect(document.activeElement).toBe(await screen.findByRole('row', { name: /M1/ }));
});
