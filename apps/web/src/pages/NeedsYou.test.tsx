// @vitest-environment jsdom
import type { Dashboard } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show } from '../testing/show.tsx';
import { NeedsYou } from './NeedsYou.tsx';

afterEach(cleanup);

const figures: Dashboard = {
  users: { superAdmins: 1, admins: 0, groupAdmins: 0, others: 2, disabled: 0, online: 1, total: 3 },
  usergroups: { total: 5, withoutMembers: 0, secret: 0, webRtc: 0, previewOnly: 0, hlsOnly: 5 },
  platforms: { total: 7, live: 0, autostart: 0, sensors: 8 },
  jobs: { open: 0, failed: 0 },
};
const ok = { name: 'database', state: 'ok' as const, text: 'Answers in 2 ms.' };

function open(answers: Answers = {}, role: 'superAdmin' | 'groupAdmin' = 'superAdmin') {
  const fake = fakeApi({
    'GET /dashboard': () => figures,
    'GET /health': () => ({ status: 'up', checks: [ok] }),
    'GET /platforms': () => [livePlatformOf({ sensors: [liveSensorOf()] })],
    ...answers,
  });
  return { ...fake, ...show(<NeedsYou />, { api: fake.api, session: { actor: { ...admin, role } } }) };
}

const needs = async () => within(await screen.findByRole('region', { name: 'Needs you' }));

it('says that nothing does, once everything was read', async () => {
  open();
  await (await needs()).findByText('Nothing needs you now.');
});

it('lists failed checks before warnings, then lost streams, each with the page that helps', async () => {
  const { baseElement } = open({
    'GET /health': () => ({
      status: 'up',
      checks: [
        ok,
        { name: 'backups', state: 'warning', text: 'The last one is 9 days old.' },
        { name: 'ffmpeg', state: 'failed', text: 'It is not installed.' },
      ],
    }),
    'GET /platforms': () => [
      livePlatformOf({
        name: 'KEA-1',
        sensors: [liveSensorOf({ name: 'EO', on: true, state: 'lost' }), liveSensorOf({ name: 'IR', state: 'online' })],
      }),
    ],
  });

  await (await needs()).findByText('Stream lost: KEA-1, EO');
  const links = await (await needs()).findAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['ffmpeg: It is not installed.', '/admin/health'],
    ['Last backup: The last one is 9 days old.', '/admin/health'],
    ['Stream lost: KEA-1, EO', '/platforms'],
  ]);
  expect(screen.queryByText('Nothing needs you now.')).toBeNull();
  expect(await seriousFindings(baseElement)).toEqual([]);
});

it('names five lost streams and counts the others', async () => {
  const sensors = Array.from({ length: 7 }, (_, n) => liveSensorOf({ name: `S${n}`, on: true, state: 'lost' }));
  open({ 'GET /platforms': () => [livePlatformOf({ name: 'KEA-1', sensors })] });

  await (await needs()).findByText('2 more streams lost');
  expect((await needs()).getAllByText(/^Stream lost/)).toHaveLength(5);
});

it('counts failed jobs for a group admin, without the health of the server and a page that refuses', async () => {
  const { inputsOf } = open({ 'GET /dashboard': () => ({ ...figures, jobs: { open: 0, failed: 1 } }) }, 'groupAdmin');

  const text = await (await needs()).findByText('1 job failed');
  expect(text.closest('a')).toBeNull();
  expect(inputsOf('GET /health')).toEqual([]);
});
