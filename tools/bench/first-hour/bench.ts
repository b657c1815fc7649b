/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import { adminMode, dialog, dropOnPage, row } from '../../test-support/browser/screens.ts';
import { ADMIN } from '../../test-support/server.ts';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import type { BenchLine } from '../bench-line.ts';
import { cloneAndStart, git } from './checkout.ts';

const MEGABYTES = 100;
const PAIRS = 3;
const SAMPLE = 'Sample-Coast-Patrol';
const DROPPED = 'Dropped';
const STEP_MS = 600_000;

const steps = {
  ready: 'clone to ready',
  sample: 'set-up to a sample that plays',
  drop: `drop of ${MEGABYTES} MB to a recording that plays`,
} as const;
type Seconds = Record<keyof typeof steps, number>;

/**
 * Measures the first hour of a user, alternating between this commit and the previous one (`--before=COMMIT`): from a
 * clone to the ready server, from pressing "Set up" to a sample that plays, and from dropping a recording to its
 * playback. An unmeasured round comes first, so that the package cache is filled and Debian's programs are installed.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const option = (name: string) => options.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
  const pairs = Number(option('pairs') ?? PAIRS);
  const now = git('rev-parse', '--short', 'HEAD');
  const before = git('rev-parse', '--short', option('before') ?? 'HEAD~1');
  const folder = await mkdtemp(join(tmpdir(), 'osprey-bench-'));
  const browser = await launchBrowser();
  try {
    const recording = join(folder, `${DROPPED}.ts`);
    const source = testData('ts/osh/sample-stream.ts');
    execFileSync('python3', [testData('tools/make_big.py'), source, recording, '--mb', String(MEGABYTES)]);
    await firstHour({ commit: now, browser, recording });
    const [ours, peer]: [Seconds[], Seconds[]] = [[], []];
    for (let pair = 0; pair < pairs; pair += 1) {
      ours.push(await firstHour({ commit: now, browser, recording }));
      peer.push(await firstHour({ commit: before, browser, recording }));
    }
    return (Object.keys(steps) as (keyof typeof steps)[]).map((step) => {
      const [own, other] = [ours, peer].map((all) => all.map((seconds) => seconds[step])) as [number[], number[]];
      return {
        name: 'first-hour',
        unit: 's',
        ours: tenths(median(own)),
        peer: tenths(median(other)),
        peerName: `commit ${before}`,
        ratio: Math.round(median(other.map((seconds, pair) => seconds / own[pair]!)) * 100) / 100,
        note: `${steps[step]}, ${pairs} pairs, median; ${now} ${range(own)}, ${before} ${range(other)}`,
      };
    });
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Hour = { commit: string; browser: Browser; recording: string };

async function firstHour({ commit, browser, recording }: Hour): Promise<Seconds> {
  const server = await cloneAndStart(commit);
  try {
    const { page, context } = await openPage(browser, server.address, { width: 1440, height: 900 });
    page.setDefaultTimeout(STEP_MS);
    const sample = await setUp(page, server.setUp);
    const drop = await dropRecording(page, recording);
    await context.close();
    return { ready: server.readySeconds, sample, drop };
  } finally {
    await server.stop();
  }
}

async function setUp(page: Page, link: string): Promise<number> {
  await page.goto(link);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByLabel('Confirm password').fill(ADMIN.password);
  const begun = performance.now();
  await page.getByRole('button', { name: 'Set up' }).click();
  await play(page, SAMPLE);
  return (performance.now() - begun) / 1000;
}

async function dropRecording(page: Page, recording: string): Promise<number> {
  await page.goto('/missions');
  await adminMode(page);
  const begun = performance.now();
  await dropOnPage(page, [recording]);
  const form = dialog(page, 'New mission');
  // The dialog proposes a name derived from the flight.
  await form.getByLabel('Name').fill(DROPPED);
  for (const name of ['Next', 'Skip', 'Create']) await form.getByRole('button', { name }).click();
  await play(page, DROPPED);
  return (performance.now() - begun) / 1000;
}

/** Opens a mission as soon as it is Ready, and waits until two consecutive pictures have been shown during playback. */
async function play(page: Page, name: string): Promise<void> {
  const listed = row(page, name).first();
  await listed.getByText('Ready', { exact: true }).waitFor();
  await listed.getByText(name, { exact: true }).click();
  const view = page.getByRole('region', { name: new RegExp(`^Mission ${name}`) });
  await view.locator('section[data-frame-time-us]').first().waitFor();
  await view.getByRole('button', { name: 'Play', exact: true }).click();
  const first = await shownUs(view);
  await page.waitForFunction(
    (us) => document.querySelector('section[data-frame-time-us]')?.getAttribute('data-frame-time-us') !== us,
    first,
  );
}

const shownUs = (view: Locator): Promise<string | null> =>
  view.locator('section[data-frame-time-us]').first().getAttribute('data-frame-time-us');

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

const range = (all: readonly number[]): string => `${tenths(Math.min(...all))} to ${tenths(Math.max(...all))} s`;
