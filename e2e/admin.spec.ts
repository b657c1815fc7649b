/// <reference lib="dom" />
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMission, dialog, resize, row, shoot, waitForReady } from '../tools/test-support/browser/screens.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { seriousViolations, seriousViolationsInBothSchemes } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor({ OSPREY_SUPERVISOR_URL: '' });
let first: Visitor;
let second: Visitor;

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openAdmin({ page }: Visitor): Promise<void> {
  await page.goto('/admin');
  await card(page, 'Server').getByText('Online').waitFor();
}

beforeAll(async () => {
  const deputy = await stage.api.addUser('deputy', { role: 'admin', clearance: 'RESTRICTED' });
  first = await stage.signedIn({}, ADMIN, '/admin');
  second = await stage.signedIn({ scheme: 'light' }, deputy, '/admin');
});

const kea = (more = '') => `platforms:
  - name: KEA-1
    type: Plane
    securityClassification: UNCLASSIFIED
    audience: everyone
    sensors:
      - name: EO
        url: rtsp://cam:hush@10.1.2.3:554/main
${more}`;

async function choose(page: Page, text: string): Promise<void> {
  const path = join(stage.server.dataFolder, 'chosen.yml');
  await writeFile(path, text);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files for the configuration' }).click(),
  ]);
  await chooser.setFiles([path]);
}

/** The page fits a phone, and axe finds nothing there in either scheme. */
async function expectOnPhone(page: Page): Promise<void> {
  await resize(page, { width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
  await resize(page, { width: 1440, height: 900 });
}

describe('the admin page', { tags: 'long' }, () => {
  it('shows the cards, and follows what others do without a reload', async () => {
    const { page } = first;

    await card(page, 'Users').getByText('2 online').waitFor();
    await card(page, 'User Groups').getByText('1', { exact: true }).first().waitFor();
    await stage.api.addGroup('Coast', 'SECRET');

    await card(page, 'User Groups').getByText('2', { exact: true }).first().waitFor();
    // Admin, deputy and the guest; then one more, on both pages.
    const users = (of: Page) => card(of, 'Users').innerText();
    await expect.poll(() => users(page)).toMatch(/\b3\s+accounts\b/);
    await stage.api.addUser('newcomer');
    for (const one of [page, second.page]) await expect.poll(() => users(one)).toMatch(/\b4\s+accounts\b/);
    const leads = (name: string) =>
      card(page, name)
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    expect(await leads('Users')).toEqual(['/users', '/useractivity']);
    expect(await leads('User Groups')).toEqual(['/usergroups']);
    expect(await leads('Platforms')).toContain('/platforminfo');
    await card(page, 'Server')
      .getByRole('link', { name: /backup/i })
      .getByText('none yet', { exact: true })
      .waitFor();
    expect(await leads('Server')).toContain('/backups');
    // The lines come in several answers.
    const facts = () => card(page, 'Server').innerText();
    await expect.poll(facts).toMatch(/Server uptime\s+\d\d:\d\d:\d\d/);
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'));
    await expect.poll(async () => (await facts()).replaceAll(/\s+/g, ' ')).toContain(`Version ${version} `);
    await expect.poll(facts).toContain('No update source set');
    await expect.poll(facts).toContain('not in use');
    await card(page, 'Licence').getByText('OK').first().waitFor();
    const load = page.getByRole('region', { name: 'Load' });
    await load.getByRole('img', { name: /^Memory: [\d.]+ [MG]B now/ }).waitFor();
    // A rate needs two looks.
    await load.getByRole('img', { name: /^Processor: \d+ % now/ }).waitFor();
    await page.getByRole('treegrid', { name: 'Missions' }).waitFor();
    expect(await page.getByRole('switch', { name: 'Admin mode' }).count()).toBe(0);
    await shoot(page, 'admin-dark');
  });

  it('shows what a platforms.yml changes before it is applied, and to the other admin at once', async () => {
    const { page } = first;

    await card(page, 'Platforms').getByRole('button', { name: 'Upload configuration' }).click();
    const form = dialog(page, 'Platform configuration');
    await choose(page, kea().replace('rtsp:', 'file:'));
    await form.getByRole('alert').getByText('Line 8').waitFor();
    await form.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, kea());
    await form.getByRole('table', { name: 'Added: KEA-1' }).getByText('rtsp://cam:***@10.1.2.3:554/main').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'admin-platforms-file');
    await form.getByRole('button', { name: 'Apply' }).click();

    await page.getByText('Config file uploaded successfully.').waitFor();
    await expect.poll(() => card(second.page, 'Platforms').innerText()).toMatch(/\b1\s+platform, 1 sensor/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card(page, 'Platforms').getByRole('button', { name: 'Download configuration' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('platforms.yml');
    expect(await readFile(await download.path(), 'utf8')).toContain('rtsp://cam:***@10.1.2.3:554/main');
  });

  it('brings an earlier configuration back', async () => {
    const { page } = first;
    const open = () => card(page, 'Platforms').getByRole('button', { name: 'Upload configuration' }).click();
    const form = dialog(page, 'Platform configuration');
    await open();
    await choose(page, 'platforms: []');
    await form.getByRole('heading', { name: 'Removed: KEA-1' }).waitFor();
    await form.getByRole('button', { name: 'Apply' }).click();
    await card(page, 'Platforms').getByText('None yet: upload a configuration.').waitFor();

    await open();
    await form.getByRole('button', { name: 'Restore Version 1' }).click();
    await form.getByRole('heading', { name: 'Added: KEA-1' }).waitFor();
    await form.getByRole('button', { name: 'Apply' }).click();

    await page.getByText('Version 1 is the current one again.').waitFor();
    await card(second.page, 'Platforms').getByText('platform, 1 sensor').waitFor();
  });

  it('shows at /platforminfo who sees which platform, changes it, and the other admin sees that', async () => {
    const { page } = first;
    const platform = (of: Page) =>
      of.getByRole('treegrid', { name: 'Platform info' }).getByRole('row', { name: /KEA-1/ });
    await Promise.all([page.goto('/platforminfo'), second.page.goto('/platforminfo')]);
    for (const one of [page, second.page]) await platform(one).getByText('Everyone').waitFor();
    const heads = await page
      .getByRole('treegrid', { name: 'Platform info' })
      .getByRole('columnheader')
      .allTextContents();
    expect(heads).toEqual(['Name', 'Description', 'Label', 'Usergroups']);

    // By keyboard alone.
    await platform(page).press('Enter');
    const form = dialog(page, 'Usergroups of KEA-1');
    await form.getByRole('combobox', { name: 'Usergroup' }).press('ArrowDown');
    await page.getByRole('option', { name: /Demo/ }).press('Enter');
    await page.keyboard.press('Escape');
    expect(await seriousViolationsInBothSchemes(page)).toEqual([]);
    await shoot(page, 'platforminfo-dialog');
    await form.getByRole('button', { name: 'Save' }).press('Enter');

    await page.getByText('Usergroups of KEA-1 updated.').waitFor();
    await platform(second.page).getByText('Demo').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'platforminfo-dark');
    await shoot(second.page, 'platforminfo-light');
    await expectOnPhone(second.page);
    await shoot(second.page, 'platforminfo-phone');
    await Promise.all([openAdmin(first), openAdmin(second)]);
  });

  it('has a health page with facts and jobs, and leads back', async () => {
    const { page } = first;

    await card(page, 'Server').getByRole('link', { name: 'Health' }).press('Enter');
    await page.getByRole('heading', { name: 'Server health' }).waitFor();
    for (const name of ['Database', 'Audit', 'Disk', 'Jobs', 'Last backup', 'Clock', 'Ports', 'ffmpeg']) {
      await page.getByRole('listitem').filter({ hasText: name }).first().waitFor();
    }
    await page.getByText('No job is waiting, running or failed.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'admin-health');
    await expectOnPhone(page);
    await page.getByRole('link', { name: 'Back to Admin' }).press('Enter');
    await card(page, 'Server').waitFor();
  });

  it('says at /stsupervisor that none is set, and leads back', async () => {
    const { page } = second;

    await page.goto('/stsupervisor');
    await page.getByText('No supervisor is set').waitFor();
    await expectOnPhone(page);
    await keyboardOf(page).press(page.getByRole('link', { name: 'Back to the missions' }));
    await page.getByRole('treegrid', { name: 'Missions' }).waitFor();
    await openAdmin(second);
  });

  it('is worked by keyboard, holds axe in both themes, and fits 390 px', async () => {
    const { page } = first;

    await card(page, 'Server').getByRole('button', { name: 'Restart' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Restart' });
    await question.getByText('Are you sure you want to restart?').waitFor();
    await expect
      .poll(() => question.getByRole('button', { name: 'Cancel' }).evaluate((own) => own === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        card(page, 'Server')
          .getByRole('button', { name: 'Restart' })
          .evaluate((own) => own === document.activeElement),
      )
      .toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await seriousViolations(second.page)).toEqual([]);
    await shoot(second.page, 'admin-light');

    for (const width of [390, 768, 1024, 1280, 1440, 1920]) {
      await resize(page, { width, height: 1000 });
      await expect.poll(() => page.evaluate(freePixels), { message: `${width} px` }).toBeLessThan(HOLE_PIXELS);
    }

    await resize(page, { width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'admin-390');
    await resize(page, { width: 1440, height: 900 });
  });

  it('restarts the server while an upload runs: pages come back and the upload goes on', {
    tags: 'long',
    timeout: 180_000,
  }, async () => {
    const { page, context } = second;
    const path = await stage.recordings.simulated('long.ts', { seconds: 4 });
    await appendFile(path, nullPackets(60_000));
    // 11 MB at 1.5 MB/s are on their way for some seconds.
    const network = await context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 1_500_000,
    });
    await addMission(page, 'through-a-restart', [path]);
    await expect.poll(uploadedBytes).toBeGreaterThan(0);
    const before = await startTime();
    for (const one of [first, second]) await one.page.evaluate(() => Object.assign(window, { ospreyTestMark: true }));

    await card(first.page, 'Server').getByRole('button', { name: 'Restart' }).click();
    await first.page.getByRole('alertdialog', { name: 'Restart' }).getByRole('button', { name: 'Restart' }).click();
    const askedMs = performance.now();
    await first.page.getByText('Restarting the server...').waitFor();

    await expect.poll(startTime).toBeGreaterThan(before);
    const backMs = performance.now() - askedMs;
    // At once: a minute later it would be allowed.
    const again = await stage.api.send('POST', 'shutdown?restart').catch((error: Error) => error.message);
    expect(again).toContain('429');
    await card(first.page, 'Server').getByText('Online').waitFor();
    await page.getByRole('banner').getByText('Online').waitFor();
    const pagesMs = performance.now() - askedMs;
    await waitForReady(page, 'through-a-restart');
    await row(first.page, 'through-a-restart').waitFor();
    // By themselves, not by a reload.
    for (const one of [first, second]) expect(await one.page.evaluate(() => 'ospreyTestMark' in window)).toBe(true);
    const mostMs = Math.max(BACK_MAX_MS, STARTS * stage.server.startMs);
    expect(backMs).toBeLessThan(mostMs);
    // Each pause of a page between two tries is as long as all time before.
    expect(pagesMs).toBeLessThan(2 * mostMs);
  });
});

/** The promise of a restart. Where a machine is so busy that a server takes long to start at all, it gets as much longer. */
const BACK_MAX_MS = 15_000;
const STARTS = 3;

/** Smaller than any panel; rounded pixel edges add up to a few pixels. */
const HOLE_PIXELS = 1000;

/** Runs inside the page: what cards and charts leave free of their grid's ground, gaps left out. */
function freePixels(): number {
  const grid = document.querySelector('[data-part="panel-grid"]')!;
  const gap = Number.parseFloat(getComputedStyle(grid).rowGap);
  const area = ({ width, height }: DOMRect) => (width + gap) * (height + gap);
  const panels = [...grid.children].map((panel) => area(panel.firstElementChild!.getBoundingClientRect()));
  return Math.round(area(grid.getBoundingClientRect()) - panels.reduce((sum, one) => sum + one, 0));
}

const startTime = async () =>
  (await stage.api.send<{ serverStartTime: number }>('GET', 'info').catch(() => ({ serverStartTime: 0 })))
    .serverStartTime;

async function uploadedBytes(): Promise<number> {
  const { username, password } = ADMIN;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const text = await (await fetch(`${stage.server.address}/metrics`, { headers: { authorization } })).text();
  return Number(/^osprey_uploads_durable_bytes (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Stuffing of ISO 13818-1: packets of PID 0x1fff, which every reader passes over. */
function nullPackets(count: number): Buffer {
  const packet = Buffer.alloc(188, 0xff);
  packet.set([0x47, 0x1f, 0xff, 0x10]);
  return Buffer.concat(Array.from({ length: count }, () => packet));
}
