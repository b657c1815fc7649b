// @vitest-environment jsdom
import type { LivePlatform, LiveSensor, Role } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show } from '../testing/show.tsx';
import { LivePlatformsTable } from './LivePlatformsTable.tsx';
import { PlatformFilterBar } from './PlatformFilterBar.tsx';
import { PlatformsTools } from './PlatformsTools.tsx';
import { useLivePlatforms } from './useLivePlatforms.ts';
import { useLiveSelection } from './useLiveSelection.ts';
import { usePlatformsView } from './usePlatformsView.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const Preview = ({ sensor }: { sensor: LiveSensor }) => <p>Picture of {sensor.name}</p>;

function Table() {
  const live = useLivePlatforms();
  const selection = useLiveSelection(live.platforms);
  const view = usePlatformsView();
  return (
    <>
      <PlatformsTools live={live} view={view} />
      <PlatformFilterBar live={live} view={view} />
      <LivePlatformsTable live={live} selection={selection} view={view} preview={Preview} />
      <p data-testid="chosen">{selection.sensors.map(({ name }) => name).join()}</p>
    </>
  );
}

const harbour = {
  _id: newId(),
  name: 'Harbour',
  description: '',
  securityClassification: 'SECRET',
  liveModes: [],
  created: 0,
};

/** `platforms` is what the server knows; a test may change it. */
function open(platforms: LivePlatform[] | Answers, at = '/live', role: Role = 'user') {
  const answers = Array.isArray(platforms) ? { 'GET /platforms': () => platforms } : platforms;
  answers['GET /usergroups'] ??= () => [harbour];
  const fake = fakeApi(answers);
  const groups = [{ _id: harbour._id, ceiling: 'SECRET' as const }];
  const actor = { ...admin, role, groups, administered: [harbour._id] };
  return { ...fake, ...show(<Table />, { api: fake.api, at, session: { actor } }) };
}

const rowOf = (name: string) => screen.getByText(name).closest<HTMLElement>('[role=row]')!;
const cellsOf = (name: string) => {
  const cells = within(rowOf(name)).getAllByRole('gridcell');
  return cells.map(({ textContent }) => textContent);
};
const expand = (name: string) => userEvent.click(screen.getByRole('button', { name: `Show sensors of ${name}` }));
const chosen = () => screen.getByTestId('chosen').textContent;

/** 2026-11-04 13:05:00 UTC */
const START_US = Date.UTC(2026, 10, 4, 13, 5) * 1000;
const picture = {
  codec: 'h264' as const,
  width: 1920,
  height: 1080,
  frameRate: 30,
  hasBFrames: false,
  browserPlayable: true,
};

it('shows of a platform what streams and what is recorded, and of its sensors what they carry', async () => {
  // A running recording gets longer while the page is drawn.
  vi.useFakeTimers({ toFake: ['Date'] });
  const recorded = {
    live: true,
    mission: newId(),
    missionName: 'OSP-21-20261104-130500',
    recordingStartTime: START_US,
    duration: 6427,
    segments: 3213,
    sizeBytes: 5_200_000_000,
    state: 'online' as const,
  };
  const counts = { lostPackets: 3, reorderedPackets: 1, refusedPackets: 1200, jitter: 2.04 };
  const eo = liveSensorOf({ ...recorded, name: 'EO', video: picture, klv: true, bitrate: 6_200_000, ...counts });
  open([
    livePlatformOf({
      ...recorded,
      description: 'Search west of Kea',
      securityClassification: 'RESTRICTED',
      sensors: [eo],
    }),
  ]);

  await screen.findByText('OSP-21');
  expect(cellsOf('OSP-21').slice(1)).toEqual([
    'Online',
    'REC',
    'OSP-21',
    'RESTRICTED',
    'Search west of Kea',
    'Plane',
    'Nov 04 2026, 13:05',
    '1:47:07',
    '3\u202f213',
    '5.2 GB',
  ]);
  expect(screen.getAllByRole('status', { name: '' })[0]!.textContent).toBe('1 recording');
  await expand('OSP-21');
  expect(cellsOf('EO')[5]).toBe(
    'H.264 1920 × 1080, 30 fps, 6.2 Mbit/s, KLV, 3 packets lost, 1 packet put in order, 1\u202f200 packets refused, ' +
      'jitter 2.0 ms',
  );
  expect(cellsOf('EO')[6]).toBe('video');
});

it.each(['superAdmin', 'admin', 'groupAdmin'] as const)('has buttons that record for a %s', async (role) => {
  open([livePlatformOf({ name: 'OSP-21', audience: 'groups', usergroups: [harbour._id] })], '/live', role);
  await screen.findByText('OSP-21');

  expect(within(rowOf('OSP-21')).getByRole('button', { name: /^Record OSP-21/ })).toBeDefined(); // S2-028
});

it('has no Record column for who may not control', async () => {
  open([livePlatformOf()]);
  await screen.findByText('OSP-21');

  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  expect(heads).not.toContain('Record');
  expect(heads.slice(1, 6)).toEqual(['State', 'Rec', 'Name', 'Label', 'Description']);
});

it.each([
  ['unknown', 'Unknown'],
  ['online', 'Online'],
  ['offline', 'Offline'],
  ['lost', 'Lost'],
  ['partial', 'Partial'],
] as const)('says %s by a shape and a word', async (state, word) => {
  open([livePlatformOf({ state })]);
  await screen.findByText('OSP-21');

  expect(cellsOf('OSP-21')[1]).toBe(word);
  expect(rowOf('OSP-21').querySelector(`svg[data-state="${state}"]`)).not.toBeNull();
});

it('counts on by itself while the stream is there, and stops while it is lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const recorded = { live: true, recordingStartTime: START_US, duration: 100 };
  open([
    livePlatformOf({ ...recorded, name: 'Flying', state: 'online' }),
    livePlatformOf({ ...recorded, name: 'Silent', state: 'lost' }),
  ]);
  await screen.findByText('Flying');
  expect(cellsOf('Flying')[8]).toBe('1:40');

  act(() => void vi.advanceTimersByTime(5000));

  expect(cellsOf('Flying')[8]).toBe('1:45');
  expect(cellsOf('Silent')[8]).toBe('1:40');
});

it('chooses a platform with its sensors by its row, and a sensor by its own, all of it in the address', async () => {
  const sensors = [liveSensorOf({ name: 'EO' }), liveSensorOf({ name: 'IR' })];
  const one = livePlatformOf({ name: 'OSP-21', sensors });
  const other = livePlatformOf({ name: 'ROV-2', sensors: [liveSensorOf({ name: 'Front' })] });
  const { place } = open([one, other]);
  await screen.findByText('OSP-21');
  await expand('OSP-21');

  await userEvent.click(screen.getByText('OSP-21'));
  expect(chosen()).toBe('EO,IR');
  expect(rowOf('OSP-21').getAttribute('aria-selected')).toBe('true');
  expect(rowOf('IR').getAttribute('aria-selected')).toBe('true');
  expect(new URLSearchParams(place.current.split('?')[1]).get('platforms')).toBe(one._id);

  await userEvent.click(screen.getByText('IR'));
  expect(chosen()).toBe('IR');
  expect(rowOf('OSP-21').getAttribute('aria-selected')).toBe('false');
  expect(new URLSearchParams(place.current.split('?')[1]).get('sensors')).toBe(sensors[1]!._id);

  const user = userEvent.setup();
  await user.keyboard('{Control>}');
  await user.click(screen.getByText('ROV-2'));
  await user.keyboard('{/Control}');
  expect(chosen()).toBe('IR,Front');
});

it('is steered by keys alone: arrows, Enter for one row, Space for one more', async () => {
  open([
    livePlatformOf({ name: 'OSP-21', sensors: [liveSensorOf({ name: 'EO' }), liveSensorOf({ name: 'IR' })] }),
    livePlatformOf({ name: 'ROV-2', sensors: [liveSensorOf({ name: 'Front' })] }),
  ]);
  await screen.findByText('OSP-21');
  act(() => rowOf('OSP-21').focus());

  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(chosen()).toBe('EO,IR');
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement).toBe(rowOf('EO')));
  await userEvent.keyboard(' ');
  expect(chosen()).toBe('IR');
  await userEvent.keyboard('{End}');
  await waitFor(() => expect(document.activeElement).toBe(rowOf('ROV-2')));
  await userEvent.keyboard(' ');

  expect(chosen()).toBe('IR,Front');
});

it('opens with what a link chose', async () => {
  const sensor = liveSensorOf({ name: 'IR' });
  const platform = livePlatformOf({ name: 'OSP-21', sensors: [liveSensorOf({ name: 'EO' }), sensor] });
  const other = livePlatformOf({ name: 'ROV-2', sensors: [liveSensorOf({ name: 'Front' })] });

  open([platform, other], `/live?platforms=${other._id}&sensors=${sensor._id}`);

  await waitFor(() => expect(chosen()).toBe('IR,Front'));
});

it('shows a lost stream, and drops what is not theirs any more, before anything is read again', async () => {
  const sensor = liveSensorOf({ name: 'EO', state: 'online' });
  const platforms = [livePlatformOf({ name: 'OSP-21', sensors: [sensor] }), livePlatformOf({ name: 'ROV-2' })];
  const answers: Answers = { 'GET /platforms': () => platforms };
  const { bus, liveWishes } = open(answers);
  await screen.findByText('OSP-21');
  expect(liveWishes).toEqual(['subscribe']);
  answers['GET /platforms'] = () => new Promise(() => undefined);

  const [first, second] = platforms.map(({ _id }) => _id);
  const event = { topic: 'state', platform: first, sensor: sensor._id, state: 'lost', since: Date.now() * 1000 };
  act(() => bus.emit('streamMonitor', event));
  await waitFor(() => expect(cellsOf('OSP-21')[1]).toBe('Lost'));
  act(() => bus.emit('revoked', { noun: 'platforms', ids: [second] }));

  await waitFor(() => expect(screen.queryByText('ROV-2')).toBeNull());
});

it.each([
  ['platforms', { ids: [] }],
  ['streamMonitor', { topic: 'config', platform: newId() }],
  ['recorder', { topic: 'state', info: 'Recording.', platform: null, mission: null }],
])('asks again when the event %s says that something changed', async (name, payload) => {
  const platforms = [livePlatformOf({ name: 'OSP-21' })];
  const { bus } = open(platforms);
  await screen.findByText('OSP-21');

  platforms[0] = { ...platforms[0]!, description: 'Changed' };
  act(() => bus.emit(name, payload));

  expect(await screen.findByText('Changed')).toBeDefined();
});

it('reads again every 10 s, for changes that no event reported', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { inputsOf } = open([livePlatformOf()]);
  await screen.findByText('OSP-21');
  expect(inputsOf('GET /platforms')).toHaveLength(1);

  await act(() => vi.advanceTimersByTimeAsync(10_000));

  await waitFor(() => expect(inputsOf('GET /platforms')).toHaveLength(2));
});

it('leaves the live events when it goes', async () => {
  const { liveWishes, unmount } = open([livePlatformOf()]);
  await screen.findByText('OSP-21');

  unmount();

  expect(liveWishes).toEqual(['subscribe', 'unsubscribe']);
});

it('shows the picture of a sensor while its state is hovered, where the usergroups let in previews', async () => {
  const sensor = liveSensorOf({ name: 'EO', state: 'online', video: picture });
  open([
    livePlatformOf({ name: 'Allowed', sensors: [sensor] }),
    livePlatformOf({ name: 'Refused', sensors: [sensor], liveModes: ['WebRtc'] }),
  ]);
  await screen.findByText('Allowed');

  await userEvent.hover(within(rowOf('Refused')).getByText('Online'));
  await userEvent.hover(within(rowOf('Allowed')).getByText('Online'));

  expect(await screen.findByText('Picture of EO')).toBeDefined();
  expect(screen.getAllByText('Picture of EO')).toHaveLength(1);
});

it.each([
  ['not allowed', { liveModes: ['WebRtc' as const] }, 'No preview: your usergroups do not allow previews here.'],
  ['without video', { sensors: [liveSensorOf({ type: 'ais' })] }, 'No preview: no video sensor here.'],
  ['offline', { sensors: [liveSensorOf({ state: 'offline', video: picture })] }, 'No preview: no stream.'],
  ['before the first picture', {}, 'No preview: no picture yet.'],
])('says while its state is hovered why there is no picture: %s', async (_case, fields, reason) => {
  open([livePlatformOf({ name: 'OSP-21', ...fields })]);
  await screen.findByText('OSP-21');

  await userEvent.hover(within(rowOf('OSP-21')).getByText('Online'));

  expect((await screen.findByRole('tooltip')).textContent).toBe(reason);
});

it('is narrowed by state, type and usergroup, all of it in the address, and set back at once', async () => {
  const { place } = open([
    livePlatformOf({ name: 'Shared', usergroups: [harbour._id], audience: 'groups', type: 'ROV', state: 'lost' }),
    livePlatformOf({ name: 'Same type', type: 'ROV', state: 'lost' }),
    livePlatformOf({ name: 'Other', type: 'Plane', state: 'lost' }),
    livePlatformOf({ name: 'There', type: 'ROV' }),
  ]);
  await screen.findByText('Shared');
  expect(screen.getByText('4 platforms')).toBeDefined();
  const choose = async (filter: string, choice: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    await userEvent.click(screen.getByRole('menuitem', { name: filter }));
    await userEvent.click(await screen.findByRole('option', { name: choice }));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };

  await choose('State', 'Lost');
  expect(screen.queryByText('There')).toBeNull();
  await choose('Type', 'ROV');
  expect(screen.queryByText('Other')).toBeNull();
  await choose('Usergroup', 'Harbour');
  expect(screen.queryByText('Same type')).toBeNull();

  expect(screen.getByText('1 platform')).toBeDefined();
  expect(screen.getByText('Shared')).toBeDefined();
  const query = new URLSearchParams(place.current.split('?')[1]);
  expect(Object.fromEntries(query)).toEqual({ states: 'lost', types: 'ROV', usergroups: harbour._id });
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.getByText('4 platforms')).toBeDefined();
});

it('is narrowed as a link says, and by nothing that is broken in it', async () => {
  open(
    [livePlatformOf({ name: 'Lost one', state: 'lost' }), livePlatformOf({ name: 'There', state: 'online' })],
    '/live?states=lost,none&types=submarine&usergroups=x',
  );

  await screen.findByText('Lost one');
  expect(screen.queryByText('There')).toBeNull();
  expect(screen.getByRole('button', { name: 'Change the filter State: Lost' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /filter (Type|Usergroup)/ })).toBeNull();
});

it('finds platforms by their own words and those of their sensors', async () => {
  open([
    livePlatformOf({ name: 'OSP-21', sensors: [liveSensorOf({ name: 'Infrared' })] }),
    livePlatformOf({ name: 'ROV-2' }),
  ]);
  await screen.findByText('OSP-21');

  const search = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search platforms' }), { target: { value } });
  search('infra');
  await waitFor(() => expect(screen.queryByText('ROV-2')).toBeNull());
  expect(screen.getByText('OSP-21')).toBeDefined();
  search('infrax');

  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await screen.findByText('ROV-2');
});

it('says until when a sensor is set aside, and has a button that tries again at once', async () => {
  const aside = { since: START_US, until: START_US + 570_000_000 };
  const platform = livePlatformOf({
    name: 'OSP-21',
    sensors: [liveSensorOf({ name: 'EO', on: false, state: 'offline', aside })],
  });
  const answers = {
    'GET /platforms': () => [platform],
    'POST /platforms/control': () => ({ message: 'Done.', mission: null, warning: null }),
  };
  const { inputsOf } = open(answers, '/live', 'superAdmin');
  await screen.findByText('OSP-21');
  await expand('OSP-21');

  expect(screen.getByText('Set aside until 13:15 Z')).toBeDefined();
  expect(screen.getByText(/^Reading this stream failed twice/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Record OSP-21 EO' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Try again now: OSP-21 EO' });
  expect(button.textContent).toBe('Try again now');
  await userEvent.click(button);

  expect(inputsOf('POST /platforms/control')).toMatchObject([
    { query: { command: 'start' }, body: { sensors: ['EO'] } },
  ]);
  expect(await screen.findByText('Sensor EO started.')).toBeDefined();
});

it('says so when there is nothing, and when it cannot be read, with a way to try again', async () => {
  open([]);
  expect(await screen.findByText('No platforms yet')).toBeDefined();
  cleanup();

  const answers: Answers = { 'GET /platforms': refusing('unavailable') };
  open(answers);
  expect(await screen.findByText('Platforms could not be read')).toBeDefined();
  answers['GET /platforms'] = () => [livePlatformOf()];
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('OSP-21');
});

it('has no serious accessibility finding', async () => {
  const { container } = open([livePlatformOf({ live: true, recordingStartTime: START_US, duration: 5 })]);
  await screen.findByText('OSP-21');
  await expand('OSP-21');

  expect(await seriousFindings(container)).toEqual([]);
});
