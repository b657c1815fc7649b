// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeApi, missionOf, newId, sensorOf } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { type UploadItem, uploadStore } from '../../uploads/upload-store.ts';
import { RefusedFiles } from './RefusedFiles.tsx';

// Shows the dialog missions/tray/RefusedFiles.tsx AlertBox

const track = {
  ...{
    _id: newId(),
    path: '/api/media/s/f',
    name: 'years-away.gpx',
    sizeBytes: 900,
    sha256: null,
    kind: 'sidecar' as const,
  },
  ...{ startTime: null, endTime: null, state: 'ready' as const, message: null },
};
const sensor = sensorOf({ assets: [track] });
const mission = missionOf({ name: 'test-143', sensors: [sensor] });
const REFUSED = 'Error uploading mission test-143/EO: test-143.ts: This is not a file that can be taken.';

const uploadOf = (fields: Partial<UploadItem> = {}): UploadItem => ({
  ...{ id: newId(), account: 'ana', fileName: 'years-away.gpx', sizeBytes: 900, lastModified: 0, sentBytes: 900 },
  ...{ bytesPerSecond: null, state: 'done', error: null, url: null },
  target: {
    ...{ kind: 'sensor', missionId: mission._id, missionName: 'test-143', label: 'SECRET' },
    ...{ sensorId: sensor._id, sensorName: 'EO' },
  },
  ...fields,
});
const upload = (fields: Partial<UploadItem>) => uploadStore.add(uploadOf(fields));

const failure = {
  item: uploadOf({ fileName: 'test-143.ts', state: 'failed' }),
  message: 'This is not a file that can be taken.',
};
const ignore = () => undefined;

/** The dialog after the note that the mission was added. */
function open() {
  function Added() {
    const { show: note } = useSnackbar();
    return (
      <button type="button" onClick={() => note('Mission test-143 added.')}>
        Add
      </button>
    );
  }
  const { api, inputsOf } = fakeApi({
    'GET /missions/:mission': () => mission,
    'DELETE /missions': () => ({ message: 'Deleted.' }),
  });
  const refused = <RefusedFiles failures={[failure]} onAnswered={ignore} onClose={ignore} />;
  const page = show(<Added />, { api });
  return {
    ...page,
    inputsOf,
    refuse: () =>
      page.rerender(
        <>
          <Added />
          {refused}
        </>,
      ),
  };
}

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('username', 'ana');
  localStorage.setItem('password', 'device');
});
afterEach(() => {
  cleanup();
  for (const { id } of uploadStore.all()) uploadStore.remove(id);
});

it('says in one message what was refused and what the mission holds, in place of the note that it was added', async () => {
  upload({});
  const { refuse, place } = open();
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Mission test-143 added.');

  refuse();

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  await waitFor(() => expect(alert.textContent).toContain('Mission test-143 holds only years-away.gpx.'));
  expect(alert.textContent).toContain(REFUSED);
  await waitFor(() => expect(screen.queryByText('Mission test-143 added.')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(place.current).toBe(`/missions?mission=${mission._id}`);
});

it('offers to delete a mission of nothing but these files, and asks first', async () => {
  upload({});
  const { refuse } = open();
  refuse();

  await userEvent.click(await screen.findByRole('button', { name: 'Delete mission' }));

  expect((await screen.findByRole('alertdialog')).textContent).toContain('test-143');
  expect(screen.queryByText(REFUSED)).toBeNull();
});

it('offers no deletion of a mission that had other files before, and says what is still being sent', async () => {
  upload({ state: 'running', fileName: 'second.ts' });
  open().refuse();

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  await waitFor(() => expect(alert.textContent).toContain('Other files of it are still being sent.'));
  expect(screen.queryByRole('button', { name: 'Delete mission' })).toBeNull();
});

it('offers no deletion where another sensor of the mission had a file of that name before', async () => {
  const { target, ...rest } = uploadOf();
  uploadStore.add({ ...rest, target: { ...target, sensorId: newId() } as typeof target });
  open().refuse();

  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  await waitFor(() => expect(alert.textContent).toContain('Mission test-143 holds only years-away.gpx.'));
  expect(screen.queryByRole('button', { name: 'Delete mission' })).toBeNull();
});

it('reports a file that is of no mission with its reason alone', async () => {
  const item = uploadOf({ fileName: 'old.zip', target: { kind: 'import' } });
  const answered: unknown[] = [];
  show(
    <RefusedFiles
      failures={[{ item, message: 'No archive.' }]}
      onAnswered={(shown) => answered.push(...shown)}
      onClose={ignore}
    />,
    { api: fakeApi({}).api },
  );

  await screen.findByText('Error uploading archive old.zip: No archive.');
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(answered).toHaveLength(1);
});
