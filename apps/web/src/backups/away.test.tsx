// @vitest-environment jsdom
import type { Backup, BackupFacts, BackupState } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { BackupsPage } from '../pages/BackupsPage.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { BackupsFact } from './BackupsFact.tsx';

afterEach(cleanup);

const warning = '/mnt/backups is not the folder that held the backups: is its disk mounted?';
const facts: BackupFacts = {
  count: 12,
  awaySince: Date.UTC(2026, 10, 22, 3, 4) * 1000,
  running: null,
  last: null,
  lastVerified: Date.UTC(2026, 10, 21) * 1000,
  warning,
  schedule: null,
  next: null,
  keep: 7,
  folder: '/mnt/backups',
  freeBytes: null,
  sameDisk: false,
  keyUnseen: false,
};
const api = (more: Partial<BackupFacts> = {}) =>
  fakeApi({ 'GET /backups/count': () => ({ ...facts, ...more }), 'GET /backups': () => [] }).api;

it('keeps the last known number on the dashboard while the folder is away, and says since when', async () => {
  show(<BackupsFact />, { api: api(), session: { actor: admin } });

  const link = await screen.findByRole('link', { name: '12 backups' });
  expect(link.textContent).toBe('12');
  expect(document.body.textContent).toContain('folder not reachable since Nov 22 2026, 03:04 Z');
  expect(document.body.textContent).not.toContain('verified');
});

const NEWEST_US = Date.UTC(2026, 10, 22, 1, 30) * 1000;
const last = (state: BackupState) => ({ name: '20261122-013000-manual', state, created: NEWEST_US, error: null });

it.each([
  ['that the newest failed, and when', { last: last('failed') }, 'last one failed Nov 22 2026, 01:30'],
  ['when one was last proved', { last: last('verified') }, 'verified Nov 21 2026, 00:00'],
  ['that none was proved yet', { last: last('unverified'), lastVerified: null }, 'no verified backup'],
])('says on the dashboard %s', async (_, more, text) => {
  show(<BackupsFact />, { api: api({ awaySince: null, ...more }), session: { actor: admin } });

  const { parentElement } = await screen.findByRole('link', { name: '12 backups' });
  expect(parentElement?.textContent).toContain(`12 ${text}`);
});

it('says on the dashboard that there is none yet', async () => {
  show(<BackupsFact />, {
    api: api({ awaySince: null, count: 0, last: null, lastVerified: null }),
    session: { actor: admin },
  });

  expect((await screen.findByRole('link', { name: 'Backups: none yet' })).textContent).toBe('none yet');
});

it('says on the page that the folder cannot be read, and why, not that there is no backup', async () => {
  show(<BackupsPage />, { api: api(), session: { actor: admin } });

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`The folder of the backups cannot be read${warning}`);
  expect(screen.queryByText('There is no backup yet')).toBeNull();
});

it('says that there is none yet where the folder can be read and is empty', async () => {
  show(<BackupsPage />, { api: api({ awaySince: null, count: 0 }), session: { actor: admin } });

  await screen.findByText('There is no backup yet');
  expect(screen.queryByRole('alert')).toBeNull();
});

const made: Backup = {
  ...{ name: '20261122-013000-manual', origin: 'manual', state: 'verified', created: NEWEST_US, error: null },
  ...{ securityClassification: 'SECRET', progress: null, sizeBytes: 9, newBytes: 9, rows: 1, schemaVersion: '1' },
  ...{ files: 1200, damaged: 0, verified: 0, unchanged: { files: 1000, read: 10 } },
};

it('lists how many files each backup read: the new ones, and some of the unchanged ones', async () => {
  const rows = [made, { ...made, name: '20261101-013000-manual', unchanged: null }];
  const own = fakeApi({
    'GET /backups/count': () => ({ ...facts, awaySince: null, warning: null }),
    'GET /backups': () => rows,
  }).api;
  show(<BackupsPage />, { api: own, session: { actor: admin } });

  const row = within(await screen.findByRole('row', { name: new RegExp(made.name) }));
  expect(row.getByText(/^210 of 1.200$/).title).toMatch(/1.000 unchanged files are taken over/);
  expect(row.getByText(/^210 of 1.200$/).title).toContain('10 of them, chosen at random');
  expect(screen.queryAllByText(/ of 1.200$/)).toHaveLength(1);
});
