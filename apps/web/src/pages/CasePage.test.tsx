// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { caseCommentOf, caseOf, casePartOf } from '../testing/cases.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { CasePage } from './CasePage.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const row = caseOf({ name: 'Slick-soon' });

it('T-036 closes the open case whose right was lost, and keeps nothing of it, before the server answers', async () => {
  const server = { answers: true };
  const answer = <Answer,>(given: Answer) => (server.answers ? given : new Promise<never>(() => undefined));
  const { api } = fakeApi({
    'GET /cases/:id': () => answer(row),
    'GET /cases/:id/parts': () => answer([casePartOf({ title: 'Part-soon' })]),
    'GET /cases/:id/comments': () => answer([caseCommentOf({ text: 'Comment-soon' })]),
    'GET /cases/:id/exports': () => answer([]),
    'GET /usergroups': () => answer([]),
  });
  const page = (
    <Routes>
      <Route path="/cases/:id" element={<CasePage />} />
      <Route path="/cases" element={<p>All cases</p>} />
    </Routes>
  );
  const { bus, queries } = show(page, { api, at: `/cases/${row._id}` });
  await screen.findByText('Part-soon');
  await screen.findByText('Comment-soon');
  server.answers = false;

  act(() => bus.emit('revoked', { noun: 'cases', ids: [row._id] }));

  await screen.findByText('The case you had open is no longer available to you.');
  await waitFor(() => expect(document.body.textContent).not.toContain('-soon'));
  await screen.findByText('All cases');
  const retained = queries.getQueryCache().getAll();
  expect(JSON.stringify(retained.map(({ state }) => state.data ?? null))).not.toContain('-soon');
});

it('says so of a link to a case that is not there', async () => {
  const { api } = fakeApi({
    'GET /cases/:id': () => {
      throw new AppError('notFound');
    },
  });
  const page = (
    <Routes>
      <Route path="/cases/:id" element={<CasePage />} />
      <Route path="/cases" element={<p>All cases</p>} />
    </Routes>
  );
  show(page, { api, at: `/cases/${row._id}` });
  await screen.findByText('The case you had open is no longer available to you.');
  await screen.findByText('All cases');
});
