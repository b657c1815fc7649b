// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Answers, fakeApi, newId, refusing, usergroupOf } from '../testing/fake-api.ts';
import { info } from '../testing/show.tsx';
import { AlertProvider } from '../ui/dialog/AlertDialog.tsx';
import { forgetTyped, holdTyped } from '../ui/dialog/typed.ts';
import { ApiContext } from './api.ts';
import { SessionProvider } from './SessionProvider.tsx';
import { useSession } from './session.ts';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const signedIn = (username: string, role = 'user'): Answers => ({
  'GET /users/authenticated': () => ({ _id: newId(), role, username, securityClearance: 'RESTRICTED' }),
  'GET /users/groups': () => ({ usergroups: [usergroupOf()], usergroupsAdmin: [] }),
});
const asGuest: Answers = {
  'GET /info': () => ({ ...info, guest: true }),
  'POST /login/guest': () => ({ role: 'guest', credential: 'guest-credential', username: 'guest' }),
};

/** The stored credential is refused; that of the guest session that follows is good. */
function guestAfterRefusal(): Answers {
  let asked = 0;
  return {
    ...signedIn('guest', 'guest'),
    ...asGuest,
    'GET /users/authenticated': () => {
      asked += 1;
      return asked === 1
        ? refusing('unauthorized')({})
        : { _id: newId(), role: 'guest', username: 'guest', securityClearance: 'UNCLASSIFIED' };
    },
  };
}

function Shown() {
  const { state, actor, authenticated, ended, refused, login, logout, refresh } = useSession();
  return (
    <>
      <output>{`${ended ? 'ended' : state} ${actor?.username ?? 'nobody'} ${authenticated}`}</output>
      {refused && <p>refused</p>}
      <button type="button" onClick={() => login({ username: 'ana', password: 'right' }).catch(() => null)}>
        in
      </button>
      <button type="button" onClick={() => void logout()}>
        out
      </button>
      <button type="button" onClick={() => void refresh()}>
        again
      </button>
    </>
  );
}

function open(answers: Answers) {
  const fake = fakeApi({ 'GET /info': () => info, ...answers });
  const queries = new QueryClient();
  render(
    <QueryClientProvider client={queries}>
      <ApiContext value={fake.api}>
        <AlertProvider>
          <SessionProvider>
            <Shown />
          </SessionProvider>
        </AlertProvider>
      </ApiContext>
    </QueryClientProvider>,
  );
  return { ...fake, queries };
}

const remember = (username: string, password: string) => {
  localStorage.setItem('username', username);
  localStorage.setItem('password', password);
};

it('goes on as the account of the stored credential', async () => {
  remember('ana', 'credential');

  open(signedIn('ana'));

  expect(await screen.findByText('ready ana true')).toBeDefined();
});

it('falls back to the guest when the stored credential is not good any more', async () => {
  remember('ana', 'old');

  open(guestAfterRefusal());

  expect(await screen.findByText('ready guest false')).toBeDefined();
  expect(localStorage.getItem('username')).toBe('guest');
  expect(localStorage.getItem('password')).toBe('guest-credential');
});

it('remembers that a credential was refused, however often that is answered, until the next log-in or log-out', async () => {
  remember('ana', 'credential');
  let isGood = true;
  open({
    ...signedIn('ana'),
    'POST /login': () => ({ role: 'user', credential: 'device', username: 'ana' }),
    'GET /users/authenticated': (given) =>
      isGood
        ? { _id: newId(), role: 'user', username: 'ana', securityClearance: 'RESTRICTED' }
        : refusing('unauthorized')(given),
  });
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await screen.findByText('ready ana true');
  expect(screen.queryByText('refused')).toBeNull();

  isGood = false;
  await click('again');
  await screen.findByText('ready nobody false');
  await click('again');
  expect(screen.getByText('refused')).toBeDefined();

  isGood = true;
  await click('in');
  await screen.findByText('ready ana true');
  expect(screen.queryByText('refused')).toBeNull();
  await click('out');
  await screen.findByText('ready nobody false');
  expect(screen.queryByText('refused')).toBeNull();
});

it('says nothing of a refusal to a guest who goes on as guest', async () => {
  remember('guest', 'old');

  open(guestAfterRefusal());

  await screen.findByText('ready guest false');
  expect(screen.queryByText('refused')).toBeNull();
});

it('has no account where guests are not allowed', async () => {
  open({});

  expect(await screen.findByText('ready nobody false')).toBeDefined();
  expect(localStorage.getItem('password')).toBeNull();
});

it('keeps the device credential after a login, never the password', async () => {
  open({ ...signedIn('ana'), 'POST /login': () => ({ role: 'user', credential: 'device', username: 'ana' }) });
  await screen.findByText('ready nobody false');

  await userEvent.click(screen.getByRole('button', { name: 'in' }));

  expect(await screen.findByText('ready ana true')).toBeDefined();
  expect(localStorage.getItem('username')).toBe('ana');
  expect(localStorage.getItem('password')).toBe('device');
});

it('drops what was read when the same account comes back with another limit', async () => {
  remember('ana', 'credential');
  const _id = newId();
  let limit: object | undefined;
  const account = { _id, role: 'user', username: 'ana' };
  const { queries } = open({
    ...signedIn('ana'),
    'GET /users/authenticated': () => ({ ...account, securityClearance: 'RESTRICTED', limit }),
    'POST /login': () => ({ role: 'user', credential: 'device', username: 'ana' }),
  });
  await screen.findByText('ready ana true');
  queries.setQueryData(['missions'], ['Kea']);
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  await click('again');
  expect(queries.getQueryData(['missions'])).toEqual(['Kea']);
  limit = { label: 'RESTRICTED', by: 'login' };
  await click('in');

  await expect.poll(() => queries.getQueryData(['missions'])).toBeUndefined();
});

it('opens a guest session after a failed login', async () => {
  let allowed = false;
  open({
    ...signedIn('guest', 'guest'),
    ...asGuest,
    'GET /info': () => ({ ...info, guest: allowed }),
    'POST /login': refusing('unauthorized'),
  });
  await screen.findByText('ready nobody false');
  allowed = true;

  await userEvent.click(screen.getByRole('button', { name: 'in' }));

  expect(await screen.findByText('ready guest false')).toBeDefined();
});

it('forgets the credential on logging out, also when the server is away', async () => {
  remember('ana', 'credential');
  open({ ...signedIn('ana'), 'POST /logout': refusing('unavailable') });
  await screen.findByText('ready ana true');

  await userEvent.click(screen.getByRole('button', { name: 'out' }));

  expect(await screen.findByText('ready nobody false')).toBeDefined();
  expect(localStorage.getItem('password')).toBeNull();
});

it('waits for the set-up, and says when the server does not answer', async () => {
  open({ 'GET /info': refusing('notSetUp') });
  expect(await screen.findByText('setup nobody false')).toBeDefined();
  cleanup();

  open({ 'GET /info': refusing('unavailable') });
  expect(await screen.findByText('failed nobody false')).toBeDefined();
});

it('has no account while all places of the licence are taken, says so until answered, and keeps the credential', async () => {
  remember('ana', 'credential');

  open({ ...asGuest, 'GET /users/authenticated': refusing('tooManyUsers') });

  const alert = await screen.findByRole('alertdialog', {
    name: 'Too many concurrent users - The licence allows no more concurrent users',
  });
  expect(alert.textContent).toContain('Please check your license.');
  expect(localStorage.getItem('password')).toBe('credential');
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.getByText('ready nobody false')).toBeDefined();
});

it('says that all places are taken when a login is refused for it', async () => {
  open({ 'POST /login': refusing('tooManyUsers') });

  await userEvent.click(await screen.findByRole('button', { name: 'in' }));

  await screen.findByRole('alertdialog', { name: /^Too many concurrent users - / });
});

it.each([
  { guest: false, afterwards: 'ready nobody false' },
  { guest: true, afterwards: 'ready guest false' },
])(
  'keeps who typed something when the session ends (guests: $guest), until it is given up',
  async ({ guest, afterwards }) => {
    remember('ana', 'credential');
    let isGood = true;
    const isAna = () => isGood && localStorage.getItem('username') === 'ana';
    const nobody = refusing('unauthorized');
    const [ana, stranger] = [newId(), newId()];
    open({
      ...signedIn('ana'),
      ...(guest && asGuest),
      'POST /login': () => ({ role: 'user', credential: 'device', username: 'ana' }),
      'GET /users/authenticated': (given) => {
        const username = isAna() ? 'ana' : 'guest';
        if (username === 'guest' && localStorage.getItem('username') !== 'guest') return nobody(given);
        const _id = isAna() ? ana : stranger;
        return { _id, role: isAna() ? 'user' : 'guest', username, securityClearance: 'UNCLASSIFIED' };
      },
    });
    await screen.findByText('ready ana true');
    holdTyped();
    const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

    isGood = false;
    await click('again');
    await screen.findByText('ended ana true');
    isGood = true;
    await click('in');
    await screen.findByText('ready ana true');
    isGood = false;
    await click('again');
    await screen.findByText('ended ana true');
    forgetTyped();
    await click('again');

    expect(await screen.findByText(afterwards)).toBeDefined();
  },
);
