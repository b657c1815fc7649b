// @vitest-environment jsdom
import { type LastSeenTile, missionsEvent, revokedEvent } from '@osprey/contract';
import type { FeatureCollection } from 'geojson';
import { afterEach, expect, it, vi } from 'vitest';
import { eventBus } from '../events/events.ts';
import type { Overlay } from '../map/overlay.ts';
import { createOverlayHost } from '../map/overlay-host.ts';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { keepingMap } from '../testing/map.ts';
import { viewServices } from '../testing/view-services.ts';
import { lastSeenColours } from './last-seen-colours.ts';
import { startLastSeen } from './last-seen-drawing.ts';
import { classOf, shapesOf } from './last-seen-shapes.ts';
import { tilesOver } from './last-seen-tiles.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
  localStorage.clear();
});

const TILE = 'GET /coverage/last-seen';
const STATE = 'GET /coverage/state';
const HOUR_US = 3_600_000_000;
const START_US = 1_700_000_040_000_000;

/** Two cells next to each other that are fresh, one old one above them. */
const tile = (atUs: number): LastSeenTile => {
  const now = atUs / 1e6;
  return { level: 13, cells: [4641, 5779, now - 60, 4642, 5779, now - 120, 4641, 5780, now - 8 * 3600] };
};

function open(answers: Parameters<typeof fakeApi>[0] = {}) {
  const asked: Record<string, string>[] = [];
  const fake = fakeApi({
    [TILE]: ({ query }) => {
      asked.push(query!);
      return tile(Number(query!.at));
    },
    [STATE]: () => ({ indexed: 3, notIndexed: 2, withoutPosition: 0 }),
    ...answers,
  });
  const bus = eventBus();
  const services = viewServices({ startUs: START_US, endUs: START_US + 10 * HOUR_US });
  const keeping = keepingMap();
  const container = keeping.map.getContainer();
  Object.defineProperties(container, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
  const overlay: Overlay = {
    ...{ id: 'last-seen', title: 'Last seen', group: '', initially: false },
    start: async (deps) => {
      const { clock } = deps.services;
      return startLastSeen(deps, { api: fake.api, bus, moment: { timeUs: clock.timeUs, onChange: clock.onTime } });
    },
  };
  const onError = vi.fn();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const host = createOverlayHost({ map: keeping.map, svg, services, scheme: 'light', onError });
  host.setOverlays([overlay]);
  opened.push(() => host.setOverlays([]));
  const features = () => (keeping.dataOf('last-seen') as FeatureCollection).features;
  const legend = () => container.querySelector<HTMLElement>('[data-part="last-seen-legend"]');
  return { asked, bus, services, keeping, host, onError, features, legend, answers: fake };
}

const settled = (read: () => unknown) => vi.waitFor(() => expect(read()).toBe(true));

it('colours cells by their age at the mission clock, outlines what is old, and says what may be missing', async () => {
  const { asked, keeping, host, features, legend } = open();
  await settled(() => keeping.layerIds().length === 3);
  expect(asked).toEqual([]);
  expect(legend()?.style.display).toBe('none');

  host.toggle('last-seen');
  await settled(() => features().length > 0);

  expect(new Set(asked.map(({ at }) => at))).toEqual(new Set([String(START_US)]));
  const polygons = features().filter(({ geometry }) => geometry.type === 'Polygon');
  expect(polygons.map(({ properties }) => properties?.age)).toEqual([0, 4]);
  expect(features().filter(({ properties }) => properties?.border)).toHaveLength(1);
  expect(legend()?.textContent).toContain('Not seen for 6 h');
  expect(legend()?.textContent).toContain('less than 30 min ago');
  expect(legend()?.textContent).toContain('2 recordings are not yet indexed.');

  host.toggle('last-seen');
  expect(features()).toEqual([]);
  expect(legend()?.style.display).toBe('none');
});

it('is read again for another minute and after changes, and forgets at once what may not be seen any more', async () => {
  const { asked, bus, services, host, features, keeping } = open();
  await settled(() => keeping.layerIds().length === 3);
  host.toggle('last-seen');
  await settled(() => features().length > 0);
  const first = asked.length;

  services.clock.seek(START_US + 30_000_000);
  expect(asked).toHaveLength(first);
  services.clock.seek(START_US + 61_000_000);
  await vi.waitFor(() => expect(asked.at(-1)?.at).toBe(String(START_US + 60_000_000)));
  await settled(() => features().length > 0);

  const before = asked.length;
  bus.emit(revokedEvent.name, { noun: 'missions', ids: [] });
  expect(features()).toEqual([]);
  await vi.waitFor(() => expect(asked.length).toBe(before * 2 - first));
  await settled(() => features().length > 0);
  bus.emit(missionsEvent.name, { ids: [] });
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before * 2 - first), { timeout: 3000 });
});

it('says why it could not be shown, turns its switch off, and leaves nothing on the map', async () => {
  const { host, keeping, onError, legend } = open({ [TILE]: refusing('unavailable') });
  await settled(() => keeping.layerIds().length === 3);
  host.toggle('last-seen');
  await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1));
  await settled(() => host.get().switches[0]?.shown === false);

  host.setOverlays([]);
  expect(keeping.state().sources).toEqual([]);
  expect(keeping.state().listeners).toEqual([]);
  expect(legend()).toBeNull();
});

it('covers the view with tiles, across the antimeridian too, and takes coarser ones for a wide map', () => {
  const over = (west: number, south: number, east: number, north: number, zoom: number) =>
    tilesOver({ west, south, east, north }, zoom).map((one) => `${one.zoom}/${one.x}/${one.y}`);
  expect(over(9.9, 53.9, 10.1, 54.1, 8.7)).toEqual(['8/135/82']);
  expect(over(170, -1, 190, 1, 3)).toEqual(['3/7/3', '3/0/3', '3/7/4', '3/0/4']);
  expect(over(-180, -85, 180, 85, 0.2)).toEqual(['0/0/0']);
  expect(over(-540, -89, 540, 89, 5).every((tile) => Number(tile[0]) < 3)).toBe(true);
  expect(over(10.001, 54, 10.002, 54.001, 22)[0]).toMatch(/^14\//);
});

it.each(['light', 'dark'] as const)('hatches what was seen only approximately, and says so, %s', async (scheme) => {
  const uncertain = (atUs: number) => ({ ...tile(atUs), approximate: [1] });
  const { keeping, host, features, legend } = open({ [TILE]: ({ query }) => uncertain(Number(query!.at)) });
  await settled(() => keeping.layerIds().length === 3);
  host.setScheme(scheme);
  host.toggle('last-seen');
  await settled(() => features().length > 0);

  const polygons = features().filter(({ geometry }) => geometry.type === 'Polygon');
  expect(polygons.map(({ properties }) => properties)).toEqual([{ age: 0 }, { age: 0, approximate: true }, { age: 4 }]);
  const line = [...legend()!.querySelectorAll('span')].find((one) => one.textContent?.startsWith('approximate'));
  expect(line?.parentElement?.style.display).toBe('flex');
  const { hatch } = lastSeenColours[scheme];
  expect(keeping.map.hasImage(`hatch ${hatch}`)).toBe(true);
  expect(keeping.paintOf('last-seen-hatch')['fill-pattern']).toBe(`hatch ${hatch}`);
});

it('puts ages into classes of the chosen hours, and borders around old ground alone', () => {
  expect([0, 29 * 60, 31 * 60, 3 * 3600 - 1, 3 * 3600, 6 * 3600].map((age) => classOf(age, 6))).toEqual([
    0, 0, 1, 2, 3, 4,
  ]);
  const old = { level: 10, cells: [5, 5, 0, 6, 5, 0, 5, 6, 0] };
  const { features } = shapesOf([old], { atUs: 1e15, hours: 1 });
  const lines = features.flatMap(({ geometry }) => (geometry.type === 'MultiLineString' ? geometry.coordinates : []));
  expect(lines).toHaveLength(8 + 1 - 1);
});
