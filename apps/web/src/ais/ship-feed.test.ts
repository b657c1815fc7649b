// @vitest-environment jsdom
import { type AisView, aisFrameEvent, stationOf, writeAisFrame } from '@osprey/contract';
import { QueryClient } from '@tanstack/react-query';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { eventBus } from '../events/events.ts';
import { createSignal } from '../onscreen/signal.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { shipListOf } from '../testing/ship-lists.ts';
import { usualFilter } from './ais-filter.ts';
import { shipsMap } from './compare/ships-map.ts';
import type { MapTarget } from './map/targets.ts';
import { startShipFeed } from './ship-feed.ts';
import { isLost } from './ship-targets.ts';
import type { ChosenShip } from './ships.ts';

afterEach(() => vi.useRealTimers());

const NOW = 1_700_000_000_000_000;
const ship = (mmsi: number, fields = {}) => ({
  ...{ mmsi, time: NOW, lat: 37 * 600_000, lon: 24 * 600_000, cog: 3000, sog: 132, heading: 299 },
  ...{ shipType: 80, messageType: 1, flags: 0, ...fields },
});

/** A position as the table lists it. */
const heard = {
  ...{
    sensorName: 'AIS',
    platformName: null,
    sources: 1,
    mmsi: 248113000,
    mmsiText: '248113000',
    securityClassification: 'UNCLASSIFIED',
    name: null,
    vesselType: null,
    callSign: null,
  },
  ...{ imo: null, shipType: 80, dimensions: null, draught: null, destination: null, eta: null, countryCode: null },
  ...{ country: null, timestamp: NOW, cog: null, hdg: null, sog: null, turn: null, status: null, messageType: 1 },
  ...{ fixType: null, suspect: false, suspectFor: [] },
};

/** A map over the Aegean, and a clock of a mission. */
function start(
  mode: 'live' | 'clock',
  answers: Parameters<typeof fakeApi>[0] = {},
  queries = new QueryClient(),
  shipsOf?: string,
) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const listeners = new Map<string, () => void>();
  const map = {
    on: (name: string, listener: () => void) => listeners.set(name, listener),
    off: (name: string) => listeners.delete(name),
    getBounds: () => ({ getWest: () => 20, getEast: () => 30, getSouth: () => 35, getNorth: () => 40 }),
    getZoom: () => 5,
    fire: vi.fn(),
    easeTo: vi.fn(),
    fitBounds: vi.fn(),
  };
  let timeUs = NOW;
  const ticks = new Set<() => void>();
  const clock = {
    timeUs: () => timeUs,
    onTime: (listener: () => void) => {
      ticks.add(listener);
      return () => ticks.delete(listener);
    },
  };
  const bus = eventBus();
  const views: AisView[] = [];
  const asked: string[] = [];
  const drawing = { set: vi.fn(), setLists: vi.fn(), select: vi.fn(), setTrail: vi.fn() };
  const chosen = createSignal<ChosenShip | null>(null);
  const filter = createSignal(usualFilter);
  const dropList = vi.fn();
  const { api } = fakeApi({
    'GET /aistargets/vessels': () => [],
    'GET /aistargets/trail/:mmsi': () => ({ mmsi: 1, mmsiText: '000000001', points: [] }),
    'GET /aistargets': () => [],
    'GET /shiplists': () => [],
    ...answers,
  });
  const stop = startShipFeed(map as unknown as MapLibreMap, { clock, frames: { all: () => [] }, shipsOf } as never, {
    ...{ api, bus, drawing, mode, chosen },
    ...{ filter, dropList, queries },
    viewShips: (view) => views.push(view),
    async fetchBytes(address) {
      asked.push(address);
      return writeAisFrame([ship(1)], { timeUs, total: 1 }).buffer as ArrayBuffer;
    },
  });
  const drawn = () => (drawing.set.mock.calls.at(-1)?.[0] ?? []) as MapTarget[];
  const goTo = (next: number) => {
    timeUs = next;
    for (const tick of ticks) tick();
  };
  return { map, bus, views, asked, drawing, drawn, chosen, filter, dropList, goTo, stop, listeners };
}

it('A live map names its part with a margin, draws the frames that come, and asks itself while none comes', async () => {
  const { views, bus, asked, drawn, stop, listeners } = start('live');
  const area = { west: 18.5, east: 31.5, south: 34.25, north: 40.75 };
  expect(views).toEqual([{ area, minutes: 6, mission: null, list: null }]);
  bus.emit(aisFrameEvent.name, writeAisFrame([ship(248113000), ship(2)], { timeUs: NOW, total: 2 }));
  expect(drawn()).toMatchObject([
    { id: '248113000', kind: 'shipA', latitude: 37, longitude: 24, cog: 300, sog: 13.2, lost: false },
    { id: '2' },
  ]);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(4000);
  expect(asked.length).toBeGreaterThan(before);
  stop();
  expect(views.at(-1)).toBeNull();
  expect(listeners.size).toBe(0);
});

it('In a mission ships are asked for at the time of its clock, once for each second of it', async () => {
  const { asked, goTo, views, stop } = start('clock');
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]).toContain(`time=${NOW}`);
  goTo(NOW + 300_000);
  goTo(NOW + 1_200_000);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toContain(`time=${NOW + 1_000_000}`);
  expect(views).toEqual([]);
  stop();
});

it('The map of a mission without pictures goes to its ships, unless some are in view', async () => {
  const missionId = crypto.randomUUID();
  const asked: unknown[] = [];
  const answer = (places: [lat: number, lon: number][]) => ({
    'GET /aistargets': (input: unknown) => {
      asked.push(input);
      return places.map(([lat, lon]) => ({ ...heard, lat, lon }));
    },
  });
  const away = start(
    'clock',
    answer([
      [53, 8],
      [54, 9],
    ]),
    undefined,
    missionId,
  );
  await vi.waitFor(() => expect(away.map.fitBounds).toHaveBeenCalled());
  expect(away.map.fitBounds.mock.calls[0]?.[0]).toEqual([
    [8, 53],
    [9, 54],
  ]);
  expect(asked).toMatchObject([{ query: { mode: 'all', mission: missionId } }]);
  away.stop();

  const near = start(
    'clock',
    answer([
      [53, 8],
      [37, 24],
    ]),
    undefined,
    missionId,
  );
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve));
  expect(near.map.fitBounds).not.toHaveBeenCalled();
  near.stop();
});

it('The card learns which view the map with ships belongs to, until the map is gone', () => {
  const { stop } = start('clock');
  expect(shipsMap.get()).toMatchObject({ mode: 'clock' });
  expect(shipsMap.get()?.services.clock.timeUs()).toBe(NOW);
  stop();
  expect(shipsMap.get()).toBeNull();
});

it('A ship that was chosen is selected, its trail asked for, and the map goes there and follows nothing else', async () => {
  const points = [{ lat: 37, lon: 24, timestamp: NOW }, null, { lat: 38, lon: 25, timestamp: NOW }];
  const { chosen, drawing, map, stop } = start('live', {
    'GET /aistargets/trail/:mmsi': () => ({ mmsi: 248113000, mmsiText: '248113000', points }),
  });
  chosen.set({ mmsi: 248113000, place: { lat: 37, lon: 24 } });
  expect(drawing.select).toHaveBeenLastCalledWith('248113000');
  expect(map.easeTo).toHaveBeenCalledWith({ center: [24, 37], zoom: 10 });
  expect(map.fire).toHaveBeenCalledWith('dragstart', expect.objectContaining({ originalEvent: expect.any(Event) }));
  const at = (latitude: number, longitude: number) => ({ latitude, longitude, timeUs: NOW });
  await vi.waitFor(() => expect(drawing.setTrail).toHaveBeenLastCalledWith([at(37, 24), null, at(38, 25)]));
  stop();
});

it('A moving ship is lost after 3 minutes without a word, one at anchor after 18', () => {
  const after = (minutes: number, sog: number) => isLost({ timeUs: NOW, sog }, NOW + minutes * 60e6);
  expect([after(2, 12), after(4, 12), after(17, 0), after(19, 0)]).toEqual([false, true, false, true]);
});

it('Ships of a list have its colour, unless it is shown plain; a list of the filter that is gone is dropped', async () => {
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const row = { ...shipListOf({ _id: one }), listed: [{ ...stationOf(248113000), note: '' }] };
  const { bus, drawn, drawing, filter, dropList, views, stop } = start('live', {
    'GET /shiplists': () => [row],
    'GET /shiplists/:id': () => row,
  });
  await vi.waitFor(() => expect(drawing.setLists).toHaveBeenCalledWith([row]));
  bus.emit(aisFrameEvent.name, writeAisFrame([ship(248113000), ship(2)], { timeUs: NOW, total: 2 }));
  expect(drawn().map(({ colour }) => colour)).toEqual(['#ff8800', null]);
  filter.set({ ...usualFilter, plain: [one], list: { id: one, name: 'Tankers' } });
  expect(drawn().map(({ colour }) => colour)).toEqual([null, null]);
  expect(views.at(-1)).toMatchObject({ list: one });
  expect(dropList).not.toHaveBeenCalled();
  filter.set({ ...usualFilter, list: { id: other, name: 'Gone' } });
  expect(dropList).toHaveBeenCalled();
  stop();
});

it('Lists that the table has read already colour the ships too', () => {
  const row = { ...shipListOf(), listed: [{ ...stationOf(248113000), note: '' }] };
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(['shiplists', 'all'], { rows: [row], coloured: [row] });
  const { bus, drawn, stop } = start('live', {}, queries);
  bus.emit(aisFrameEvent.name, writeAisFrame([ship(248113000)], { timeUs: NOW, total: 1 }));
  expect(drawn().map(({ colour }) => colour)).toEqual(['#ff8800']);
  stop();
});

it('With a time range that is over the map shows the last position of each ship in it, and is asked nothing more', async () => {
  const { views, asked, bus, filter, listeners, drawn } = start('live');
  const end = NOW - 3_600e6;
  asked.length = 0;
  filter.set({ ...usualFilter, start: end - 7_200e6, end });
  expect(views.at(-1)).toBeNull();
  await vi.waitFor(() => expect(asked.some((address) => address.includes(`time=${end}`))).toBe(true));
  expect(asked.at(-1)).toMatch(/minutes=120(&|$)/);
  await vi.waitFor(() => expect(drawn()).toMatchObject([{ id: '1' }]));
  // A frame that was on its way, and the polls of a map of now.
  bus.emit(aisFrameEvent.name, writeAisFrame([ship(5)], { timeUs: NOW, total: 1 }));
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(drawn()).toMatchObject([{ id: '1' }]);
  expect(asked).toHaveLength(before);
  listeners.get('moveend')?.();
  await vi.waitFor(() => expect(asked).toHaveLength(before + 1));

  // Since a moment: up to now.
  filter.set({ ...usualFilter, start: Date.now() * 1000 - 7_200e6, end: null });
  expect(views.at(-1)).toMatchObject({ minutes: expect.closeTo(120, 0) });
});
