/// <reference lib="dom" />
import type { LivePlatform } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { isRight, type Sample } from '../../tools/test-support/browser/frame-sync.ts';
import { type Flight, startFlight } from '../../tools/test-support/data/flight.ts';
import { freeUdpPort, uploadPlatforms } from '../../tools/test-support/data/platforms.ts';
import type { Stage } from './stage.ts';

/**
 * Factor on the limits in tests, which run alongside other work; the limits themselves are verified by the benchmark.
 */
export const BUSY = 3;

/** Duration of a picture at 15 per second, in microseconds. */
export const PICTURE_US = 67_000;

/** Number of pictures sampled for each playback method; about seven seconds at 15 per second. */
export const PICTURES = 100;

/**
 * Maximum share of pictures that may show a record other than the last one at or before them. The limit is 1 of 100,
 * verified by the benchmark, as for recordings.
 */
const WRONG_SHARE = BUSY * 0.01;

/** Maximum number of times that a measurement is taken. */
const ATTEMPTS = 4;

/**
 * Takes a measurement until it meets its limits. Other work on the machine spoils some attempts; a fault of the product
 * spoils each, and the last failure is thrown.
 */
export async function measured(measure: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await measure();
    } catch (error) {
      console.warn(`measurement ${attempt} of at most ${ATTEMPTS} missed: ${(error as Error).message.slice(0, 200)}`);
    }
  }
  return measure();
}

export const configOf = (port: number, audience = 'audience: everyone') => `platforms:
  - name: OSP-21
    type: Plane
    color: '#22C7E6'
    description: Search west of Kea
    securityClassification: UNCLASSIFIED
    ${audience}
    autostart: true
    sensors:
      - { name: EO, url: 'udp://127.0.0.1:${port}' }
`;

/** Returns the delay of a sample relative to the time code in its picture, in milliseconds. */
export const latencyMs = ({ seenUs, codeUs }: Sample): number => (seenUs - codeUs) / 1000;

/**
 * Error responses that are expected for a stream that was lost or has ended: its playlist does not exist yet, a segment
 * no longer does, or there is nothing to connect to.
 */
const OF_THE_STREAM = /^(?:503 GET .*m3u8|404 GET .*\.ts|422 POST .*whep)/;

export type LiveScene = {
  /** The simulated flight that is sent to `port`. */
  flight: Flight;
  port: number;
  page: Page;
  sensorId: string;
  /** Error responses, with status, method and address. */
  refused: string[];
  view: () => Locator;
  player: (on?: Page) => Locator;
  openLive: () => Promise<void>;
  /**
   * Leaves the live view, which is needed before another page plays, since a busy machine cannot decode the stream
   * twice in real time.
   */
  leaveLive: () => Promise<void>;
  watchBy: (name: string, on?: Page) => Promise<void>;
  isPlaying: () => Promise<void>;
  shownUs: () => Promise<number>;
  shownLatencyMs: () => Promise<number>;
  /**
   * Checks that panel, overlay, marker and footprint belong to the picture on screen, by the same limits as for
   * recordings.
   */
  expectTogether: (samples: readonly Sample[]) => void;
  /** Checks that the page had no errors of its own. */
  expectNoFault: () => void;
};

/** Sets up one platform with a flight sent to it, and a page to watch it on. */
export function liveSceneOn(stage: Stage): LiveScene {
  let errors: string[] = [];
  const platforms = () => stage.api.send<LivePlatform[]>('GET', 'platforms');
  const view = () => scene.page.getByRole('region', { name: 'Live view' });
  const player = (on: Page = scene.page): Locator => on.getByRole('region', { name: 'Player OSP-21 EO' });
  const scene = {
    refused: [] as string[],
    view,
    player,
    async openLive() {
      await scene.page.goto('/live');
      await player().waitFor();
    },
    async leaveLive() {
      await scene.page.goto('/about');
    },
    async watchBy(name, on = scene.page) {
      await player(on)
        .getByRole('button', { name: /^Playback/ })
        .click();
      await on.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
      await player(on)
        .getByRole('button', { name: `Playback: ${name}` })
        .waitFor();
    },
    isPlaying: () => player().getByText('LIVE', { exact: true }).waitFor(),
    shownUs: async () => Number(await player().getAttribute('data-frame-time-us')),
    shownLatencyMs: async () => Number(await player().locator('[data-latency-ms]').getAttribute('data-latency-ms')),
    expectTogether(samples) {
      const wrong = samples.filter((sample) => !isRight(sample, scene.flight.records));
      expect(wrong.length / samples.length, JSON.stringify(wrong.slice(0, 3))).toBeLessThanOrEqual(WRONG_SHARE);
    },
    expectNoFault() {
      expect(errors.filter((text) => !text.includes('Failed to load resource'))).toEqual([]);
      expect(scene.refused.filter((text) => !OF_THE_STREAM.test(text))).toEqual([]);
    },
  } as LiveScene;

  beforeAll(async () => {
    scene.port = await freeUdpPort();
    await uploadPlatforms(stage.server.address, configOf(scene.port));
    scene.flight = await startFlight(scene.port);
    const watched = await stage.signedIn();
    ({ errors } = watched);
    scene.page = watched.page;
    scene.page.on('response', (response) => {
      if (!response.ok()) scene.refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    await vi.waitUntil(async () => (await platforms())[0]?.state === 'online', { timeout: 30_000 });
    scene.sensorId = (await platforms())[0]!.sensors[0]!._id;
  });
  afterAll(() => scene.flight?.stop());
  return scene;
}
