// @vitest-environment jsdom
import { AppError, type Job } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Answers, fakeApi, WithHeaders } from '../testing/fake-api.ts';
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
    subject: { name: 'Kea', securityClassification: 'UNCLASSIFIED' },
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
    'GET /health': () => ({ status: 'up', checks: [] }),
    'DELETE /jobs/:id': ({ params }) => {
      jobs = jobs.filter(({ _id }) => _id !== params?.id);
      return { message: 'The job is cancelled.' };
    },
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

it('cancels a job, says so, and takes it off the list', async () => {
  const { inputsOf } = shown();
  await rowOf('transcode');

  fireEvent.click(screen.getByRole('button', { name: 'Cancel: transcode' }));

  expect(await screen.findByText('The job is cancelled.')).toBeDefined();
  await expect.poll(() => screen.queryByText('transcode')).toBeNull();
  expect(await rowOf('ingest')).toBeDefined();
  expect(inputsOf('DELETE /jobs/:id')).toEqual([{ params: { id: id(2) } }]);
});

it('names each fact with its state, and the signs of trouble next to it', async () => {
  const checks = [
    { name: 'database', state: 'ok', text: 'The database answers.' },
    { name: 'disk', state: 'warning', text: '8 % free for files.' },
    { name: 'clock', state: 'failed', text: 'The clock was set.' },
    { name: 'backups', state: 'warning', text: 'There is no verified backup of this server.' },
  ] as const;
  const date = new Date(Date.now() - 60_000).toUTCString();
  shown({ 'GET /health': () => new WithHeaders({ status: 'up', checks: [...checks] }, { date }) });
  await screen.findByText('Last backup');

  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines.slice(0, 4)).toEqual([
    'DatabaseOKThe database answers.',
    'DiskWarning8 % free for files.',
    'ClockFailedThe clock was set.',
    'Last backupWarningThere is no verified backup of this server.',
  ]);
  // The header has whole seconds.
  expect(lines[4]).toMatch(/^Your clockWarningYour machine and the server differ by 6\d s\.$/);
});
