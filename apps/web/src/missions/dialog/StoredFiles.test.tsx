// @vitest-environment jsdom
import type { Actor, Asset, Mission } from '@osprey/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, missionOf, newId, sensorOf, usergroupOf } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { MissionDialog } from './MissionDialog.tsx';

afterEach(cleanup);

const demo = usergroupOf();
const file: Asset = {
  _id: newId(),
  path: '/api/media/x/y.ts',
  name: 'wrong.ts',
  sizeBytes: 12_000_000,
  sha256: null,
  kind: 'ts',
  startTime: null,
  endTime: null,
  state: 'ready',
  message: null,
};
const kea = (fields: Partial<Mission> = {}) =>
  missionOf({ name: 'Kea', revision: 7, sensors: [sensorOf({ name: 'EO', assets: [file] })], ...fields });

/** The Sensors step; `later` is what the mission has become after the file was removed. */
async function openSensors(mission: Mission, later: Mission, actor: Actor = admin) {
  let now = mission;
  const fake = fakeApi({
    'GET /missions/:mission': () => now,
    'GET /tags': () => [],
    'GET /usergroups': () => [demo],
    'GET /countryCodes': () => [],
    'GET /platformTypes': () => ['Plane'],
    'PUT /missions': () => now,
    'DELETE /sensors/:id/files/:fileId': () => {
      now = later;
      return { message: 'The file was removed.' };
    },
  });
  const onClose = vi.fn();
  show(<MissionDialog mission={mission} onClose={onClose} />, { api: fake.api, session: { actor } });
  await screen.findByRole('dialog');
  await userEvent.click(screen.getByRole('button', { name: /Sensors/ }));
  return { ...fake, onClose };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
async function removeFile() {
  await press('Remove wrong.ts from the server');
  const question = await screen.findByRole('alertdialog', { name: 'Remove wrong.ts?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Remove' }));
  await screen.findByText('File wrong.ts removed.');
}

it('removes a wrong file after a question, and what else was typed is saved all the same', async () => {
  const mission = kea();
  const [sensor] = mission.sensors;
  const later = { ...mission, revision: 9, sensors: [{ ...sensor!, assets: [] }] };
  const { inputsOf, onClose } = await openSensors(mission, later);
  await userEvent.type(screen.getByLabelText('Description'), 'day side');
  screen.getByText('1 sensor, 1 file');

  await removeFile();

  await waitFor(() => expect(screen.queryByText('wrong.ts')).toBeNull());
  screen.getByText('1 sensor, 0 files');
  expect(inputsOf('DELETE /sensors/:id/files/:fileId')).toEqual([{ params: { id: sensor!._id, fileId: file._id } }]);
  await press('Update');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(inputsOf('PUT /missions')[0]).toMatchObject({ body: { revision: 9, sensors: [{ description: 'day side' }] } });
});

it('does not take the newer revision if another user changed values of the form', async () => {
  const mission = kea();
  const { inputsOf } = await openSensors(mission, { ...mission, revision: 9, description: 'of somebody else' });
  await userEvent.type(screen.getByLabelText('Description'), 'day side');

  await removeFile();
  await press('Update');

  await waitFor(() => expect(inputsOf('PUT /missions')[0]).toMatchObject({ body: { revision: 7 } }));
});

it('says below a file what was found in it, refused or not', async () => {
  const reported: Asset[] = [
    { ...file, name: 'bad.ts', state: 'failed', message: 'It holds no picture.' },
    { ...file, _id: newId(), name: 'late.ts', message: 'The first 3.0 s overlap early.ts, which is shown instead.' },
  ];
  const mission = kea({ sensors: [sensorOf({ name: 'EO', assets: reported })] });

  await openSensors(mission, mission);

  const lineOf = (name: string) => screen.getByText(name).closest('li')?.textContent;
  expect(lineOf('bad.ts')).toMatch(/Refused.*It holds no picture\.$/);
  expect(lineOf('late.ts')).toMatch(/On the server.*The first 3\.0 s overlap early\.ts, which is shown instead\.$/);
});

it('offers the times of a sensor next to its files', async () => {
  await openSensors(kea(), kea());

  await press('Shift time of EO');

  expect(await screen.findByRole('dialog', { name: 'Shift the time of EO' })).toBeDefined();
});

it('offers to set times of AIS that says none, and of no other file', async () => {
  const ais: Asset = { ...file, _id: newId(), name: 'harbour.txt', kind: 'ais' };
  const dated: Asset = { ...ais, _id: newId(), name: 'dated.nmea', startTime: 1, endTime: 2 };
  const mission = kea({ sensors: [sensorOf({ name: 'AIS', assets: [file, ais, dated] })] });
  await openSensors(mission, mission);
  expect(screen.getAllByRole('button', { name: /^Set times of/ })).toHaveLength(1);

  await press('Set times of harbour.txt');

  expect(await screen.findByRole('dialog', { name: 'Set the times of harbour.txt' })).toBeDefined();
});

it('removes nothing of a mission on hold, and says why', async () => {
  const mission = kea({ hold: 'evidence of a case' });
  await openSensors(mission, mission);

  const button = screen.getByRole('button', { name: 'Remove wrong.ts from the server' });
  expect(button).toHaveProperty('disabled', true);
  await userEvent.hover(button.parentElement!);
  await screen.findByText('The mission is on hold, so its files cannot be removed: evidence of a case');
});

it.each([
  ['is being recorded', kea({ state: 'Running' }), admin],
  ['is not theirs to change', kea(), { ...admin, role: 'user' as const }],
])('offers neither where a mission %s', async (_why, mission, actor) => {
  await openSensors(mission, mission, actor);

  expect(screen.getByText('wrong.ts')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Remove wrong.ts/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Shift time/ })).toBeNull();
});
