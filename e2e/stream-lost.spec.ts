/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sendPaced } from '../tools/test-support/paced-sender.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from './support/platforms.ts';
import { stageFor } from './support/stage.ts';

const stage = stageFor();
/** A stream is lost once it is silent for this long, by the rule of the server. */
const SILENT_MS = 2000;
/** Longest way of that to the page. */
const SHOWN_MS = 1000;
const ROUNDS = 1000;

it('a stream is shown as lost within a second after the 2 s of silence that make it so', async () => {
  const port = await freeUdpPort();
  await uploadPlatforms(stage.server.address, oneSensorConfig(port));
  const bytes = await readFile(await stage.recordings.simulated('flight.ts', { seconds: 10 }));
  const sender = await sendPaced({ bytes, port, rounds: ROUNDS });
  const { page } = await stage.signedIn();
  await page.goto('/platforms');
  const platforms = page.getByRole('treegrid', { name: 'Platforms' });
  await platforms.getByRole('row').filter({ hasText: 'OSP-21' }).getByText('Online').waitFor();
  // The page notes by itself when the word appears: asking it would be late on a busy machine.
  await platforms.evaluate((cells) => {
    new MutationObserver(() => {
      if (cells.textContent?.includes('Lost')) document.body.dataset.lostAt ??= String(Date.now());
    }).observe(cells, { subtree: true, childList: true, characterData: true });
  });

  const silentAt = Date.now();
  await sender.stop();
  await expect.poll(() => page.evaluate(() => document.body.dataset.lostAt ?? '')).not.toBe('');

  const lostAt = Number(await page.evaluate(() => document.body.dataset.lostAt));
  expect(lostAt - silentAt).toBeLessThanOrEqual(SILENT_MS + SHOWN_MS);
});
