// @vitest-environment jsdom
import type { Job, MissionState, MissionUpdate } from '@osprey/contract';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { forgetProgress, takeProgress } from './progress.ts';
import { StateCell } from './StateCell.tsx';

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

afterEach(() => {
  cleanup();
  forgetProgress();
});

type Fields = { thumbnail?: string; progress?: number; message?: string; recordingStartTime?: number };

function draw(state: MissionState, fields: Fields = {}) {
  const { thumbnail = null, progress = null, message = null, recordingStartTime = null } = fields;
  return show(<StateCell item={{ _id: ID, name: 'Kea', state, thumbnail, progress, message, recordingStartTime }} />, {
    api: { call: () => Promise.reject(new Error('Nothing is asked here')) },
  }).container;
}

const notify = (type: MissionUpdate['type'], fields: Partial<MissionUpdate> = {}) =>
  act(() =>
    takeProgress({
      type,
      mission: ID,
      missionName: 'Kea',
      sensor: null,
      sensorName: null,
      progress: null,
      bytes: null,
      totalBytes: null,
      phase: null,
      areaSqKm: null,
      text: null,
      ...fields,
    }),
  );

describe('the state of a mission', () => {
  it.each([
    ['Created', 'Created'],
    ['WaitingForData', 'WaitingForData'],
    ['Stopped', 'Stopped'],
    ['Ready', 'Ready'],
  ] as const)('%s is said in words', (state, words) => {
    expect(draw(state).textContent).toContain(words);
  });

  it('Ready without a thumbnail shows the letter R, with one its picture', () => {
    expect(draw('Ready').textContent).toBe('RReady');
    cleanup();
    draw('Ready', { thumbnail: '/videos/kea.jpg' });

    expect(screen.getByRole('img', { name: 'Picture of Kea' }).getAttribute('src')).toBe('/videos/kea.jpg');
  });

  it('Ready says that its pictures are being made, as far as the account may know of the job', async () => {
    const job: Job = {
      ...{ _id: ID, kind: 'thumbnails', state: 'running', missionId: ID, sensorId: ID, documentId: null },
      ...{ subject: { name: 'Kea', securityClassification: 'RESTRICTED' }, progress: 0, attempts: 1 },
      ...{ error: null, created: 0 },
    };
    const none = { progress: null, message: null, recordingStartTime: null };
    const item = { _id: ID, name: 'Kea', state: 'Ready' as const, thumbnail: null, ...none };
    const { queries } = show(<StateCell item={item} />, { api: { call: () => Promise.reject(new Error('No call')) } });
    const hand = (jobs: Job[]) => act(() => void queries.setQueryData(['jobs'], jobs));

    hand([job]);
    await screen.findByText('Making pictures');
    hand([{ ...job, kind: 'transcode' }]);
    await screen.findByText('R');
    expect(screen.queryByText('Making pictures')).toBeNull();
    hand([job]);
    await screen.findByText('Making pictures');
    hand([{ ...job, missionId: OTHER, sensorId: OTHER }]);
    await screen.findByText('R');
    expect(screen.queryByText('Making pictures')).toBeNull();
  });

  it('Running goes on without saying how far while a mission is recorded', () => {
    expect(draw('Running').textContent).toBe('Running');
    expect(screen.getByRole('progressbar', { name: 'Running' })).toBeDefined();
  });

  it('Running counts by itself how long ago its recording began, Ready no more', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const recordingStartTime = (Date.now() - 100_000) * 1000;
    draw('Running', { recordingStartTime });
    expect(screen.getByRole('timer', { name: 'Recording began 1:40 ago' }).textContent).toBe('1:40');

    act(() => void vi.advanceTimersByTime(5000));

    expect(screen.getByRole('timer').textContent).toBe('1:45');
    cleanup();
    draw('Ready', { recordingStartTime });
    expect(screen.queryByRole('timer')).toBeNull();
    vi.useRealTimers();
  });

  it('Running leads to the live view of its platform, and nowhere without one', () => {
    const none = { thumbnail: null, progress: null, message: null, recordingStartTime: null };
    const item = { _id: ID, name: 'Kea', state: 'Running' as const, ...none };
    const api = { call: () => Promise.reject(new Error('Nothing is asked here')) };
    show(<StateCell item={item} platformId="p1" />, { api });
    const link = screen.getByRole('link', { name: 'Running: watch Kea live' });

    expect([link.textContent, link.getAttribute('href')]).toEqual(['Running', '/live?platforms=p1']);
    cleanup();
    show(<StateCell item={{ ...item, state: 'Ready' }} platformId="p1" />, { api });
    show(<StateCell item={item} platformId={null} />, { api });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('Running and Processing show how far they are', () => {
    expect(draw('Running', { progress: 40 }).textContent).toContain('40');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    cleanup();

    expect(draw('Processing', { progress: 70 }).textContent).toBe('Reading 70 %');
  });

  it('Processing that has not begun is queued, and after the last percent is finishing', () => {
    expect(draw('Processing', { progress: 0 }).textContent).toBe('Queued');
    cleanup();

    expect(draw('Processing', { progress: 100 }).textContent).toBe('Finishing');
    notify('areaCalculation', { areaSqKm: 1.8, phase: 'done' });
    expect(screen.queryByText(/1\.8/)).toBeNull();
  });
});

describe('the steps of processing', () => {
  it.each([
    ['upload_progress', 'Uploading'],
    ['hlsDetection', 'Looking for HLS'],
    ['extractingArchive', 'Unpacking'],
    ['hlsProcessing', 'Processing HLS'],
    ['hlsProcessingComplete', 'HLS processed'],
    ['ingest_progress', 'Reading'],
  ] as const)('%s is shown by its name and percent', (type, words) => {
    const cell = draw('Processing');

    notify(type, { progress: 30 });

    expect(screen.getByRole('progressbar').getAttribute('aria-label')).toContain(words);
    expect(cell.textContent).toContain('30');
  });

  it.each(['error', 'ingest_complete'] as const)('end with %s: then the mission says how it is', (type) => {
    draw('Processing');
    notify('ingest_progress', { progress: 30 });

    notify(type, { text: 'The file is damaged.' });

    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('of an upload that has become silent are forgotten, those of other work are not', () => {
    vi.useFakeTimers();
    const cell = draw('Created');
    notify('upload_progress', { progress: 40 });
    act(() => void vi.advanceTimersByTime(4000));
    notify('upload_progress', { progress: 41 });
    act(() => void vi.advanceTimersByTime(4000));
    expect(cell.textContent).toContain('41 %');

    act(() => void vi.advanceTimersByTime(2000));
    expect(cell.textContent).toBe('Created');
    notify('upload_progress', { progress: 42 });
    notify('ingest_progress', { progress: 3 });
    act(() => void vi.advanceTimersByTime(60_000));

    expect(cell.textContent).toContain('3 %');
    vi.useRealTimers();
  });

  it('that come late, after the mission was ready, are not shown', () => {
    draw('Ready');

    notify('ingest_progress', { progress: 30 });

    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});
