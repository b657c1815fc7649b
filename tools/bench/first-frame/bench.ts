/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '@osprey/contract';
import type { BrowserContext } from 'playwright-core';
import { launchBrowser, launchProfile, openPage, takeOver } from '../../test-support/browser/browser.ts';
import { logIn } from '../../test-support/browser/screens.ts';
import { type Api, apiOf } from '../../test-support/data/api.ts';
import { startServer } from '../../test-support/server.ts';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';

const MEGABYTES = 1000;
const VIEWPORT = { width: 1440, height: 900 };
const PAIRS = 5;
/** Minimum ratio: the page, including everything around the picture, may take twice as long as the bare page. */
const GOAL = 0.5;
/** Path of a nearly empty document of the same origin. */
const BARE_PATH = '/api/health';

/**
 * Number of visits before measuring: browsers cache the files they fetch and, from the second visit on, the compiled
 * code.
 */
const FIRST_VISITS = 4;

/** Interval between checks of the jobs, in milliseconds. */
const CHECK_MS = 500;

const hlsScript = readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'));

/**
 * Measures the time from opening the link of a 1 GB mission to the first painted frame with telemetry, against hls.js
 * on a bare page. Each is measured in a browser that has cached its page.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-bench-'));
  const [server, browser, library] = await Promise.all([startServer(), launchBrowser(), serveLibrary()]);
  const contexts: BrowserContext[] = [];
  try {
    const path = join(folder, 'big.ts');
    const source = testData('ts/osh/sample-stream.ts');
    execFileSync('python3', [testData('tools/make_big.py'), source, path, '--mb', String(MEGABYTES), '--move', '40']);
    const api = apiOf(server.address);
    const mission = await api.addMission({ name: 'Big' });
    await api.upload(mission, 'EO/IR', path);
    const ready = await api.untilReady(mission._id);
    const playlist = ready.sensors[0]?.hlsProps?.url;
    if (!playlist) throw new Error('The mission has no playlist');
    await untilStill(api);

    const session = await openPage(browser, server.address);
    await logIn(session.page);
    const storageState = await session.context.storageState();
    await session.context.close();
    await browser.close();

    const context = await launchProfile(join(folder, 'ours'), { baseURL: server.address, viewport: VIEWPORT });
    const bare = await launchProfile(join(folder, 'bare'), { bypassCSP: true, viewport: VIEWPORT });
    contexts.push(context, bare);
    for (const one of contexts) await takeOver(one, server.address, storageState);
    await bare.addInitScript({ content: barePlayer(playlist, library) });
    const link = `/missions?mission=${mission._id}`;
    for (let visit = 0; visit < FIRST_VISITS; visit += 1) {
      await ourFrame(context, link);
      await bareFrame(bare, server.address);
    }
    const ours: number[] = [];
    const peer: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      ours.push(await ourFrame(context, link));
      peer.push(await bareFrame(bare, server.address));
    }
    const ratios = ours.map((ms, pair) => (peer[pair] ?? Number.NaN) / ms);
    return [
      {
        name: 'first-frame',
        unit: 'ms',
        ours: Math.round(median(ours)),
        peer: Math.round(median(peer)),
        peerName: 'bare page with hls.js',
        ratio: Math.round(median(ratios) * 100) / 100,
        failure: belowGoal(median(ratios), GOAL),
        note: `${MEGABYTES} MB, ${PAIRS} pairs, median; ours with telemetry ${range(ours)}, bare ${range(peer)}`,
      },
    ];
  } finally {
    await browser.close();
    for (const context of contexts) await context.close();
    library.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until background jobs have ended: timeline pictures are made after a mission is Ready and would disturb the
 * measurement.
 */
async function untilStill(api: Api): Promise<void> {
  while ((await api.send<Job[]>('GET', 'jobs')).length > 0) await pause(CHECK_MS);
}

type FrameWindow = Window & { ospreyFirstFrameMs?: number };

/**
 * Returns the time in milliseconds from the start of navigation until a player shows a frame together with its
 * telemetry record.
 */
async function ourFrame(context: BrowserContext, link: string): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = () => {
      const player = document.querySelector('section[data-frame-time-us]');
      const shown = player?.querySelector('canvas')?.getAttribute('data-record-time-us');
      if (!shown) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        (window as FrameWindow).ospreyFirstFrameMs = performance.now();
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-frame-time-us', 'data-record-time-us'],
    });
  });
  await page.goto(link);
  return readAndClose(page);
}

async function bareFrame(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${address}${BARE_PATH}`);
  return readAndClose(page);
}

async function readAndClose(page: Awaited<ReturnType<BrowserContext['newPage']>>): Promise<number> {
  const handle = await page.waitForFunction(() => (window as FrameWindow).ospreyFirstFrameMs);
  const ms = Number(await handle.jsonValue());
  await page.close();
  return ms;
}

async function serveLibrary(): Promise<Server> {
  const server = createServer((_request, reply) => {
    const headers = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' };
    reply.writeHead(200, headers).end(hlsScript);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const barePlayer = (playlist: string, library: Server) => `addEventListener('DOMContentLoaded', () => {
  const script = document.createElement('script');
  script.src = 'http://127.0.0.1:${(library.address() as AddressInfo).port}/hls.min.js';
  script.onload = () => {
    const video = document.createElement('video');
    video.muted = true;
    document.body.replaceChildren(video);
    video.requestVideoFrameCallback(() => { window.ospreyFirstFrameMs = performance.now(); });
    const hls = new Hls();
    hls.loadSource(${JSON.stringify(playlist)});
    hls.attachMedia(video);
  };
  document.head.append(script);
});`;

const range = (values: readonly number[]) => `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
