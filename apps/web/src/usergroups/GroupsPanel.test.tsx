// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeApi, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { GroupsPanel } from './GroupsPanel.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const coast = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });
const GONE = 'This usergroup no longer exists, or is not visible to you.';

async function openCoast() {
  const groups = [usergroupOf(), coast];
  const fake = fakeApi({
    'GET /usergroups': () => [...groups],
    'GET /usergroups/only': () => ({ items: [], hidden: false }),
    'GET /users': () => new WithHeaders([], { 'x-total-count': '0' }),
    'DELETE /usergroups': () => {
      groups.pop();
      return { message: 'Usergroup Coast deleted.' };
    },
  });
  const shown = show(<GroupsPanel tabs={null} />, { api: fake.api, at: '/usergroups' });
  fireEvent.click(await screen.findByText('Coast'));
  const detail = await screen.findByRole('complementary', { name: 'Usergroup Coast' });
  return { ...shown, groups, detail };
}

it('says that a group is gone which another user deleted while it was being changed', async () => {
  const { groups, detail, queries } = await openCoast();
  fireEvent.change(within(detail).getByLabelText('Description'), { target: { value: 'North of Kea' } });

  groups.pop();
  await queries.invalidateQueries({ queryKey: ['usergroups'] });
  await screen.findByText(GONE);
  await userEvent.click(screen.getByRole('button', { name: 'Close the usergroup' }));

  await waitFor(() => expect(screen.queryByText(GONE)).toBeNull());
});

it('closes the details of a group that the reader deleted', async () => {
  const { detail, place } = await openCoast();
  await userEvent.click(within(detail).getByRole('button', { name: 'Delete group' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete group Coast?' });
  await waitFor(() =>
    expect(within(question).getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', false),
  );

  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Usergroup Coast deleted.');
  await waitFor(() => expect([screen.queryByText('Coast'), screen.queryByText(GONE)]).toEqual([null, null]));
  expect(place.current).toBe('/usergroups');
});
