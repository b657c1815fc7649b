// @vitest-environment jsdom
import type { User } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { LinkDialog } from './LinkDialog.tsx';
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
  secondFactor: false,
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

it('keeps a usergroup that another user gave while another was being ticked', async () => {
  const north = usergroupOf({ name: 'North' });
  const user = userOf();
  const { fake, queries } = open([user], {
    'GET /usergroups': () => [demo, coast, north],
    'PUT /users/:id': () => ({ message: 'User berit updated.' }),
  });
  await userEvent.click(await screen.findByText('berit'));
  const detail = await screen.findByRole('complementary', { name: 'User berit' });
  await userEvent.click(await within(detail).findByRole('checkbox', { name: 'berit is in Coast' }));

  user.usergroups = [demo._id, north._id];
  await queries.invalidateQueries({ queryKey: ['users'] });
  await within(detail).findByRole('checkbox', { name: 'berit is in North', checked: true });
  await userEvent.click(within(detail).getByRole('button', { name: 'Save' }));

  await screen.findByText('User berit updated.');
  expect(fake.inputsOf('PUT /users/:id')).toEqual([
    { params: { id: user._id }, query: { usergroups: `${demo._id},${north._id},${coast._id}` } },
  ]);
});

it('gives the focus of the panel back to the row it was opened from', async () => {
  open([userOf()]);
  const row = (await screen.findByText('berit')).closest('[role="row"]');
  await userEvent.click(row!);
  const detail = await screen.findByRole('complementary', { name: 'User berit' });

  await userEvent.click(within(detail).getByLabelText('Company'));
  await userEvent.keyboard('{Escape}');

  await waitFor(() => expect(document.activeElement).toBe(row));
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

it('takes away a lost second factor after a question, and says so', async () => {
  const user = userOf({ secondFactor: true });
  const { fake } = open([user, userOf({ username: 'carl', firstName: 'Carl' })], {
    'DELETE /users/:id/second-factor': () => {
      user.secondFactor = false;
      return { message: 'Second factor of berit removed.' };
    },
  });
  await userEvent.click(await screen.findByText('berit'));
  const panel = await screen.findByRole('complementary', { name: 'User berit' });
  const button = () => within(panel).queryByRole('button', { name: 'Remove second factor' });

  await userEvent.click(button()!);
  const question = await screen.findByRole('alertdialog', { name: 'Remove the second factor of berit?' });
  expect(document.activeElement?.textContent).toBe('Cancel');
  await userEvent.click(within(question).getByRole('button', { name: 'Remove' }));

  expect(await screen.findByText('Second factor of berit removed.')).toBeDefined();
  expect(fake.inputsOf('DELETE /users/:id/second-factor')).toMatchObject([{ params: { id: user._id } }]);
  await waitFor(() => expect(button()).toBeNull());
  await userEvent.click(screen.getByText('carl'));
  const other = await screen.findByRole('complementary', { name: 'User carl' });
  expect(within(other).queryByRole('button', { name: 'Remove second factor' })).toBeNull();
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

it('disables in place of deleting, and deletes nothing then', async () => {
  const user = userOf({ lastAccess: 1_700_000_000_000_000 });
  const { fake } = open([user], {
    'PUT /users': () => ({ message: 'User berit updated.' }),
    'DELETE /users': () => ({ message: 'deleted' }),
  });
  await userEvent.click(await screen.findByText('berit'));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete user' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Disable instead' }));

  await screen.findByText('User berit updated.');
  expect(fake.inputsOf('PUT /users')).toEqual([{ body: { users: [user._id], disabled: true } }]);
  expect(fake.inputsOf('DELETE /users')).toEqual([]);
});

it('shows All in place of groups to choose to a super admin', async () => {
  open([userOf({ authorizationRole: 'superAdmin' })]);
  await userEvent.click(await screen.findByText('berit'));

  const detail = await screen.findByRole('complementary', { name: 'User berit' });

  within(detail).getByText('All', { exact: true });
  within(detail).getByText('A super admin sees the items of every group.');
  expect(within(detail).queryByRole('checkbox')).toBeNull();
});

it.each(['taken', 'refused'])('copies a link when its button is pressed: %s by the browser', async (clipboard) => {
  const token = 'f'.repeat(43);
  const link = { userId: newId(), username: 'berit', token, expires: 1_800_000_000_000_000 };
  const copied: string[] = [];
  const writeText = async (text: string) => {
    if (clipboard === 'refused') throw new DOMException('no', 'NotAllowedError');
    copied.push(text);
  };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  show(<LinkDialog link={link} onClose={() => undefined} />, { api: fakeApi({}).api });
  const field = screen.getByLabelText('One-time link') as HTMLInputElement;
  const address = `${location.origin}/reset#${token}`;
  expect(field.value).toBe(address);

  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));

  const marked = () => field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  if (clipboard === 'refused') return waitFor(() => expect([marked(), copied]).toEqual([address, []]));
  await screen.findByText('Link copied.');
  expect(copied).toEqual([address]);
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
