/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShipsPage, serveShips } from '../tools/bench/ais-map/page.ts';
import { launchBrowser } from '../tools/test-support/browser/browser.ts';

let browser: Browser;
let ships: ShipsPage;
let page: Page;

beforeAll(async () => {
  [browser, ships] = await Promise.all([launchBrowser({ isMeasured: false }), serveShips()]);
  page = await browser.newPage({ viewport: { width: 600, height: 400 } });
  await page.goto(ships.address);
});
afterAll(async () => {
  await browser?.close();
  await ships?.close();
});

type Given = {
  view: { center: [lon: number, lat: number]; zoom: number; bearing?: number };
  targets: Record<string, unknown>[];
  minutes?: number;
};
/** Drawn shape, in pixels of the page; where the first target should be. */
type Drawn = {
  left: number;
  top: number;
  right: number;
  bottom: number;
  x: number;
  y: number;
  count: number;
  at: { x: number; y: number };
};

/** Draws targets on a map of one colour, and finds all pixels of another. */
const draw = (given: Given): Promise<Drawn> =>
  page.evaluate(async ({ view, targets, minutes = 0 }) => {
    const address = '/ships.js';
    const drawing = await import(address);
    drawing.setWorkerUrl('/worker.js');
    const style = {
      version: 8,
      sources: {},
      layers: [{ id: 'sea', type: 'background', paint: { 'background-color': '#000' } }],
    };
    document.querySelector('#map')!.replaceChildren();
    const map = new drawing.Map({ container: 'map', style, ...view, attributionControl: false, fadeDuration: 0 });
    await new Promise((loaded) => map.once('load', loaded));
    const layer = drawing.createShipLayer(map, 'ships');
    map.addLayer(layer);
    layer.setMinutes(minutes);
    const ship = { kind: 'shipA', cog: null, sog: null, heading: 0, turn: 0, timeUs: 0, name: null, shipType: 70 };
    layer.set(
      targets.map((target, id) => ({
        ...ship,
        dimensions: null,
        colour: null,
        lost: false,
        id: String(id),
        mmsi: id,
        ...target,
      })),
    );
    map.redraw();
    const canvas = map.getCanvas();
    const gl = canvas.getContext('webgl2');
    const { width, height } = canvas;
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const found = { left: width, top: height, right: 0, bottom: 0, x: 0, y: 0, count: 0 };
    let weight = 0;
    for (let row = 0; row < height; row++) {
      for (let x = 0; x < width; x++) {
        const light = pixels[(row * width + x) * 4 + 1]!;
        if (light < 40) continue;
        const y = height - 1 - row;
        found.left = Math.min(found.left, x);
        found.right = Math.max(found.right, x);
        found.top = Math.min(found.top, y);
        found.bottom = Math.max(found.bottom, y);
        found.x += (x + 0.5) * light;
        found.y += (y + 0.5) * light;
        found.count += 1;
        weight += light;
      }
    }
    const { longitude, latitude } = targets[0] as { longitude: number; latitude: number };
    const turns = Math.round((map.getCenter().lng - longitude) / 360);
    const { x, y } = map.project([longitude + turns * 360, latitude]);
    map.remove();
    return { ...found, x: found.x / weight, y: found.y / weight, at: { x, y } };
  }, given);

const AT = { longitude: 24.2951, latitude: 37.6721 };

describe('the layer of ships', { timeout: 120_000 }, () => {
  it.each([
    ['far', { center: [24, 37], zoom: 7 }],
    ['near', { center: [24.295, 37.672], zoom: 19 }],
    ['turned', { center: [24.2945, 37.672], zoom: 17.3, bearing: 37 }],
  ] as const)('draws a station at its place, %s', async (_, view) => {
    const { x, y, count, at } = await draw({
      view: { ...view, center: [...view.center] },
      targets: [{ ...AT, kind: 'base' }],
    });

    expect(count).toBeGreaterThan(40);
    expect([x, y]).toEqual([expect.closeTo(at.x, 0), expect.closeTo(at.y, 0)]);
  });

  it('draws over the antimeridian', async () => {
    const target = { longitude: -179.95, latitude: 10, kind: 'base' };
    const { x, at, count } = await draw({ view: { center: [179.9, 10], zoom: 8 }, targets: [target] });

    expect(count).toBeGreaterThan(40);
    expect(at.x).toBeGreaterThan(300);
    expect(x).toBeCloseTo(at.x, 0);
  });

  it('turns ships with their heading, and with the map', async () => {
    const sizeOf = async (heading: number, bearing: number) => {
      const view = { center: [24.2951, 37.6721] as [number, number], zoom: 10, bearing };
      const { left, top, right, bottom } = await draw({ view, targets: [{ ...AT, heading }] });
      return right - left > bottom - top ? 'lies' : 'stands';
    };

    expect([await sizeOf(0, 0), await sizeOf(90, 0), await sizeOf(90, 90)]).toEqual(['stands', 'lies', 'stands']);
  });

  it('draws the way of the next minutes to scale', async () => {
    // 12 kn in 6 minutes are 2,222 m, due east.
    const target = { ...AT, cog: 90, sog: 12, heading: null };
    const { right, at } = await draw({ view: { center: [24.31, 37.672], zoom: 13 }, targets: [target], minutes: 6 });
    const metresAPixel = (40_075_017 * Math.cos((37.6721 * Math.PI) / 180)) / (512 * 2 ** 13);

    expect((right - at.x) * metresAPixel).toBeGreaterThan(2222 - 2 * metresAPixel);
    expect((right - at.x) * metresAPixel).toBeLessThan(2222 + 3 * metresAPixel);
  });

  it('draws the hull around the antenna in its true size', async () => {
    const dimensions = { toBow: 100, toStern: 20, toPort: 5, toStarboard: 15 };
    const view = { center: [24.2951, 37.6724] as [number, number], zoom: 17 };
    const { left, top, right, bottom, at } = await draw({ view, targets: [{ ...AT, heading: 0, dimensions }] });
    const metresAPixel = (40_075_017 * Math.cos((37.6721 * Math.PI) / 180)) / (512 * 2 ** 17);
    const metres = [at.y - top, bottom - at.y, at.x - left, right - at.x].map((pixels) => pixels * metresAPixel);

    for (const [index, requested] of [100, 20, 5, 15].entries()) {
      expect(Math.abs(metres[index]! - requested)).toBeLessThan(2.5 * metresAPixel);
    }
  });

  it('crosses out what is lost', async () => {
    const view = { center: [24.2951, 37.6721] as [number, number], zoom: 10 };
    const [here, lost] = [await draw({ view, targets: [AT] }), await draw({ view, targets: [{ ...AT, lost: true }] })];

    expect(lost.count).toBeGreaterThan(here.count * 1.4);
  });

  it('draws each of many as a small triangle', async () => {
    const targets = Array.from({ length: 9000 }, (_, index) => ({
      longitude: -12 + (index % 100) * 0.25,
      latitude: 30 + Math.floor(index / 100) * 0.2,
    }));
    const { count } = await draw({ view: { center: [0, 38], zoom: 4.5 }, targets });

    // Some are beyond the edge, some cover others.
    expect(count).toBeGreaterThan(9000 * 5);
  });
});
