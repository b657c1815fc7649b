/// <reference lib="dom" />
import type { CaseRow } from '@osprey/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { logIn, openMission, row } from '../tools/test-support/browser/screens.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor({}, { isMeasured: true });

/** The figure is 2 s on an idle machine; a busy one fails at three times that. */
const GONE_MS = 6000;

it('T-036 leaves no pixel, row, marker or cached answer of a mission whose right was revoked', async () => {
  const { api } = stage;
  const group = await api.addGroup('G1', 'CONFIDENTIAL');
  const account = await api.addUser('U1', { clearance: 'CONFIDENTIAL', groups: [group] });
  const flight = await stage.recordings.simulated('m2.ts', { seconds: 10 });
  const labelled = { securityClassification: 'CONFIDENTIAL', usergroups: [group] };
  await api.addRecorded({ name: 'M2-hidden-soon', ...labelled }, { 'EO/IR': flight });
  await api.addRecorded({ name: 'M1-stays' }, { 'EO/IR': flight });
  const { page, close } = await stage.open();
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
  // T-047: the player too says how its picture is classified.
  await view.getByRole('region', { name: 'Player EO/IR' }).getByText('CONFIDENTIAL', { exact: true }).waitFor();
  const map = view.getByRole('region', { name: 'Map', exact: true });
  await map.getByRole('button', { name: 'Open map tools' }).hover();
  await map.getByRole('button', { name: 'Layers' }).click();
  for (const layer of ['Area seen', 'Path of the platform', 'Heatmap of frame centres']) {
    const item = page.getByRole('menuitemcheckbox', { name: layer });
    await item.click();
    await expect.poll(() => item.getAttribute('aria-checked')).toBe('true');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(() => [...asked].filter((url) => /\/(area|path|framecenterpoints)\//.test(url)).length).toBe(3);

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
  const left = await keptBy(
    page,
    [...asked].filter((url) => !/\/missions\/brief/.test(url)),
  );
  expect(left).toEqual({ answers: [], caches: [], databases: [] });
  await close();
});

it('T-036 leaves nothing of a document whose right was revoked, in the open viewer neither', {
  tags: 'long',
}, async () => {
  const { api } = stage;
  const group = await api.addGroup('G2', 'CONFIDENTIAL');
  const account = await api.addUser('U2', { clearance: 'CONFIDENTIAL', groups: [group] });
  const labelled = { securityClassification: 'CONFIDENTIAL', usergroups: JSON.stringify([group]) };
  await api.addDocument('Gone-soon', { name: 'gone.txt', body: 'The hidden rendezvous' }, labelled);
  await api.addDocument('Stays', { name: 'stays.txt', body: 'Open to all' });
  const { page, close } = await stage.signedIn({}, account, '/documents');
  const asked = new Set<string>();
  page.on('response', (response) => {
    if (response.ok() && /\/documents\/[0-9a-f-]{36}/.test(response.url())) asked.add(response.url());
  });
  const list = page.getByRole('treegrid', { name: 'Documents' });
  await list.getByRole('row').filter({ hasText: 'Gone-soon' }).click();
  await page.getByRole('region', { name: 'Document Gone-soon' }).getByText('The hidden rendezvous').waitFor();

  const begun = Date.now();
  await api.send('PUT', `users/${account.id}?usergroups=${await api.demoGroup()}`);
  await page.waitForFunction(() => !/Gone-soon|hidden rendezvous/.test(document.documentElement.outerHTML));
  const tookMs = Date.now() - begun;

  expect(tookMs).toBeLessThan(GONE_MS);
  await page.getByText('The document you had open is no longer available to you.').waitFor();
  await list.getByRole('row').filter({ hasText: 'Stays' }).waitFor();
  await page.getByRole('note', { name: 'Highest classification on screen: UNCLASSIFIED' }).first().waitFor();
  expect(asked.size).toBeGreaterThan(0);
  expect(await keptBy(page, [...asked])).toEqual({ answers: [], caches: [], databases: [] });
  await close();
});

it('T-036 leaves nothing of a case whose right was revoked, neither parts, map nor comments', {
  tags: 'long',
}, async () => {
  const { api } = stage;
  const group = await api.addGroup('G3', 'CONFIDENTIAL');
  const account = await api.addUser('U3', { clearance: 'CONFIDENTIAL', groups: [group] });
  const labelled = { securityClassification: 'CONFIDENTIAL', usergroups: JSON.stringify([group]) };
  const documentId = await api.addDocument('Chart-soon', { name: 'c.txt', body: 'The cove' }, labelled);
  const parts = [
    { kind: 'document', documentId, remark: 'Remark-soon' },
    { kind: 'note', title: 'Note-soon', text: 'Where they *meet*' },
  ];
  const shared = { securityClassification: 'CONFIDENTIAL', usergroups: [group] };
  const { _id: id } = await api.send<CaseRow>('POST', 'cases', { name: 'Case-soon', ...shared, parts });
  await api.send('POST', `cases/${id}/comments`, { text: 'Comment-soon' });
  const { page, close } = await stage.signedIn({}, account, `/cases/${id}`);
  const asked = new Set<string>();
  page.on('response', (response) => {
    if (response.ok() && /\/cases|\/documents/.test(response.url())) asked.add(response.url());
  });
  await page.reload();
  for (const text of ['Chart-soon', 'Remark-soon', 'Note-soon', 'Comment-soon']) await page.getByText(text).waitFor();

  const begun = Date.now();
  await api.send('PUT', `users/${account.id}?usergroups=${await api.demoGroup()}`);
  await page.waitForFunction(() => !document.documentElement.outerHTML.includes('-soon'));
  const tookMs = Date.now() - begun;

  expect(tookMs).toBeLessThan(GONE_MS);
  await page.getByText('The case you had open is no longer available to you.').waitFor();
  await page.getByRole('note', { name: 'Highest classification on screen: UNCLASSIFIED' }).first().waitFor();
  expect(asked.size).toBeGreaterThan(0);
  expect(await keptBy(page, [...asked])).toEqual({ answers: [], caches: [], databases: [] });
  await close();
});

/** Which of these answers the browser kept, and what else it stores. */
const keptBy = (page: Page, urls: string[]) =>
  page.evaluate(async (asked) => {
    const answers: string[] = [];
    for (const url of asked) {
      const retained = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
      if (retained?.ok) answers.push(url);
    }
    return { answers, caches: await caches.keys(), databases: (await indexedDB.databases()).map(({ name }) => name) };
  }, urls);
