// @vitest-environment jsdom
import type { CaseRow } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { caseOf } from '../testing/cases.ts';
import { type Answers, fakeApi, refusing, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { CasesPanel } from './CasesPanel.tsx';
import { noFilter } from './filter.ts';
import type { SortKey } from './useCases.ts';

// Shows the dialog cases/CaseDialog.tsx FormDialog
// Shows the dialog cases/DeleteCases.tsx ConfirmDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const demo = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });
const listing = (...rows: CaseRow[]): Answers => ({
  'GET /cases': () => new WithHeaders(rows, { 'x-total-count': String(rows.length) }),
  'GET /usergroups': () => [demo],
  'POST /sharing/readers': () => ({ everyone: false, guests: false, people: 1, groups: [] }),
});

function Panel({ onOpen }: { onOpen: (id: string) => void }) {
  const [filter, setFilter] = useState(noFilter);
  const [sort, setSort] = useState<SortKey>('-changed');
  return <CasesPanel filter={filter} onFilter={setFilter} sort={sort} onSort={setSort} onOpen={onOpen} />;
}

function panel(answers: Answers, actor = admin) {
  const fake = fakeApi(answers);
  const onOpen = vi.fn();
  show(<Panel onOpen={onOpen} />, { api: fake.api, session: { actor } });
  return { ...fake, onOpen };
}

it('lists cases with number, label, hold and parts, sorts them, and opens one', async () => {
  const row = caseOf({ parts: 12, held: true });
  const { inputsOf, onOpen } = panel(listing(row));
  const table = await screen.findByRole('treegrid', { name: 'Cases' });
  await within(table).findByText('Slick off Kea');
  for (const text of ['7', 'RESTRICTED', '12', 'ana']) expect(within(table).getByText(text)).toBeDefined();
  expect(within(table).getByRole('img', { name: /^Held/ })).toBeDefined();
  expect(inputsOf('GET /cases')[0]).toMatchObject({ query: { sort: '-changed' } });

  fireEvent.click(within(table).getByRole('button', { name: /Name/ }));
  await waitFor(() => expect(inputsOf('GET /cases').at(-1)).toMatchObject({ query: { sort: 'name' } }));
  fireEvent.click(within(table).getByText('Slick off Kea'));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(row._id);
});

it('says how to begin, and a new case needs a name and an account that sees it', async () => {
  const { inputsOf } = panel({
    ...listing(),
    'POST /cases': () => ({ ...caseOf({ name: 'Kea' }), message: 'Case Kea created' }),
  });
  expect((await screen.findByText('No cases yet')).parentElement?.textContent).toContain('Add to case');
  await userEvent.click(screen.getAllByRole('button', { name: 'New case' })[0]!);
  const form = await screen.findByRole('dialog', { name: 'New case' });
  await userEvent.click(within(form).getByRole('button', { name: 'Create' }));
  expect(within(form).getByText('Name is required')).toBeDefined();
  await userEvent.type(within(form).getByLabelText(/^Name/), 'Kea');
  await userEvent.click(within(form).getByRole('button', { name: 'Create' }));

  await screen.findByText('Case Kea created');
  // The only group that reaches its label is chosen from the beginning.
  expect(inputsOf('POST /cases')).toMatchObject([
    { body: { name: 'Kea', securityClassification: 'UNCLASSIFIED', audience: 'groups', usergroups: [demo._id] } },
  ]);
});

it('asks before it deletes, says what stays, and takes it back by Undo', async () => {
  const rows = [caseOf({ name: 'One' }), caseOf({ name: 'Two' }), caseOf({ name: 'Of others', deletable: false })];
  const { inputsOf } = panel({
    ...listing(...rows),
    'DELETE /cases': () => ({ message: 'done' }),
    'POST /cases/restore': () => ({ message: 'done' }),
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose One' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Two' }));
  expect(screen.queryByRole('checkbox', { name: 'Choose Of others' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete Of others' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete 2 cases?' });
  expect(question.textContent).toContain('What they hold stays where it is.');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Cases One, Two deleted.');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Cases One, Two restored.');
  const sent = { body: { cases: [rows[0]!._id, rows[1]!._id] } };
  expect([inputsOf('DELETE /cases'), inputsOf('POST /cases/restore')]).toEqual([[sent], [sent]]);
});

it('changes only what was changed, asks for a reason, and goes on from the version of a faster user', async () => {
  const row = caseOf({ name: 'Kea', ownClassification: 'RESTRICTED' });
  let newest = row;
  const { inputsOf } = panel({
    ...listing(row),
    'GET /cases/:id': () => newest,
    'GET /cases/:id/people': () => [{ _id: admin.id, username: 'ana' }],
    'PUT /cases/:id': (input) => {
      if ((input.body as unknown as { revision: number }).revision === 1) {
        newest = { ...row, revision: 2, description: 'Of somebody else' };
        return refusing('revisionConflict')(input);
      }
      return { ...newest, revision: 3 };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Kea' }));
  const form = await screen.findByRole('dialog', { name: 'Edit case' });
  await userEvent.click(within(form).getByRole('combobox', { name: /Security classification/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'UNCLASSIFIED' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  expect(inputsOf('PUT /cases/:id')).toHaveLength(0);
  await userEvent.type(within(form).getByLabelText(/^Reason/), 'Released by the owner');
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  await within(form).findByText(/Somebody else changed this case meanwhile/);
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));

  await screen.findByText('Case Kea saved.');
  const changed = { securityClassification: 'UNCLASSIFIED', reason: 'Released by the owner' };
  expect(inputsOf('PUT /cases/:id')).toMatchObject([
    { body: { ...changed, revision: 1 } },
    { body: { ...changed, revision: 2 } },
  ]);
  const second = inputsOf('PUT /cases/:id')[1] as unknown as { body: object };
  expect(Object.keys(second.body)).not.toContain('description');
});

it('gives admins back what was deleted', async () => {
  const gone = caseOf({ name: 'Old', number: 2, deletedTime: 0 });
  const { inputsOf } = panel({
    ...listing(),
    'GET /cases/bin': () => [gone],
    'POST /cases/restore': () => ({ message: 'done' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Deleted cases' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Restore Case 2, Old' }));
  await screen.findByText('Case Old restored.');
  expect(inputsOf('POST /cases/restore')).toEqual([{ body: { cases: [gone._id] } }]);
});

it('offers a guest nothing to make, and says why nothing can be shown', async () => {
  panel(listing(), { ...admin, role: 'guest' });
  await screen.findByText('Cases that are shared with you appear here.');
  expect(screen.queryByRole('button', { name: 'New case' })).toBeNull();
  cleanup();

  panel({ 'GET /cases': refusing('unavailable') });
  await screen.findByText('The cases could not be read');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});
