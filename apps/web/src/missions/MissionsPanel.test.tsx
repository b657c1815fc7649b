// @vitest-environment jsdom
import type { Actor, Mission } from '@osprey/contract';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useCallback, useState } from 'react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import {
  type Answers,
  fakeApi,
  missionOf,
  newId,
  refusing,
  sensorOf,
  usergroupOf,
  WithHeaders,
} from '../testing/fake-api.ts';
import { admin, giveLayout, show } from '../testing/show.tsx';
import { tabPanelProps } from '../ui/TabStrip.tsx';
import { DeleteMissions } from './DeleteMissions.tsx';
import { type Filter, filterRules, noFilter, type SortKey } from './filter.ts';
import { MissionsPanel } from './MissionsPanel.tsx';
import { forgetProgress } from './progress.ts';
import { useLiveMissions } from './useLiveMissions.ts';

// Shows the dialog missions/RemoveSamples.tsx ConfirmDialog

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  forgetProgress();
});
afterEach(cleanup);

const user: Actor = { ...admin, role: 'user' };
const onOpen = vi.fn();

function Panel({ filter: first, open }: { filter: Filter; open: Mission | null }) {
  const [filter, setFilter] = useState(first);
  const [sort, setSort] = useState<SortKey>(filterRules.defaultSort);
  useLiveMissions(useCallback(() => undefined, []));
  return (
    <MissionsPanel
      tabs={null}
      panel={tabPanelProps('vod')}
      filter={filter}
      onFilter={setFilter}
      sort={sort}
      onSort={setSort}
      open={{ mission: open, sensorId: null, link: () => '' }}
      onOpen={onOpen}
      onClosed={() => undefined}
      onListed={() => undefined}
    />
  );
}

type Options = {
  actor?: Actor;
  filter?: Partial<Filter>;
  state?: 'Online' | 'Offline';
  offlineSince?: number;
  open?: Mission;
};

function open(missions: Mission[] | Answers, options: Options = {}) {
  const list = (): unknown =>
    Array.isArray(missions) ? new WithHeaders(missions, { 'x-total-count': String(missions.length) }) : [];
  const fake = fakeApi({
    'GET /missions/brief': list,
    'GET /tags': () => [],
    'GET /usergroups': () => [],
    'GET /countryCodes': () => [],
    ...(Array.isArray(missions) ? {} : missions),
  });
  const shown = show(<Panel filter={{ ...noFilter, ...options.filter }} open={options.open ?? null} />, {
    api: fake.api,
    session: { actor: options.actor ?? admin },
    state: options.state ?? 'Online',
    offlineSince: options.offlineSince ?? null,
  });
  return { ...fake, ...shown };
}

const adminMode = () => userEvent.click(screen.getByRole('switch', { name: 'Admin mode' }));
const cellTexts = (row: HTMLElement) =>
  within(row)
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent);

it('shows a mission with its label and its times in UTC', async () => {
  open([
    missionOf({
      name: 'Alpha',
      description: 'West of Kea',
      country_code: 'GR',
      country_name: 'Greece',
      securityClassification: 'SECRET',
      startTime: 1_700_000_000_000_000,
      endTime: null,
      views: 1234,
    }),
  ]);

  const row = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;
  // In a window of less than 1280 px, end time and rating are shown by choice.
  const cells = ['RReady', 'Alpha', 'West of Kea', '–', 'SECRET', 'Greece', 'Nov 14 2023, 22:13', '1\u202f234'];
  expect(cellTexts(row).slice(1, 9)).toEqual(cells);
  expect(screen.getByText('1 mission')).toBeDefined();

  for (const name of ['End time', 'Rating']) {
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name }));
    await userEvent.keyboard('{Escape}');
  }
  expect(cellTexts(row).slice(1, 11)).toEqual([...cells.slice(0, 7), '–', '–', cells[7]]);
});

it('shows end time and rating in a window of 1280 px and more', async () => {
  giveLayout();
  const { matchMedia } = window;
  onTestFinished(() => void Object.assign(window, { matchMedia }));
  window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes('(min-width: 1280px)') });
  open([missionOf({ name: 'Alpha', endTime: 1_700_000_600_000_000, rating: 4 })]);

  const row = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(cellTexts(row)[heads.indexOf('End time')]).toBe('Nov 14 2023, 22:23'); // S1-202
  const ratings = within(row).getAllByRole('gridcell')[heads.indexOf('Rating')]!;
  expect(within(ratings).getByRole('img', { name: '4 of 5 stars' })).toBeDefined(); // S1-203
});

it('says which case holds a mission, or why somebody does', async () => {
  open([
    missionOf({ name: 'Alpha', heldBy: 'Held by case 7' }),
    missionOf({ name: 'Beta', heldBy: 'Held', hold: 'evidence' }),
    missionOf({ name: 'Gamma', hold: 'evidence' }),
  ]);

  expect((await screen.findByText('Held by case 7')).closest('[title]')?.getAttribute('title')).toBe('Held by case 7');
  expect(screen.getByText('Held').closest('[title]')?.getAttribute('title')).toBe('evidence');
  expect(screen.getByText('On hold').closest('[title]')?.getAttribute('title')).toBe('evidence');
});

it('shows what turns the direction of a text, in every text of a row that is free', async () => {
  const turned = { name: 'Heron \u202Eevil', type: 'Plane', presentation: { color: '#004dcf' } };
  open([
    missionOf({
      name: 'Alpha',
      description: '\u202Ecod',
      platform: turned,
      country_code: 'GR',
      country_name: 'G\u202Er',
    }),
  ]);

  const row = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;

  expect(cellTexts(row).slice(3, 7)).toEqual(['\\u202Ecod', 'Heron \\u202Eevil', 'UNCLASSIFIED', 'G\\u202Er']);
  expect(row.innerHTML).not.toContain('\u202E');
});

it('opens a mission by a click and a sensor by its own row', async () => {
  const sensor = sensorOf({ name: 'IR', klv: { state: 'warning', text: '2 gaps' } });
  const mission = missionOf({ name: 'Alpha', sensors: [sensor] });
  open([mission]);

  await userEvent.click(await screen.findByText('Alpha'));
  expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ _id: mission._id }), null);

  await userEvent.click(screen.getByRole('button', { name: 'Show sensors of Alpha' }));
  expect(screen.getByText('2 gaps')).toBeDefined();
  await userEvent.click(screen.getByText('IR'));
  expect(onOpen).toHaveBeenLastCalledWith(expect.anything(), expect.objectContaining({ _id: sensor._id }));
});

it('leaves the keys to a mission that a click opens, and the focus on the row to who opens it by keyboard', async () => {
  open([missionOf({ name: 'Alpha', sensors: [sensorOf({})] })]);
  const row = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;

  await userEvent.click(screen.getByText('Alpha'));
  expect(onOpen).toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{ArrowRight}');
  expect(row.getAttribute('aria-expanded')).toBe('false');

  await userEvent.tab();
  act(() => row.focus());
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(row);
});

it('offers the times of a sensor on its row, in admin mode and not while it is recorded', async () => {
  const [kea, live] = [missionOf({ name: 'Kea' }), missionOf({ name: 'Live', state: 'Running' })];
  open([kea, { ...live, sensors: [sensorOf({ name: 'IR' })] }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Show sensors of Kea' }));
  await userEvent.click(screen.getByRole('button', { name: 'Show sensors of Live' }));
  expect(screen.queryByRole('button', { name: /^Shift time of/ })).toBeNull();

  await adminMode();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Shift time of IR' }).disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Shift time of EO/IR' }));

  expect(await screen.findByRole('dialog', { name: 'Shift the time of EO/IR' })).toBeDefined();
});

it('is steered by keys alone', async () => {
  const missions = [missionOf({ name: 'Alpha' }), missionOf({ name: 'Beta' })];
  open(missions);
  const first = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;
  act(() => first.focus());

  await userEvent.keyboard('{ArrowRight}');
  expect(first.getAttribute('aria-expanded')).toBe('true');
  await userEvent.keyboard('{ArrowLeft}{ArrowDown}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Beta'));
  await userEvent.keyboard('{Enter}');

  expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'Beta' }), null);
});

it('leads from a row to its own actions by Tab, and past those of the others', async () => {
  open([missionOf({ name: 'Alpha' }), missionOf({ name: 'Beta' }), missionOf({ name: 'Gamma' })]);
  await adminMode();
  (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!.focus();
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Beta'));

  const reached: (string | null | undefined)[] = [];
  for (let press = 0; press < 4; press += 1) {
    await userEvent.tab();
    reached.push(document.activeElement?.getAttribute('aria-label'));
  }

  expect(reached).toEqual(['Edit Beta', 'Delete Beta', 'Share Beta', null]);
});

it('says when there are none yet, and offers to add one to who may', async () => {
  open([]);
  expect(await screen.findByText('No missions yet')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Add mission' })).toBeDefined();
  cleanup();

  open([], { actor: user });
  expect(await screen.findByText('No missions yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add mission' })).toBeNull();
});

it.each([
  ['sensorArea', 'Area seen'],
  ['frameCenter', 'Frame centres'],
  ['platformPath', 'Platform path'],
] as const)('says of an area that missions are compared by %s', async (aoiMode, text) => {
  const corners = [
    [24, 37],
    [25, 37],
    [25, 38],
    [24, 37],
  ] as [number, number][];
  open([missionOf({ name: 'Alpha' })], { filter: { aoiMode, area: { type: 'Polygon', coordinates: [corners] } } });
  expect((await screen.findByText(/sq\. km · /)).textContent).toContain(text);
});

it('says which filter to drop when none matches', async () => {
  const { inputsOf } = open([], { filter: { countries: ['NO'], tags: ['patrol'] } });
  expect(await screen.findByText('No missions match')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Clear country' }));

  await waitFor(() => {
    const { query } = inputsOf('GET /missions/brief').at(-1)! as { query: Record<string, string> };
    expect(query).toMatchObject({ tags: 'patrol' });
    expect(query).not.toHaveProperty('country_codes');
  });
});

it('says what happened when the list cannot be read, and tries again', async () => {
  let away = true;
  open({
    'GET /missions/brief': () => (away ? refusing('unavailable')({}) : [missionOf({ name: 'Alpha' })]),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Missions could not be read');

  away = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByText('Alpha')).toBeDefined();
});

it('lets the server sort, and reads on with its cursor', async () => {
  const { inputsOf } = open({
    'GET /missions/brief': ({ query }) =>
      query?.after === undefined
        ? new WithHeaders([missionOf({ name: 'first' })], { 'x-next-after': 'cursor', 'x-total-count': '2' })
        : new WithHeaders([missionOf({ name: 'second' })], {}),
  });
  expect(await screen.findByText('second')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Views' }));

  await waitFor(() =>
    expect(inputsOf('GET /missions/brief').at(-1)).toMatchObject({ query: { after: 'cursor', sort: '-views' } }),
  );
  // The total is asked for with the first page only, and each page once.
  expect(inputsOf('GET /missions/brief')).toMatchObject([
    { query: { count: '1' } },
    { query: { after: 'cursor' } },
    { query: { count: '1' } },
    { query: { after: 'cursor' } },
  ]);
  expect(JSON.stringify(inputsOf('GET /missions/brief')).match(/"count"/g)).toHaveLength(2);
});

it('shows mission management in admin mode only, and never to ordinary users', async () => {
  open([missionOf({ name: 'Alpha' })]);
  await screen.findByText('Alpha');
  expect(screen.queryByRole('checkbox', { name: 'Choose Alpha' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add mission' })).toBeNull();

  await adminMode();
  expect(screen.getByRole('checkbox', { name: 'Choose Alpha' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Edit Alpha' })).toBeDefined();
  cleanup();

  open([missionOf({ name: 'Alpha' })], { actor: user });
  await screen.findByText('Alpha');
  expect(screen.queryByRole('switch', { name: 'Admin mode' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete Alpha' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Share Alpha' })).toBeDefined();
});

it('renames the one mission that is chosen', async () => {
  open([missionOf({ name: 'Alpha' }), missionOf({ name: 'Beta' })]);
  await screen.findByText('Alpha');
  await adminMode();

  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose Alpha' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Rename …' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rename Alpha' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Beta' }));

  expect(screen.queryByRole('button', { name: 'Rename …' })).toBeNull();
});

it('names what is deleted and its size, and takes it back', async () => {
  const asset = {
    _id: newId(),
    path: '/x',
    name: 'a.ts',
    sizeBytes: 8_400_000_000,
    sha256: null,
    kind: 'ts' as const,
    startTime: null,
    endTime: null,
    state: 'ready' as const,
    message: null,
  };
  const missions = [missionOf({ name: 'A', sensors: [sensorOf({ assets: [asset] })] }), missionOf({ name: 'B' })];
  const { inputsOf } = open({
    'GET /missions/brief': () => missions,
    'DELETE /missions': () => ({ message: 'ok' }),
    'POST /missions/restore': () => ({ message: 'ok' }),
  });
  await screen.findByText('A');
  await adminMode();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose A' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose B' }));
  await userEvent.click(
    within(screen.getByRole('toolbar', { name: '2 selected' })).getByRole('button', { name: 'Delete' }),
  );

  const question = within(await screen.findByRole('alertdialog', { name: 'Delete 2 missions?' }));
  expect(question.getByText('A, B: 2 sensors, 8.4 GB. Can be restored for 30 days.')).toBeDefined();
  expect(document.activeElement?.textContent).toBe('Cancel');
  await userEvent.click(question.getByRole('button', { name: 'Delete 2' }));

  expect(await screen.findByText('Missions A, B deleted.')).toBeDefined();
  const ids = missions.map(({ _id }) => _id);
  expect(inputsOf('DELETE /missions')).toEqual([{ body: { missions: ids } }]);

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Missions A, B restored.')).toBeDefined();
  expect(inputsOf('POST /missions/restore')).toEqual([{ body: { missions: ids } }]);
});

it('deletes more missions than one call takes', async () => {
  const missions = Array.from({ length: 501 }, (_, at) => missionOf({ name: `Flight-${at}` }));
  const { api, inputsOf } = fakeApi({ 'DELETE /missions': () => ({ message: 'ok' }) });
  const onDeleted = vi.fn();
  show(<DeleteMissions missions={missions} onClose={vi.fn()} onDeleted={onDeleted} />, { api });

  await userEvent.click(screen.getByRole('button', { name: 'Delete 501' }));

  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
  const ids = missions.map(({ _id }) => _id);
  const parts = [{ body: { missions: ids.slice(0, 500) } }, { body: { missions: ids.slice(500) } }];
  expect(inputsOf('DELETE /missions')).toEqual(parts);
});

it('names the missions and what the server said when deleting fails', async () => {
  open({ 'GET /missions/brief': () => [missionOf({ name: 'A' })], 'DELETE /missions': refusing('forbidden') });
  await screen.findByText('A');
  await adminMode();

  await userEvent.click(screen.getByRole('button', { name: 'Delete A' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));

  expect(await screen.findByText('Error deleting mission(s) A: You do not have the rights for this.')).toBeDefined();
});

it('asks for a selection before editing and sharing', async () => {
  open([missionOf({ name: 'Alpha' })]);
  await screen.findByText('Alpha');
  await adminMode();

  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByText('Please select mission / sensor to edit...')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));

  await userEvent.click(screen.getByRole('button', { name: 'Share' }));
  expect(await screen.findByText('Please select mission / sensor to share...')).toBeDefined();
});

it('adds no mission while the server is offline', async () => {
  open([], { state: 'Offline', offlineSince: Date.now() });

  await userEvent.click(await screen.findByRole('button', { name: 'Add mission' }));

  const alert = within(await screen.findByRole('alertdialog', { name: 'Error' }));
  expect(alert.getByText('Cannot add mission. Server is offline')).toBeDefined();
});

it('adds a mission for who is quicker than the first connection', async () => {
  open({ 'GET /usergroups': () => [usergroupOf()], 'GET /platformTypes': () => [] }, { state: 'Offline' });

  await userEvent.click(await screen.findByRole('button', { name: 'Add mission' }));

  expect(await screen.findByRole('dialog', { name: 'New mission' }, { timeout: 20_000 })).toBeDefined();
}, 30_000);

it('shows progress as it comes, and what the mission became', async () => {
  const mission = missionOf({ name: 'Alpha', state: 'Created', startTime: null });
  let stored = mission;
  const { bus } = open({
    'GET /missions/brief': () => [stored],
  });
  const row = (await screen.findByText('Alpha')).closest<HTMLElement>('[role=row]')!;
  const update = {
    mission: mission._id,
    missionName: 'Alpha',
    sensor: null,
    sensorName: null,
    bytes: null,
    totalBytes: null,
    phase: null,
    areaSqKm: null,
    text: null,
  };

  act(() => bus.emit('mission_update', { ...update, type: 'ingest_progress', progress: 62 }));
  expect(within(row).getByText('Reading 62 %')).toBeDefined();
  expect(within(row).getByRole('progressbar', { name: 'Reading' })).toBeDefined();

  stored = { ...mission, state: 'Ready' };
  act(() => {
    bus.emit('mission_update', { ...update, type: 'ingest_complete', progress: 100 });
    bus.emit('missions', { ids: [mission._id] });
  });
  expect(await within(row).findByText('Ready')).toBeDefined();
});

it('drops a mission whose rights are gone', async () => {
  const mission = missionOf({ name: 'Alpha' });
  const { bus } = open([mission, missionOf({ name: 'Beta' })]);
  await screen.findByText('Alpha');

  act(() => bus.emit('revoked', { noun: 'missions', ids: [mission._id] }));

  await waitFor(() => expect(screen.queryByText('Alpha')).toBeNull());
  expect(screen.getByText('Beta')).toBeDefined();
});

it('closes the form of a mission whose rights are gone, and says so', async () => {
  const mission = missionOf({ name: 'Alpha' });
  const { bus } = open([mission]);
  await screen.findByText('Alpha');
  await adminMode();
  await userEvent.click(screen.getByRole('button', { name: 'Edit Alpha' }));

  act(() => bus.emit('revoked', { noun: 'missions', ids: [mission._id] }));

  expect(await screen.findByText('Editing error - no mission selected')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('leaves what is no longer theirs out of the question before a deletion', async () => {
  const [alpha, beta] = [missionOf({ name: 'Alpha' }), missionOf({ name: 'Beta' })];
  const { bus } = open([alpha, beta]);
  await screen.findByText('Alpha');
  await adminMode();
  for (const name of ['Alpha', 'Beta']) await userEvent.click(screen.getByRole('checkbox', { name: `Choose ${name}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Alpha');

  act(() => bus.emit('revoked', { noun: 'missions', ids: [alpha._id] }));
  await waitFor(() => expect(question.textContent).not.toContain('Alpha'));
  expect(question.textContent).toContain('Beta');
  act(() => bus.emit('revoked', { noun: 'missions', ids: [beta._id] }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('marks samples, removes them after a question, and takes that back', async () => {
  const sample = missionOf({ name: 'Alpha', sample: true });
  let missions = [sample];
  const { inputsOf } = open({
    'GET /missions/brief': () => missions,
    'DELETE /missions/samples': () => {
      missions = [];
      return { message: 'ok', missions: [sample._id] };
    },
    'POST /missions/restore': () => {
      missions = [sample];
      return { message: 'ok' };
    },
  });
  expect(await screen.findByText('Sample')).toBeDefined();
  await adminMode();

  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Remove sample missions' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));

  expect(await screen.findByText('Sample missions removed.')).toBeDefined();
  expect(await screen.findByText('No missions yet')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Alpha')).toBeDefined();
  expect(inputsOf('POST /missions/restore')).toEqual([{ body: { missions: [sample._id] } }]);
});

it('chooses columns and remembers them', async () => {
  open([missionOf({ name: 'Alpha' })]);
  await screen.findByText('Alpha');

  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Country' }));
  expect(screen.queryByRole('columnheader', { name: 'Country', hidden: true })).toBeNull();
  cleanup();

  open([missionOf({ name: 'Alpha' })]);
  await screen.findByText('Alpha');
  expect(screen.queryByRole('columnheader', { name: 'Country' })).toBeNull();
  expect(screen.getByRole('columnheader', { name: 'Label' })).toBeDefined();
});

it('has no serious accessibility finding', async () => {
  const { container } = open([missionOf({ name: 'Alpha', sample: true, rating: 3 })], { filter: { tags: ['a'] } });
  await screen.findByText('Alpha');
  await adminMode();

  expect(await seriousFindings(container)).toEqual([]);
});
