/// <reference lib="dom" />
import { setTimeout as pause } from 'node:timers/promises';
import type { VideoMode } from '@osprey/contract';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test-support/browser/browser.ts';
import {
  isRight,
  type Records,
  type Sample,
  sampleCount,
  startSampling,
  takeSamples,
} from '../../test-support/browser/frame-sync.ts';
import { logIn, openTelemetry } from '../../test-support/browser/screens.ts';
import { type Flight, startFlight } from '../../test-support/data/flight.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from '../../test-support/data/platforms.ts';
import { startServer } from '../../test-support/server.ts';
import { median, percentile } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';
import { onlineSensor, secondsOf } from '../live-sensor.ts';
import { PEER_SENSOR, type Peer, startPeer } from './peer.ts';

/** Modes of our player as named in its menu, with the promised latency of each (ms p95). */
const WAYS: readonly { mode: VideoMode; name: string; goalMs: number }[] = [
  { mode: 'webRtc', name: 'WebRTC', goalMs: 500 },
  { mode: 'lowLatency', name: 'Low latency', goalMs: 1000 },
  { mode: 'highQuality', name: 'LL-HLS', goalMs: 3000 },
  { mode: 'highQualityDvr', name: 'HLS', goalMs: 6000 },
];

/** Minimum share of pictures shown with their own telemetry; same as for recordings. */
const SYNC_REQUIRED = 0.99;

const SECONDS = 60;
/** Time after the first picture in which a player may settle at its latency, in milliseconds. */
const SETTLE_MS = 5000;
const FIRST_PICTURE_MS = 60_000;
const POLL_MS = 100;

/**
 * Measures the glass-to-glass latency of each mode: from the time code in the picture until Chromium shows it, on the
 * same clock. Also measures the share of these pictures that are shown with their own record panel, overlay, marker and
 * footprint.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const seconds = secondsOf(options, SECONDS);
  const [ours, theirs] = [await freeUdpPort(), await freeUdpPort()];
  const [server, browser, peer] = await Promise.all([startServer(), launchBrowser(), startPeer(theirs)]);
  let flight: Flight | null = null;
  try {
    await uploadPlatforms(server.address, oneSensorConfig(ours));
    flight = await startFlight(ours, {}, theirs);
    const peerSamples = await samplesOfPeer(browser, peer, seconds);
    const { page, context } = await openPage(browser, server.address);
    await logIn(page);
    const sensorId = await onlineSensor(server.address);
    const lines: BenchLine[] = [];
    for (const { mode, name, goalMs } of WAYS) {
      const samples = await samplesOf(page, { name, sensorId, seconds });
      lines.push(latencyLine({ mode, goalMs, samples, peerSamples, seconds }));
      lines.push(syncLine(mode, samples, flight.records));
    }
    await context.close();
    return lines;
  } finally {
    await flight?.stop();
    await browser.close();
    await peer.stop();
    await server.stop();
  }
}

async function samplesOf(page: Page, { name, sensorId, seconds }: { name: string; sensorId: string; seconds: number }) {
  await page.goto('/live');
  const player = page.getByRole('region', { name: /^Player .* EO$/ });
  await player.getByRole('button', { name: /^Playback/ }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
  await player.getByRole('button', { name: `Playback: ${name}` }).waitFor();
  await player.getByText('LIVE', { exact: true }).waitFor();
  const view = page.getByRole('region', { name: 'Live view' });
  await openTelemetry(view);
  await view.locator('[data-part="platform-marker"]').waitFor();
  return sampled(page, sensorId, seconds);
}

async function samplesOfPeer(browser: Browser, peer: Peer, seconds: number): Promise<Sample[]> {
  const { page, context } = await openPage(browser, peer.address);
  const until = Date.now() + FIRST_PICTURE_MS;
  // Wait for the first playlist, since a player that starts before it exists gives up.
  while (!(await fetch(peer.playlist)).ok) {
    if (Date.now() > until) throw new Error('ffmpeg makes no playlist');
    await pause(POLL_MS);
  }
  await page.goto('/');
  const samples = await sampled(page, PEER_SENSOR, seconds);
  await context.close();
  return samples;
}

/** Samples pictures, starting a few seconds after the first one. */
async function sampled(page: Page, sensorId: string, seconds: number): Promise<Sample[]> {
  await startSampling(page, sensorId);
  const until = Date.now() + FIRST_PICTURE_MS;
  while ((await sampleCount(page)) === 0) {
    if (Date.now() > until) throw new Error('No picture is shown');
    await pause(POLL_MS);
  }
  await pause(SETTLE_MS);
  await takeSamples(page);
  await pause(seconds * 1000);
  return (await takeSamples(page)).samples;
}

const latenciesOf = (samples: readonly Sample[]) => samples.map(({ seenUs, codeUs }) => (seenUs - codeUs) / 1000);

type Measured = { mode: VideoMode; goalMs: number; samples: Sample[]; peerSamples: Sample[]; seconds: number };

function latencyLine({ mode, goalMs, samples, peerSamples, seconds }: Measured): BenchLine {
  const latencies = latenciesOf(samples);
  const [ours, peer] = [percentile(latencies, 0.95), percentile(latenciesOf(peerSamples), 0.95)];
  return {
    name: `live-latency ${mode}`,
    unit: 'ms p95',
    ours: Math.round(ours),
    peer: Math.round(peer),
    peerName: 'HLS by ffmpeg -c copy -f hls -hls_time 2, hls.js as it comes',
    ratio: Math.round((peer / ours) * 100) / 100,
    failure: ours > goalMs ? `${Math.round(ours)} ms, above its goal of ${goalMs} ms` : undefined,
    note: `goal ${goalMs} ms; median ${Math.round(median(latencies))} ms of ${latencies.length} pictures in ${seconds} s`,
  };
}

function syncLine(mode: VideoMode, samples: readonly Sample[], records: Records): BenchLine {
  const right = samples.filter((sample) => isRight(sample, records)).length;
  const ours = right / samples.length;
  return {
    name: `live-latency sync ${mode}`,
    unit: 'share of samples right',
    ours: Math.round(ours * 10_000) / 10_000,
    peer: SYNC_REQUIRED,
    peerName: 'required',
    ratio: Math.round((ours / SYNC_REQUIRED) * 10_000) / 10_000,
    failure:
      ours >= SYNC_REQUIRED ? undefined : `${samples.length - right} of ${samples.length} pictures are not right`,
    note: `${samples.length} samples, ${samples.length - right} wrong`,
  };
}
