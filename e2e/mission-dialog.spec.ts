/// <reference lib="dom" />
import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  adminMode,
  chooseFiles,
  dialog,
  dropOnPage,
  openMission,
  openTelemetry,
  row,
  shoot,
  waitForReady,
} from '../tools/test-support/browser/screens.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

// Shows the dialog missions/add/InspectingDialog.tsx PlainDialog
// Shows the dialog missions/add/ProposalDialog.tsx FormDialog

const stage = stageFor({}, { isShared: true });

/** Long enough to be looked at, paused and interrupted at the speed below. */
const BIG_BYTES = 24_000_000;
const SLOW_BYTES_PER_SECOND = 1_000_000;

let watched: Visitor;
let page: Page;
let form: Locator;
let small: string;
let other: string;
let big: string;
let network: CDPSession;

const button = (name: string) => form.getByRole('button', { name, exact: true });
const activity = () => page.getByRole('dialog', { name: 'Activity' });

async function openNew() {
  await page.getByRole('button', { name: 'Add mission' }).click();
  form = dialog(page, 'New mission');
  await form.waitFor();
}

async function openActivity() {
  await page.getByRole('button', { name: /^Activity \d/ }).click();
  await activity().waitFor();
}

const slow = (uploadThroughput: number) =>
  network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });

beforeAll(async () => {
  [small, other, big] = await Promise.all([
    stage.recordings.simulated('small.ts', { seconds: 6 }),
    stage.recordings.simulated('other.ts', { seconds: 6, sensor: 2 }),
    stage.recordings.simulated('big.ts', { seconds: 6 }),
  ]);
  const once = await readFile(big);
  while ((await stat(big)).size < BIG_BYTES) await appendFile(big, once);
  watched = await stage.signedIn({ width: 1440, height: 900 });
  page = watched.page;
  page.on('dialog', (question) => void question.accept());
  network = await watched.context.newCDPSession(page);
  await network.send('Network.enable');
  await adminMode(page);
});

describe('the mission dialog', () => {
  it('starts with the defaults of the specification', async () => {
    await openNew();

    expect(await form.getByLabel('Name').inputValue()).toBe('NewMission');
    expect(await form.getByLabel('Description').inputValue()).toBe('');
    expect(await form.getByLabel('Description').getAttribute('placeholder')).toBe('Description');
    await form.getByRole('combobox', { name: 'Security classification' }).getByText('UNCLASSIFIED').waitFor();
    await form.getByRole('combobox', { name: 'Usergroup' }).getByText('Demo').waitFor();
    for (const step of [/General/, /Presentation.*Optional/, /Sensors/]) {
      await form.getByRole('listitem').filter({ hasText: step }).waitFor();
    }
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'dialog-general');
  });

  it('says what is wrong with a name: empty, with spaces, taken', async () => {
    await stage.api.addMission({ name: 'Taken' });

    await form.getByLabel('Name').fill('');
    await button('Next').click();
    await form.getByText('Empty Mission name').waitFor();
    await form.getByLabel('Name').fill('two words');
    await form.getByText('Spaces are not allowed').waitFor();
    await form.getByLabel('Name').fill('Taken');
    await form.getByText('Mission name Taken already exists').waitFor();
    await button('Next').click();
    await expect.poll(() => button('Skip').count()).toBe(0);
  });

  it('keeps Demo ticked for what is UNCLASSIFIED, and asks for another group above it', { tags: 'long' }, async () => {
    await form.getByRole('combobox', { name: 'Usergroup' }).click();
    const demo = page.getByRole('option', { name: /^Demo/ });
    expect(await demo.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');

    await form.getByRole('combobox', { name: 'Security classification' }).click();
    await page.getByRole('option', { name: 'SECRET', exact: true }).click();
    await form.getByText('Demo shows UNCLASSIFIED only. Choose another usergroup.').waitFor();
    await form.getByRole('combobox', { name: 'Security classification' }).click();
    await page.getByRole('option', { name: 'UNCLASSIFIED' }).click();
  });

  it('lets only Presentation be skipped, and shows its defaults', async () => {
    await form.getByLabel('Name').fill('Two-sensors');
    await expect.poll(() => button('Skip').count()).toBe(0);
    await button('Next').click();
    await button('Skip').waitFor();

    expect(await form.getByLabel('Platform name').inputValue()).toBe('-');
    expect(await form.getByLabel('Colour', { exact: true }).inputValue()).toBe('#004dcf');
    await form.getByRole('combobox', { name: 'Platform type' }).getByText('Plane').waitFor();
    expect(await form.getByLabel('Sort order').inputValue()).toBe('0');
    expect(await seriousViolations(page)).toEqual([]);
    await button('Skip').click();
    await button('Skip').waitFor({ state: 'detached' });
  });

  it('takes files for several sensors, refuses others, and creates only with a file for the first', async () => {
    await form.getByText('Drop *.ts files, *.zip HLS archives or manifests').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('EO/IR');
    await expect.poll(() => button('Create').isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Add sensor' }).click();
    await form.getByRole('region', { name: 'Sensor 2' }).getByLabel('Name').fill('EO/IR');
    await form.getByText('Sensor name EO/IR already exists in this mission').first().waitFor();
    await form.getByRole('region', { name: 'Sensor 2' }).getByLabel('Name').fill('IR');

    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files for EO/IR' }).click(),
    ]);
    await chooser.setFiles({ name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') });
    await page.getByText('setup.exe cannot be added. Only *.ts files, *.zip HLS archives and manifests.').waitFor();
    await chooseFiles(page, 'EO/IR', [small]);
    await chooseFiles(page, 'IR', [other]);

    await expect.poll(() => button('Create').isEnabled()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'dialog-sensors');
  });

  it('says "All steps completed. Press OK to submit." after the last step', { tags: 'long' }, async () => {
    await button('Next').click();

    await form.getByText('All steps completed. Press OK to submit.').waitFor();
    await button('Back').click();
  });

  it('asks before what was typed is lost', async () => {
    await page.keyboard.press('Escape');
    const question = page
      .getByRole('dialog', { name: 'Discard your entries?' })
      .or(page.getByRole('alertdialog', { name: 'Discard your entries?' }));
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await form.waitFor();
  });

  it('creates the mission, uploads both sensors at the same time, and shows it Ready', async () => {
    const open = new Set<string>();
    let together = 0;
    page.on('request', (request) => {
      if (request.method() !== 'PATCH' && request.method() !== 'POST') return;
      if (!request.url().includes('/api/uploads')) return;
      open.add(request.url() + request.method());
      together = Math.max(together, open.size);
    });
    page.on('requestfinished', (request) => void open.delete(request.url() + request.method()));
    await slow(200_000);

    await button('Create').click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Mission Two-sensors added.').waitFor();
    await vi.waitFor(() => expect(together).toBeGreaterThan(1), { timeout: 20_000 });
    await slow(-1);
    await waitForReady(page, 'Two-sensors');

    const { sensors } = await stage.api.untilReady('Two-sensors');
    expect(sensors.map(({ name, assets }) => [name, assets[0]?.name])).toEqual([
      // By its telemetry; the other name was typed.
      ['EO Nose', 'small.ts'],
      ['IR', 'other.ts'],
    ]);
  });

  it('remembers what was created, with a dash after its name', async () => {
    await openNew();

    expect(await form.getByLabel('Name').inputValue()).toBe('Two-sensors-');
    await button('Cancel').click();
    await form.waitFor({ state: 'detached' });
  });
});

describe('an upload', () => {
  async function startBig(name: string) {
    await slow(SLOW_BYTES_PER_SECOND);
    await openNew();
    await form.getByLabel('Name').fill(name);
    await button('Next').click();
    await button('Skip').click();
    await form.getByRole('region', { name: 'Sensor 1' }).waitFor();
    const remove = form.getByRole('button', { name: 'Remove sensor IR' });
    if (await remove.isVisible()) await remove.click();
    await chooseFiles(page, 'EO Nose', [big]);
    await button('Create').click();
    await form.waitFor({ state: 'detached' });
    await openActivity();
    await activity().getByText(`big.ts to ${name} / EO Nose`).waitFor();
  }

  it('shows how many MB were sent, pauses, and goes on', { tags: 'long' }, async () => {
    await startBig('Paused');
    await activity()
      .getByText(/^\d[\d.\u202f]* of 2\d MB, [\d.]+ MB\/s, \d+ s left$/)
      .waitFor();
    await shoot(page, 'activity');

    await activity().getByRole('button', { name: 'Pause big.ts' }).click();
    await activity()
      .getByText(/^Paused at .* of 2\d MB$/)
      .waitFor();
    await slow(-1);
    await activity().getByRole('button', { name: 'Resume big.ts' }).click();

    await activity()
      .getByText(/^Done, 2\d MB$/)
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('resumes where it stopped after the page was reloaded, with the same file', async () => {
    await startBig('Reloaded');
    await activity().getByText(/MB\/s/).waitFor();
    await page.reload();
    await slow(-1);
    const firstOffsets: number[] = [];
    page.on('request', (request) => {
      const offset = request.headers()['upload-offset'];
      if (request.method() === 'PATCH' && offset !== undefined) firstOffsets.push(Number(offset));
    });
    await openActivity();
    await activity()
      .getByText(/^Interrupted at .*\. Choose the same file to continue\.$/)
      .waitFor();

    const [wrong] = await Promise.all([
      page.waitForEvent('filechooser'),
      activity().getByRole('button', { name: 'Choose big.ts again' }).click(),
    ]);
    await wrong.setFiles(small);
    await page.getByText('This is a different file. To continue, choose big.ts unchanged.').waitFor();
    const [right] = await Promise.all([
      page.waitForEvent('filechooser'),
      activity().getByRole('button', { name: 'Choose big.ts again' }).click(),
    ]);
    await right.setFiles(big);

    await activity()
      .getByText(/^Done, 2\d MB$/)
      .last()
      .waitFor();
    expect(firstOffsets[0]).toBeGreaterThan(0);
    const { sensors } = await stage.api.mission('Reloaded');
    expect(sensors[0]?.assets[0]).toMatchObject({ name: basename(big), sizeBytes: (await stat(big)).size });
    await page.keyboard.press('Escape');
  });

  it('is thrown away on both sides when it is cancelled', { tags: 'long' }, async () => {
    await startBig('Cancelled');
    await activity().getByText(/MB\/s/).waitFor();
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');

    await activity().getByRole('button', { name: 'Cancel big.ts' }).click();

    expect((await gone).status()).toBe(204);
    await activity().getByText('big.ts to Cancelled / EO Nose').waitFor({ state: 'detached' });
    expect((await stage.api.mission('Cancelled')).sensors[0]?.assets).toEqual([]);
    await slow(-1);
    await page.keyboard.press('Escape');
  });

  it('that the server refuses says why, where the user is', { tags: 'long' }, async () => {
    const bad = await stage.recordings.simulated('bad.ts', { seconds: 1 });
    await writeFile(bad, '<html><script>alert(1)</script></html>');
    await openNew();
    await form.getByLabel('Name').fill('Refused');
    await button('Next').click();
    await button('Skip').click();
    await chooseFiles(page, 'EO Nose', [bad]);
    await button('Create').click();

    const alert = page.getByRole('alertdialog', { name: 'Error' });
    await alert.getByText(/^Error uploading mission Refused\/EO Nose: /).waitFor();
    await shoot(page, 'upload-refused');
    await alert.getByRole('button', { name: 'OK' }).click();
  });
});

describe('what is dropped on the page', () => {
  it('as a folder becomes the missions that are proposed, after a file was moved by keyboard', async () => {
    const folder = join(dirname(small), 'dropped');
    await mkdir(join(folder, 'Harbour'), { recursive: true });
    const parts = [
      ['ferry-1.ts', { mission: 'DROPPED FERRY' }],
      ['ferry-2.ts', { mission: 'DROPPED FERRY', sensor: 2 }],
      ['Harbour/cam.ts', { mission: 'DROPPED HARBOUR' }],
    ] as const;
    for (const [name, options] of parts) {
      await rename(await stage.recordings.simulated(basename(name), { seconds: 2, ...options }), join(folder, name));
    }
    await writeFile(join(folder, 'setup.exe'), 'MZ');

    await dropOnPage(page, [folder]);
    form = dialog(page, 'Add missions');
    await form.getByText('Left out, because they are not recordings: dropped/setup.exe.').waitFor();
    const values = (label: string) =>
      form.getByLabel(label).evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
    expect((await values('Mission name')).sort()).toEqual(['DROPPED-FERRY', 'DROPPED-HARBOUR']);
    expect(await seriousViolations(page)).toEqual([]);
    await shoot(page, 'dialog-proposal');
    await form.getByRole('button', { name: 'Move dropped/ferry-2.ts' }).press('Enter');
    await page.getByRole('menuitem', { name: 'New sensor in DROPPED-HARBOUR' }).press('Enter');
    await form.getByText('1 file: moved to New sensor in DROPPED-HARBOUR').waitFor({ state: 'attached' });
    await form.getByRole('button', { name: 'Create 2 missions' }).click();

    await page.getByText('2 missions added.').waitFor();
    for (const name of ['DROPPED-FERRY', 'DROPPED-HARBOUR']) await waitForReady(page, name);
    const { sensors, platform } = await stage.api.mission('DROPPED-HARBOUR');
    expect(sensors.map(({ assets }) => assets[0]?.name)).toEqual(['cam.ts', 'ferry-2.ts']);
    expect(platform.name).not.toBe('-');
  });

  it('as one file is a mission by one click, whose row has a button that opens it', async () => {
    await page.evaluate(() => localStorage.removeItem('lastMission'));
    await dropOnPage(page, [await stage.recordings.simulated('one.ts', { seconds: 2, mission: 'DROPPED ONE' })]);
    form = dialog(page, 'New mission');
    await form.getByText('one.ts').waitFor();
    expect(await form.getByLabel('Mission name').inputValue()).toBe('DROPPED-ONE');
    await shoot(page, 'dialog-new-mission');
    await button('Create 1 mission').click();

    await row(page, 'DROPPED-ONE').waitFor();
    expect((await stage.api.mission('DROPPED-ONE')).description).toBe('');
    expect(await page.getByRole('checkbox', { name: 'Choose DROPPED-ONE' }).isChecked()).toBe(false);
    await shoot(page, 'mission-fresh');
    const open = page.getByRole('button', { name: 'Open the new mission DROPPED-ONE' });
    await open.click();
    await page.getByRole('region', { name: 'Mission DROPPED-ONE' }).waitFor();
    await open.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close the mission' }).click();
  });
});

describe('editing', () => {
  it('keeps name and type of what exists, and changes the rest', async () => {
    await row(page, 'Two-sensors').hover();
    await row(page, 'Two-sensors').getByRole('button', { name: 'Edit Two-sensors' }).click();
    form = dialog(page, 'Edit mission');
    await form.waitFor();
    await expect.poll(() => form.getByLabel('Name').isDisabled()).toBe(true);
    expect(await button('Update').isEnabled()).toBe(true);
    await form.getByLabel('Description').fill('Both eyes of the aircraft');
    await form.getByRole('listitem').filter({ hasText: 'Sensors' }).getByRole('button').click();
    const first = form.getByRole('region', { name: 'Sensor 1' });
    await expect.poll(() => first.getByLabel('Name').isDisabled()).toBe(true);
    expect(await first.getByRole('combobox', { name: 'Type' }).getAttribute('aria-disabled')).toBe('true');
    await first.getByText('On the server').waitFor();
    await button('Update').click();

    await page.getByText('Mission Two-sensors updated.').waitFor();
    await row(page, 'Two-sensors').getByText('Both eyes of the aircraft').waitFor();
  });

  it('asks for a reason when the audience is widened', { tags: 'long' }, async () => {
    await row(page, 'Two-sensors').hover();
    await row(page, 'Two-sensors').getByRole('button', { name: 'Edit Two-sensors' }).click();
    form = dialog(page, 'Edit mission');
    await form.getByRole('combobox', { name: 'Usergroup' }).click();
    await page.getByRole('option', { name: 'Everyone (all users)' }).click();
    await page.keyboard.press('Escape');
    await form.getByText(/^Lowering the label or opening the mission to more people needs a reason\./).waitFor();
    await button('Update').click();
    await form.getByText(/^At least 10 characters\./).waitFor();
    await form.getByLabel('Reason').fill('Shown at the briefing');
    await button('Update').click();

    // The message of the edit before may still be shown: the server says when this one is done.
    await expect.poll(async () => (await stage.api.mission('Two-sensors')).audience).toBe('everyone');
    await page.getByText('Mission Two-sensors updated.').waitFor();
  });

  it('says when the mission was changed by another user first, and keeps what was typed', {
    tags: 'long',
  }, async () => {
    await row(page, 'Two-sensors').hover();
    await row(page, 'Two-sensors').getByRole('button', { name: 'Edit Two-sensors' }).click();
    form = dialog(page, 'Edit mission');
    await form.getByLabel('Description').fill('Mine');
    const { _id } = await stage.api.mission('Two-sensors');
    await stage.api.send('PUT', 'missions', { _id, name: 'Two-sensors', description: 'Theirs' });
    await button('Update').click();

    const alert = page.getByRole('alertdialog', { name: 'Error' });
    await alert.getByText(/^Error editing mission Two-sensors : Somebody else changed this meanwhile\./).waitFor();
    await alert.getByRole('button', { name: 'OK' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('Mine');
    // Escape from the field in use: the focus comes back into the dialog a moment after the alert is gone.
    await form.getByLabel('Description').press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
  });
});

describe('T-089 hostile texts', () => {
  it('are shown as text in table, tooltip, player, panel and map', async () => {
    const evil = '<img/src=x/onerror=document.title="owned">';
    const bidi = '\u202Eevil=cmd()';
    const made = await stage.api.addMission({
      name: 'T-089',
      description: `${evil} ${bidi}`,
      tags: [evil],
      platform: { name: evil, type: 'Plane', presentation: { color: '#004dcf' } },
      sensors: [{ name: '<b>EO</b>', description: evil, type: 'video' }],
    });
    const hostile = await stage.recordings.simulated('hostile.ts', { seconds: 4, mission: evil, platform: evil });
    await stage.api.upload(made, '<b>EO</b>', hostile);
    await stage.api.untilReady(made._id);
    await page.goto('/missions?search=T-089');
    await row(page, 'T-089').getByText(`${evil} \\u202Eevil=cmd()`).first().waitFor();
    const view = await openMission(page, 'T-089');
    await view.getByRole('region', { name: 'Player <b>EO</b>' }).waitFor();
    const panel = await openTelemetry(view);
    await panel.getByLabel('Search items').fill('Mission');
    await panel.getByText(evil).first().waitFor();
    await view.locator('[data-part="platform-marker"]').waitFor();

    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img[src="x"], b').count()).toBe(0);
    expect(watched.violations).toEqual([]);
  });

  it('are shown as text in documents, usergroups and platforms, and in their tooltips', { tags: 'long' }, async () => {
    const evil = '<img/src=x>';
    const fields = { description: evil, tags: JSON.stringify([evil]) };
    await stage.api.addDocument('Hostile', { name: `${evil}.txt`, body: evil }, fields);
    await stage.api.addGroup(evil, 'UNCLASSIFIED');
    const config = oneSensorConfig(await freeUdpPort()).replace(/name: \S+/, `name: '${evil}'`);
    await uploadPlatforms(stage.server.address, config);

    await page.goto('/documents');
    const document = page.getByRole('row').filter({ hasText: 'Hostile' });
    await document.getByText(evil).first().waitFor();
    await document.click();
    await page.getByRole('region', { name: 'Document Hostile' }).getByText(evil).nth(1).waitFor();
    await page.goto('/usergroups');
    await page.getByRole('row').filter({ hasText: evil }).click();
    await page.getByRole('complementary', { name: `Usergroup ${evil}` }).waitFor();
    await page.goto('/platforms');
    const platform = page.getByRole('row').filter({ hasText: evil });
    await platform.getByRole('button', { name: `Edit ${evil}` }).hover();
    await page.getByRole('tooltip').getByText(evil).waitFor();

    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(watched.violations).toEqual([]);
  });
});
