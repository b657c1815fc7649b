// @vitest-environment jsdom
import type { Dashboard } from '@osprey/contract';
import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { AdminCards } from './AdminCards.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const roles = { superAdmins: 1, admins: 0, groupAdmins: 0, others: 2, disabled: 0, online: 1 };
const figures: Dashboard = {
  users: { ...roles, total: 3 },
  usergroups: { total: 5, withoutMembers: 0, secret: 0, webRtc: 0, previewOnly: 0, hlsOnly: 5 },
  platforms: { total: 7, live: 0, autostart: 0, sensors: 8 },
  jobs: { open: 0, failed: 0 },
};
const ofCard = (name: string, unit: RegExp) =>
  within(screen.getByRole('region', { name })).getByText(unit).previousElementSibling?.textContent;
const totals = () => [
  ofCard('Users', /^accounts$/),
  ofCard('User Groups', /^groups, /),
  ofCard('Platforms', /^platforms, /),
];

it('says how many accounts, groups and platforms there are, and again as soon as one of them changes', async () => {
  vi.useFakeTimers();
  let now = figures;
  const { api } = fakeApi({ 'GET /dashboard': () => now, 'GET /platforms': () => [] });
  const { bus } = show(<AdminCards licence={null} charts={[]} />, { api });
  const settled = () => act(() => vi.advanceTimersByTimeAsync(0));
  await settled();
  expect(totals()).toEqual(['3', '5', '7']);

  for (const noun of ['users', 'usergroups', 'platforms'] as const) {
    now = { ...now, [noun]: { ...now[noun], total: now[noun].total + 1 } };
    const before = totals();
    act(() => bus.emit(noun, { ids: [newId()] }));
    await settled();
    expect(totals()).not.toEqual(before);
  }
  expect(totals()).toEqual(['4', '6', '8']);
});

it('says of one of each what fits', async () => {
  const one: Dashboard = {
    ...figures,
    users: { ...roles, total: 1 },
    usergroups: { ...figures.usergroups, total: 1 },
    platforms: { ...figures.platforms, total: 1, sensors: 1 },
  };
  const { api } = fakeApi({ 'GET /dashboard': () => one, 'GET /platforms': () => [] });
  show(<AdminCards licence={null} charts={[]} />, { api });

  await screen.findByText('account');
  screen.getByText('group, 0 without members');
  screen.getByText('platform, 1 sensor');
});

it.each([
  ['superAdmin', 'Edit usergroups', 'None yet: upload a configuration.'],
  ['groupAdmin', null, 'None yet.'],
] as const)('offers a %s what the role may do with groups and platforms', async (role, edit, none) => {
  const empty = { ...figures, platforms: { total: 0, live: 0, autostart: 0, sensors: 0 } };
  const { api } = fakeApi({ 'GET /dashboard': () => empty, 'GET /platforms': () => [] });
  show(<AdminCards licence={null} charts={[]} />, { api, session: { actor: { ...admin, role } } });

  await screen.findByText(none);
  expect(screen.queryByRole('link', { name: 'Edit usergroups' })?.textContent ?? null).toBe(edit);
});
