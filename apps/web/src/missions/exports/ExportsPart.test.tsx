// @vitest-environment jsdom
import type { ExportTask } from '@osprey/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, newId } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { ExportsPart } from './ExportsPart.tsx';
import { requestedExports } from './export-store.ts';

afterEach(cleanup);

const id = newId();
const making: ExportTask = {
  ...{ _id: id, kind: 'archive', title: 'Kea', securityClassification: 'RESTRICTED', created: 0 },
  ...{ state: 'running', progress: 42, sizeBytes: null, fileName: null, error: null },
};

it('shows how far an archive is, and hands each download to the browser with a ticket of its own', async () => {
  const opened: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push(this.getAttribute('href') ?? '');
  });
  let task = making;
  const { api, inputsOf } = fakeApi({
    'GET /exports': () => [task],
    'POST /exports/:id/ticket': () => ({ ticket: `t/${inputsOf('POST /exports/:id/ticket').length}` }),
  });
  requestedExports.add(id);
  const { queries } = show(<ExportsPart shown />, { api });

  const bar = await screen.findByRole('progressbar', { name: 'Export of Kea' });
  expect(bar.getAttribute('aria-valuenow')).toBe('42');
  expect(screen.getByText('Creating the archive, 42 %')).toBeDefined();
  expect(opened).toEqual([]);

  task = { ...making, state: 'done', progress: 100, sizeBytes: 1_000_000, fileName: 'kea.zip' };
  await act(() => queries.invalidateQueries({ queryKey: ['exports'] }));
  await screen.findByText('Mission Kea exported.');
  expect(screen.queryByRole('progressbar')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Download the export of Kea' }));

  await waitFor(() => expect(opened).toEqual([1, 2].map((number) => `/api/exports/${id}?ticket=t%2F${number}`)));
});

it('calls clips by their name', async () => {
  const { api } = fakeApi({ 'GET /exports': () => [{ ...making, kind: 'clips' }] });
  show(<ExportsPart shown />, { api });

  expect(await screen.findByRole('progressbar', { name: 'Clips of Kea' })).toBeTruthy();
  expect(screen.getByText('Creating the zip, 42 %')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Cancel the clips of Kea' })).toBeTruthy();
});

it('resumes clips that were cancelled, and archives never', async () => {
  const states = ['cancelled', 'failed'] as const;
  const tasks = states.map((state) => ({ ...making, _id: newId(), kind: 'clips' as const, title: state, state }));
  const { api, inputsOf } = fakeApi({
    'GET /exports': () => [...tasks, { ...making, _id: newId(), state: 'cancelled' as const }],
    'POST /exports/:id/resume': () => ({ message: 'The export goes on.' }),
  });
  show(<ExportsPart shown />, { api });

  await screen.findByText('Cancelled. The finished part is kept for a day.');
  expect(screen.getAllByRole('button', { name: /^Resume/ })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Resume the clips of failed' }));
  await waitFor(() => expect(inputsOf('POST /exports/:id/resume')).toEqual([{ params: { id: tasks[1]!._id } }]));
});
