/// <reference lib="dom" />
import { expect, it } from 'vitest';
import { logIn, openMission, row } from './support/screens.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();

/** The figure is 2 s on an idle machine; a busy one fails at three times that. */
const GONE_MS = 6000;

it('T-036 leaves no pixel, row, marker or cached answer of a mission whose right was revoked', async () => {
  const { api } = stage;
  const group = await api.addGroup('G1', 'CONFIDENTIAL');
  const account = await api.addUser('U1', { clearance: 'CONFIDENTIAL', groups: [group] });
  const flight = await stage.recordings.simulated('m2.ts', { seconds: 20 });
  const labelled = { securityClassification: 'CONFIDENTIAL', usergroups: [group] };
  await api.addRecorded({ name: 'M2-hidden-soon', ...labelled }, { 'EO/IR': flight });
  await api.addRecorded({ name: 'M1-stays' }, { 'EO/IR': flight });
  const { page, context } = await stage.open();
  const asked = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.ok() && /^\/api\/(missions|sensors|media|videos)\b/.test(pathname)) asked.add(response.url());
  });
  await logIn(page, account);
  const view = await openMission(page, 'M2-hidden-soon');
  await view.locator('[data-part="platform-marker"]').waitFor();
  await view.getByRole('button', { name: 'Play', exact: true }).click();
  await expect
    .poll(() => view.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime))
    .toBeGreaterThan(1);

  const begun = Date.now();
  await api.send('PUT', `users/${account.id}?usergroups=${await api.demoGroup()}`);
  await page.waitForFunction(
    () =>
      !document.documentElement.outerHTML.includes('M2-hidden-soon') &&
      document.querySelector('video, [data-part="platform-marker"], [data-part="footprint"]') === null,
  );
  const tookMs = Date.now() - begun;

  expect(tookMs).toBeLessThan(GONE_MS);
  await page.getByText('The mission you had open is no longer available to you.').waitFor();
  await row(page, 'M1-stays').waitFor();
  await page.getByRole('note', { name: 'Highest classification on screen: UNCLASSIFIED' }).first().waitFor();
  const left = await page.evaluate(
    async (urls) => {
      const answers: string[] = [];
      for (const url of urls) {
        // Answers only from what the browser kept.
        const kept = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
        if (kept?.ok) answers.push(url);
      }
      return { answers, caches: await caches.keys(), databases: (await indexedDB.databases()).map(({ name }) => name) };
    },
    [...asked].filter((url) => !/\/missions\/brief/.test(url)),
  );
  expect(left).toEqual({ answers: [], caches: [], databases: [] });
  await context.close();
});
