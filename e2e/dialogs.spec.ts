/// <reference lib="dom" />
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SecondFactorOffer, User } from '@osprey/contract';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminMode, row as missionRow, resize, shoot } from '../tools/test-support/browser/screens.ts';
import { apiOf, signIn } from '../tools/test-support/data/api.ts';
import { freeUdpPort, twoPlatformsConfig, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { type PacedSender, sendPaced } from '../tools/test-support/paced-sender.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolationsInBothSchemes } from './support/axe.ts';
import { cutOff, dialogsIn, expectFocusInside, expectFocusKept, isLabelBarOnTop } from './support/dialog-checks.ts';
import { licenceKey, signedLicence } from './support/licences.ts';
import { stageFor } from './support/stage.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const ROUNDS = 1000;
const COAST = 'Coast watch of the northern islands';

const stage = stageFor();
let page: Page;
let senders: PacedSender[] = [];
let ports: number[] = [];
const ids: Record<string, string> = {};

type Case = {
  /** File and part, as in the sources. */
  source: string;
  title: string | RegExp;
  /** Text in it once it is there. */
  shows: string | RegExp;
  path: string;
  /** Preparation of the page, for example choosing a row. */
  before?: () => Promise<unknown>;
  /** By keyboard alone; returns what the focus comes back to. */
  open: () => Promise<Locator>;
  /** Steps in it before it is looked at, by keyboard alone. */
  inside?: (box: Locator) => Promise<unknown>;
  /** The button that closes it, where Escape does not. */
  closedBy?: string;
  /** The same of one that is shown a single time: what opened it goes with it. */
  once?: string;
  /** The control that opens it is not on a phone; a window may still become narrow. */
  deskOnly?: true;
};

const key = (name: string) => page.keyboard.press(name);
const button = (name: string | RegExp, exact = true) => page.getByRole('button', { name, exact });
const bulk = (name: string) => page.getByRole('toolbar', { name: /selected$/ }).getByRole('button', { name });

/** Focuses and presses it, once it can be pressed: some wait for what the server says first. */
async function press(target: Locator, by = 'Enter'): Promise<Locator> {
  await expect.poll(() => target.isEnabled()).toBe(true);
  await target.focus();
  await key(by);
  return target;
}

const pressed = (target: () => Locator) => () => press(target());

/** Opens the menu of a button and goes down to the entry. */
async function choose(opener: Locator, entry: string): Promise<Locator> {
  await press(opener);
  const item = page.getByRole('menuitem', { name: entry, exact: true });
  await item.waitFor();
  await expect
    .poll(async () => {
      if (await item.evaluate((own) => own === document.activeElement)) return entry;
      await key('ArrowDown');
      return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    })
    .toBe(entry);
  await key('Enter');
  return opener;
}

const fromAccount = (entry: string) => () => choose(button('Account of admin'), entry);
const check = (name: string) => async () => {
  const box = page.getByRole('checkbox', { name: `Choose ${name}` });
  await box.waitFor();
  if (!(await box.isChecked())) await press(box, 'Space');
};

async function chooseTwoUsers(): Promise<void> {
  await check('Berit')();
  await check('Alexandra.Papadopoulou')();
}

async function chooseMission(): Promise<void> {
  await adminMode(page);
  await missionRow(page, 'Night-ferry').waitFor();
  await check('Night-ferry-along-the-northern-approach')();
}

const openTab = (name: string) => (box: Locator) => press(box.getByRole('tab', { name }));

const cases: Case[] = [
  {
    source: 'identity/SessionsDialog.tsx PlainDialog',
    title: 'Your sessions',
    shows: 'This session',
    path: '/missions',
    open: fromAccount('Sessions'),
  },
  {
    source: 'identity/ChangePasswordDialog.tsx FormDialog',
    title: 'Change password',
    shows: 'Current password',
    path: '/missions',
    open: fromAccount('Change password'),
  },
  {
    source: 'identity/SecondFactorDialog.tsx PlainDialog',
    title: 'Second factor',
    shows: 'Code',
    path: '/missions',
    open: fromAccount('Second factor'),
    async inside(box) {
      await box.getByLabel('Current password', { exact: true }).focus();
      await page.keyboard.type(ADMIN.password);
      await key('Enter');
      await box.getByRole('img', { name: 'QR code for the authenticator' }).waitFor();
    },
  },
  {
    source: 'identity/ApiCredentialsDialog.tsx PlainDialog',
    title: 'API credentials',
    shows: /Save it now/,
    path: '/missions',
    open: fromAccount('API credentials'),
    async inside(box) {
      await box.getByLabel('Name').focus();
      await page.keyboard.type('nightly export');
      await key('Enter');
    },
  },
  {
    source: 'missions/dialog/MissionDialog.tsx FormDialog',
    title: 'New mission',
    shows: 'Description',
    path: '/missions',
    before: () => adminMode(page),
    open: pressed(() => button('Add mission')),
  },
  {
    source: 'missions/AreaFilter.tsx FormDialog',
    title: 'Area',
    shows: 'Please select an area on the map to filter missions.',
    path: '/missions',
    open: () => choose(button('Filter'), 'Area'),
  },
  {
    source: 'missions/DeleteMissions.tsx ConfirmDialog',
    title: /^Delete Night-ferry/,
    shows: /Night-ferry/,
    path: '/missions',
    before: chooseMission,
    open: pressed(() => bulk('Delete')),
  },
  {
    source: 'missions/exports/HoldDialog.tsx FormDialog',
    title: /^Hold Night-ferry/,
    shows: 'Reason',
    path: '/missions',
    before: chooseMission,
    open: pressed(() => bulk('Hold')),
  },
  {
    source: 'missions/rename/RenameDialog.tsx FormDialog',
    title: /^Rename Night-ferry/,
    shows: 'New name',
    path: '/missions',
    before: chooseMission,
    open: pressed(() => bulk('Rename')),
  },
  {
    source: 'documents/DocumentDialog.tsx FormDialog',
    title: 'New document',
    shows: 'Drop a file of any kind',
    path: '/documents',
    open: pressed(() => button('Add document')),
  },
  {
    source: 'ui/dialog/DeletedDialog.tsx FormDialog',
    title: 'Deleted documents',
    shows: /^Draft of harbour/,
    path: '/documents',
    open: pressed(() => button('Deleted documents')),
  },
  {
    source: 'documents/AreaFilter.tsx FormDialog',
    title: 'Area',
    shows: 'Please select an area on the map to filter documents.',
    path: '/documents',
    open: () => choose(button('Filter'), 'Area'),
  },
  {
    source: 'documents/DeleteDocument.tsx ConfirmDialog',
    title: /^Delete Harbour-report-A/,
    shows: /report\.txt/,
    path: '/documents?document={document}',
    before: () => page.getByRole('region', { name: 'Document Harbour-report-A' }).waitFor(),
    open: pressed(() => button('Delete document')),
  },
  {
    source: 'documents/DocumentDialog.tsx FormDialog',
    title: 'Edit document',
    shows: 'Title',
    path: '/documents?document={document}',
    open: pressed(() => button('Edit document')),
  },
  {
    source: 'users/CreateUserDialog.tsx FormDialog',
    title: 'New user',
    shows: 'The user sets a password with a one-time link.',
    path: '/users',
    open: pressed(() => button('Add user')),
  },
  {
    source: 'users/BulkGroupsDialog.tsx FormDialog',
    title: /^Usergroups of 2 users/,
    shows: COAST,
    path: '/users',
    before: chooseTwoUsers,
    open: pressed(() => bulk('Usergroups')),
  },
  {
    source: 'users/UsersPanel.tsx ConfirmDialog',
    title: 'Disable 2 users?',
    shows: /Berit/,
    path: '/users',
    before: chooseTwoUsers,
    open: pressed(() => bulk('Disable')),
  },
  {
    source: 'users/RemoveUsers.tsx Dialog',
    title: 'Delete 2 users?',
    shows: /^Used before: /,
    path: '/users',
    before: chooseTwoUsers,
    open: pressed(() => bulk('Delete')),
  },
  {
    source: 'users/UsersPanel.tsx ConfirmDialog',
    title: 'Reset the password of Berit?',
    shows: /You get a link/,
    path: '/users?user={berit}',
    open: pressed(() => button('Reset password')),
  },
  {
    source: 'users/UserDetail.tsx ConfirmDialog',
    title: 'Remove the second factor of Berit?',
    shows: /lost phone/,
    path: '/users?user={berit}',
    open: pressed(() => button('Remove second factor')),
  },
  {
    source: 'pages/TypedCare.tsx ConfirmDialog',
    title: 'Discard your entries?',
    shows: 'What you typed was not saved.',
    path: '/users?user={berit}',
    async open() {
      const field = page.getByLabel('Company');
      await field.focus();
      await page.keyboard.type('x');
      await key('Escape');
      return field;
    },
  },
  {
    source: 'users/LinkDialog.tsx Dialog',
    title: 'Link for invited',
    shows: 'One-time link',
    path: '/users?user={invited}',
    open: pressed(() => button('New link')),
    closedBy: 'Done',
  },
  {
    source: 'usergroups/GroupDialogs.tsx FormDialog',
    title: 'New usergroup',
    shows: 'Live modes',
    path: '/usergroups',
    open: pressed(() => button('Add usergroup')),
  },
  {
    source: 'ui/dialog/FormDialog.tsx ConfirmDialog',
    title: 'Discard your entries?',
    shows: /./,
    path: '/usergroups',
    async before() {
      await press(button('Add usergroup'));
      await page.getByRole('dialog').getByLabel('Name').focus();
      await page.keyboard.type('x');
    },
    async open() {
      const field = page.getByRole('dialog').getByLabel('Name');
      await field.focus();
      await key('Escape');
      return field;
    },
  },
  {
    source: 'usergroups/GroupDialogs.tsx ConfirmDialog',
    title: `Delete group ${COAST}?`,
    shows: /Night-ferry/,
    path: '/usergroups?group={coast}',
    open: pressed(() => button('Delete group')),
  },
  {
    source: 'activity/TrailTools.tsx ConfirmDialog',
    title: 'Audit verified',
    shows: /rows/,
    path: '/useractivity?view=audit',
    open: pressed(() => button('Verify')),
  },
  {
    source: 'activity/SessionsTable.tsx ConfirmDialog',
    title: 'End the session of Alexandra.Papadopoulou?',
    shows: /127\.0\.0\.1/,
    path: '/useractivity?view=sessions',
    open: pressed(() => button(/^End the session of Alexandra/)),
  },
  {
    source: 'system/PlatformsFile.tsx FormDialog',
    title: 'Platform configuration',
    shows: 'Version 1',
    path: '/admin',
    open: pressed(() => button('Upload configuration')),
  },
  {
    source: 'licence/LicenceDialog.tsx TabbedDialog',
    title: 'Update licence',
    shows: /^([0-9A-F]{4}-){3}/,
    path: '/admin',
    open: pressed(() => button('Update licence')),
  },
  {
    source: 'licence/LicenceDialog.tsx TabbedDialog',
    title: 'Update licence',
    shows: /Drop/,
    path: '/admin',
    open: pressed(() => button('Update licence')),
    inside: openTab('Upload'),
  },
  {
    source: 'licence/LicenceDialog.tsx TabbedDialog',
    title: 'Update licence',
    shows: 'Export of missions and clips',
    path: '/admin',
    open: pressed(() => button('Update licence')),
    inside: openTab('Options'),
  },
  {
    source: 'licence/LicenceViewer.tsx TabbedDialog',
    title: 'Licence',
    shows: /"customer"/,
    path: '/admin',
    open: pressed(() => button('Show licence')),
  },
  {
    source: 'licence/LicenceViewer.tsx TabbedDialog',
    title: 'Licence',
    shows: 'Payload',
    path: '/admin',
    open: pressed(() => button('Show licence')),
    async inside(box) {
      await openTab('Token')(box);
      await press(box.getByRole('button', { name: 'Decode' }));
    },
  },
  {
    source: 'system/RestartQuestions.tsx ConfirmDialog',
    title: 'Restart',
    shows: 'Are you sure you want to restart?',
    path: '/admin',
    open: pressed(() => button('Restart')),
  },
  {
    source: 'platforms/info/PlatformGroupsDialog.tsx FormDialog',
    title: 'Usergroups of OSP-21',
    shows: 'Usergroup',
    path: '/platforminfo',
    async open() {
      const row = page.getByRole('row', { name: /OSP-21/ });
      return press(row);
    },
  },
  {
    source: 'platforms/edit/PlatformDialog.tsx FormDialog',
    title: 'New platform',
    shows: 'Sensors',
    path: '/platforms',
    open: pressed(() => button('Add platform')),
  },
  {
    source: 'platforms/edit/DeletePlatform.tsx ConfirmDialog',
    title: 'Delete OSP-21?',
    shows: /./,
    path: '/platforms',
    open: pressed(() => button('Delete OSP-21')),
    deskOnly: true,
  },
  {
    source: 'platforms/control/RecordFormDialog.tsx FormDialog',
    title: 'Record ROV-2',
    shows: 'Name',
    path: '/platforms',
    open: pressed(() => button('Record ROV-2')),
  },
  {
    source: 'keeping/BinPanel.tsx ConfirmDialog',
    title: /^Delete Day-ferry.* for good\?$/,
    shows: /This cannot be undone/,
    path: '/storage?tab=bin',
    before: () => check('Day-ferry-along-the-southern-approach')(),
    open: pressed(() => bulk('Delete for good')),
  },
  {
    source: 'keeping/RuleDialog.tsx FormDialog',
    title: 'New retention rule',
    shows: 'Days',
    path: '/storage?tab=retention',
    open: pressed(() => button('Add rule')),
  },
  {
    source: 'keeping/RetentionPanel.tsx ConfirmDialog',
    title: /^Remove the rule for/,
    shows: /Missions in the bin stay there/,
    path: '/storage?tab=retention',
    open: pressed(() => button(/^Remove the rule for/)),
  },
  {
    source: 'keeping/FolderDialog.tsx FormDialog',
    title: 'Watched folder',
    shows: 'Folder on the server',
    path: '/storage?tab=folders',
    open: pressed(() => button(/^Edit .*drop$/)),
  },
  {
    source: 'keeping/FoldersPanel.tsx ConfirmDialog',
    title: /^Stop watching/,
    shows: /the missions made from them stay/,
    path: '/storage?tab=folders',
    open: pressed(() => button(/^Stop watching .*drop$/)),
  },
  {
    source: 'backups/KeyNotice.tsx CopyDialog',
    title: 'Key of the backups',
    shows: /It is not shown again/,
    path: '/backups',
    open: pressed(() => button('Show the key')),
    once: "I've saved it",
  },
  {
    source: 'backups/RestoreDialog.tsx CopyDialog',
    title: /^Restore /,
    shows: /npm run backup -- restore/,
    path: '/backups',
    open: pressed(() => button(/^How .* is restored$/)),
  },
  {
    source: 'backups/DeleteBackup.tsx ConfirmDialog',
    title: /^Delete backup/,
    shows: /./,
    path: '/backups',
    open: pressed(() => button(/^Delete .*manual$/)),
  },
  {
    source: 'platforms/control/EndMission.tsx ConfirmDialog',
    title: 'Stop recording OSP-21?',
    shows: /EO/,
    path: '/platforms',
    before: record,
    open: pressed(() => button('Stop recording OSP-21')),
  },
  {
    source: 'system/RestartQuestions.tsx Dialog',
    title: 'Restart the recorder too?',
    shows: /OSP-21/,
    path: '/admin',
    async open() {
      const opener = await press(button('Restart'));
      await press(page.getByRole('alertdialog', { name: 'Restart' }).getByRole('button', { name: 'Restart' }));
      return opener;
    },
  },
  {
    source: 'ui/dialog/AlertDialog.tsx AlertBox',
    title: /^Backup .* failed$/,
    shows: /The folder of the backups cannot be used/,
    path: '/documents',
    before: spoilBackups,
    // The dialog opens by itself, on any page with the notice.
    async open() {
      const where = button('Deleted documents');
      await where.focus();
      await stage.api.send('POST', 'backups');
      return where;
    },
    closedBy: 'OK',
  },
  {
    source: 'conference/RoomsDialog.tsx PlainDialog',
    title: 'Conference rooms',
    shows: 'Bridge of the northern islands',
    path: '/missions',
    open: pressed(() => button('Conference, 0 in use')),
  },
];

beforeAll(async () => {
  const { api, server } = stage;
  const coast = await api.addGroup(COAST, 'SECRET');
  const hidden = { securityClassification: 'RESTRICTED', usergroups: [coast] };
  await api.addMission({ name: 'Night-ferry-along-the-northern-approach', ...hidden });
  await api.addMission({ name: 'Day-ferry-along-the-southern-approach', ...hidden });
  await api.send('DELETE', 'missions', { missions: ['Day-ferry-along-the-southern-approach'] });
  const berit = await api.addUser('Berit', { groups: [coast], clearance: 'SECRET' });
  await addSecondFactor(berit);
  const groups = [coast];
  // A session that can be ended.
  await signIn(
    server.address,
    await api.addUser('Alexandra.Papadopoulou', { role: 'groupAdmin', groups, administers: groups }),
  );
  await api.send('POST', 'users/invitations', { username: 'invited' });
  const [invited] = await api.send<User[]>('GET', 'users?search=invited');
  const draft = await api.addDocument('Draft of harbour', { name: 'draft.txt', body: 'x' });
  await api.send('DELETE', `documents/${draft}`);
  const document = await api.addDocument('Harbour-report-A', { name: 'report.txt', body: 'Two ships' });
  await api.send('POST', 'retention/rules', { usergroup: coast, platform: 'Heron', days: 365 });
  const path = join(server.dataFolder, 'inbox', 'drop');
  await mkdir(path, { recursive: true });
  await api.send('POST', 'intake/folders', { path, securityClassification: 'RESTRICTED', usergroups: [coast] });
  ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()];
  await uploadPlatforms(server.address, twoPlatformsConfig(ports));
  const limits = { usergroups: [COAST], emptyTimeout: 300, maxParticipants: 6 };
  await api.send('POST', 'conference/rooms', { ...limits, name: 'Bridge of the northern islands' });
  Object.assign(ids, { coast, document, berit: berit.id, invited: invited!._id });
  await uploadLicence(signedLicence((await licenceKey(server.dataFolder)).privateKey, { customer: 'Coast Authority' }));
  await api.send('POST', 'backups');
  ({ page } = await stage.signedIn({ ...DESK, scheme: 'light' }));
  // Whether to leave a form where something was typed, for the page of the next dialog.
  page.on('dialog', (question) => void question.accept());
});
afterAll(() => Promise.all(senders.map((sender) => sender.stop())));

let at = '';
/** The page is as the case before left it, as it should be. */
let arrived = false;

async function goTo(path: string): Promise<void> {
  if (!arrived || at !== path) await page.goto(path);
  at = path;
  arrived = false;
}

async function opened({ title, shows, open, inside }: Case): Promise<{ box: Locator; opener: Locator }> {
  const opener = await open();
  const box = page
    .getByRole('dialog', { name: title, exact: true })
    .or(page.getByRole('alertdialog', { name: title, exact: true }));
  await box.waitFor();
  await expectFocusInside(box);
  await inside?.(box);
  await box.getByText(shows).first().waitFor();
  return { box, opener };
}

async function closed({ closedBy, once }: Case, box: Locator, opener: Locator): Promise<void> {
  const by = closedBy ?? once;
  await key('Escape');
  if (by !== undefined) await press(box.getByRole('button', { name: by }));
  await box.waitFor({ state: 'detached' });
  if (once !== undefined) return;
  await expect.poll(() => opener.evaluate((own) => own === document.activeElement)).toBe(true);
}

describe('by keyboard, in both themes and at 390 px', () => {
  // All are made of the same few parts, and each sixteenth of them covers those.
  for (const [at, one] of cases.entries()) {
    const { source, title } = one;
    it(`${source} ${title}`, { tags: at % 16 === 0 ? [] : 'long' }, async () => {
      await resize(page, DESK);
      await goTo(one.path.replace(/\{(\w+)\}/, (_all, name: string) => ids[name]!));
      await one.before?.();
      const wide = await opened(one);
      await expectFocusKept(page, wide.box);
      // The page below it is checked on its own.
      expect(await seriousViolationsInBothSchemes(page, wide.box)).toEqual([]);
      await expect.poll(() => isLabelBarOnTop(page)).toBe(true);
      const shot = `${source} ${title}`.replace(/[^A-Za-z]+/g, '-');
      await shoot(page, `${shot}-desk`);

      if (one.once === undefined) await closed(one, wide.box, wide.opener);
      if (!one.deskOnly) await resize(page, PHONE);
      const narrow = one.once === undefined ? await opened(one) : wide;
      await resize(page, PHONE);
      await shoot(page, `${shot}-phone`);
      // A table below it may still be on its way to fewer columns.
      await expect.poll(() => cutOff(narrow.box)).toEqual([]);
      expect(await isLabelBarOnTop(page)).toBe(true);
      if (one.deskOnly) {
        // The control that opened it is not there any more.
        await key('Escape');
        await narrow.box.waitFor({ state: 'detached' });
      } else await closed(one, narrow.box, narrow.opener);
      arrived = true;
    });
  }
});

/** In another test, or a component test: the dialog that it opens, as `source` of the cases above names it. */
const SHOWN = /^\/\/ Shows the dialog (.+)$/gm;

/** Dialogs with a message and a button only. */
const messages = [
  // The alert that a platform could not be read.
  'platforms/edit/PlatformDialog.tsx FormDialog',
];

/** Parts of dialogs: they are drawn by the others. */
const makers = [
  'backups/CopyDialog.tsx Dialog',
  'licence/TabbedDialog.tsx PlainDialog',
  'ui/notice/AlertBox.tsx Dialog',
  'ui/dialog/ConfirmDialog.tsx Dialog',
  'ui/dialog/FormDialog.tsx Dialog',
  'ui/dialog/PlainDialog.tsx Dialog',
];

it('every dialog of the client is among these, or named by the test that shows it', () => {
  const root = resolve(import.meta.dirname, '../apps/web/src');
  const sources = globSync('**/*.tsx', { cwd: root }).filter((path) => !path.endsWith('.test.tsx'));
  const found = sources
    .flatMap((path) => dialogsIn(readFileSync(join(root, path), 'utf8')).map((part) => `${path} ${part}`))
    .filter((source) => !makers.includes(source));
  const shown = cases.map(({ source }) => source);
  const repository = resolve(import.meta.dirname, '..');
  const named = globSync(['apps/web/src/**/*.test.tsx', 'e2e/*.spec.ts'], { cwd: repository })
    .flatMap((path) => [...readFileSync(join(repository, path), 'utf8').matchAll(SHOWN)])
    .map(([, source]) => source!);
  const other = new Set([...named, ...messages]);
  const missing = [...new Set(found)].filter(
    (source) => count(shown, source) + (other.has(source) ? 1 : 0) < count(found, source),
  );

  expect(missing).toEqual([]);
  expect([...other].filter((source) => !found.includes(source))).toEqual([]);
});

const count = (all: readonly string[], one: string) => all.filter((each) => each === one).length;

/** Both sensors of OSP-21 stream, and are recorded. */
async function record(): Promise<void> {
  const bytes = await readFile(await stage.recordings.simulated('flight.ts', { seconds: 10 }));
  senders = await Promise.all(ports.slice(0, 2).map((port) => sendPaced({ bytes, port, rounds: ROUNDS })));
  await stage.api.send('POST', 'platforms/control?command=start', { platformName: 'OSP-21', record: true });
  await button('Stop recording OSP-21').waitFor();
}

/** Where files of a backup begin, something is in the way. */
async function spoilBackups(): Promise<void> {
  const way = join(stage.server.dataFolder, 'backups', '.temporary');
  await rm(way, { recursive: true, force: true });
  await writeFile(way, 'in the way');
}

async function uploadLicence(text: string): Promise<void> {
  const form = new FormData();
  form.append('license', new Blob([text]), 'site.license');
  expect(await stage.api.sendForm('upload/license', form)).toMatchObject({ valid: true });
}

type Account = { username: string; password: string };

async function addSecondFactor({ username, password }: Account): Promise<void> {
  const asAccount = apiOf(stage.server.address, { username, password });
  const { secret } = await asAccount.send<SecondFactorOffer>('POST', 'second-factor', { password });
  await asAccount.send('PUT', 'second-factor', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
}
