// @vitest-environment jsdom
import type { SavedSearch } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import type { Question } from './find-link.ts';
import { SavedSearches } from './SavedSearches.tsx';

afterEach(cleanup);

const question: Question = { shape: { type: 'Point', coordinates: [24.3, 37.7] }, filter: { days: 30 } };

it('keeps the question on screen, asks one again, and brings a deleted one back', async () => {
  let stored: SavedSearch[] = [
    {
      _id: '00000000-0000-4000-8000-000000000001',
      name: 'Harbour',
      shape: question.shape!,
      filter: {},
      notify: true,
      created: 1,
    },
  ];
  const fake = fakeApi({
    'GET /coverage/searches': () => stored,
    'POST /coverage/searches': ({ body }) => {
      const made = {
        _id: '00000000-0000-4000-8000-000000000002',
        created: 2,
        ...(body as unknown as object),
      } as SavedSearch;
      stored = [...stored, made];
      return made;
    },
    'PUT /coverage/searches/:id': ({ body }) => {
      stored = stored.map((one) => (one.name === 'Harbour' ? { ...one, ...(body as unknown as object) } : one));
      return stored[0]!;
    },
    'DELETE /coverage/searches/:id': ({ params }) => {
      stored = stored.filter(({ _id }) => _id !== params?.id);
      return { message: 'Deleted' };
    },
  });
  const onAsk = vi.fn();
  show(<SavedSearches question={question} onAsk={onAsk} />, { api: fake.api });
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
  const box = await screen.findByRole('dialog', { name: 'Saved searches' });
  await screen.findByRole('button', { name: 'Harbour' });
  expect(await seriousFindings(box)).toEqual([]);

  await userEvent.type(screen.getByLabelText('Save this search as'), 'Harbour');
  expect(screen.getByText('You already have one with this name')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Save this search as'), ' mouth{Enter}');
  await screen.findByRole('button', { name: 'Harbour mouth' });
  expect(fake.inputsOf('POST /coverage/searches')).toEqual([
    { body: { name: 'Harbour mouth', ...question, notify: true } },
  ]);

  await userEvent.click(screen.getByRole('button', { name: 'Delete Harbour mouth' }));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Harbour mouth' })).toBeNull());
  await userEvent.click(await screen.findByRole('button', { name: 'Undo', hidden: true }));
  await screen.findByRole('button', { name: 'Harbour mouth' });

  await userEvent.click(screen.getByRole('button', { name: 'Notify me of Harbour', pressed: true }));
  await screen.findByRole('button', { name: 'Notify me of Harbour', pressed: false });

  await userEvent.click(screen.getByRole('button', { name: 'Harbour' }));
  expect(onAsk).toHaveBeenCalledWith({ shape: question.shape, filter: {} });
});

it('says what to do first where nothing is asked yet', async () => {
  const fake = fakeApi({ 'GET /coverage/searches': () => [] });
  show(<SavedSearches question={{ shape: null, filter: {} }} onAsk={vi.fn()} />, { api: fake.api });
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
  expect(await screen.findByText('You have no saved searches yet.')).toBeTruthy();
  expect(screen.getByText('Choose a place first')).toBeTruthy();
});
