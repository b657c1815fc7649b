// @vitest-environment jsdom
import type { SnapshotMoment } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { Moment } from './Moment.tsx';

afterEach(cleanup);

const moment: SnapshotMoment = {
  mission: { _id: newId(), name: 'OSP-21' },
  sensor: { _id: newId(), name: 'EO' },
  time: Date.UTC(2026, 0, 1, 12) * 1000 + 66_667,
  shown: true,
  picture: 'server',
  overlaysSha256: null,
  telemetry: null,
  sha256: '0'.repeat(64),
};

const shown = (fields: Partial<SnapshotMoment>) => {
  const { api } = fakeApi({ 'GET /snapshots/:id/moment': () => ({ ...moment, ...fields }) });
  show(<Moment documentId={newId()} />, { api });
};

it('says which frame it is, and leads to it and not to the frame before', async () => {
  shown({});
  const link = await screen.findByRole('link', { name: 'Open the moment' });
  expect(decodeURIComponent(link.getAttribute('href')!)).toBe(
    `/missions?mission=${moment.mission!._id}&sensor=${moment.sensor._id}&t=2026-01-01T12:00:00.067Z`,
  );
  expect(screen.getByText('EO, OSP-21')).toBeDefined();
  expect(screen.getByText('Jan 01 2026, 12:00:00.066 Z')).toBeDefined();
  expect(screen.getByText('Picture from the recording')).toBeDefined();
});

it('marks a picture of the browser, and says that a frame is no longer part of a recording', async () => {
  shown({ picture: 'browser', shown: false, overlaysSha256: '1'.repeat(64) });
  await screen.findByText('Picture from the browser');
  screen.getByText('Second picture with overlays, drawn by the browser');
  expect(screen.getByText('This frame is no longer part of a recording.')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

it('names no mission that the reader may not see', async () => {
  shown({ mission: null, sensor: { _id: null, name: 'EO' } });
  await screen.findByText('EO');
  expect(screen.queryByRole('link')).toBeNull();
});
