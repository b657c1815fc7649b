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
  show(<JobRow job={job} />, { api });

  await screen.findByText(NAME);
  expect(screen.getByText('40 %')).toBeTruthy();
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
  show(<JobRow job={job} />, { api: fakeApi(answers).api });

  expect(await screen.findByText('75 %')).toBeTruthy();
});

it('that failed says why, and is tried again', async () => {
  const { api, inputsOf } = fakeApi(answers);
  const job = jobOf({ state: 'failed', error: 'The file was refused: it is damaged.' });
  show(<JobRow job={job} />, { api });

  await screen.findByText('Failed: The file was refused: it is damaged.');
  expect(screen.queryByRole('progressbar')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: `Try again: ${NAME}` }));

  expect(inputsOf('POST /jobs/:id/retry')).toEqual([{ params: { id: job._id } }]);
});

it('explains why it cannot be cancelled', async () => {
  const { api } = fakeApi({ ...answers, 'DELETE /jobs/:id': refusing('forbidden') });
  show(<JobRow job={jobOf()} />, { api });

  await userEvent.click(await screen.findByRole('button', { name: `Cancel: ${NAME}` }));

  expect((await screen.findByRole('alert')).textContent).toContain('You do not have the rights for this.');
});
