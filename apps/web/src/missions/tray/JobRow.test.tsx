// @vitest-environment jsdom
import type { RecordingJob } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeApi, missionOf, newId, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { forgetProgress, takeProgress } from '../progress.ts';
import { JobRow } from './JobRow.tsx';

const mission = missionOf({ name: 'KEA-1104' });

const jobOf = (fields: Partial<RecordingJob> = {}): RecordingJob => ({
  _id: newId(),
  kind: 'transcode',
  state: 'running',
  missionId: mission._id,
  sensorId: mission.sensors[0]!._id,
  documentId: null,
  subject: { name: 'KEA-1104', securityClassification: 'RESTRICTED' },
  progress: 40,
  attempts: 1,
  error: null,
  created: 0,
  ...fields,
});

const answers = {
  'GET /missions/:mission': () => mission,
  'DELETE /jobs/:id': () => ({ message: 'Done.' }),
  'POST /jobs/:id/retry': () => ({ message: 'Done.' }),
};
const NAME = 'KEA-1104: Converting the video';

beforeEach(() => forgetProgress());
afterEach(cleanup);

it('says what is done with which mission and how far it is, and is cancelled', async () => {
  const { api, inputsOf } = fakeApi(answers);
  const job = jobOf();
  show(<JobRow jobs={[job]} />, { api });

  // Before the mission itself was read.
  screen.getByText('KEA-1104');
  screen.getByText('RESTRICTED');
  expect(screen.getByText('Converting the video 40 %')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: NAME }).getAttribute('aria-valuenow')).toBe('40');
  expect(screen.queryByRole('button', { name: `Try again: ${NAME}` })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: `Cancel: ${NAME}` }));

  expect(inputsOf('DELETE /jobs/:id')).toEqual([{ params: { id: job._id } }]);
});

it("follows the server's events about the sensor", async () => {
  const job = jobOf();
  takeProgress({
    ...{ type: 'hlsProcessing', mission: job.missionId, missionName: '', sensor: job.sensorId, sensorName: '' },
    ...{ progress: 75, bytes: null, totalBytes: null, phase: null, areaSqKm: null, text: null },
  });
  show(<JobRow jobs={[job]} />, { api: fakeApi(answers).api });

  expect(await screen.findByText('Converting the video 75 %')).toBeTruthy();
});

it('is one for all work on a mission, and says how far that is in words', async () => {
  const { api, inputsOf } = fakeApi(answers);
  const jobs = [
    jobOf({ kind: 'thumbnails', state: 'waiting', progress: 0 }),
    jobOf({ kind: 'ingest', progress: 30 }),
    jobOf({ kind: 'ingest', progress: 50, sensorId: newId() }),
  ];
  show(<JobRow jobs={jobs} />, { api });

  screen.getByText('Reading 40 %');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel: KEA-1104: Reading' }));
  expect(inputsOf('DELETE /jobs/:id')).toHaveLength(3);
  cleanup();

  show(<JobRow jobs={[jobs[0]!]} />, { api });
  screen.getByText('Queued');
});

it('that failed says why, and is tried again', async () => {
  const { api, inputsOf } = fakeApi(answers);
  const job = jobOf({ state: 'failed', error: 'The file was refused: it is damaged.' });
  show(<JobRow jobs={[job]} />, { api });

  await screen.findByText('Failed: The file was refused: it is damaged.');
  expect(screen.queryByRole('progressbar')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: `Try again: ${NAME}` }));

  expect(inputsOf('POST /jobs/:id/retry')).toEqual([{ params: { id: job._id } }]);
});

it('explains why it cannot be cancelled', async () => {
  const { api } = fakeApi({ ...answers, 'DELETE /jobs/:id': refusing('forbidden') });
  show(<JobRow jobs={[jobOf()]} />, { api });

  await userEvent.click(await screen.findByRole('button', { name: `Cancel: ${NAME}` }));

  expect((await screen.findByRole('alert')).textContent).toContain('You do not have the rights for this.');
});
