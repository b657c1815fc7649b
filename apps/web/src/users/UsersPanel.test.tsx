// @vitest-environment jsdom
import type { User } from '@osprey/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { UsersPanel } from './UsersPanel.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const demo = usergroupOf();
const coast = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });

const userOf = (fields: Partial<User> = {}): User => ({
  _id: newId(),
  username: 'berit',
  firstName: 'Berit',
  lastName: 'Sund',
  company: 'Harbour',
  email: 'berit@example.org',
  country: 'Norway',
  authorizationRole: 'user',
  securityClearance: 'RESTRICTED',
  usergroups: [demo._id],
  usergroupsAdmin: [],
  disabled: false,
  state: 'active',
  onlineCount: 0,
  registered: 1_700_000_000_000_000,
  lastAccess: null,
  ...fields,
});

function open(users: User[], answers: Answers = {}) {
  const fake = fakeApi({
    'GET /users': ({ query }) =>
      query?.states === 'waiting'
        ? new WithHeaders([], { 'x-total-count': '0' })
        : new WithHeaders(users, { 'x-total-count': String(users.length) }),
    'GET /users/:id': ({ params }) => users.find(({ _id }) => _id === params?.id),
    'GET /usergroups': () => [demo, coast],
    ...answers,
  });
  return { fake, ...show(<UsersPanel tabs={null} />, { api: fake.api, at: '/users' }) };
}

it('sends what was changed and nothing else, and shows the word of the server', async () => {
  const user = userOf();
  const { fake } = open([user], { 'PUT /users/:id': () => ({ message: 'User berit updated.' }) });
  await userEvent.click(await screen.findByText('berit'));
  const detail = await screen.findByRole('complementary', { name: 'User berit' });

  await userEvent.click(within(detail).getByRole('checkbox', { name: 'berit is in Coast' }));
  await userEvent.clear(within(detail).getByLabelText('Company'));
  await userEvent.type(within(detail).getByLabelText('Company'), ' Pilots ');
  within(detail).getByText('2 changes not saved');
  await userEvent.click(within(detail).getByRole('button', { name: 'Save' }));

  await screen.findByText('User berit updated.');
  expect(fake.inputsOf('PUT /users/:id')).toEqual([
    { params: { id: user._id }, query: { company: 'Pilots', usergroups: `${demo._id},${coast._id}` } },
  ]);
  expect(await seriousFindings(document.body)).toEqual([]);
});

it('says which user could not be changed and why, and keeps what was typed', async () => {
  open([userOf()], { 'PUT /users/:id': refusing('unknownUsergroup') });
  await userEvent.click(await screen.findByText('berit'));
  const detail = await screen.findByRole('complementary', { name: 'User berit' });
  await userEvent.type(within(detail).getByLabelText('Company'), ' North');

  await userEvent.click(within(detail).getByRole('button', { name: 'Save' }));

  await screen.findByText('Error updating user berit: Unknown usergroup.');
  expect((within(detail).getByLabelText('Company') as HTMLInputElement).value).toBe('Harbour North');
});

it('shows what was saved, not what was there before, while the account is read again', async () => {
  let user = userOf();
  const gate = Promise.withResolvers<void>();
  let saved = false;
  const read = async () => {
    if (saved) await gate.promise;
    return user;
  };
  open([user], {
    'GET /users': async () => new WithHeaders([await read()], { 'x-total-count': '1' }),
    'GET /users/:id': read,
    'PUT /users/:id': () => {
      saved = true;
      user = { ...user, company: 'Harbour North' };
      return { message: 'User berit updated.' };
    },
  });
  await userEvent.click(await screen.findByText('berit'));
  const detail = await screen.findByRole('complementary', { name: 'User berit' });
  await userEvent.type(within(detail).getByLabelText('Company'), ' North');

  await userEvent.click(within(detail).getByRole('button', { name: 'Save' }));
  await screen.findByText('User berit updated.');
  const company = () => (within(detail).getByLabelText('Company') as HTMLInputElement).value;
  const atOnce = company();
  gate.resolve();

  await waitFor(() => expect(within(detail).queryByText('1 change not saved')).toBeNull());
  expect([atOnce, company()]).toEqual(['Harbour North', 'Harbour North']);
});

it('offers to disable in place of deleting where the account was used, and says why a deletion failed', async () => {
  open([userOf({ lastAccess: 1_700_000_000_000_000 })], { 'DELETE /users': refusing('forbidden') });
  await userEvent.click(await screen.findByText('berit'));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete berit?' });

  within(question).getByRole('button', { name: 'Disable instead' });
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Error deleting user(s) berit: You do not have the rights for this.');
});

it('says what happened when the list cannot be read, and tries again', async () => {
  let fails = true;
  open([], {
    'GET /users': () => {
      if (fails) return refusing('unavailable')({});
      return new WithHeaders([userOf()], { 'x-total-count': '1' });
    },
  });
  await screen.findByText('Users could not be read');

  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => screen.getByText('berit'));
});
