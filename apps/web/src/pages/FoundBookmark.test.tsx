// @vitest-environment jsdom
import type { FoundSpan } from '@osprey/contract';
import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { bookmarkOf } from '../testing/bookmarks.ts';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { FoundBookmark } from './FoundBookmark.tsx';

afterEach(cleanup);

const START = Date.UTC(2026, 5, 1, 9) * 1000;
const span: FoundSpan = {
  ...{ missionId: newId(), mission: 'PATROL-7', platform: 'Falcon', sensorId: newId(), sensor: 'EO' },
  ...{ securityClassification: 'SECRET', marked: true, corners: [], lookDeg: null, distanceM: 834, resolutionM: 0.25 },
  ...{ from: START, to: START + 20e6, first: START + 40_000 },
};

it('bookmarks the first picture, under the label of its mission', async () => {
  const onClose = vi.fn();
  const { api, inputsOf } = fakeApi({
    'GET /bookmarks': () => [],
    'POST /bookmarks': () => ({ ...bookmarkOf(), message: 'Bookmark Ferry added.' }),
  });
  show(<FoundBookmark span={span} onClose={onClose} />, { api });
  const dialog = await screen.findByRole('dialog', { name: 'Create Bookmark' });
  expect(within(dialog).getByText('SECRET')).toBeTruthy();
  expect(within(dialog).getByText('EO, 09:00:00.040 Z')).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText(/^Title/), 'Ferry');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create' }));
  await screen.findByText('Bookmark Ferry added.');
  const { missionId, sensorId, first } = span;
  expect(inputsOf('POST /bookmarks')).toMatchObject([
    { body: { missionIdOrName: missionId, sensorIdOrName: sensorId, startTime: first, title: 'Ferry' } },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

it('closes when the right to the mission is lost, and not for another', async () => {
  const onClose = vi.fn();
  const { api } = fakeApi({ 'GET /bookmarks': () => [] });
  const { bus } = show(<FoundBookmark span={span} onClose={onClose} />, { api });
  await screen.findByRole('dialog', { name: 'Create Bookmark' });
  act(() => bus.emit('revoked', { noun: 'missions', ids: [newId()] }));
  expect(onClose).not.toHaveBeenCalled();
  act(() => bus.emit('revoked', { noun: 'missions', ids: [span.missionId] }));
  expect(onClose).toHaveBeenCalledOnce();
});
