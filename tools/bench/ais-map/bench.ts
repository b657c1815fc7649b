/// <reference lib="dom" />
import { launchBrowser } from '../../test-support/browser/browser.ts';
import { median } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { serveShips } from './page.ts';

const TARGETS = 100_000;
const PAIRS = 7;
const WARM_UP_PAIRS = 2;
/** Minimum ratio: our frame may take at most 0.7 of the peer's time. */
const TIMES_PEER = 1 / 0.7;
const VIEW = { width: 1280, height: 720 };

type Times = { ours: number[]; peer: number[] };

/**
 * Draws 100,000 moving ships with the client's layer and with MapLibre's circle layer, alternately on the same map,
 * with software rendering.
 */
export async function bench(): Promise<BenchLine[]> {
  const [ships, browser] = await Promise.all([serveShips(), launchBrowser()]);
  try {
    const page = await browser.newPage({ viewport: VIEW });
    await page.goto(ships.address);
    const times = await page.evaluate(measure, { count: TARGETS, pairs: PAIRS, warmUpPairs: WARM_UP_PAIRS });
    return [
      lineOf('ais-map', times.positions, 'all ships have new positions, until they are drawn'),
      lineOf('ais-map, moved', times.moved, 'the map is moved, the ships are where they were'),
    ];
  } finally {
    await browser.close();
    await ships.close();
  }
}

function lineOf(name: string, { ours, peer }: Times, what: string): BenchLine {
  const ratio = median(peer.map((ms, index) => ms / ours[index]!));
  return {
    name,
    unit: 'ms a frame',
    ours: rounded(median(ours)),
    peer: rounded(median(peer)),
    peerName: 'MapLibre circle layer',
    ratio: rounded(ratio),
    failure: belowGoal(ratio, TIMES_PEER),
    note: `${TARGETS} targets in ${VIEW.width}x${VIEW.height}, software GL; ${what}; ${PAIRS} pairs, median`,
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Measures the layers; runs in the page. */
async function measure({ count, pairs, warmUpPairs }: { count: number; pairs: number; warmUpPairs: number }) {
  const address = '/ships.js';
  const ships = await import(address);
  ships.setWorkerUrl('/worker.js');
  const map = new ships.Map({
    container: 'map',
    style: {
      version: 8,
      sources: { peer: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } },
      layers: [{ id: 'sea', type: 'background', paint: { 'background-color': '#0d1520' } }],
    },
    center: [10, 45],
    zoom: 4,
    attributionControl: false,
    fadeDuration: 0,
  });
  await new Promise((loaded) => map.once('load', loaded));
  const layer = ships.createShipLayer(map, 'ships');
  const circles = {
    id: 'peer',
    type: 'circle',
    source: 'peer',
    paint: { 'circle-radius': 4, 'circle-color': ['get', 'colour'], 'circle-stroke-width': 1 },
  };

  // Pseudo-random numbers that are the same in each run.
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const colours = ['#86c297', '#e08e7e', '#86b4e8', '#ddbb74', '#cf9ad3', '#a4aeba'];
  const start = Array.from({ length: count }, (_, index) => ({
    ...{ id: String(index), mmsi: 200_000_000 + index, kind: index % 4 === 0 ? 'shipB' : 'shipA', timeUs: 0 },
    ...{ latitude: 32 + 24 * random(), longitude: -10 + 40 * random(), cog: 360 * random(), sog: 20 * random() },
    ...{ heading: 360 * random(), turn: null, name: `SHIP ${index}`, shipType: [70, 80, 60, 30, 37, 90][index % 6] },
    ...{ dimensions: null, colour: null, lost: index % 50 === 0 },
  }));
  const moved = (step: number) =>
    start.map((ship) => ({
      ...ship,
      longitude: ship.longitude + step * 0.003,
      heading: (ship.heading + step * 7) % 360,
    }));
  const featuresOf = (targets: typeof start) => ({
    type: 'FeatureCollection',
    features: targets.map(({ longitude, latitude }, index) => ({
      type: 'Feature',
      properties: { colour: colours[index % 6] },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  });

  const gl = map.getCanvas().getContext('webgl2');
  const pixel = new Uint8Array(4);
  /** Draws immediately, and waits until drawing is complete. */
  const draw = () => {
    map.redraw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  };
  const timed = async (work: () => unknown) => {
    const before = performance.now();
    await work();
    draw();
    return performance.now() - before;
  };
  const times = { positions: { ours: [], peer: [] } as Times, moved: { ours: [], peer: [] } as Times };
  const move = (pair: number) => map.jumpTo({ center: [10 + (pair % 2) * 0.5, 45] });

  for (let pair = -warmUpPairs; pair < pairs; pair++) {
    const targets = moved(pair + warmUpPairs);
    const features = featuresOf(targets);
    const keep = (list: number[], ms: number) => {
      if (pair >= 0) list.push(ms);
    };
    map.addLayer(layer);
    draw();
    keep(times.positions.ours, await timed(() => layer.set(targets)));
    keep(times.moved.ours, await timed(() => move(pair)));
    map.removeLayer('ships');
    map.addLayer(circles);
    draw();
    const source = map.getSource('peer');
    keep(
      times.positions.peer,
      await timed(() => {
        // The map becomes idle once its workers have made the tiles.
        const idle = new Promise((done) => map.once('idle', done));
        source.setData(features);
        return idle;
      }),
    );
    keep(times.moved.peer, await timed(() => move(pair + 1)));
    map.removeLayer('peer');
  }
  return times;
}
