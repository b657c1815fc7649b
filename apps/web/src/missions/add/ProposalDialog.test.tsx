// @vitest-environment jsdom
import type { Mission } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, missionOf, refusing, sensorOf, usergroupOf } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { uploadStore } from '../../uploads/upload-store.ts';
import { type Accepted, AddByDrop } from './AddByDrop.tsx';
import { ProposalDialog } from './ProposalDialog.tsx';

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('username', 'ana');
  localStorage.setItem('password', 'device');
});
afterEach(() => {
  cleanup();
  for (const { id } of uploadStore.all()) uploadStore.remove(id);
});

const demo = usergroupOf();

/** The suffix is that of a container, which no worker inspects. */
const fileOf = (path: string) => ({ path, file: new File(['G'], path.split('/').at(-1)!, { lastModified: 1 }) });
const takenOf = (...paths: string[]): Accepted => ({ files: paths.map(fileOf), refused: [], more: false });

const stored: Answers = {
  'POST /missions': ({ body }) => {
    const { sensors, ...fields } = body as unknown as { sensors: { name: string }[] };
    return missionOf({ ...fields, sensors: sensors.map((sensor) => sensorOf(sensor)) });
  },
};

async function open(accepted: Accepted, answers: Answers = {}) {
  const [onCreated, onOpen, onClose] = [vi.fn<(made: readonly Mission[]) => void>(), vi.fn(), vi.fn()];
  const fake = fakeApi({ 'GET /usergroups': () => [demo], ...stored, ...answers });
  const shown = show(<ProposalDialog accepted={accepted} {...{ onCreated, onOpen, onClose }} />, { api: fake.api });
  await screen.findByRole('button', { name: /^Create/ });
  return { ...fake, ...shown, onCreated, onClose };
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const names = () => screen.queryAllByLabelText<HTMLInputElement>('Mission name').map(({ value }) => value);
const bodies = (inputs: readonly { body?: unknown }[]) => inputs.map(({ body }) => body as { name: string });
const sent = () =>
  uploadStore
    .all()
    .map(({ fileName, target }) =>
      target.kind === 'sensor' ? `${target.missionName}/${target.sensorName}/${fileName}` : fileName,
    );

it('creates the proposed missions and sends their files', async () => {
  const { inputsOf, onCreated, onClose, baseElement } = await open({
    ...takenOf('day/Kea/EO/1.mp4', 'day/Kea/IR/1.mp4', 'day/Milos/1.mp4'),
    refused: [{ name: 'day/notes.pdf' }],
  });
  expect(names()).toEqual(['Kea', 'Milos']);
  expect(screen.getByText(/^Left out, because they are not recordings: day\/notes\.pdf\./)).toBeDefined();
  expect(await seriousFindings(baseElement)).toEqual([]);

  await press('Create 2 missions');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(inputsOf('POST /missions')).toMatchObject([
    {
      body: {
        name: 'Kea',
        description: '',
        securityClassification: 'UNCLASSIFIED',
        sensors: [{ name: 'EO' }, { name: 'IR' }],
      },
    },
    { body: { name: 'Milos', platform: { name: '-' }, sensors: [{ name: 'EO/IR' }] } },
  ]);
  expect(onCreated.mock.lastCall?.[0]).toHaveLength(2);
  expect(sent()).toEqual(['Kea/EO/1.mp4', 'Kea/IR/1.mp4', 'Milos/EO/IR/1.mp4']);
  expect(screen.getByText('2 missions added.')).toBeDefined();
});

it('says what telemetry is joined to, and counts small files in small units', async () => {
  await open(takenOf('Kea.mp4', 'Kea.srt', 'years-away.gpx'));

  screen.getByText('Kea.srt is added as telemetry of Kea.mp4.');
  screen.getByText('No recording has this name: years-away.gpx is added as telemetry to sensor EO/IR.');
  expect(screen.getAllByText('1 B')).toHaveLength(3);
});

it('moves a file by keyboard to another sensor, a new mission or out of it, and keeps the focus on it', async () => {
  await open(takenOf('Kea/1.mp4', 'Kea/2.mp4', 'Milos/3.mp4'));
  const moveTo = async (file: string, place: string) => {
    act(() => screen.getByRole('button', { name: `Move ${file}` }).focus());
    await userEvent.keyboard('{Enter}');
    const item = await screen.findByRole('menuitem', { name: place });
    act(() => item.focus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(`Move ${file}`));
  };
  const filesIn = (name: string) =>
    within(screen.getByRole('region', { name }))
      .queryAllByText(/mp4$/)
      .map(({ textContent }) => textContent);

  await moveTo('Milos/3.mp4', 'Kea / EO/IR');
  expect(names()).toEqual(['Kea']);
  expect(screen.getByText('1 file: moved to Kea / EO/IR')).toBeDefined();
  await moveTo('Kea/2.mp4', 'New mission');
  expect(filesIn('Mission 2')).toEqual(['Kea/2.mp4']);
  await moveTo('Kea/1.mp4', 'Leave out');
  expect(filesIn('Left out')).toEqual(['Kea/1.mp4']);
  await moveTo('Kea/1.mp4', 'New sensor in Kea');

  expect(screen.queryByRole('region', { name: 'Left out' })).toBeNull();
  const sensors = within(screen.getByRole('region', { name: 'Mission 1' })).getAllByLabelText<HTMLInputElement>(
    'Sensor name',
  );
  expect(sensors.map(({ value }) => value)).toEqual(['EO/IR', 'EO/IR-2']);
});

it('makes 20 missions a press, and the others by the next', async () => {
  const paths = Array.from({ length: 23 }, (_, n) => `flight ${String.fromCharCode(97 + n)}/1.mp4`);
  const { inputsOf, onClose } = await open(takenOf(...paths));

  await press('Create 20 of 23 missions');
  await screen.findByText('20 missions added. 3 missions are left to create.');
  expect(onClose).not.toHaveBeenCalled();
  await press('Create 3 missions');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(new Set(bodies(inputsOf('POST /missions')).map(({ name }) => name)).size).toBe(23);
});

it('keeps what was refused with the reason, to be pressed again, and what was made stays', async () => {
  let isFull = true;
  const { onClose } = await open(takenOf('Kea/1.mp4', 'Milos/1.mp4'), {
    'POST /missions': (input) => {
      const { name } = input.body as unknown as { name: string };
      return name === 'Milos' && isFull ? refusing('diskFull')(input) : stored['POST /missions']!(input);
    },
  });

  await press('Create 2 missions');
  await waitFor(() => expect(names()).toEqual(['Milos']));
  expect(screen.getByLabelText('Mission name').getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual(['Kea/EO/IR/1.mp4']);
  expect(screen.getByText('Mission Kea added. 1 mission is left to create.')).toBeDefined();
  isFull = false;
  await press('Create 1 mission');

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent()).toEqual(['Kea/EO/IR/1.mp4', 'Milos/EO/IR/1.mp4']);
});

it('numbers a name that is taken, unless it was typed', async () => {
  const accepted: Answers = {
    'POST /missions': (input) => {
      const { name } = input.body as unknown as { name: string };
      return name === 'Kea' ? refusing('missionNameTaken', { name })(input) : stored['POST /missions']!(input);
    },
  };
  const { onCreated } = await open(takenOf('Kea/1.mp4', 'Kea/2.mp4'), accepted);
  await press('Create 1 mission');
  await waitFor(() => expect(onCreated.mock.lastCall?.[0][0]?.name).toBe('Kea-2'));
  cleanup();

  await open(takenOf('Kea/1.mp4', 'Kea/2.mp4'), accepted);
  await userEvent.type(screen.getByLabelText('Mission name'), '{Backspace}a');
  await press('Create 1 mission');
  expect(await screen.findByText('Mission name Kea already exists')).toBeDefined();
});

it('does not create what has a bad name', async () => {
  await open(takenOf('Kea/1.mp4', 'Milos/1.mp4'));
  const [first] = screen.getAllByLabelText('Mission name');
  await userEvent.clear(first!);
  await userEvent.type(first!, 'Milos');

  expect(screen.getAllByText('Two missions have this name')).toHaveLength(2);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Create/ }).disabled).toBe(true);
});

it('takes what is pasted or dropped on the page, names what it cannot take, and leaves text alone', async () => {
  const onAccepted = vi.fn<(accepted: Accepted) => void>();
  show(<AddByDrop onAccepted={onAccepted} />, { api: fakeApi({}).api });
  const data = (...files: File[]) => ({ types: ['Files'], items: files.map((file) => ({ getAsFile: () => file })) });
  const namesOf = ({ files, refused }: Accepted) => [files.map(({ path }) => path), refused.map(({ name }) => name)];

  fireEvent.paste(document.body, {
    clipboardData: data(new File([''], 'kea.ts'), new File([''], 'a.exe'), new File([''], '.DS_Store')),
  });
  await waitFor(() => expect(onAccepted).toHaveBeenCalledOnce());
  expect(namesOf(onAccepted.mock.lastCall![0])).toEqual([['kea.ts'], ['a.exe']]);

  fireEvent.dragOver(document.body, { dataTransfer: data() });
  expect(screen.getByText('Drop recordings here to add missions')).toBeDefined();
  fireEvent.drop(document.body, { dataTransfer: data(new File([''], 'a.exe')) });
  expect(await screen.findByText(/^a\.exe cannot be added\./)).toBeDefined();
  fireEvent.paste(document.body, { clipboardData: { types: ['text/plain'], items: [] } });
  fireEvent.drop(document.body, {
    dataTransfer: data(...Array.from({ length: 1002 }, (_, n) => new File([''], `${n}.ts`))),
  });

  await waitFor(() => expect(onAccepted).toHaveBeenCalledTimes(2));
  const [{ files, more }] = onAccepted.mock.lastCall!;
  expect([files.length, more]).toEqual([1000, true]);
});
