// @vitest-environment jsdom
import type { Role } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, info, show } from '../testing/show.tsx';
import { StandingNotices } from './StandingNotices.tsx';

afterEach(cleanup);

const little = '8 % free for recordings: 8.0 GB of 100 GB. Make room: below 5 % uploads are refused.';
const check = (name: string, state: 'ok' | 'warning' | 'failed', text: string) => ({ name, state, text });

function open(checks: ReturnType<typeof check>[], role: Role = 'admin') {
  const fake = fakeApi({
    'GET /health': () => ({ status: 'up', checks }),
    'GET /backups/count': () => ({}),
  });
  show(<StandingNotices />, { api: fake.api, session: { actor: { ...admin, role } } });
  return fake;
}

it('warns admins on every page of a disk with little room, and leads to the storage page', async () => {
  open([
    check('disk', 'warning', little),
    check('database disk', 'failed', 'No room for the database.'),
    check('jobs', 'warning', '2 failed.'),
  ]);

  const [disk, database, ...others] = await screen.findAllByRole('status');
  expect(disk!.textContent).toContain(little);
  expect(within(disk!).getByRole('link', { name: 'Show storage' }).getAttribute('href')).toBe('/storage');
  expect(database!.textContent).toContain('No room for the database.');
  expect(others).toEqual([]);
});

it('says nothing while there is room', async () => {
  const { inputsOf } = open([check('disk', 'ok', '80 % free for recordings.')]);

  await expect.poll(() => inputsOf('GET /health')).toHaveLength(1);
  expect(screen.queryByRole('status')).toBeNull();
});

it.each(['groupAdmin', 'user', 'guest'] as const)('does not ask for a %s', async (role) => {
  const { calls } = open([check('disk', 'warning', little)], role);

  expect(screen.queryByRole('status')).toBeNull();
  expect(calls).toEqual([]);
});

it.each(['admin', 'user', 'guest'] as const)('says to a %s on every page that this is demo mode', async (role) => {
  const { api } = fakeApi({});
  show(<StandingNotices />, { api, session: { actor: { ...admin, role }, info: { ...info, demoMode: true } } });

  expect(screen.getByRole('status').textContent).toMatch(/^Demo mode: /);
});

it.each([
  ['login', 'Session limited to RESTRICTED. To see more, log out and log in again.'],
  ['listener', 'Limited to RESTRICTED at this address of the server, whatever your clearance is.'],
] as const)('says on every page that the session is limited by its %s', async (by, text) => {
  const { api } = fakeApi({});
  show(<StandingNotices />, {
    api,
    session: { actor: { ...admin, role: 'user' }, limit: { label: 'RESTRICTED', by } },
  });

  expect(screen.getByRole('status').textContent).toBe(text);
});
