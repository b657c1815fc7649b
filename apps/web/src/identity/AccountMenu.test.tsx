// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { tourAskedBy } from '../base/tour.ts';
import { chooseUnits, formatMeasured, formatPlace, unitsNow } from '../base/units.ts';
import { type Answers, fakeApi, newId, refusing, usergroupOf } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { AccountMenu } from './AccountMenu.tsx';

// Shows the dialog identity/UnitsDialog.tsx PlainDialog

afterEach(cleanup);

async function open(answers: Answers = {}, session: Parameters<typeof show>[1]['session'] = {}) {
  const fake = fakeApi(answers);
  const shown = show(<AccountMenu />, {
    api: fake.api,
    session: { groups: [usergroupOf({ name: 'Aegean watch' })], ...session },
  });
  await userEvent.click(screen.getByRole('button', { name: /Account of/ }));
  await screen.findAllByRole('menuitem');
  return { ...fake, ...shown };
}

const choose = (name: string) => userEvent.click(screen.getByRole('menuitem', { name }));
const credentialOf = (client: string, current: boolean) => ({
  _id: newId(),
  created: 0,
  lastUsed: 0,
  expires: 0,
  client,
  address: '127.0.0.1',
  current,
  forScript: false,
});

it('shows name, role, clearance and groups', async () => {
  await open();

  const menu = within(screen.getByRole('dialog'));
  for (const text of ['ana', 'Super admin', 'SECRET', 'Aegean watch']) expect(menu.getByText(text)).toBeDefined();
});

it('says that the session is limited, and how to see more', async () => {
  await open({}, { limit: { label: 'RESTRICTED', by: 'login' } });

  const menu = within(screen.getByRole('dialog'));
  expect(menu.getByText('Session limited to RESTRICTED. To see more, log out and log in again.')).toBeDefined();
});

it('logs out and goes to the login', async () => {
  const { session, place } = await open();

  await choose('Log out');

  await waitFor(() => expect(session.logout).toHaveBeenCalledOnce());
  expect(place.current).toBe('/login');
});

it('asks for the tour, and says where it begins', async () => {
  await open();

  await choose('Take the tour');

  await screen.findByText('Open a mission: the tour begins there.');
  expect(tourAskedBy()).toBe('ana');
});

it('lists the own sessions and revokes another one', async () => {
  let sessions = [credentialOf('Chromium on Linux', true), credentialOf('Firefox on Windows', false)];
  await open({
    'GET /credentials': () => sessions,
    'DELETE /credentials/:id': ({ params }) => {
      sessions = sessions.filter(({ _id }) => _id !== params?.id);
      return { message: 'ok' };
    },
  });

  await choose('Sessions');
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke the session of Firefox on Windows' }));

  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull());
  expect(screen.getByText('This session')).toBeDefined();
});

it('changes the password, and says when the current one is wrong', async () => {
  let right = false;
  await open({
    'PUT /users/password': () => (right ? { message: 'ok' } : refusing('unauthorized')({})),
  });
  await choose('Change password');
  await userEvent.type(await screen.findByLabelText('Current password'), 'old one');
  await userEvent.type(screen.getByLabelText('New password'), 'new one');
  await userEvent.type(screen.getByLabelText('Repeat the new password'), 'new one');

  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('The current password is wrong')).toBeDefined();

  right = true;
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Password changed. Your other sessions were ended.')).toBeDefined();
});

it('shows numbers in the units that are chosen, and keeps them for the account', async () => {
  await open({});
  await choose('Units and coordinates');

  await userEvent.click(await screen.findByRole('radio', { name: 'Feet' }));
  await userEvent.click(screen.getByRole('radio', { name: 'MGRS' }));

  await userEvent.click(screen.getByRole('switch', { name: 'Cross-hair over videos and maps' }));

  expect(unitsNow().crossHair).toBe(true);
  expect([formatMeasured(100, 'm'), formatPlace({ lat: 37.5, lon: 24.2 })]).toEqual([
    '328 ft',
    expect.stringMatching(/^35S /),
  ]);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Feet' }).checked).toBe(true);
  chooseUnits({ lengths: 'm', coordinates: 'dms', crossHair: false });
});

it('offers a guest the login and the units', async () => {
  await open({}, { actor: { ...admin, username: 'guest', role: 'guest' }, authenticated: false });

  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Units and coordinates',
    'Log in',
  ]);
});
