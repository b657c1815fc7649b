/// <reference lib="dom" />
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mission, PictureSheet, TelemetryPage } from '@osprey/contract';
import { type Corners, homography, type Point } from '@osprey/geo';
import { decodePacket } from '@osprey/klv';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  askForTime,
  openMission,
  openTelemetry,
  readShownTimes,
  row,
  shareOf,
  shoot,
} from '../tools/test-support/browser/screens.ts';
import { FLIGHT } from '../tools/test-support/data/recordings.ts';
import { onePixelPng, writeMbtiles } from '../tools/test-support/tile-files.ts';
import { seriousViolations } from './support/axe.ts';
import { stageFor, type Visitor } from './support/stage.ts';

const stage = stageFor();

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const FRAME_US = 40_000;
/** Land on the dark chart. */
const LAND = [27, 34, 43] as const;
/** Colour of the site's own chart; nothing else on the page has it. */
const CHART = [255, 0, 255] as const;

let mission: Mission;
let watched: Visitor;
let page: Page;
let view: Locator;
const baseMapZooms = new Set<string>();

const button = (name: string | RegExp) => view.getByRole('button', { name, exact: typeof name === 'string' });
const timeline = () => view.getByRole('slider', { name: 'Mission timeline' });
const map = () => view.getByRole('region', { name: 'Map', exact: true });
const player = (sensor: string) => view.getByRole('region', { name: `Player ${sensor}` });
const frameUs = async (sensor: string) => Number(await player(sensor).getAttribute('data-frame-time-us'));
const mediaTime = (sensor: string) =>
  player(sensor)
    .locator('video')
    .evaluate((video) => (video as HTMLVideoElement).currentTime);
const isPaused = (sensor: string) =>
  player(sensor)
    .locator('video')
    .evaluate((video) => (video as HTMLVideoElement).paused);

/** The record of EO that has exactly this time, by tag, and its targets. */
async function recordOf(timeUs: number) {
  const sensor = mission.sensors.find(({ name }) => name === 'EO')!;
  const span = `from=${timeUs}&to=${timeUs + 1}`;
  const page = await stage.api.send<TelemetryPage>('GET', `sensors/telemetry/${mission._id}/${sensor._id}?${span}`);
  expect(page.time).toEqual([timeUs]);
  const values = Object.fromEntries(Object.entries(page.tags).map(([tag, column]) => [tag, Number(column[0])]));
  const vmti = page.sets[0]!['74'] as { '101': { id: number; '2': number; '3': number }[] };
  return { values, targets: vmti['101'] };
}

/** Tags 82 to 89. */
const cornersOf = (values: Record<string, number>) =>
  [82, 84, 86, 88].map((tag): Point => ({ lat: values[tag]!, lon: values[tag + 1]! })) as Corners;

/** Place of the fitted picture on the page, px. */
const pictureOnPage = (sensor: string) =>
  player(sensor)
    .locator('video')
    .evaluate((element) => {
      const { videoWidth, videoHeight } = element as HTMLVideoElement;
      const { x, y, width, height } = element.getBoundingClientRect();
      const scale = Math.min(width / videoWidth, height / videoHeight);
      const [wide, high] = [videoWidth * scale, videoHeight * scale];
      return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
    });

/** Pixels of the map as a plane small enough to be flat: the units in which a footprint is drawn. */
const flat = ([x, y]: readonly number[]): Point => ({ lon: x! * 1e-6, lat: -y! * 1e-6 });

/** Distance of a part of the map from the map's middle, px. */
async function pxFromMiddle(selector: string): Promise<number> {
  const middle = async (element: Locator) => {
    const { x, y, width, height } = (await element.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  const [x, y] = await middle(map().locator('canvas.maplibregl-canvas'));
  const [partX, partY] = await middle(map().locator(selector).first());
  return Math.hypot(partX - x, partY - y);
}

/** Seeks by the clock's own form and waits until the leader shows that very frame. */
async function goTo(text: string, timeUs: number, sensor = 'EO') {
  await askForTime(view, text);
  await expect.poll(() => frameUs(sensor)).toBe(timeUs);
}

async function pause() {
  const running = button('Pause');
  if (await running.isVisible()) await running.click();
  await expect.poll(() => isPaused('EO')).toBe(true);
}

beforeAll(async () => {
  const [eo, ir] = await Promise.all([
    stage.recordings.simulated('eo.ts', { ...FLIGHT, bFrames: 2 }),
    stage.recordings.simulated('ir.ts', { ...FLIGHT, sensor: 2 }),
  ]);
  mission = await stage.api.addRecorded({ name: 'Kea' }, { EO: eo, IR: ir });
  const tiles = join(stage.server.dataFolder, 'tiles');
  await mkdir(tiles);
  writeMbtiles(
    join(tiles, 'chart.mbtiles'),
    { name: 'Site chart', format: 'png', maxzoom: '0', attribution: 'Survey of Kea' },
    [{ z: 0, x: 0, y: 0, bytes: onePixelPng(...CHART) }],
  );
  watched = await stage.signedIn({ width: 1600, height: 1000 });
  page = watched.page;
  watched.context.on('requestfinished', (request) => {
    const zoom = /\/base-map\/(\d)\/\d+\/\d+\.pbf$/.exec(request.url())?.[1];
    if (zoom !== undefined) baseMapZooms.add(zoom);
  });
  view = await openMission(page, 'Kea');
  await vi.waitFor(async () => expect(await frameUs('EO')).toBe(START_US), { timeout: 45_000 });
  await openTelemetry(view);
});

// Dialogs that a failed test left open must not fail the next.
beforeEach(() => page.keyboard.press('Escape'));

describe('the mission clock', () => {
  it('plays and pauses, by button and by Space', async () => {
    await button('Play').click();
    await expect.poll(() => mediaTime('EO')).toBeGreaterThan(1);
    await button('Pause').click();
    await expect.poll(() => isPaused('EO')).toBe(true);
    const stood = await frameUs('EO');

    await page.keyboard.press('Space');
    await expect.poll(() => frameUs('EO')).not.toBe(stood);
    await page.keyboard.press('k');
    await expect.poll(() => isPaused('EO')).toBe(true);
  });

  it('shows both sensors at the same moment whenever it is paused', async () => {
    await goTo('09:00:12', START_US + 12_000_000);

    await expect.poll(() => frameUs('IR')).toBe(START_US + 12_000_000);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frameUs('EO')).toBe(START_US + 22_000_000);
    await expect.poll(() => frameUs('IR')).toBe(START_US + 22_000_000);
    await button('Back 10 s').click();
    await expect.poll(() => frameUs('EO')).toBe(START_US + 12_000_000);
    await expect.poll(() => frameUs('IR')).toBe(START_US + 12_000_000);
  });

  it('steps exactly one frame on and back, on both sensors, with B-frames and without', async () => {
    await goTo('09:00:05', START_US + 5_000_000);

    for (let step = 1; step <= 6; step += 1) {
      await page.keyboard.press('.');
      await expect.poll(() => frameUs('EO')).toBe(START_US + 5_000_000 + step * FRAME_US);
      await expect.poll(() => frameUs('IR')).toBe(START_US + 5_000_000 + step * FRAME_US);
    }
    for (let step = 5; step >= 3; step -= 1) {
      await button('One frame back').click();
      await expect.poll(() => frameUs('EO')).toBe(START_US + 5_000_000 + step * FRAME_US);
      await expect.poll(() => frameUs('IR')).toBe(START_US + 5_000_000 + step * FRAME_US);
    }
  });

  it('goes to the ends, and plays at speeds from 0.25 to 8', async () => {
    await page.keyboard.press('End');
    await expect.poll(() => frameUs('EO')).toBeGreaterThan(START_US + 39_800_000);
    await page.keyboard.press('Home');
    await expect.poll(() => frameUs('EO')).toBe(START_US);

    for (const speed of [0.25, 2, 8, 1]) {
      await button(/^Speed/).click();
      await page.getByRole('menuitemradio', { name: `${speed}×`, exact: true }).click();
      await button('Play').click();
      await expect
        .poll(() =>
          player('EO')
            .locator('video')
            .evaluate((video) => (video as HTMLVideoElement).playbackRate),
        )
        .toBe(speed);
      await pause();
    }
  });

  it('lists its keys behind "?"', async () => {
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();

    const text = await list.textContent();
    for (const what of [
      'Play or pause',
      'Back / forward 10 s',
      'Previous / next frame',
      'Full screen',
      'Telemetry',
      'Show this help',
    ])
      expect(text).toContain(what);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  it('lets another sensor lead, by its number', async () => {
    await page.keyboard.press('2');
    await view.getByRole('region', { name: 'Telemetry of IR' }).waitFor();
    await page.keyboard.press('1');
    await view.getByRole('region', { name: 'Telemetry of EO' }).waitFor();
  });
});

describe('the timeline', () => {
  it('shows the recorded spans of each sensor and its source of time', async () => {
    const section = view.getByRole('region', { name: 'Mission timeline' });

    await expect.poll(() => section.textContent()).toMatch(/EO.*IR/);
    // The sensors recorded without a gap.
    const whole = (await timeline().boundingBox())!;
    const stretches = section.locator('[data-part="stretch"]');
    await expect.poll(() => stretches.count()).toBe(2);
    for (const stretch of await stretches.all()) {
      const { x, width } = (await stretch.boundingBox())!;
      expect(Math.abs(x - whole.x)).toBeLessThan(3);
      expect(Math.abs(width - whole.width)).toBeLessThan(4);
    }
    expect(
      await section
        .getByTitle('Time by KLV')
        .or(section.getByLabel(/Time by KLV/))
        .count(),
    ).toBeGreaterThan(0);
  });

  it('zooms from the whole mission to a second, around the pointer, and back', async () => {
    const section = view.getByRole('region', { name: 'Mission timeline' });
    await section.getByText('40 s of 40 s').waitFor();

    await timeline().hover();
    for (let notch = 0; notch < 20; notch += 1) await page.mouse.wheel(0, -400);
    await section.getByText('1 s of 40 s').waitFor();
    await button('Show the whole mission').click();

    await section.getByText('40 s of 40 s').waitFor();
  });

  it('shows the picture of the moment under the pointer', async () => {
    const box = (await timeline().boundingBox())!;
    await expect
      .poll(
        async () => {
          const sheets = await stage.api.send<PictureSheet[]>(
            'GET',
            `sensors/sheets/${mission._id}/${mission.sensors[0]!._id}`,
          );
          return sheets[0]?.times.length ?? 0;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThan(1);

    // The pointer is at 22 s, the picture at 20 s.
    await page.mouse.move(box.x + box.width * 0.55, box.y + 30);
    const hover = view.locator('[data-part="hover-picture"]');
    await hover.getByText('09:00:20 Z').waitFor();
    expect(await view.locator('[data-part="filmstrip"] [data-part="cell"]').count()).toBeGreaterThan(1);
    // The larger picture comes where the pointer rests.
    await expect.poll(() => hover.locator('img').count()).toBe(1);
    await expect
      .poll(() => hover.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    await page.mouse.move(0, 0);
  });

  it('seeks where it is clicked', async () => {
    const box = (await timeline().boundingBox())!;

    await page.mouse.click(box.x + box.width * 0.75, box.y + 8);

    await expect.poll(async () => Math.round((await frameUs('EO')) / 1e6) - START_US / 1e6).toBe(30);
  });
});

describe('the targets in the picture', () => {
  it('have brackets where the recording says they are, with their ids above them', async () => {
    await goTo('09:00:05', START_US + 5_000_000);
    const { targets } = await recordOf(START_US + 5_000_000);
    expect(targets).toHaveLength(2);

    const canvas = player('EO').locator('canvas');
    await expect.poll(() => canvas.getAttribute('data-record-time-us')).toBe(String(START_US + 5_000_000));
    expect(await canvas.getAttribute('data-targets')).toBe('2');
    /** Greatest opacity of the overlay around places of the picture, 0..1 from its upper left; `above` so many px. */
    const inkAt = async (places: { x: number; y: number; above?: number }[]) => {
      const picture = await pictureOnPage('EO');
      return canvas.evaluate(
        (element, [rect, all]) => {
          const { x, y } = element.getBoundingClientRect();
          const context = (element as HTMLCanvasElement).getContext('2d')!;
          return all.map((place) => {
            const left = (rect.x - x + place.x * rect.width - 3) * devicePixelRatio;
            const top = (rect.y - y + place.y * rect.height - 3 - (place.above ?? 0)) * devicePixelRatio;
            const size = Math.ceil(7 * devicePixelRatio);
            const { data } = context.getImageData(Math.round(left), Math.round(top), size, size);
            return Math.max(...data.filter((_, at) => at % 4 === 3));
          });
        },
        [picture, places] as const,
      );
    };
    const boxes = targets.map((target) => {
      const pixel = (number: number) => ({ x: (number - 1) % 320, y: Math.floor((number - 1) / 320) });
      const [from, to] = [pixel(target['2']), pixel(target['3'])];
      return { left: from.x / 320, top: from.y / 240, right: (to.x + 1) / 320, bottom: (to.y + 1) / 240 };
    });
    const drawn = boxes.flatMap(({ left, top, right, bottom }) => [
      { x: left, y: top },
      { x: right, y: top },
      { x: left, y: bottom },
      { x: right, y: bottom },
      // The first figure of the id.
      { x: left, y: top, above: 8 },
    ]);
    for (const ink of await inkAt(drawn)) expect(ink).toBeGreaterThan(200);
    const clear = boxes.map(({ left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 }));
    expect(await inkAt([...clear, { x: 0.1, y: 0.1 }, { x: 0.9, y: 0.1 }])).toEqual([0, 0, 0, 0]);
  });
});

describe('pointing at the video', () => {
  it('shows the coordinate on the ground and marks it on the map', async () => {
    await goTo('09:00:05', START_US + 5_000_000);
    const { values } = await recordOf(START_US + 5_000_000);
    await expect.poll(() => map().getAttribute('data-map')).toBe('ready');
    const { x, y, width, height } = await pictureOnPage('EO');
    const at = { x: 0.7, y: 0.4 };

    await page.mouse.move(x + width * at.x, y + height * at.y);

    const label = player('EO').getByText(/^Ground \d/);
    await label.waitFor();
    const [lat, lon] = [...(await label.textContent())!.matchAll(/(\d+)°(\d\d)'(\d\d\.\d\d)"[NE]/g)].map(
      ([, degrees, minutes, seconds]) => Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600,
    );
    const reported = homography(cornersOf(values))!.toImage({ lat: lat!, lon: lon! })!;
    // The stated ground is where the footprint has this place of the picture, within a hundredth of it.
    expect(Math.hypot(reported.x - at.x, reported.y - at.y)).toBeLessThan(0.01);

    const sensorId = mission.sensors.find(({ name }) => name === 'EO')!._id;
    const footprint = map().locator(`g[data-sensor-id="${sensorId}"] [data-part="footprint"]`);
    const numbers = (text: string | null) => [...(text ?? '').matchAll(/-?[\d.]+/g)].map(Number);
    await expect
      .poll(async () => {
        // Clock and map show one moment; the map may still be on its way.
        const [path, mark] = await footprint.evaluate((element) => [
          element.getAttribute('d'),
          element.closest('svg')?.querySelector('[data-part="pointer-mark"]')?.getAttribute('transform') ?? null,
        ]);
        const [a, b, c, d, e, f, g, h] = numbers(path ?? null);
        const corners = [
          [a, b],
          [c, d],
          [e, f],
          [g, h],
        ].map((corner) => flat(corner as number[])) as Corners;
        const marked = homography(corners)?.toImage(flat(numbers(mark ?? null)));
        return marked ? Math.hypot(marked.x - at.x, marked.y - at.y) : null;
      })
      .toBeLessThan(0.02);
    await page.mouse.move(0, 0);
    await label.waitFor({ state: 'hidden' });
  });
});

describe('the map', () => {
  it('draws platform, line of sight, footprint, frame centre and trail of the frame on screen', async () => {
    await expect
      .poll(() => map().locator('[data-part="platform-marker"]').getAttribute('data-record-time-us'))
      .toMatch(/^\d+$/);

    const sensorId = mission.sensors.find(({ name }) => name === 'EO')!._id;
    const part = (name: string) => map().locator(`g[data-sensor-id="${sensorId}"] [data-part="${name}"]`);
    for (const name of ['footprint', 'footprint-top', 'frame-centre', 'sight']) {
      await expect.poll(() => part(name).isVisible(), { message: name }).toBe(true);
    }
    await expect.poll(() => map().locator('[data-part="trail"] path[d^="M"]').count()).toBeGreaterThan(0);
    const [before, sightBefore] = [await part('footprint').getAttribute('d'), await part('sight').getAttribute('d')];
    await goTo('09:00:14', START_US + 14_000_000);
    await expect.poll(() => part('footprint').getAttribute('d')).not.toBe(before);
    await expect.poll(() => part('sight').getAttribute('d')).not.toBe(sightBefore);
    const { frame, ...records } = await page.evaluate(readShownTimes, sensorId);
    expect(new Set(Object.values(records)).size, JSON.stringify(records)).toBe(1);
    expect(frame - records.marker).toBeLessThan(100_000);
  });

  it('follows frame, platform, target or nothing, as chosen', async () => {
    // Without its name next to it.
    const marker = '[data-part="platform-marker"] circle';
    for (const [mode, part] of [
      ['Follows platform', marker],
      ['Follows target', '[data-part="target"]'],
      ['Follows frame', '[data-part="frame-centre"]'],
      ['Map fixed', null],
    ] as const) {
      await map()
        .getByRole('button', { name: /^What the map follows/ })
        .click();
      await page.getByRole('menuitemradio', { name: mode }).click();
      await map()
        .getByRole('button', { name: `What the map follows: ${mode}` })
        .waitFor();
      if (part !== null) await expect.poll(() => pxFromMiddle(part)).toBeLessThan(16);
    }
    const before = await pxFromMiddle(marker);
    await page.keyboard.press('End');
    await expect.poll(() => frameUs('EO')).toBeGreaterThan(START_US + 39_800_000);
    await expect.poll(async () => Math.abs((await pxFromMiddle(marker)) - before)).toBeGreaterThan(8);
    await page.reload();
    await map().getByRole('button', { name: 'What the map follows: Map fixed' }).waitFor();
    await map()
      .getByRole('button', { name: /^What the map follows/ })
      .click();
    await page.getByRole('menuitemradio', { name: 'Follows frame' }).click();
  });

  it('says the coordinates under the pointer in degrees, minutes and seconds', async () => {
    const box = (await map().boundingBox())!;
    await expect.poll(() => map().getAttribute('data-map')).toBe('ready');

    await expect
      .poll(async () => {
        await page.mouse.move(box.x + box.width / 2 + Math.random(), box.y + box.height / 2);
        return map().getByRole('note', { name: 'Coordinates under the pointer' }).textContent();
      })
      .toMatch(/^37°\d\d'\d\d\.\d\d"N 24°\d\d'\d\d\.\d\d"E$/);
  });

  it('switches layers on and off and asks the server for path, area and heat map', async () => {
    await map().getByRole('button', { name: 'Open map tools' }).hover();
    await map().getByRole('button', { name: 'Layers' }).click();
    const asked: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/\/(area|path|framecenterpoints)\//.test(pathname))
        asked.push(`${response.status()} ${pathname.split('/')[3]}`);
    });

    const item = (layer: string) => page.getByRole('menuitemcheckbox', { name: layer });
    const layers = ['Area seen', 'Path of the platform', 'Heatmap of frame centres'];
    for (const layer of layers) {
      await item(layer).click();
      await expect.poll(() => item(layer).getAttribute('aria-checked')).toBe('true');
    }

    await expect.poll(() => new Set(asked)).toEqual(new Set(['200 area', '200 path', '200 framecenterpoints']));
    for (const layer of layers) {
      await item(layer).click();
      await expect.poll(() => item(layer).getAttribute('aria-checked')).toBe('false');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('shows a tile set of the site below what is drawn of the mission, with whom it is owed to', {
    tags: 'long',
  }, async () => {
    const choose = async () => {
      await map().getByRole('toolbar').hover();
      await map().getByRole('button', { name: 'Layers' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Site chart Survey of Kea' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    expect(await shareOf(map(), CHART)).toBe(0);

    await choose();
    await map().getByRole('note', { name: 'Sources of the map layers' }).getByText('Survey of Kea').waitFor();
    await expect.poll(() => shareOf(map(), CHART)).toBeGreaterThan(0.3);

    await choose();
    await expect.poll(() => shareOf(map(), CHART)).toBe(0);
  });

  it('draws islands that only a fine coast has, and names around them', { tags: 'long' }, async () => {
    await map().getByRole('toolbar').hover();
    for (let step = 0; step < 3; step += 1) await map().getByRole('button', { name: 'Zoom out' }).click();

    const land = () => expect.poll(() => shareOf(map(), LAND));
    await land().toBeGreaterThan(0.03);
    const toggle = async () => {
      await map().getByRole('toolbar').hover();
      await map().getByRole('button', { name: 'Layers' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Base map' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await toggle();
    // Names have a rim of the same colour.
    await land().toBeLessThan(0.001);
    await toggle();
    await land().toBeGreaterThan(0.03);

    // The map's own worker asks for those tiles that are in view.
    expect([...baseMapZooms]).toContain('5');
  });
});

describe('the telemetry panel', () => {
  const panel = () => view.getByRole('region', { name: /^Telemetry of/ });

  it('groups its items, finds them by name or number, pins and copies them', async () => {
    await panel().getByText('Pinned').waitFor();
    await panel().getByLabel('Search items').fill('heading');
    await panel().getByText('Heading', { exact: true }).first().waitFor();
    await expect.poll(() => panel().getByText('Latitude', { exact: true }).count()).toBe(0);
    await panel().getByLabel('Search items').fill('');

    await panel().getByRole('button', { name: 'Tag numbers and ages' }).click();
    await panel().locator('[data-tag="13"]').getByText('13', { exact: true }).first().waitFor();
    await panel()
      .locator('[data-tag="13"] [data-part="age"]')
      .getByText(/^0\.\d s$/)
      .first()
      .waitFor();
    await panel().getByRole('button', { name: 'Tag numbers and ages' }).click();

    const rowOf = panel().locator('[data-tag="17"]').first();
    await panel().getByLabel('Search items').fill('Vertical');
    await rowOf.hover();
    await rowOf.getByRole('button', { name: /^Pin / }).click();
    await rowOf.getByRole('button', { name: /^Unpin / }).waitFor();
    await rowOf.getByRole('button', { name: /^Copy / }).click();
    await page.getByText('Values copied').waitFor();
    expect(Number.parseFloat(await page.evaluate(() => navigator.clipboard.readText()))).toBeGreaterThan(0);
    await rowOf.getByRole('button', { name: /^Unpin / }).click();
    await panel().getByLabel('Search items').fill('');
  });

  it('shows the bytes of an item as they lie in the recording, by keys alone', async () => {
    await pause();
    const rowOf = panel().locator('[data-tag="13"]').first();
    await rowOf.hover();
    await rowOf.getByRole('button', { name: /^Bytes of / }).click();
    const list = panel().getByRole('listbox');
    await list.getByRole('option', { selected: true }).and(list.locator('[data-tag="13"]')).waitFor();
    await panel().locator('[data-checksum="good"]').waitFor();
    await panel().getByRole('button', { name: 'Copy the set as hex' }).press('Enter');
    await page.getByText('Bytes copied').waitFor();
    const bytes = Buffer.from(await page.evaluate(() => navigator.clipboard.readText()), 'hex');
    const shownUs = await panel().locator('[data-part="set-bytes"]').getAttribute('data-set-time-us');
    expect(String(decodePacket(bytes, 0, bytes.length).values['2'])).toBe(shownUs);

    const before = await view.locator('[data-frame-time-us]').first().getAttribute('data-frame-time-us');
    await list.press('ArrowDown');
    await list.getByRole('option', { selected: true }).and(list.locator('[data-tag="14"]')).waitFor();
    expect(await view.locator('[data-frame-time-us]').first().getAttribute('data-frame-time-us')).toBe(before);
    await list.press('Escape');
    await panel().getByText('Pinned').waitFor();
  });

  it('is moved and resized by mouse and by keys, closed and opened by T', async () => {
    const whereItIs = async () => {
      const { x, y, width, height } = (await panel().boundingBox())!;
      return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    };
    await panel().getByRole('button', { name: 'Float over the video' }).click();
    const head = panel().getByRole('group', { name: 'Move the panel with the arrow keys' });
    const overflowing = () => panel().evaluate((it) => it.parentElement!.scrollWidth - it.parentElement!.clientWidth);
    expect(await overflowing()).toBe(0);
    const first = (await panel().boundingBox())!;
    await page.mouse.move(first.x + 60, first.y + 10);
    await page.mouse.down();
    await page.mouse.move(first.x + 90, first.y + 30, { steps: 4 });
    await page.mouse.move(first.x + 110, first.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await panel().boundingBox())!.x - first.x)).toBe(50);
    await expect.poll(async () => Math.round((await panel().boundingBox())!.y - first.y)).toBe(30);
    const before = (await panel().boundingBox())!;
    await head.focus();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await panel().boundingBox())!.x).toBeGreaterThan(before.x);

    const moved = await whereItIs();
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(whereItIs).toEqual({ ...moved, height: moved.height + 16 });
    const corner = { x: moved.x + moved.width - 2, y: moved.y + moved.height + 16 - 2 };
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x + 10, corner.y + 10, { steps: 4 });
    await page.mouse.move(corner.x + 30, corner.y + 20, { steps: 4 });
    await page.mouse.up();
    const resized = { ...moved, width: moved.width + 30, height: moved.height + 36 };
    await expect.poll(whereItIs).toEqual(resized);

    await head.focus();
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(async () => (await whereItIs()).width).toBe(158);
    expect(await overflowing()).toBe(0);
    for (let press = 0; press < 2; press += 1) await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await whereItIs()).width).toBe(190);
    resized.width = 190;

    await panel().getByRole('button', { name: 'Close telemetry' }).click();
    await panel().waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await expect.poll(whereItIs).toEqual(resized);
  });
});

describe('a link', () => {
  it('restores mission, sensor and second', async () => {
    const sensorId = mission.sensors.find(({ name }) => name === 'IR')!._id;
    const other = await watched.another();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));

    await other.goto(`/missions?mission=${mission._id}&sensor=${sensorId}&t=2026-06-01T09:00:17.000Z`);
    const led = other.getByRole('region', { name: 'Player IR' });

    await expect
      .poll(async () => Number(await led.getAttribute('data-frame-time-us').catch(() => '0')))
      .toBe(START_US + 17_000_000);
    // The first requests are sent before the code of the page is there, and not a second time by that code.
    const first = ['users/authenticated', 'users/groups', 'info', `missions/${mission._id}`].map(
      (path) => `/api/${path}`,
    );
    const asset = asked.findIndex((path) => path.startsWith('/assets/missions-'));
    for (const path of first) expect(asked.slice(0, asset)).toContain(path);
    for (const path of first) expect(asked.filter((one) => one === path)).toHaveLength(1);
    const panel = other.getByRole('region', { name: 'Telemetry of IR' });
    // The browser remembers where its user put the panel.
    const placed = await view.getByRole('region', { name: /^Telemetry of/ }).boundingBox();
    await expect.poll(() => panel.boundingBox()).toEqual(placed);
    await other.close();
  });

  it('shows its picture with label and telemetry before the page around it, which then appears without moving it', {
    tags: 'long',
  }, async () => {
    const other = await watched.another();
    const led = other.getByRole('region', { name: 'Player EO' });
    const shownUs = () => led.getAttribute('data-frame-time-us').catch(() => null);
    const link = `/missions?mission=${mission._id}`;
    // The place of the picture is known from a visit before.
    await other.goto(link);
    await expect.poll(shownUs).toBe(String(START_US));

    for (const second of [0, 17]) {
      const { promise: due, resolve: letCome } = Promise.withResolvers<void>();
      let held = 0;
      await other.route(/\/assets\/(?:index|mission)-.*\.js$/, async (route) => {
        held += 1;
        await due;
        await route.continue();
      });
      const timeUs = String(START_US + second * 1_000_000);
      await other.goto(second ? `${link}&t=2026-06-01T09:00:${second}.000Z` : link, { waitUntil: 'commit' });
      const sight = other.locator('#first-sight section');

      await expect.poll(() => sight.getAttribute('data-frame-time-us')).toBe(timeUs);
      expect(await sight.locator('canvas').getAttribute('data-record-time-us')).toBe(timeUs);
      expect(await sight.innerText()).toMatch(/^EO\s+Kea\s+UNCLASSIFIED\s+Frame 3\d°\d\d'.*E$/);
      const before = await sight.boundingBox();
      await shoot(other, `first-sight-${second}`);
      letCome();

      await expect.poll(shownUs).toBe(timeUs);
      await expect.poll(() => led.locator('canvas').getAttribute('data-record-time-us')).toBe(timeUs);
      await sight.waitFor({ state: 'detached' });
      expect(await led.boundingBox()).toEqual(before);
      expect(held).toBe(2);
      await other.unrouteAll({ behavior: 'wait' });
    }
    // The element of the first picture is the player's, and plays on.
    await other.keyboard.press('Space');
    await expect.poll(async () => Number(await shownUs())).toBeGreaterThan(START_US + 17_500_000);
    await other.close();
  });

  it('does not wait long for a picture: the page comes, and the picture into it', { tags: 'long' }, async () => {
    const other = await watched.another();
    const led = other.getByRole('region', { name: 'Player EO' });
    const { promise: due, resolve: letCome } = Promise.withResolvers<void>();
    await other.route(/\/api\/media\//, async (route) => {
      await due;
      await route.continue();
    });

    await other.goto(`/missions?mission=${mission._id}`);
    await led.getByRole('progressbar', { name: 'Loading video' }).waitFor();
    await other.locator('#first-sight').waitFor({ state: 'detached' });
    letCome();

    await expect.poll(() => led.getAttribute('data-frame-time-us')).toBe(String(START_US));
    await other.close();
  });

  it('restores what was chosen: who leads, which sensors are on screen, the second, and an open KLV health', async () => {
    const irId = mission.sensors.find(({ name }) => name === 'IR')!._id;
    await goTo('09:00:19', START_US + 19_000_000);
    await page.keyboard.press('2');
    await expect.poll(() => new URL(page.url()).searchParams.get('sensor')).toBe(irId);
    await button('2 sensors').click();
    await page.getByRole('menuitemcheckbox', { name: 'EO' }).click();
    await page.keyboard.press('Escape');
    await player('EO').waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T09:00:19/);
    const other = await watched.another();
    const led = other.getByRole('region', { name: 'Player IR' });

    await other.goto(page.url());
    await expect
      .poll(async () => Number(await led.getAttribute('data-frame-time-us').catch(() => '0')))
      .toBe(START_US + 19_000_000);
    await other.getByRole('region', { name: 'Telemetry of IR' }).waitFor();
    expect(await other.getByRole('region', { name: 'Player EO' }).count()).toBe(0);
    await button('KLV health').click();
    await other.goto(page.url());
    await other.getByRole('region', { name: 'KLV health' }).getByText('Findings').waitFor();
    await other.close();

    await button('KLV health').click();
    await button('2 sensors').click();
    await page.getByRole('menuitemcheckbox', { name: 'EO' }).click();
    await page.keyboard.press('Escape');
    await player('EO').waitFor();
    await page.keyboard.press('1');
    await expect.poll(() => new URL(page.url()).searchParams.get('sensor')).not.toBe(irId);
  });

  it('keeps the second that is looked at in the address', async () => {
    await goTo('09:00:21', START_US + 21_000_000);

    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^2026-06-01T09:00:21/);
  });
});

describe('the health of the telemetry', () => {
  it('says rate, missing items, checksums, jumps, latency, first and last values', async () => {
    await button('KLV health').click();
    const health = view.getByRole('region', { name: 'KLV health' });
    await health.getByText('Findings').waitFor();

    const text = (await health.textContent()) ?? '';
    for (const part of [
      'Packets',
      'Checksum faults',
      'Gaps',
      'Clock jumps',
      'Metadata against the picture',
      'First value',
      'Last value',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/10(\.\d)?\s*\/s/);
    expect(text).toContain('KLV time is reliable');
    for (const curve of ['Packets per second', 'Metadata clock against video clock, ms'])
      expect(await health.getByRole('img', { name: curve }).locator('canvas').count(), curve).toBe(1);
    expect(text).toContain('steady at 10.0');
    expect(text).toContain('in sync throughout');
    await shoot(page, 'klv-health');
    expect(await seriousViolations(page)).toEqual([]);
    await button('KLV health').click();
  });
});

describe('the whole view', () => {
  it('has nothing that axe calls serious', async () => {
    await player('EO').waitFor();
    await shoot(page, 'mission-view');

    expect(await seriousViolations(page)).toEqual([]);
  });

  it('is walked by Tab alone: each control gets the focus in its turn, the tools of the map too', async () => {
    const tabbable = 'a[href], button, input, [role="slider"], [tabindex]';
    // By name too: what opens the tools of the map gives way to them, and comes back as another element.
    await view.evaluate((root) => {
      const names = new Set<string | null>();
      Object.assign(root, { reached: names });
      root.addEventListener('focusin', ({ target }) => {
        (target as HTMLElement).setAttribute('data-reached', '');
        names.add((target as HTMLElement).getAttribute('aria-label'));
      });
    });
    await view.locator(tabbable).first().focus();
    const left = () => view.evaluate((root) => !root.contains(document.activeElement));
    for (let step = 0; step < 300 && !(await left()); step += 1) await page.keyboard.press('Tab');

    expect(await left()).toBe(true);
    const missed = await view.evaluate((root, all) => {
      const { reached } = root as HTMLElement & { reached: Set<string | null> };
      const isThere = (one: HTMLElement) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility();
      const isReached = (one: HTMLElement) =>
        'reached' in one.dataset || (one.ariaLabel !== null && reached.has(one.ariaLabel));
      const passed = [...root.querySelectorAll<HTMLElement>(all)].filter((one) => isThere(one) && !isReached(one));
      return passed.map((one) => one.getAttribute('aria-label') ?? one.outerHTML.slice(0, 80));
    }, tabbable);
    expect(missed).toEqual([]);

    const scale = () => map().locator('.maplibregl-ctrl-scale').textContent();
    const before = await scale();
    await map().getByRole('button', { name: 'Open map tools' }).focus();
    await expect
      .poll(() =>
        map()
          .getByRole('toolbar')
          .evaluate((tools) => tools.contains(document.activeElement)),
      )
      .toBe(true);
    while (
      !(await map()
        .getByRole('button', { name: 'Zoom in' })
        .evaluate((one) => one === document.activeElement))
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(scale).not.toBe(before);
  });

  it('asks no other address, breaks no rule of the policy and meets no error', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.violations).toEqual([]);
    expect(watched.errors).toEqual([]);
  });

  it('fits a phone with player, timeline, and tabs for map and telemetry', async () => {
    const phone = await stage.signedIn({ width: 390, height: 844, touch: true });
    await row(phone.page, 'Kea').click();
    const small = phone.page.getByRole('region', { name: 'Mission Kea' });
    await small.getByRole('region', { name: /^Player/ }).waitFor();

    await small.getByRole('tab', { name: 'Telemetry' }).click();
    await small.getByRole('region', { name: /^Telemetry of/ }).waitFor();
    await small.getByRole('tab', { name: 'Map' }).click();
    await small.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await shoot(phone.page, 'phone-mission');
    const sizes = await phone.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(sizes[0]).toBeLessThanOrEqual(sizes[1]!);
    await phone.close();
  });
});
