// @vitest-environment jsdom
import type { LivePlatform, ReadPlatform, SourceTested } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabelBar } from '../../shell/LabelBar.tsx';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing, usergroupOf } from '../../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../../testing/platforms.ts';
import { admin, show } from '../../testing/show.tsx';
import { PlatformInfoPanel } from '../info/PlatformInfoPanel.tsx';
import { PlatformsPanel } from '../PlatformsPanel.tsx';

// Dialogs come in a file of their own, which a busy machine reads slowly.
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const coast = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });
const north = usergroupOf({ name: 'North', securityClassification: 'RESTRICTED' });
const changed = { message: 'Done.', _id: newId(), warnings: [] };

const configOf = (fields: Partial<ReadPlatform> = {}): ReadPlatform => ({
  revision: 'first',
  name: 'OSP-21',
  description: '',
  type: 'Plane',
  color: '#22c7e6',
  securityClassification: 'RESTRICTED',
  audience: 'groups',
  usergroups: ['Coast'],
  priority: 5,
  autostart: true,
  record: { onPresence: false, schedule: [], preRollSeconds: 0 },
  sensors: [{ name: 'EO', description: '', type: 'video', url: 'rtsp://camera:***@10.1.2.3/main', from: [] }],
  ...fields,
});

type Options = { answers?: Answers; role?: 'superAdmin' | 'groupAdmin'; page?: React.ReactNode };

function open(platforms: LivePlatform[], { answers = {}, role = 'superAdmin', page }: Options = {}) {
  const fake = fakeApi({
    'GET /platforms': () => platforms,
    'GET /usergroups': () => [coast, north],
    'GET /platforms/:id/config': () => configOf(),
    'POST /platforms': () => changed,
    'PUT /platforms/:id': () => changed,
    'DELETE /platforms/:id': () => ({ message: 'Done.' }),
    'PUT /platforms/usergroups/:name': () => ({ message: 'Done.' }),
    ...answers,
  });
  const content = page ?? <PlatformsPanel preview={() => null} uploadDialog={() => <p>Upload here</p>} />;
  const shown = show(content, { api: fake.api, at: '/platforms', session: { actor: { ...admin, role } } });
  const sent = (name: string) => fake.inputsOf(name) as unknown as Record<string, never>[];
  return { ...fake, ...shown, sent };
}

const platform = (fields: Partial<LivePlatform> = {}) =>
  livePlatformOf({ securityClassification: 'RESTRICTED', audience: 'groups', usergroups: [coast._id], ...fields });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const choose = async (box: RegExp | string, option: RegExp | string) => {
  await userEvent.click(screen.getByRole('combobox', { name: box }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
  // A box for several stays open.
  if (screen.queryByRole('listbox')?.getAttribute('aria-multiselectable')) await userEvent.keyboard('{Escape}');
};

it('says how to add the first platform, by hand or by a file', async () => {
  open([]);

  expect(await screen.findByText(/Add a platform above, or upload a platforms\.yml\./)).toBeDefined();
  await press('Upload configuration');

  expect(screen.getByText('Upload here')).toBeDefined();
});

it('says who will see a platform: only super admins until a group is chosen', async () => {
  const { sent } = open([], {
    answers: {
      'POST /sharing/readers': ({ body }) => {
        const chosen = (body as unknown as { usergroups: string[] }).usergroups.length > 0;
        const groups = chosen ? [{ _id: coast._id, name: 'Coast', ceiling: 'SECRET', shows: true }] : [];
        return { everyone: false, guests: false, people: chosen ? 5 : 1, groups };
      },
    },
  });
  await press('Add platform');
  await screen.findByText('Visible only to super admins');

  await choose(/Usergroup/, /Coast/);

  await screen.findByText('Visible to 5 people: Coast, and super admins');
  expect(sent('POST /sharing/readers')[1]).toEqual({
    body: { item: 'platform', securityClassification: 'UNCLASSIFIED', audience: 'groups', usergroups: [coast._id] },
  });
});

it('adds a platform with its sensors, once a missing value was reported next to its field', async () => {
  const { sent } = open([]);
  await press('Add platform');
  await screen.findByRole('dialog', { name: 'New platform' });

  await press('Create');
  expect(screen.getByText('Empty platform name')).toBeDefined();
  expect(screen.getByText('The address is missing')).toBeDefined();
  expect(screen.getByText('Choose at least one usergroup, or everyone.')).toBeDefined();
  expect(sent('POST /platforms')).toEqual([]);

  type(/^Name \*/, 'KEA-1');
  await choose(/Usergroup/, /Coast/);
  type(/^Address/, 'udp://:5000');
  expect(screen.getByText(/^Listens: udp:\/\/:5000 on loopback/)).toBeDefined();
  await press('Create');

  await screen.findByText('Platform KEA-1 added.');
  expect(sent('POST /platforms')[0]).toMatchObject({
    body: {
      name: 'KEA-1',
      securityClassification: 'UNCLASSIFIED',
      audience: 'groups',
      usergroups: ['Coast'],
      sensors: [{ name: 'EO', type: 'video', url: 'udp://:5000', from: [] }],
    },
  });
});

describe('the test of an address', () => {
  const tested: SourceTested = {
    ...{ picture: '/9j/AA==', problem: null, name: 'KEA-1', mark: 'RESTRICTED', klv: true },
    video: { codec: 'h264', width: 1280, height: 720, frameRate: 25, hasBFrames: false, browserPlayable: true },
  };
  const start = 'Test the source of sensor EO';

  it('shows the first picture and names the platform, before anything is saved', async () => {
    const page = (
      <>
        <LabelBar />
        <PlatformsPanel preview={() => null} uploadDialog={() => null} />
      </>
    );
    const { sent } = open([], { page, answers: { 'POST /platforms/source-test': () => tested } });
    await press('Add platform');
    expect(await screen.findByRole('button', { name: start })).toHaveProperty('disabled', true);
    expect(document.activeElement).toBe(screen.getByLabelText(/^Address/));
    type(/^Address/, 'tcp://10.1.2.3:5000 ');

    await press(start);

    const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'First picture of sensor EO' });
    expect(picture.src).toBe('data:image/jpeg;base64,/9j/AA==');
    expect(screen.getByText('H.264 1280 × 720')).toBeDefined();
    expect(document.querySelector('[role="note"]')?.textContent).toBe('RESTRICTED');
    expect(screen.getByLabelText<HTMLInputElement>(/^Name \*/).value).toBe('KEA-1');
    expect(sent('POST /platforms/source-test')).toEqual([{ body: { url: 'tcp://10.1.2.3:5000', from: [] } }]);
    expect(sent('POST /platforms')).toEqual([]);
    type(/^Address/, 'tcp://10.1.2.4:5000');
    expect(screen.queryByRole('img', { name: 'First picture of sensor EO' })).toBeNull();
  });

  it('gives the reason why there is no picture, and keeps a name that was typed', async () => {
    const none = { ...tested, picture: null, mark: null, problem: 'The stream has no video' };
    open([], { answers: { 'POST /platforms/source-test': () => none } });
    await press('Add platform');
    type(/^Name \*/, 'Mine');
    type(/^Address/, 'tcp://10.1.2.3:5000');

    await press(start);

    await screen.findByText('The stream has no video');
    expect(screen.getByLabelText<HTMLInputElement>(/^Name \*/).value).toBe('Mine');
  });

  it('says why an address is refused', async () => {
    open([], { answers: { 'POST /platforms/source-test': refusing('ruleRefused', { reason: 'Not allowed.' }) } });
    await press('Add platform');
    type(/^Address/, 'tcp://127.0.0.1:5000');

    await press(start);

    await screen.findByText('Not allowed.');
  });

  it('is stopped by its button, by another address and with the dialog', async () => {
    const signals: AbortSignal[] = [];
    const fake = open([], { answers: { 'POST /platforms/source-test': () => new Promise(() => undefined) } });
    const call = fake.api.call;
    fake.api.call = (asked, input, options) => {
      if (options?.signal && asked.path === '/platforms/source-test') signals.push(options.signal);
      return call(asked, input, options);
    };
    await press('Add platform');
    type(/^Address/, 'tcp://10.1.2.3:5000');
    await press(start);
    await press('Stop the test of sensor EO');
    await press(start);
    type(/^Address/, 'tcp://10.1.2.4:5000');
    await press(start);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);

    fake.unmount();

    expect(signals[2]!.aborted).toBe(true);
  });

  it('sends for which saved sensor *** stands, and is not there for a receiver of AIS', async () => {
    const { sent } = open([platform()], { answers: { 'POST /platforms/source-test': () => tested } });
    await press('Edit OSP-21');
    await press(start);
    await screen.findByRole('img', { name: 'First picture of sensor EO' });
    const [{ body }] = sent('POST /platforms/source-test') as unknown as [{ body: { stored: object } }];
    expect(body.stored).toMatchObject({ sensor: 'EO' });

    await userEvent.click(
      within(screen.getByRole('region', { name: 'Sensor 1' })).getByRole('combobox', { name: 'Type' }),
    );
    await userEvent.click(await screen.findByRole('option', { name: 'AIS' }));

    await waitFor(() => expect(screen.queryByRole('button', { name: start })).toBeNull());
  });
});

it('keeps 30 s from before a recording that begins by itself by default', async () => {
  const { sent } = open([platform()]);
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  const seconds = () => screen.getByLabelText<HTMLInputElement>(/^Pre-roll \(s\)/).value;
  const presence = () => userEvent.click(screen.getByRole('switch', { name: /^Record automatically/ }));

  expect(seconds()).toBe('0');
  await presence();
  expect(seconds()).toBe('30');
  await presence();
  expect(seconds()).toBe('0');
  type(/^Pre-roll \(s\)/, '12');
  await presence();
  expect(seconds()).toBe('12');
  await press('Save');

  await screen.findByText('Platform OSP-21 updated.');
  expect(sent('PUT /platforms/:id')[0]).toMatchObject({ body: { record: { onPresence: true, preRollSeconds: 12 } } });
});

it('refuses two sensors of one name, and a time of the week that is none', async () => {
  open([]);
  await press('Add platform');
  await press('Add sensor');
  const [first, second] = screen.getAllByRole('region', { name: /^Sensor \d/ });
  fireEvent.change(within(second!).getByLabelText('Name'), { target: { value: 'EO' } });
  await userEvent.type(screen.getByRole('combobox', { name: 'Recording schedule (UTC)' }), 'Monday{Enter}');

  await press('Create');

  expect(within(second!).getByText('Sensor name EO already exists on this platform')).toBeDefined();
  expect(within(first!).queryByText(/already exists/)).toBeNull();
  expect(screen.getByText(/Not a time of the week/)).toBeDefined();
});

it('asks for the kind of a sensor, and says what addresses a receiver of AIS takes', async () => {
  const sensors = [{ name: 'Harbour', description: '', type: 'ais' as const, url: 'udp://:5000', from: [] }];
  const { sent } = open([platform()], { answers: { 'GET /platforms/:id/config': () => configOf({ sensors }) } });
  await press('Edit OSP-21');
  const sensor = await screen.findByRole('region', { name: 'Sensor 1' });
  expect(within(sensor).getByRole('combobox', { name: 'Type' }).textContent).toBe('AIS');
  expect(within(sensor).getByText(/udp:\/\/:10110 on loopback/)).toBeDefined();

  fireEvent.change(within(sensor).getByLabelText('Description'), { target: { value: 'Mole' } });
  await press('Save');

  await screen.findByText('Platform OSP-21 updated.');
  expect(sent('PUT /platforms/:id')[0]).toMatchObject({ body: { sensors: [{ type: 'ais', description: 'Mole' }] } });
});

it('keeps a stored password that is shown as ***, and sends what was changed', async () => {
  const { sent } = open([platform()]);
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  expect(screen.getByText(/\*\*\* is the stored password/)).toBeDefined();

  const general = screen.getByRole('region', { name: 'Platform' });
  fireEvent.change(within(general).getByLabelText('Description'), { target: { value: 'West of Kea' } });
  await press('Save');

  await screen.findByText('Platform OSP-21 updated.');
  expect(sent('PUT /platforms/:id')[0]).toMatchObject({
    query: {},
    body: { description: 'West of Kea', usergroups: ['Coast'], sensors: [{ url: 'rtsp://camera:***@10.1.2.3/main' }] },
  });
});

it('does not revert what another user saved while it was open', async () => {
  let revision = 'first';
  const { sent, queries } = open([platform()], {
    answers: { 'GET /platforms/:id/config': () => configOf({ revision }) },
  });
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  revision = 'second';
  await queries.invalidateQueries({ queryKey: ['platforms'] });
  await press('Save');

  await waitFor(() => expect(sent('PUT /platforms/:id')).toHaveLength(1));
  expect(sent('PUT /platforms/:id')[0]).toMatchObject({ body: { revision: 'first' } });
});

function openUnmarked() {
  const { securityClassification: _label, ...unmarked } = configOf();
  return open([platform({ marked: false })], { answers: { 'GET /platforms/:id/config': () => unmarked } });
}

it('leaves a platform unmarked whose label was never chosen', async () => {
  const { sent } = openUnmarked();
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  await press('Save');
  await waitFor(() => expect(sent('PUT /platforms/:id')).toHaveLength(1));
  expect(sent('PUT /platforms/:id')[0]!.body).not.toHaveProperty('securityClassification');
});

it('wants a reason where a label goes down', async () => {
  const { sent } = openUnmarked();
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  await choose('Security classification', 'UNCLASSIFIED');
  await press('Save');
  expect(sent('PUT /platforms/:id')).toHaveLength(0);
  type(/^Reason/, 'Exercise is public');
  await press('Save');

  await waitFor(() => expect(sent('PUT /platforms/:id')).toHaveLength(1));
  expect(sent('PUT /platforms/:id')[0]).toMatchObject({
    query: { reason: 'Exercise is public' },
    body: { securityClassification: 'UNCLASSIFIED' },
  });
});

it('says in an alert what the server refuses, and keeps what was typed', async () => {
  open([platform()], {
    answers: { 'PUT /platforms/:id': refusing('ruleRefused', { reason: 'The port is missing.' }) },
  });
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });
  type(/^Name \*/, 'OSP-22');
  await press('Save');

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain('Error updating platform OSP-22: The port is missing.');
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));

  expect(screen.getByLabelText<HTMLInputElement>(/^Name \*/).value).toBe('OSP-22');
});

it('names what goes with a platform before it is deleted', async () => {
  const sensors = [liveSensorOf({ name: 'EO' }), liveSensorOf({ name: 'IR' })];
  const { sent } = open([platform({ sensors, live: true, missionName: 'OSP-21-20261104-130500' })]);

  await press('Delete OSP-21');
  const question = await screen.findByRole('alertdialog', { name: 'Delete OSP-21?' });
  expect(question.textContent).toContain('OSP-21 and its 2 sensors are deleted: EO, IR.');
  expect(question.textContent).toContain('Its recording OSP-21-20261104-130500 continues');
  expect(sent('DELETE /platforms/:id')).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Platform OSP-21 deleted.');
});

it('switches sources on and off without recording', async () => {
  const { sent } = open([platform({ sensors: [liveSensorOf({ on: false, state: 'offline' })] })], {
    answers: { 'POST /platforms/control': () => ({ message: 'Done.', mission: null, warning: null }) },
  });

  await press('Switch on OSP-21');

  await screen.findByText('Platform OSP-21 started.');
  expect(sent('POST /platforms/control')[0]).toEqual({
    query: { command: 'start' },
    body: { platformName: 'OSP-21', platformType: 'Plane', sensors: [] },
  });
});

it('offers no setting up to a group admin', async () => {
  open([platform()], { role: 'groupAdmin' });
  await screen.findByText('OSP-21');

  expect(screen.queryByRole('button', { name: 'Edit OSP-21' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add platform' })).toBeNull();
});

it('changes who sees a platform, with a reason where more people do', async () => {
  const { sent } = open([platform()], { page: <PlatformInfoPanel /> });
  expect(await screen.findByText('Coast')).toBeDefined();

  await userEvent.click(screen.getByText('OSP-21'));
  await screen.findByRole('dialog', { name: 'Usergroups of OSP-21' });
  await choose(/Usergroup/, /North/);
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  type(/^Reason/, 'Joint exercise');
  await press('Save');

  await screen.findByText('Usergroups of OSP-21 updated.');
  expect(sent('PUT /platforms/usergroups/:name')).toEqual([
    { params: { name: 'OSP-21' }, query: { ids: `${coast._id},${north._id}`, reason: 'Joint exercise' } },
  ]);
});

it('says in an alert why the usergroups of a platform cannot be changed', async () => {
  open([platform()], {
    page: <PlatformInfoPanel />,
    answers: { 'PUT /platforms/usergroups/:name': refusing('ruleRefused', { reason: 'It is being recorded.' }) },
  });
  await userEvent.click(await screen.findByText('OSP-21'));
  await screen.findByRole('dialog', { name: 'Usergroups of OSP-21' });
  await choose(/Usergroup/, /North/);
  type(/^Reason/, 'Joint exercise');

  await press('Save');

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain('Error updating usergroups of OSP-21: It is being recorded.');
});

it('has no serious accessibility finding in its dialogs', async () => {
  const { baseElement } = open([platform()]);
  await press('Edit OSP-21');
  await screen.findByRole('dialog', { name: 'Edit platform' });

  expect(await seriousFindings(baseElement)).toEqual([]);
});
