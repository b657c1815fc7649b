// @vitest-environment jsdom
import type { LivePlatform } from '@osprey/contract';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answer, type Answers, fakeApi, missionOf, newId, refusing, usergroupOf } from '../../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../../testing/platforms.ts';
import { admin, show } from '../../testing/show.tsx';
import { PlatformsPanel } from '../PlatformsPanel.tsx';

// Shows the dialog platforms/control/DescribeDialog.tsx PlainDialog

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const ok = (warning: string | null = null) => ({ message: 'Done.', mission: null, warning });
const coast = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });

type Options = { control?: Answer; answers?: Answers; role?: 'superAdmin' | 'groupAdmin' };

function open(platforms: LivePlatform[], { control = () => ok(), answers = {}, role = 'superAdmin' }: Options = {}) {
  const fake = fakeApi({
    'GET /platforms': () => platforms,
    'POST /platforms/control': control,
    'GET /usergroups': () => [coast],
    'GET /tags': () => ['sar'],
    'GET /missions/brief': () => [],
    ...answers,
  });
  const shown = show(<PlatformsPanel preview={() => null} uploadDialog={() => null} />, {
    api: fake.api,
    at: '/platforms',
    session: { actor: { ...admin, role } },
  });
  const orders = () =>
    fake.inputsOf('POST /platforms/control') as unknown as { query: object; body: Record<string, unknown> }[];
  return { ...fake, ...shown, orders };
}

const live = {
  live: true,
  mission: newId(),
  missionName: 'OSP-21-20261104-130500',
  duration: 65,
  sizeBytes: 5_000_000,
};
const sensors = () => [liveSensorOf({ name: 'EO' }), liveSensorOf({ name: 'IR' })];
const button = (name: string) => screen.findByRole('button', { name });
const press = async (name: string) => userEvent.click(await button(name));
const expand = (name: string) => press(`Show sensors of ${name}`);

it('asks for name and audience of the mission, with those of the platform filled in, and begins to record', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 4, 13, 5, 9) });
  const platform = livePlatformOf({
    name: 'OSP-21',
    sensors: sensors(),
    securityClassification: 'RESTRICTED',
    audience: 'groups',
    usergroups: [coast._id],
  });
  const { orders } = open([platform]);

  await press('Record OSP-21');
  const form = await screen.findByRole('dialog', { name: 'Record OSP-21' });
  expect(within(form).getByLabelText<HTMLInputElement>(/Name/).value).toBe('OSP-21-20261104-130509');
  expect(within(form).getByRole('combobox', { name: 'Security classification' }).textContent).toBe('RESTRICTED');
  await waitFor(() => expect(within(form).getByRole('combobox', { name: /Usergroup/ }).textContent).toBe('Coast'));
  await userEvent.type(within(form).getByLabelText('Description'), 'West of Kea');
  await userEvent.click(within(form).getByRole('button', { name: 'Record' }));

  await screen.findByText('Mission OSP-21-20261104-130509 added.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(orders()).toEqual([
    {
      query: { command: 'start' },
      body: {
        platformName: 'OSP-21',
        platformType: 'Plane',
        record: true,
        missionName: 'OSP-21-20261104-130509',
        description: 'West of Kea',
        sensors: [],
        tags: [],
        autostart: false,
      },
    },
  ]);
});

it('offers no label below that of the platform, and sends another label or audience with the rest', async () => {
  const platform = livePlatformOf({
    securityClassification: 'RESTRICTED',
    audience: 'groups',
    usergroups: [coast._id],
  });
  const { orders } = open([platform]);

  await press('Record OSP-21');
  const form = await screen.findByRole('dialog');
  await userEvent.click(within(form).getByRole('combobox', { name: 'Security classification' }));
  const labels = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(labels).toEqual(['RESTRICTED', 'CONFIDENTIAL', 'SECRET']);
  await userEvent.click(screen.getByRole('option', { name: 'SECRET' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Record' }));

  await waitFor(() => expect(orders()).toHaveLength(1));
  expect(orders()[0]!.body).toMatchObject({ securityClassification: 'SECRET' });
  expect(orders()[0]!.body).not.toHaveProperty('usergroups');
});

it('refuses a name with spaces, or one that is there, before it is sent', async () => {
  const { orders } = open([livePlatformOf()]);

  await press('Record OSP-21');
  const form = await screen.findByRole('dialog');
  const name = within(form).getByLabelText(/Name/);
  await userEvent.clear(name);
  await userEvent.type(name, 'two words');

  expect(within(form).getByText('Spaces are not allowed')).toBeDefined();
  expect(within(form).getByRole('button', { name: 'Record' })).toHaveProperty('disabled', true);
  expect(orders()).toEqual([]);
});

it('shows a warning of the server with the success', async () => {
  open([livePlatformOf()], { control: () => ok('EO does not stream yet.') });

  await press('Record OSP-21');
  const form = await screen.findByRole('dialog');
  const name = within(form).getByLabelText<HTMLInputElement>(/Name/).value;
  await userEvent.click(within(form).getByRole('button', { name: 'Record' }));

  const note = await screen.findByText(`Mission ${name} added. EO does not stream yet.`);
  expect(note.closest('[role="alert"]')?.className).toContain('Warning');
});

it('turns while the command is under way', async () => {
  let finish: () => void = () => undefined;
  const control = () =>
    new Promise((resolve) => {
      finish = () => resolve(ok());
    });
  open([livePlatformOf({ ...live, sensors: [liveSensorOf({ live: true })] })], { control });

  await press('Stop recording OSP-21');

  const waiting = await button('Please wait: OSP-21');
  expect(waiting).toHaveProperty('disabled', true);
  expect(waiting.getAttribute('aria-busy')).toBe('true');
  expect(within(waiting).getByRole('progressbar')).toBeDefined();
  act(finish);
  await screen.findByText('Platform OSP-21 stopped.');
});

it('asks before it ends the mission of several sensors, with its name, length and size', async () => {
  const both = sensors().map((sensor) => ({ ...sensor, live: true }));
  const { orders } = open([livePlatformOf({ ...live, sensors: both })]);

  await press('Stop recording OSP-21');
  const question = await screen.findByRole('alertdialog', { name: 'Stop recording OSP-21?' });
  expect(question.textContent).toContain(
    'Mission OSP-21-20261104-130500 ends for 2 sensors: EO, IR. 1:05 recorded so far, 5.0 MB.',
  );
  expect(orders()).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Stop 2' }));

  await screen.findByText('Platform OSP-21 stopped.');
  expect(orders()).toEqual([
    {
      query: { command: 'stop' },
      body: { platformName: 'OSP-21', platformType: 'Plane', sensors: [], stopMission: true },
    },
  ]);
});

it('stops the chosen sensors of a platform alone, without a question', async () => {
  const both = sensors().map((sensor) => ({ ...sensor, live: true }));
  const { orders } = open([livePlatformOf({ ...live, sensors: both })]);
  await expand('OSP-21');
  await userEvent.click(screen.getByText('IR'));

  await press('Stop recording OSP-21');

  await screen.findByText('Platform OSP-21 stopped.');
  expect(orders()[0]!.body).toMatchObject({ sensors: ['IR'], stopMission: false });
});

it('starts and stops single sensors of a recorded platform', async () => {
  const [eo, ir] = sensors();
  const { orders } = open([livePlatformOf({ ...live, sensors: [{ ...eo!, live: true }, ir!] })]);
  await expand('OSP-21');

  await press('Record OSP-21 IR');
  await screen.findByText('Sensor IR started.');
  await press('Stop recording OSP-21 EO');
  await waitFor(() => expect(orders()).toHaveLength(2));

  expect(orders()[0]).toEqual({
    query: { command: 'start' },
    body: { platformName: 'OSP-21', platformType: 'Plane', sensors: ['IR'], record: true },
  });
  expect(orders()[1]).toMatchObject({ query: { command: 'stop' }, body: { sensors: ['EO'] } });
});

it('opens the dialog for a sensor of a platform that is not recorded', async () => {
  const { orders } = open([livePlatformOf({ sensors: sensors() })]);
  await expand('OSP-21');

  await press('Record OSP-21 IR');
  const form = await screen.findByRole('dialog');
  expect(form.textContent).toContain('Recording starts on IR when you press Record.');
  await userEvent.click(within(form).getByRole('button', { name: 'Record' }));

  await waitFor(() => expect(orders()[0]?.body).toMatchObject({ sensors: ['IR'], record: true, autostart: false }));
});

it.each([
  ['Stop recording OSP-21', 'Error stopping platform: '],
  ['Stop recording OSP-21 EO', 'Error stopping sensor: '],
  ['Record OSP-21 IR', 'Error starting sensor: '],
])('says in an alert and a snackbar what went wrong with "%s"', async (pressed, text) => {
  const [eo, ir] = sensors();
  const platform = livePlatformOf({ ...live, sensors: [{ ...eo!, live: true }, ir!] });
  open([platform], { control: refusing('unavailable') });
  await expand('OSP-21');

  await press(pressed);

  const whole = `${text}The server cannot do this right now. Please try again in a moment.`;
  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain(whole);
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  expect((await screen.findByText(whole)).closest('[role="alert"]')?.className).toContain('Error');
});

it.each([
  ['missionNameTaken', { name: 'x' }, 'Error adding mission: Mission name x already exists'],
  ['diskFull', {}, 'Error recording mission: There is not enough free disk space on the server.'],
] as const)('keeps what was typed when the server answers %s', async (code, values, text) => {
  open([livePlatformOf()], { control: refusing(code, values) });
  await press('Record OSP-21');
  const form = await screen.findByRole('dialog', { name: 'Record OSP-21' });
  await userEvent.type(within(form).getByLabelText('Description'), 'West');

  await userEvent.click(within(form).getByRole('button', { name: 'Record' }));

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain(text);
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  expect(within(form).getByLabelText<HTMLInputElement>('Description').value).toBe('West');
});

it('records at once, with what the server gives by itself, and leads to the mission', async () => {
  const mission = { _id: newId(), name: 'OSP-21-20261104-130509' };
  const control = () => ({ ...ok(), mission });
  const { orders, place } = open([livePlatformOf({ sensors: sensors() })], { control });

  await press('Record now: OSP-21');

  await screen.findByText('Recording OSP-21: mission OSP-21-20261104-130509.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(orders()).toEqual([
    {
      query: { command: 'start' },
      body: { platformName: 'OSP-21', platformType: 'Plane', sensors: [], record: true, autostart: false },
    },
  ]);
  await press('Open mission');
  expect(place.current).toBe(`/missions?mission=${mission._id}`);
});

it('records the sensor of a row at once, and waits for the answer before it takes another press', async () => {
  let finish: () => void = () => undefined;
  const control = () =>
    new Promise((resolve) => {
      finish = () => resolve({ ...ok('IR does not stream yet.'), mission: { _id: newId(), name: 'OSP-21-x' } });
    });
  const { orders } = open([livePlatformOf({ sensors: sensors() })], { control });
  await expand('OSP-21');

  await press('Record now: OSP-21 IR');
  expect(await button('Record now: OSP-21 IR')).toHaveProperty('disabled', true);
  act(finish);

  await screen.findByText('Recording OSP-21 IR: mission OSP-21-x. IR does not stream yet.');
  expect(orders()).toHaveLength(1);
  expect(orders()[0]!.body).toMatchObject({ sensors: ['IR'], record: true });
});

it('says why nothing is recorded at once', async () => {
  open([livePlatformOf()], { control: refusing('diskFull') });

  await press('Record now: OSP-21');

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain('Error recording mission: There is not enough free disk space on the server.');
});

it('offers to record at once only where Record would ask', async () => {
  open([livePlatformOf({ ...live, sensors: [liveSensorOf({ live: true })] })]);

  await button('Stop recording OSP-21');

  expect(screen.queryByRole('button', { name: /^Record now/ })).toBeNull();
});

it('says what is recorded while it runs: name, description, a higher label', async () => {
  const begunUs = Date.UTC(2026, 10, 4, 13, 5) * 1000;
  const given = 'OSP-21-20261104-130500';
  const mission = missionOf({
    ...{ _id: live.mission, name: given, description: '', state: 'Running', recordingStartTime: begunUs, revision: 3 },
    ...{ platform: { name: 'OSP-21', type: 'Plane', presentation: { color: '#004dcf' } }, usergroups: [coast._id] },
  });
  const answers: Answers = {
    'GET /missions/:mission': () => mission,
    'PUT /missions': () => ({ ...mission, revision: 4 }),
    'PUT /missions/:mission/name': () => ({ ...mission, name: 'Night-ferry' }),
  };
  const { inputsOf } = open([livePlatformOf({ ...live, sensors: [liveSensorOf({ live: true })] })], { answers });

  await press('Describe the recording of OSP-21');
  const form = await screen.findByRole('dialog', { name: 'Recording of OSP-21' });
  const name = await within(form).findByLabelText<HTMLInputElement>(/Name/);
  await userEvent.clear(name);
  await userEvent.type(name, 'Night-ferry');
  await userEvent.type(within(form).getByLabelText('Description'), 'North of Kea');
  await userEvent.click(within(form).getByRole('combobox', { name: 'Security classification' }));
  await userEvent.click(await screen.findByRole('option', { name: 'RESTRICTED' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));

  await screen.findByText('Mission Night-ferry updated.');
  expect(inputsOf('PUT /missions')).toMatchObject([
    { body: { description: 'North of Kea', tags: [], securityClassification: 'RESTRICTED', revision: 3 } },
  ]);
  expect(inputsOf('PUT /missions/:mission/name')).toMatchObject([{ body: { name: 'Night-ferry', revision: 4 } }]);
});

it('keeps the name that somebody gave, and says how to open a recording to more people', async () => {
  const mission = missionOf({ _id: live.mission, name: 'Night', state: 'Running', usergroups: [coast._id] });
  open([livePlatformOf({ ...live })], { answers: { 'GET /missions/:mission': () => mission } });

  await press('Describe the recording of OSP-21');
  const form = await screen.findByRole('dialog', { name: 'Recording of OSP-21' });
  expect((await within(form).findByLabelText<HTMLInputElement>(/Name/)).disabled).toBe(true);
  await userEvent.click(within(form).getByRole('combobox', { name: /Usergroup/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Everyone (all users)' }));

  expect(within(form).getByText('To open it to more people, edit the mission: that needs a reason.')).toBeDefined();
});

it('has no button that works for a platform that its viewer may not control', async () => {
  const { orders } = open([livePlatformOf({ audience: 'everyone' })], { role: 'groupAdmin' });

  const record = await button('Record OSP-21');

  expect(record).toHaveProperty('disabled', true);
  expect(screen.queryByRole('button', { name: /^Record now/ })).toBeNull();
  expect(orders()).toEqual([]);
});

it('has no serious accessibility finding, with its dialog open', async () => {
  const { baseElement } = open([livePlatformOf({ sensors: sensors() })]);
  await press('Record OSP-21');
  await screen.findByRole('dialog');

  expect(await seriousFindings(baseElement)).toEqual([]);
});
