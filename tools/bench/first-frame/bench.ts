/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { apiOf } from '../../../e2e/support/api.ts';
import { launchBrowser, openPage } from '../../../e2e/support/browser.ts';
import { logIn } from '../../../e2e/support/screens.ts';
import { startServer } from '../../../e2e/support/server.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal, median } from '../bench-line.ts';

const MEGABYTES = 1000;
const VIEWPORT = { width: 1440, height: 900 };
const PAIRS = 5;
/** The page with all that is around the picture may take twice the time of the bare one. */
const GOAL = 0.5;
/** A document of the same origin with next to nothing in it. */
const BARE_PATH = '/api/health';

const hlsScript = readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');

/** From opening the link of a 1 GB mission to the first painted frame with telemetry, against hls.js on a bare page. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-bench-'));
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
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

    const session = await openPage(browser, server.address);
    await logIn(session.page);
    const storageState = await session.context.storageState();
    await session.context.close();
    // Contexts of their own: one that routes requests, as that of the tests does, has no cache.
    const context = await browser.newContext({ baseURL: server.address, storageState, viewport: VIEWPORT });
    const bare = await browser.newContext({ bypassCSP: true, storageState, viewport: VIEWPORT });
    await bare.addInitScript({ content: `${hlsScript}\n${barePlayer(playlist)}` });
    const link = `/missions?mission=${mission._id}`;
    // The first visit of each fills the browser's cache for both.
    await ourFrame(context, link);
    await bareFrame(bare, server.address);
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
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type FrameWindow = Window & { ospreyFirstFrameMs?: number };

/** Milliseconds from the start of the navigation until a player shows a frame together with its record. */
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

const barePlayer = (playlist: string) => `addEventListener('DOMContentLoaded', () => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.replaceChildren(video);
  video.requestVideoFrameCallback(() => { window.ospreyFirstFrameMs = performance.now(); });
  const hls = new Hls();
  hls.loadSource(${JSON.stringify(playlist)});
  hls.attachMedia(video);
});`;

const range = (values: readonly number[]) => `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
