/// <reference lib="dom" />
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import { logIn } from '../../test-support/browser/screens.ts';
import { apiOf, signIn } from '../../test-support/data/api.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from '../../test-support/data/platforms.ts';
import { sendPaced } from '../../test-support/paced-sender.ts';
import { mainScript } from '../../test-support/product.ts';
import { ADMIN, startServer } from '../../test-support/server.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { onlineSensor, secondsOf } from '../live-sensor.ts';
import type { Order, Reported, Way } from './clients.ts';
import { measurePeer } from './peer.ts';
import { childOf, treeCpuSeconds } from './process-cpu.ts';
import type { ShipOrder } from './ship-sockets.ts';
import { SHIPS, SHIPS_AREA, sendShips } from './ships.ts';
import { MEGABITS, makeStream, PICTURES_PER_SECOND, seamTicks } from './stream.ts';

/** Number of viewers by transport, about a third each; the browser, which also uses WebRTC, is the thirtieth. */
const COUNTS: Record<Way, number> = { WHEP: 10, lowLatency: 10, 'LL-HLS': 9 };
const VIEWERS = 30;
/** Maximum processor time of the server, as a multiple of the peer's. */
const MOST_TIMES_PEER = 4;
const WARM_UP_MS = 10_000;
/** Minimum share of the sent pictures; a client with fewer has missed some pictures even if it found no gap. */
const LEAST_SHARE = 0.9;
const SECONDS = 60;

/** Maximum processor time of the server with ships on every page, as a multiple of that without ships. */
const MOST_TIMES_WITH_SHIPS = 1.2;

type Measured = { cpu: Map<string, number>; missed: string[] };

/**
 * Measures the processor time of all server processes for thirty viewers of one stream, against a program that only
 * copies the stream.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const seconds = secondsOf(options, SECONDS);
  const folder = mkdtempSync(join(tmpdir(), 'osprey-bench-fanout-'));
  try {
    const bytes = makeStream(join(folder, 'source.ts'));
    const { plain, ships } = await measureOurs(bytes, seconds);
    const peer = await measurePeer(bytes, seconds);
    const perViewerMinute = (cpuSeconds: number) => (cpuSeconds / VIEWERS) * (60 / seconds);
    const ours = perViewerMinute(sumOf(plain));
    const theirs = perViewerMinute(peer.cpuSeconds);
    const watching = Object.entries(COUNTS).map(([way, count]) => `${count} by ${way}`);
    return [
      {
        name: 'live-fanout',
        unit: 's of CPU a viewer and minute',
        ours: rounded(ours),
        peer: rounded(theirs),
        peerName: 'ffmpeg -c copy to 10 SRTP and 20 UDP clients',
        ratio: rounded(theirs / ours),
        note:
          `one stream of ${MEGABITS} Mbit/s for ${seconds} s to a Chromium by WebRTC and ${watching.join(', ')}; ` +
          `at least ${1 / MOST_TIMES_PEER} is asked for; ours: ${partsOf(plain, perViewerMinute)}; ` +
          `packets that the peer's clients missed: ${peer.missed}`,
        failure: failureOf(plain.missed, theirs / ours, 1 / MOST_TIMES_PEER),
      },
      shipsLine(plain, ships, perViewerMinute),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type PerViewerMinute = (cpuSeconds: number) => number;

const sumOf = ({ cpu }: Measured): number => [...cpu.values()].reduce((sum, one) => sum + one, 0);

/** Returns a text with the processor time of each process. */
const partsOf = ({ cpu }: Measured, perViewerMinute: PerViewerMinute): string =>
  [...cpu].map(([name, used]) => `${name} ${rounded(perViewerMinute(used))}`).join(', ');

/** Compares the same viewers with ships on every page and without. */
function shipsLine(plain: Measured, ships: Measured, perViewerMinute: PerViewerMinute): BenchLine {
  const [without, withShips] = [sumOf(plain), sumOf(ships)];
  const goal = rounded(1 / MOST_TIMES_WITH_SHIPS);
  return {
    ...{ name: 'live-fanout', unit: 's of CPU a viewer and minute' },
    ...{ ours: rounded(perViewerMinute(withShips)), peer: rounded(perViewerMinute(without)) },
    ...{ peerName: 'the same without ships', ratio: rounded(without / withShips) },
    note: `${SHIPS} ships under way on the map of each of ${VIEWERS} pages; at least ${goal} is asked for; with ships: ${partsOf(ships, perViewerMinute)}`,
    failure: failureOf(ships.missed, without / withShips, goal),
  };
}

function failureOf(missed: readonly string[], ratio: number, goal: number): string | undefined {
  if (missed.length > 0) return `Not everything came to everybody: ${missed.join('; ')}`;
  return belowGoal(ratio, goal);
}

async function measureOurs(bytes: Buffer, seconds: number): Promise<{ plain: Measured; ships: Measured }> {
  const server = await startServer();
  const port = await freeUdpPort();
  await uploadPlatforms(server.address, oneSensorConfig(port));
  const sender = await sendPaced({ bytes, port, rounds: Number.POSITIVE_INFINITY });
  const browser = await launchBrowser();
  const clients = fork(join(import.meta.dirname, 'clients.ts'));
  let stopShips = () => {};
  try {
    const sensorId = await onlineSensor(server.address);
    const { page } = await openPage(browser, server.address);
    await logIn(page);
    await page.goto('/live');
    await page.getByText('LIVE', { exact: true }).waitFor();
    const headers = await signIn(server.address, ADMIN);
    await ask(clients, { address: server.address, sensorId, headers, seam: seamTicks(bytes), counts: COUNTS });
    await pause(WARM_UP_MS);
    const plain = await measure({ page, clients, seconds });

    stopShips = await sendShips(server.address);
    // The browser shows ships without being asked.
    const accounts = await accountsFor(server.address);
    await ask(clients, { address: server.address, accounts, ships: VIEWERS - 1, area: SHIPS_AREA });
    await pause(WARM_UP_MS);
    return { plain, ships: await measure({ page, clients, seconds }) };
  } finally {
    stopShips();
    // Clients that failed have already exited, and made the bench fail; everything else must still be stopped.
    if (clients.connected) clients.disconnect();
    await browser.close();
    await sender.stop();
    await server.stop();
  }
}

/** Accounts for the pages with ships. All have the same rights, so that each frame is computed only once. */
async function accountsFor(address: string): Promise<Record<string, string>[]> {
  const api = apiOf(address, ADMIN);
  const headers: Record<string, string>[] = [];
  for (const name of ['Watch1', 'Watch2', 'Watch3', 'Watch4']) {
    headers.push(await signIn(address, await api.addUser(name)));
  }
  return headers;
}

type Watched = { page: Page; clients: ChildProcess; seconds: number };

async function measure({ page, clients, seconds }: Watched): Promise<Measured> {
  const root = childOf(mainScript());
  const [shownBefore, reportedBefore, cpuBefore] = [
    await shown(page),
    await ask(clients, 'tell'),
    treeCpuSeconds(root),
  ];
  await pause(seconds * 1000);
  const [cpuAfter, reported, shownAfter] = [treeCpuSeconds(root), await ask(clients, 'tell'), await shown(page)];
  const cpu = new Map([...cpuAfter].map(([name, used]) => [name, used - (cpuBefore.get(name) ?? 0)]));
  const least = seconds * PICTURES_PER_SECOND * LEAST_SHARE;
  return {
    cpu,
    missed: [...missedBy(reportedBefore, reported, { least, seconds }), ...droppedBy(shownBefore, shownAfter, least)],
  };
}

async function ask(clients: ChildProcess, order: Order | ShipOrder | 'tell'): Promise<Reported[]> {
  clients.send(order);
  const ended = new AbortController();
  const gone = once(clients, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The clients have failed');
  });
  try {
    const [reported] = (await Promise.race([once(clients, 'message', { signal: ended.signal }), gone])) as [Reported[]];
    return reported;
  } finally {
    gone.catch(() => undefined);
    ended.abort();
  }
}

/** Returns the faults reported by clients. */
function missedBy(
  before: readonly Reported[],
  after: readonly Reported[],
  { least, seconds }: { least: number; seconds: number },
): string[] {
  return after.flatMap(({ way, pictures, missed }, index) => {
    const came = pictures - before[index]!.pictures;
    const lacks = missed - before[index]!.missed;
    // Frames with ships are sent once per second.
    const requested = way === 'ships' ? seconds * LEAST_SHARE : least;
    return lacks > 0 || came < requested ? [`${way} ${index}: ${lacks} missed, ${came} pictures`] : [];
  });
}

type Shown = { pictures: number; dropped: number };

const shown = (page: Page): Promise<Shown> =>
  page.locator('video').evaluate((element) => {
    const { totalVideoFrames, droppedVideoFrames } = (element as HTMLVideoElement).getVideoPlaybackQuality();
    return { pictures: totalVideoFrames, dropped: droppedVideoFrames };
  });

function droppedBy(before: Shown, after: Shown, least: number): string[] {
  const dropped = after.dropped - before.dropped;
  const came = after.pictures - before.pictures;
  return dropped > 0 || came < least ? [`Chromium: ${dropped} dropped of ${came} pictures`] : [];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
