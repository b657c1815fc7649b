import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { apiOf } from '../../e2e/support/api.ts';
import { launchBrowser, openPage } from '../../e2e/support/browser.ts';
import { makeRecordings } from '../../e2e/support/recordings.ts';
import { dialog, logIn, openMission } from '../../e2e/support/screens.ts';
import { startServer } from '../../e2e/support/server.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/manual/pictures');

const PLATFORMS = `platforms:
  - name: KEA-1
    description: Coastal patrol
    securityClassification: UNCLASSIFIED
    audience: everyone
    priority: 2
    sensors:
      - name: EO
        url: rtsp://camera:secret@10.1.2.3:554/main
`;

/** `npm run screenshots`: the pictures of the manual, taken of the product itself with a simulated flight. */
const [server, browser, recordings] = await Promise.all([startServer(), launchBrowser(), makeRecordings()]);
try {
  const api = apiOf(server.address);
  const flight = await recordings.simulated('patrol.ts', { width: 1280, height: 720, seconds: 20, ships: 4 });
  await api.addRecorded({ name: 'PATROL-KEA', description: 'Coastal patrol off Kea' }, { 'EO/IR': flight });
  await api.addMission({ name: 'NIGHT-TRANSIT', description: 'Waiting for its files' });
  const { page } = await openPage(browser, server.address, { width: 1280, height: 800, places: true });
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await keep(page, 'login');
  await logIn(page);
  await page.getByRole('treegrid', { name: 'Missions' }).getByText('PATROL-KEA').waitFor();
  await page.waitForLoadState('networkidle');
  await keep(page, 'missions');
  const view = await openMission(page, 'PATROL-KEA');
  await view.locator('section[data-sensor-id][data-frame-time-us]').first().waitFor();
  // The map comes after the picture.
  await view.locator('[data-part="platform-marker"][data-record-time-us]').waitFor();
  await keep(page, 'mission');
  await page.goto('/admin');
  await page.getByRole('region', { name: 'Server', exact: true }).getByText('Online').waitFor();
  await page.getByText('1 online').waitFor();
  await page.getByRole('treegrid', { name: 'Missions' }).getByText('PATROL-KEA').waitFor();
  await keep(page, 'admin');
  await page.getByRole('button', { name: 'Upload configuration' }).click();
  await choosePlatforms(page);
  await dialog(page, 'Platform configuration').getByRole('button', { name: 'Apply' }).waitFor();
  await keep(page, 'platforms-file');
  await page.goto('/admin/health');
  await page.getByRole('listitem').filter({ hasText: 'Database' }).first().waitFor();
  await keep(page, 'health');
} finally {
  await browser.close();
  await server.stop();
  await recordings.remove();
}

async function choosePlatforms(page: Page): Promise<void> {
  const path = join(server.dataFolder, 'platforms.yml');
  await writeFile(path, PLATFORMS);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files for the configuration' }).click(),
  ]);
  await chooser.setFiles([path]);
}

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  process.stdout.write(`${name}.png\n`);
}
