// @vitest-environment jsdom
import { AppError, type Job } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Answers, fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { HealthPanel } from './HealthPanel.tsx';

afterEach(cleanup);

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const job = (n: number, fields: Partial<Job>): Job => ({
  _id: id(n),
  ...{
    kind: 'ingest',
    state: 'failed',
    missionId: id(8),
    sensorId: id(9),
    documentId: null,
    progress: 0,
    attempts: 3,
    created: 0,
  },
  error: 'The file is damaged.',
  ...fields,
});

function shown(answers: Answers = {}) {
  let jobs = [job(1, {}), job(2, { kind: 'transcode', state: 'running', progress: 41.6, error: null })];
  const fake = fakeApi({
    'GET /health': () => ({ status: 'up', setUp: true, checks: [] }),
    'GET /jobs': () => jobs,
    'POST /jobs/:id/retry': () => {
      jobs = jobs.map((one) => (one._id === id(1) ? job(1, { state: 'waiting', error: null }) : one));
      return { message: 'The job is tried again.' };
    },
    ...answers,
  });
  show(<HealthPanel />, { api: fake.api });
  return fake;
}

const rowOf = async (kind: string) => (await screen.findByText(kind)).closest('tr')!;

it('tries a failed job again, says so, and shows that it waits', async () => {
  const { inputsOf } = shown();
  expect(within(await rowOf('ingest')).getByText('The file is damaged.')).toBeDefined();
  expect(within(await rowOf('transcode')).getByText('running 42 %')).toBeDefined();

  fireEvent.click(screen.getByRole('button', { name: 'Try again: ingest' }));

  expect(await screen.findByText('The job is tried again.')).toBeDefined();
  expect(await within(await rowOf('ingest')).findByText('waiting')).toBeDefined();
  expect(inputsOf('POST /jobs/:id/retry')).toEqual([{ params: { id: id(1) } }]);
  expect(screen.getByRole('button', { name: 'Cancel: ingest' })).toBeDefined();
});

it('says why a job is not tried again, and keeps its row', async () => {
  shown({
    'POST /jobs/:id/retry': () => {
      throw new AppError('ruleRefused', { reason: 'Only failed jobs are tried again.' });
    },
  });
  await rowOf('ingest');

  fireEvent.click(screen.getByRole('button', { name: 'Try again: ingest' }));

  expect(await screen.findByText('Only failed jobs are tried again.')).toBeDefined();
  expect(within(await rowOf('ingest')).getByText('failed')).toBeDefined();
});
