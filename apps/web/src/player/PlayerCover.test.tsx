// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { sensorRow } from '../testing/view-services.ts';
import { PlayerCover } from './PlayerCover.tsx';

afterEach(cleanup);

type Props = Parameters<typeof PlayerCover>[0];

function show(fields: Partial<Props>) {
  const retry = vi.fn();
  const usual = {
    sensor: sensorRow(),
    timelineFailed: false,
    failure: null,
    covered: true,
    started: true,
    waiting: false,
    flying: null,
    retry,
  };
  render(<PlayerCover {...usual} {...fields} />, { wrapper: MemoryRouter });
  return retry;
}

const asset = { _id: 'a', path: '', name: 'a.ts', sizeBytes: 1, sha256: null, kind: 'ts' as const };
const file = { ...asset, startTime: null, endTime: null, state: 'processing' as const, message: null };

it('says of a moment that was not recorded just that, though the recording is damaged elsewhere', () => {
  show({ failure: 'broken', covered: false });

  expect(screen.getByText('Nothing recorded at this moment')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says which file is damaged on the server, and how, in place of a bare failure', () => {
  const damage = 'Damaged on the server: 40 of 100 bytes are left.';
  show({ failure: 'gone', sensor: sensorRow({ assets: [{ ...file, state: 'ready', damage }] }) });

  expect(screen.getByText('The recording is damaged on the server')).toBeDefined();
  expect(screen.getByText(`a.ts: ${damage}`)).toBeDefined();
});

it('leaves a picture that plays alone', () => {
  show({});

  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says how far the preparation of a video is', () => {
  show({ sensor: sensorRow({ hlsProps: null, state: 'Processing', progress: 37.6, assets: [file] }) });

  expect(screen.getByText('The video is being prepared')).toBeDefined();
  expect(screen.getByText('38 % done. It plays here as soon as it is ready.')).toBeDefined();
});

it('waits for no video in a recording that was read and holds none', () => {
  show({ sensor: sensorRow({ hlsProps: null, state: 'Ready', assets: [file] }) });

  expect(screen.getByText('No video in this recording')).toBeDefined();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

it.each([
  [null, 'The map and the tab AIS show them at the time of the clock.'],
  ['Its sentences carry no time.', 'Its sentences carry no time.'],
])('shows a log of ships as no failed video: %s', (message, text) => {
  show({ sensor: sensorRow({ hlsProps: null, state: 'Ready', message, assets: [{ ...file, kind: 'ais' }] }) });

  expect(screen.getByText('Ships, no video')).toBeDefined();
  expect(screen.getByText(text)).toBeDefined();
});

it('leads to the live picture while the sensor is being recorded', () => {
  show({ sensor: sensorRow({ hlsProps: null, state: 'Running' }), flying: 'p1' });

  expect(screen.getByText('This is being recorded')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Watch it live' }).getAttribute('href')).toBe('/live?platforms=p1');
});

it('says that the picture is waited for once it has played', () => {
  show({ waiting: true });

  expect(screen.getByRole('progressbar', { name: 'Loading video' })).toBeDefined();
});

it('says why a video could not be prepared', () => {
  show({ sensor: sensorRow({ hlsProps: null, message: 'The stream holds no picture.' }) });

  expect(screen.getByRole('alert').textContent).toContain('The stream holds no picture.');
});

it('names the codec that this browser does not play', () => {
  show({ failure: 'unsupported' });

  expect(screen.getByRole('alert').textContent).toContain('This browser does not play h264');
});

it('offers to try again when the server did not answer, and not when the video is gone', async () => {
  const retry = show({ failure: 'network' });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
  cleanup();

  show({ failure: 'gone' });

  expect(screen.queryByRole('button')).toBeNull();
});

it('says that nothing was recorded at this moment', () => {
  show({ covered: false });

  expect(screen.getByText('Nothing recorded at this moment')).toBeDefined();
});
