import type { Role } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../tools/test-support/browser/screens.ts';
import { stageFor } from './support/stage.ts';
import { SAID, settlingOf, walk } from './support/walk.ts';

const stage = stageFor({ OSPREY_GUEST: 'true' });
/** Pages that only admin roles have. */
const ADMIN_PAGES = ['/admin', '/users', '/useractivity', '/platforminfo', '/storage'];
/** Pages that group admins have neither. */
const OF_ADMINS = ['/usergroups', '/backups', '/admin/health'];

let group: string;
let accounts = 0;

beforeAll(async () => {
  group = await stage.api.addGroup('Coast', 'SECRET');
  await stage.api.addMission({ name: 'Kea', usergroups: [group] });
});

async function pageOf(role: Role): Promise<Page> {
  const { page } = await stage.open();
  if (role === 'guest') {
    await page.goto('/missions');
    await page.getByRole('button', { name: 'Account of guest' }).waitFor();
    return page;
  }
  if (role === 'superAdmin') {
    await logIn(page);
    return page;
  }
  accounts += 1;
  const administers = role === 'groupAdmin' ? { administers: [group] } : {};
  const account = await stage.api.addUser(`Of-${role}-${accounts}`, {
    role,
    clearance: 'SECRET',
    groups: [group],
    ...administers,
  });
  await logIn(page, account);
  return page;
}

/** Those of the pages that open for who types their address: others are led away, or told what to ask for. */
async function openAmong(page: Page, paths: readonly string[]): Promise<string[]> {
  const settle = settlingOf(page);
  const open: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await settle();
    const said = await page.getByRole('main').innerText();
    if (new URL(page.url()).pathname === path && !SAID.test(said)) open.push(path);
  }
  return open;
}

describe('menu, cards, tabs, links and buttons', { timeout: 600_000 }, () => {
  it('lead a group admin to nothing that refuses, and others but admins to no page of the administration', async () => {
    const page = await pageOf('groupAdmin');
    const { opened, pressed, refused } = await walk(page);
    expect(refused).toEqual([]);
    expect(pressed.size).toBeGreaterThan(30);
    expect(ADMIN_PAGES.filter((path) => !opened.has(path))).toEqual([]); // S1-015 S2-013
    expect(OF_ADMINS.filter((path) => opened.has(path))).toEqual([]);

    const user = await pageOf('user');
    expect(await openAmong(user, ['/admin'])).toEqual([]); // S1-015 S2-013
  });

  it.each(['superAdmin', 'admin', 'user', 'guest'] as const)(
    'lead a %s to nothing that refuses, and to each page of the role',
    { tags: 'long' },
    async (role) => {
      const page = await pageOf(role);
      const { opened, refused } = await walk(page);

      expect(refused).toEqual([]);
      const isAdminRole = role === 'superAdmin' || role === 'admin';
      const pages = isAdminRole ? [...ADMIN_PAGES, ...OF_ADMINS] : [];
      expect([...ADMIN_PAGES, ...OF_ADMINS].filter((path) => opened.has(path))).toEqual(pages); // S2-014
      expect(await openAmong(page, [...ADMIN_PAGES, ...OF_ADMINS])).toEqual(pages);
    },
  );
});
