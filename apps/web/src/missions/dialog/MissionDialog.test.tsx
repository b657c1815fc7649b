// @vitest-environment jsdom
import type { Actor, Mission, Usergroup } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, missionOf, refusing, sensorOf, usergroupOf } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { startUpload } from '../../uploads/uploads.ts';
import { emptyInspection } from '../add/inspect.ts';
import { inspect } from '../add/inspector.ts';
import { nextName } from './form.ts';
import { MissionDialog } from './MissionDialog.tsx';

vi.mock(import('../add/inspector.ts'), () => ({ inspect: vi.fn(), openInspector: vi.fn() }));
// Sending is tested in another file; here only the request that the dialog makes.
vi.mock(import('../../uploads/uploads.ts'), async (original) => ({ ...(await original()), startUpload: vi.fn() }));

beforeEach(() => {
  localStorage.clear();
  vi.mocked(startUpload).mockClear();
  vi.mocked(inspect).mockReset().mockResolvedValue(emptyInspection);
});
afterEach(cleanup);

const demo = usergroupOf();
const watch = usergroupOf({ name: 'Aegean watch', securityClassification: 'SECRET' });
const harbour = usergroupOf({ name: 'Harbour', securityClassification: 'RESTRICTED' });

type Options = { mission?: Mission; actor?: Actor; groups?: Usergroup[]; styled?: true; files?: File[] };

/** Responses of a server that keeps the body. */
const kept: Answers = {
  'POST /missions': ({ body }) => {
    const { sensors, ...fields } = body as unknown as { sensors: { name: string }[] };
    return missionOf({ ...fields, sensors: sensors.map((sensor) => sensorOf(sensor)) });
  },
  'PUT /missions': () => missionOf({ name: 'Alpha' }),
};

async function open(answers: Answers = {}, options: Options = {}) {
  const { mission, actor = admin, groups = [demo, watch, harbour], styled, files } = options;
  const [onClose, onCreated, onOpen] = [vi.fn(), vi.fn(), vi.fn()];
  const fake = fakeApi({
    'GET /missions/brief': () => [missionOf({ name: 'Taken' })],
    'GET /tags': () => ['patrol'],
    'GET /usergroups': () => groups,
    'GET /countryCodes': () => [{ code: 'GR', name: 'Greece' }],
    'GET /platformTypes': () => ['Plane', 'Helicopter'],
    ...kept,
    ...answers,
  });
  const shown = show(<MissionDialog mission={mission ?? null} {...{ onCreated, onOpen, onClose }} />, {
    api: fake.api,
    session: { actor },
    ...(styled && { styled }),
  });
  await screen.findByRole('dialog');
  if (files) {
    await goToSensors();
    drop('EO/IR', ...files);
    await press(/General/);
  }
  return { ...fake, ...shown, onClose, onCreated, onOpen };
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const ts = (name = 'kea.ts') => new File(['G'], name, { type: 'video/mp2t', lastModified: 1 });
const choose = async (field: string, option: string | RegExp) => {
  await userEvent.click(screen.getByRole('combobox', { name: field }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
  // A list of several stays open.
  if (screen.queryByRole('listbox')?.getAttribute('aria-multiselectable') === 'true')
    await userEvent.keyboard('{Escape}');
};
async function goToSensors() {
  await press('Next');
  await press('Skip');
}
const drop = (sensor: string, ...files: File[]) =>
  fireEvent.change(screen.getByTestId(`files-${sensor}`), { target: { files } });

it('begins with the defaults of the specification', async () => {
  await open();

  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('NewMission');
  const description = screen.getByLabelText<HTMLInputElement>('Description');
  expect([description.value, description.placeholder]).toEqual(['', 'Description']);
  expect(screen.getByRole('combobox', { name: 'Security classification' }).textContent).toBe('UNCLASSIFIED');
  expect(screen.getByRole('combobox', { name: 'Usergroup' }).textContent).toBe('Demo');

  await press('Next');
  expect(screen.getByLabelText<HTMLInputElement>('Platform name').value).toBe('-');
  expect(screen.getByRole('combobox', { name: 'Platform type' }).textContent).toBe('Plane');
  expect(screen.getByLabelText<HTMLInputElement>('Colour').value).toBe('#004dcf');
  expect(screen.getByLabelText<HTMLInputElement>('Sort order').value).toBe('0');

  await press('Next');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('EO/IR');
  expect(screen.getByRole('combobox', { name: 'Type' }).textContent).toBe('video');
});

it('says at once who will see the mission, and again when its label changes', async () => {
  const { inputsOf } = await open({
    'POST /sharing/readers': ({ body }) => {
      const isOpen = (body as unknown as { securityClassification: string }).securityClassification === 'UNCLASSIFIED';
      const groups = [{ _id: demo._id, name: 'Demo', ceiling: 'UNCLASSIFIED', shows: isOpen }];
      return { everyone: isOpen, guests: isOpen, people: isOpen ? 12 : 2, groups };
    },
  });
  await screen.findByText('Visible to everyone, including guests');

  await choose('Security classification', 'SECRET');

  await screen.findByText('Visible only to super admins');
  expect(screen.getByText('Demo does not show SECRET: its ceiling is UNCLASSIFIED')).toBeDefined();
  const requested = { item: 'mission', audience: 'groups', usergroups: [demo._id] };
  expect(inputsOf('POST /sharing/readers')).toEqual(
    ['UNCLASSIFIED', 'SECRET'].map((securityClassification) => ({ body: { ...requested, securityClassification } })),
  );
});

it('lets only Presentation be skipped, and says when all steps are completed', async () => {
  await open();
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull();
  expect(screen.getByText('Optional')).toBeDefined();

  await press('Next');
  await press('Skip');
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull();

  await press('Next');
  expect(screen.getByText('All steps completed. Press OK to submit.')).toBeDefined();
});

it('takes a sort order below zero as it is typed, and the farthest there is for one beyond', async () => {
  const { inputsOf } = await open();
  await press('Next');
  const field = screen.getByLabelText<HTMLInputElement>('Sort order');

  await userEvent.clear(field);
  await userEvent.type(field, '-5000000');
  expect(field.value).toBe('-5000000');
  await userEvent.tab();
  expect(field.value).toBe('-1000000');
  await userEvent.clear(field);
  await userEvent.type(field, '-5');
  await press('Skip');
  drop('EO/IR', ts());
  await press('Create');

  await waitFor(() => expect(inputsOf('POST /missions')).toHaveLength(1));
  expect(inputsOf('POST /missions')[0]).toMatchObject({ body: { sortOrder: -5 } });
});

it('goes on to the next step by Enter in a field, and stays where something is wrong', async () => {
  await open();
  const name = screen.getByLabelText(/^Name/);

  await userEvent.clear(name);
  await userEvent.type(name, '{Enter}');
  expect(screen.getByText('Empty Mission name')).toBeDefined();
  await userEvent.type(name, 'Kea{Enter}');
  await userEvent.type(await screen.findByLabelText('Platform name'), '{Enter}');

  expect(await screen.findByRole('combobox', { name: 'Type' })).toBeDefined();
});

it('creates the mission, then sends the files of its sensors', async () => {
  const { inputsOf, onClose } = await open();
  await goToSensors();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);

  drop('EO/IR', ts('one.ts'), ts('two.ts'));
  await press('Create');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(inputsOf('POST /missions')).toEqual([
    {
      body: expect.objectContaining({
        name: 'one',
        securityClassification: 'UNCLASSIFIED',
        audience: 'groups',
        usergroups: [demo._id],
        sensors: [{ name: 'EO/IR', description: '', type: 'video' }],
      }),
    },
  ]);
  expect(vi.mocked(startUpload).mock.calls.map(([file, target]) => [file.name, target])).toEqual([
    ['one.ts', expect.objectContaining({ kind: 'sensor', sensorName: 'EO/IR' })],
    ['two.ts', expect.objectContaining({ kind: 'sensor', sensorName: 'EO/IR' })],
  ]);
  expect(screen.getByText('Mission one added.')).toBeDefined();
});

/** Makes a mission, which the browser then remembers, and leaves the dialog. */
async function createRemembered(): Promise<void> {
  await open();
  await goToSensors();
  drop('EO/IR', ts());
  await press('Create');
  await waitFor(() => expect(localStorage.getItem('lastMission')).not.toBeNull());
  cleanup();
}

it('remembers the last mission with a dash after its name', async () => {
  await createRemembered();

  await open();

  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('kea-');
});

it('offers what the dropped file says in place of the defaults, and opens the mission that was made', async () => {
  const inspection = { ...emptyInspection, missionId: 'Kea Night', platform: 'KEA-1', sensor: 'EO Nose' };
  vi.mocked(inspect).mockResolvedValue(inspection);
  const { inputsOf, onCreated, onOpen } = await open({}, { files: [ts('flight 7.ts')] });

  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Kea-Night'));
  await goToSensors();
  await press('Create');

  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
  expect(inputsOf('POST /missions')).toMatchObject([
    { body: { name: 'Kea-Night', platform: { name: 'KEA-1' }, sensors: [{ name: 'EO Nose' }] } },
  ]);
  expect(vi.mocked(startUpload).mock.calls.map(([file]) => file.name)).toEqual(['flight 7.ts']);
  // Below the dialog, which its owner closes.
  await userEvent.click(screen.getByRole('button', { name: 'Open', hidden: true }));
  expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ name: 'Kea-Night' }));
});

it('offers the name of the file where that says nothing, and leaves what was typed', async () => {
  await open({}, { files: [ts('flight 7.ts')] });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('flight-7'));
  cleanup();

  await open();
  const field = screen.getByLabelText<HTMLInputElement>(/^Name/);
  // The form begins in its first field, with the default selected.
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard('Mine');
  await goToSensors();
  drop('EO/IR', ts('flight 7.ts'));
  await waitFor(() => expect(inspect).toHaveBeenCalledTimes(2));
  await press(/General/);

  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Mine');
});

it('leaves what the last mission offers, whatever the file says', async () => {
  await createRemembered();
  vi.mocked(inspect).mockResolvedValue({ ...emptyInspection, missionId: 'Kea', platform: 'KEA-1', sensor: 'EO' });

  await open({}, { files: [ts('flight 7.ts')] });
  await goToSensors();

  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('EO/IR');
  await press(/General/);
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('kea-');
});

it('begins for another account with the defaults: the last mission of somebody else is not theirs to know', async () => {
  localStorage.setItem('password', 'device');
  localStorage.setItem('username', 'ana');
  await createRemembered();

  localStorage.setItem('username', 'bob');
  await open();
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('NewMission');
  cleanup();

  localStorage.setItem('username', 'ana');
  await open();
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('kea-');
});

it.each([
  ['A B', 'Spaces are not allowed'],
  ['', 'Empty Mission name'],
  ['Taken', 'Mission name Taken already exists'],
])('does not go on with the name "%s": %s', async (name, text) => {
  await open();

  const field = screen.getByLabelText(/^Name/);
  await userEvent.clear(field);
  if (name !== '') await userEvent.paste(name);

  expect(await screen.findByText(text)).toBeDefined();
  await press('Next');
  expect(screen.queryByLabelText('Platform name')).toBeNull();
});

it('numbers the name that it offers where that is taken, and leaves one that was typed', async () => {
  const names = ['NewMission', 'NewMission-2', 'Kea'];
  await open({ 'GET /missions/brief': () => names.map((name) => missionOf({ name })) });

  const field = screen.getByLabelText<HTMLInputElement>(/^Name/);
  await waitFor(() => expect(field.value).toBe('NewMission-3'), { timeout: 5000 });
  await userEvent.clear(field);
  await userEvent.type(field, 'Kea');

  expect(await screen.findByText('Mission name Kea already exists')).toBeDefined();
  expect(field.value).toBe('Kea');
});

it.each([
  ['Kea', 'Kea-2'],
  ['Kea-2', 'Kea-3'],
  ['Kea-', 'Kea--2'],
  ['Kea-9', 'Kea-10'],
  ['x'.repeat(64), `${'x'.repeat(62)}-2`],
])('offers, where "%s" is taken, "%s"', (name, offered) => {
  expect(nextName(name)).toBe(offered);
});

it('makes a dash of a space that is typed into the name', async () => {
  await open();

  const field = screen.getByLabelText<HTMLInputElement>(/^Name/);
  await userEvent.clear(field);
  await userEvent.type(field, 'Night ferry');
  expect(field.value).toBe('Night-ferry');
  await press('Next');

  expect(await screen.findByLabelText('Platform name')).toBeDefined();
});

it('keeps Demo ticked for what is UNCLASSIFIED, with everyone as the first choice', async () => {
  await open();

  await userEvent.click(screen.getByRole('combobox', { name: 'Usergroup' }));

  const options = screen.getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Everyone (all users)',
    'Demoup to UNCLASSIFIED',
    'Aegean watchup to SECRET',
    'Harbourup to RESTRICTED',
  ]);
  expect(options[1]?.getAttribute('aria-selected')).toBe('true');
  expect(options[1]?.getAttribute('aria-disabled')).toBe('true');
});

it('asks for another group above UNCLASSIFIED and does not send Demo', async () => {
  const { inputsOf } = await open();

  await choose('Security classification', 'CONFIDENTIAL');
  expect(await screen.findByText('Demo shows UNCLASSIFIED only. Choose another usergroup.')).toBeDefined();
  await press('Next');
  expect(screen.queryByLabelText('Platform name')).toBeNull();

  await userEvent.click(screen.getByRole('combobox', { name: 'Usergroup' }));
  expect(screen.getByRole('option', { name: /Harbour/ }).getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{Escape}');
  await choose('Usergroup', /Aegean watch/);
  await goToSensors();
  drop('EO/IR', ts());
  await press('Create');

  await waitFor(() =>
    expect(inputsOf('POST /missions')[0]).toMatchObject({
      body: { securityClassification: 'CONFIDENTIAL', usergroups: [watch._id] },
    }),
  );
});

it('shares the mission with several usergroups', async () => {
  const { inputsOf } = await open();

  await choose('Usergroup', /Aegean watch/);
  await goToSensors();
  drop('EO/IR', ts());
  await press('Create');

  await waitFor(() =>
    expect(inputsOf('POST /missions')[0]).toMatchObject({
      body: { usergroups: [demo._id, watch._id] }, // S1-301
    }),
  );
});

it('offers labels up to the own clearance only', async () => {
  await open({}, { actor: { ...admin, clearance: 'RESTRICTED' } });

  await userEvent.click(screen.getByRole('combobox', { name: 'Security classification' }));

  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['UNCLASSIFIED', 'RESTRICTED']);
});

it('offers a group admin only the administered groups', async () => {
  const actor: Actor = {
    ...admin,
    role: 'groupAdmin',
    groups: [{ _id: watch._id, ceiling: 'SECRET' }],
    administered: [watch._id],
  };
  await open({}, { actor });

  await userEvent.click(screen.getByRole('combobox', { name: 'Usergroup' }));

  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Aegean watchup to SECRET']);
});

it('takes only the files it says, and each once', async () => {
  await open();
  await goToSensors();

  drop('EO/IR', new File(['x'], 'virus.exe'), ts());
  expect(await screen.findByText(/^virus\.exe cannot be added\./)).toBeDefined();
  drop('EO/IR', ts());

  expect(screen.getAllByText('kea.ts')).toHaveLength(1);
  expect(screen.getByText('1 file', { selector: 'div' })).toBeDefined();
});

it('adds and removes sensors, and refuses a name twice', async () => {
  await open();
  await goToSensors();
  await press('Add sensor');
  const second = within(screen.getByRole('region', { name: 'Sensor 2' }));

  await userEvent.clear(second.getByLabelText('Name'));
  await userEvent.type(second.getByLabelText('Name'), 'EO/IR');
  expect(screen.getAllByText('Sensor name EO/IR already exists in this mission')).toHaveLength(2);

  await userEvent.click(second.getByRole('button', { name: 'Remove sensor EO/IR' }));
  expect(screen.queryByRole('region', { name: 'Sensor 2' })).toBeNull();
});

it('warns of sensors without files', async () => {
  await open();
  await goToSensors();
  await press('Add sensor');
  drop('EO/IR', ts());

  await press('Create');

  const alert = within(await screen.findByRole('alertdialog', { name: 'Warning' }));
  expect(alert.getByText('kea/EO/IR-2 does not have files to upload')).toBeDefined();
});

it('keeps what was typed when saving fails', async () => {
  const { onClose } = await open({ 'POST /missions': refusing('missionNameTaken', { name: 'kea' }) });
  await goToSensors();
  drop('EO/IR', ts());

  await press('Create');

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain('Error adding mission: Mission name kea already exists');
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  expect(screen.getByText('kea.ts')).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
  expect(startUpload).not.toHaveBeenCalled();
});

const stored = (fields: Partial<Mission> = {}) =>
  missionOf({
    name: 'Alpha',
    securityClassification: 'RESTRICTED',
    usergroups: [watch._id],
    sensors: [sensorOf({ name: 'EO', assets: [] })],
    revision: 7,
    ...fields,
  });

it('is renamed from its dialog, and goes on with the new name and revision', async () => {
  let mission = stored();
  const { inputsOf, onClose } = await open(
    {
      'GET /missions/:mission': () => mission,
      'PUT /missions/:mission/name': ({ body }) => {
        mission = { ...mission, name: (body as unknown as { name: string }).name, revision: 8 };
        return mission;
      },
    },
    { mission },
  );
  await press('Rename …');
  const field = within(await screen.findByRole('dialog', { name: /^Rename Alpha/ })).getByLabelText(/^New name|^Name/);
  await userEvent.clear(field);
  await userEvent.type(field, 'Beta{Enter}');
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Beta'));

  await userEvent.type(screen.getByLabelText('Description'), '!');
  await press('Update');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(inputsOf('PUT /missions')).toMatchObject([{ body: { name: 'Beta', revision: 8 } }]);
});

it('changes only what was changed; name and type of known sensors stay', async () => {
  const mission = stored();
  const { inputsOf, onClose } = await open({}, { mission });
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).disabled).toBe(true);
  await userEvent.type(screen.getByLabelText('Description'), '!');
  await press(/Sensors/);
  expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(true);
  expect(screen.getByRole('combobox', { name: 'Type' }).getAttribute('aria-disabled')).toBe('true');

  await press('Update');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(inputsOf('PUT /missions')).toEqual([
    {
      body: {
        _id: mission._id,
        name: 'Alpha',
        description: 'Description!',
        sensors: [{ name: 'EO', description: '', type: 'video' }],
        revision: 7,
      },
    },
  ]);
  expect(screen.getByText('Mission Alpha updated.')).toBeDefined();
});

it('asks for a reason before a label is lowered or a group added, not when it rises', async () => {
  const { inputsOf } = await open({}, { mission: stored() });
  await choose('Security classification', 'SECRET');
  expect(screen.queryByLabelText(/^Reason/)).toBeNull();

  await choose('Security classification', 'UNCLASSIFIED');
  await press('Update');
  expect(inputsOf('PUT /missions')).toEqual([]);
  await userEvent.type(screen.getByLabelText(/^Reason/), 'released by the staff');
  await press('Update');

  await waitFor(() =>
    expect(inputsOf('PUT /missions')[0]).toMatchObject({
      body: { securityClassification: 'UNCLASSIFIED', reason: 'released by the staff' },
    }),
  );
});

it('names the mission when a change is refused', async () => {
  await open({ 'PUT /missions': refusing('revisionConflict') }, { mission: stored() });
  await userEvent.type(screen.getByLabelText('Description'), '!');

  await press('Update');

  expect((await screen.findByRole('alertdialog', { name: 'Error' })).textContent).toContain(
    'Error editing mission Alpha : Somebody else changed this meanwhile. Please reload and try again.',
  );
});

it('speaks of the update where a change got no answer', async () => {
  const unanswered = () => {
    throw new Error('The connection was lost.');
  };
  await open({ 'PUT /missions': unanswered }, { mission: stored() });
  await userEvent.type(screen.getByLabelText('Description'), '!');

  await press('Update');

  expect((await screen.findByRole('alertdialog', { name: 'Error' })).textContent).toContain('Error updating mission: ');
});

it('rates what was recorded, not what is being recorded', async () => {
  await open({}, { mission: stored({ state: 'Ready' }) });
  expect(screen.getByRole('group', { name: 'Rating' })).toBeDefined();
  cleanup();

  await open({}, { mission: stored({ state: 'Running' }) });
  expect(screen.queryByRole('group', { name: 'Rating' })).toBeNull();
});

it('opens the list of usergroups no higher than 224 px', async () => {
  await open({}, { styled: true });

  await userEvent.click(screen.getByRole('combobox', { name: 'Usergroup' }));

  const paper = (await screen.findByRole('listbox')).closest<HTMLElement>('.MuiPaper-root');
  expect(getComputedStyle(paper!).maxHeight).toBe('224px');
});

it('asks before what was typed is lost, and only then', async () => {
  const { onClose } = await open();
  await userEvent.type(screen.getByLabelText('Description'), '!');

  await press('Close');
  expect(onClose).not.toHaveBeenCalled();
  await press('Discard');

  expect(onClose).toHaveBeenCalledOnce();
});

it('has no serious accessibility finding in any step', async () => {
  const { baseElement } = await open();
  expect(await seriousFindings(baseElement)).toEqual([]);
  await press('Next');
  expect(await seriousFindings(baseElement)).toEqual([]);
  await press('Skip');
  drop('EO/IR', ts());
  expect(await seriousFindings(baseElement)).toEqual([]);
});

it('does not begin before the groups are known', () => {
  const fake = fakeApi({ 'GET /usergroups': () => new Promise(() => undefined) });

  show(<MissionDialog mission={null} onClose={vi.fn()} />, { api: fake.api });

  expect(screen.queryByRole('dialog')).toBeNull();
});
