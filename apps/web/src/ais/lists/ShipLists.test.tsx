// @vitest-environment jsdom
import { AppError, type ShipListRow, stationOf } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, fakeApi, usergroupOf } from '../../testing/fake-api.ts';
import { shipListOf } from '../../testing/ship-lists.ts';
import { admin, show } from '../../testing/show.tsx';
import { AddToList } from './AddToList.tsx';
import { ListsDialog } from './ListsDialog.tsx';

// Shows the dialog ais/lists/ListDialog.tsx FormDialog
// Shows the dialog ais/lists/ListShips.tsx PlainDialog
// Shows the dialog ais/lists/ListsDialog.tsx ConfirmDialog
// Shows the dialog ais/lists/ListsDialog.tsx PlainDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const [mine, theirs] = [
  shipListOf({ usergroups: [] }),
  shipListOf({ name: 'Harbour', colour: null, own: false, owner: 'bo', editable: false, deletable: false, ships: 2 }),
];
const listed = (row: ShipListRow) => ({ ...row, listed: [{ ...stationOf(248_113_000), note: 'seen' }] });
const nothing = { callSign: null, imo: null, shipType: null, vesselType: null, dimensions: null, draught: null };
const polaris = {
  mmsiText: '248113000',
  ...{ mmsi: 248_113_000, name: 'POLARIS BAY', ...nothing, destination: null, eta: null, formerNames: [] },
};
const group = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });
const readers = { everyone: false, guests: false, people: null, groups: [] };

function open(answers: Answers = {}, role: typeof admin.role = 'superAdmin') {
  const fake = fakeApi({
    'GET /shiplists': () => [mine, theirs],
    'GET /shiplists/:id': ({ params }) => listed(params?.id === mine._id ? mine : theirs),
    'GET /usergroups': () => [group],
    'POST /sharing/readers': () => readers,
    'GET /aistargets/vessels': () => [polaris],
    ...answers,
  });
  const onChange = vi.fn();
  const shown = show(<ListsDialog filter={{ plain: [] }} onChange={onChange} onClose={() => undefined} />, {
    api: fake.api,
    session: { actor: { ...admin, role } },
  });
  return { ...fake, ...shown, onChange };
}
const rowOf = async (name: string) => (await screen.findByText(name)).closest('li')!;

it('shows the lists with label, owner and number of ships, and what may be done with each', async () => {
  const { onChange } = open();
  const dialog = await screen.findByRole('dialog', { name: 'Ship lists' });
  expect((await within(dialog).findAllByText('RESTRICTED')).length).toBeGreaterThan(1);
  const own = within(await rowOf('Tankers'));
  own.getByText('1 ship · Yours');
  for (const name of ['Ships of Tankers', 'Edit Tankers', 'Delete Tankers']) own.getByRole('button', { name });
  expect(own.getByRole('link', { name: 'Export Tankers as CSV' }).getAttribute('href')).toMatch(
    /\/shiplists\/.*\/csv$/,
  );
  const other = within(await rowOf('Harbour'));
  other.getByText('2 ships · Of bo');
  expect(other.queryByRole('button', { name: 'Edit Harbour' })).toBeNull();
  await userEvent.click(own.getByRole('checkbox', { name: 'Show ships of Tankers in its colour' }));
  expect(onChange).toHaveBeenCalledWith({ plain: [mine._id] });
});

it('makes a list for its maker alone, or for a usergroup, by the keyboard', async () => {
  const { inputsOf } = open({ 'POST /shiplists': () => ({ ...mine, message: 'Ship list Fishers created' }) });
  (await screen.findByRole('button', { name: 'New list' })).focus();
  await userEvent.keyboard('{Enter}');
  const form = await screen.findByRole('dialog', { name: 'New ship list' });
  within(form).getByText('Only you');
  await userEvent.click(within(form).getByRole('button', { name: 'Create' }));
  within(form).getByText('Name is required');
  await userEvent.type(within(form).getByRole('textbox', { name: /^Name/ }), 'Fishers{Enter}');
  await screen.findByText('Ship list Fishers created');
  expect(inputsOf('POST /shiplists')).toEqual([
    {
      body: {
        ...{ name: 'Fishers', colour: '#f59e6b', securityClassification: 'UNCLASSIFIED' },
        ...{ audience: 'groups', usergroups: [], ships: [] },
      },
    },
  ]);
});

it('asks for a reason where more people are to see it, and says what the server says', async () => {
  const { inputsOf } = open({
    'PUT /shiplists/:id': () => {
      throw new AppError('forbidden');
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Tankers' }));
  const form = await screen.findByRole('dialog', { name: 'Edit ship list' });
  await userEvent.click(within(form).getByText('Only you'));
  await userEvent.click(await screen.findByRole('option', { name: /Coast/ }));
  await userEvent.keyboard('{Escape}');
  await userEvent.type(within(form).getByRole('textbox', { name: /^Reason/ }), 'the watch needs it');
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  await screen.findByText('Error saving the list: You do not have the rights for this.');
  expect(inputsOf('PUT /shiplists/:id')).toMatchObject([
    { body: { usergroups: [group._id], revision: 1, reason: 'the watch needs it' } },
  ]);
});

it('makes a list of a CSV file, and says why it makes none of another', async () => {
  const { container } = open();
  await screen.findByText('Tankers');
  const input = container.ownerDocument.querySelector<HTMLInputElement>('input[type=file]')!;
  await userEvent.upload(input, new File(['nothing'], 'words.csv', { type: 'text/csv' }));
  await screen.findByText(/^No MMSI was found in this file/);
  const file = new File(['mmsi,note\n248113000,seen\nabc,\n'], 'watch.csv', { type: 'text/csv' });
  await userEvent.upload(input, file);
  const form = await screen.findByRole('dialog', { name: 'New ship list' });
  within(form).getByText('It begins with 1 ship. 1 line without an MMSI was left out.');
  expect(within(form).getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('watch');
});

it('shows the ships of a list with their names, adds one by its MMSI and removes one', async () => {
  const { inputsOf } = open({
    'POST /shiplists/:id/ships': () => ({ message: '1 ship added to Tankers', added: 1 }),
    'DELETE /shiplists/:id/ships': () => ({ message: '1 ship removed from Tankers' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ships of Tankers' }));
  const dialog = await screen.findByRole('dialog', { name: 'Ships of Tankers' });
  await within(dialog).findByText('POLARIS BAY');
  within(dialog).getByText('seen');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'MMSI' }), 'abc{Enter}');
  within(dialog).getByText('An MMSI has up to nine digits');
  await userEvent.clear(within(dialog).getByRole('textbox', { name: 'MMSI' }));
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'MMSI' }), '636 014 221{Enter}');
  await screen.findByText('1 ship added to Tankers');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove POLARIS BAY' }));
  await screen.findByText('1 ship removed from Tankers');
  expect(inputsOf('POST /shiplists/:id/ships')).toMatchObject([{ body: { ships: [{ mmsi: 636_014_221, note: '' }] } }]);
  expect(inputsOf('DELETE /shiplists/:id/ships')).toMatchObject([{ body: { ships: [248_113_000] } }]);
});

it('deletes a list after a question that says what goes', async () => {
  open({ 'DELETE /shiplists/:id': () => ({ message: 'Ship list Tankers deleted' }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Tankers' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete ship list Tankers?' });
  expect(question.textContent).toContain('The list with 1 ship is deleted for good');
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  await screen.findByText('Ship list Tankers deleted');
});

it('tells guests that lists appear here, and offers them none', async () => {
  open({ 'GET /shiplists': () => [] }, 'guest');
  await screen.findByText('Lists that are shared with you appear here.');
  expect(screen.queryByRole('button', { name: 'New list' })).toBeNull();
});

it('puts a ship on a list from its row, takes it off again, and makes a new list of it', async () => {
  let holding: ShipListRow[] = [];
  const { api, inputsOf } = fakeApi({
    'GET /shiplists': ({ query }) => (query?.mmsi === undefined ? [mine, theirs] : holding),
    'GET /shiplists/:id': () => listed(mine),
    'GET /usergroups': () => [group],
    'POST /shiplists/:id/ships': () => {
      holding = [mine];
      return { message: '1 ship added to Tankers', added: 1 };
    },
    'DELETE /shiplists/:id/ships': () => ({ message: '1 ship removed from Tankers' }),
  });
  const onRow = vi.fn();
  show(
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: stands for a row of a table
    <div onClick={onRow}>
      <AddToList mmsi={248_113_000} name="POLARIS BAY" look="icon" />
    </div>,
    { api },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add POLARIS BAY to a list' }));
  const item = await screen.findByRole('menuitemcheckbox', { name: 'Tankers' });
  expect(screen.queryByText('Harbour')).toBeNull();
  await vi.waitFor(() => expect(item.getAttribute('aria-disabled')).not.toBe('true'));
  await userEvent.click(item);
  await vi.waitFor(() => expect(item.getAttribute('aria-checked')).toBe('true'));
  await userEvent.click(item);
  await screen.findByText('1 ship removed from Tankers');
  expect(inputsOf('DELETE /shiplists/:id/ships')).toMatchObject([{ body: { ships: [248_113_000] } }]);
  expect(onRow).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('menuitem', { name: 'New list…' }));
  const form = await screen.findByRole('dialog', { name: 'New ship list' });
  within(form).getByText('It begins with 1 ship.');
});
