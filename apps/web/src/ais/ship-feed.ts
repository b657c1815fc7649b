import {
  AIS_LAST_HOURS,
  AIS_VESSELS_MAX,
  type AisFrame,
  type AisVessel,
  type AisView,
  aisFrameEvent,
  getAisTrail,
  listAisTargets,
  listAisVessels,
  type MapArea,
  readAisFrame,
} from '@osprey/contract';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Api } from '../api/api.ts';
import { addressOf } from '../api/http-api.ts';
import type { EventBus } from '../events/events.ts';
import { boundsOf } from '../map/follow.ts';
import type { Signal } from '../onscreen/signal.ts';
import type { ViewServices } from '../onscreen/view-services.ts';
import { type AisFilter, hasRange } from './ais-filter.ts';
import { shipsMap } from './compare/ships-map.ts';
import { coloursOf, type ShipLists, shipListsQuery } from './lists/coloured.ts';
import type { MapTargets } from './map/targets.ts';
import { targetOf } from './ship-targets.ts';
import type { ChosenShip } from './ships.ts';

/** Without frames by the socket the map asks so often (specification 2, section 9). */
const POLL_MS = 2000;
const SILENT_MS = 3000;
/** Names are asked for together. */
const NAMES_MS = 1000;
/** A ship may have another name or destination by then. */
const NAMES_GOOD_MS = 5 * 60_000;
const TRAIL_MS = 10_000;
/** In the past ships move in steps of this much of the mission clock. */
const STEP_US = 1e6;
/** Longest time that one frame goes back, minutes. */
const MINUTES_MAX = AIS_LAST_HOURS * 60;
/** Round the map on each side, so that it can be moved a little without a gap. */
const MARGIN = 0.15;
const CHOSEN_ZOOM = 10;
/** Round ships that the map goes to, px and zoom. */
const FIT = { padding: 60, maxZoom: CHOSEN_ZOOM, animate: false } as const;

export type FeedDeps = {
  api: Api;
  bus: EventBus;
  viewShips: (view: AisView) => void;
  /** Drawing of the ships. */
  drawing: Pick<MapTargets, 'set' | 'setLists' | 'select' | 'setTrail'>;
  /** Ship lists of the reader, for their colours. */
  queries: QueryClient;
  /** Called when the list of the filter is gone. */
  dropList: () => void;
  /** Called with the moment that is shown now. */
  showing?: (timeUs: number) => void;
  filter: Signal<AisFilter>;
  chosen: Signal<ChosenShip | null>;
  /** `live`: ships as they are now, or at the end of the filter's time range; `clock`: as they were at the time of the mission clock. */
  mode: 'live' | 'clock';
  /** The map goes once to where ships were at the time of the clock; one of now always does. */
  finds?: boolean;
  /** Fetches bytes; tests pass their own. */
  fetchBytes?: (address: string, signal: AbortSignal) => Promise<ArrayBuffer>;
};

async function fetchFrame(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(address, { credentials: 'same-origin', signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.arrayBuffer();
}

/** Brings ships onto one map: those of its part, with names, and the trail of the chosen one. Returns what ends it. */
export function startShipFeed(
  map: MapLibreMap,
  services: Pick<ViewServices, 'clock' | 'frames' | 'stores' | 'shipsOf'>,
  deps: FeedDeps,
): () => void {
  const { api, bus, drawing, filter, chosen, mode, fetchBytes = fetchFrame } = deps;
  const vessels = new Map<number, { vessel: AisVessel; atMs: number }>();
  const ended = new AbortController();
  let last: AisFrame | null = null;
  let receivedMs = Number.NEGATIVE_INFINITY;
  let asking = false;
  /** The map was moved, or the range changed, while it was asked. */
  let isOutdated = false;
  /** In the past: the moment that is shown, and the one that is wanted. */
  let shownUs = Number.NaN;

  const mission = () => filter.get().mission?.id ?? null;
  const list = () => filter.get().list?.id ?? null;

  /** The end of a time range of the filter; null: ships as they are now, or at the time of the clock. */
  const rangeEnd = () => (mode === 'live' ? filter.get().end : null);
  /** A ship that was silent for longer is not shown. */
  function minutesBack(): number {
    const { start, end, retention } = filter.get();
    if (mode === 'clock' || !hasRange(filter.get())) return retention;
    const untilUs = end ?? Date.now() * 1000;
    return start === null ? MINUTES_MAX : Math.max(1, Math.ceil((untilUs - start) / 60e6));
  }

  let lists: ShipLists = { rows: [], coloured: [] };
  let colours = coloursOf([], []);
  function colour(): void {
    const { plain, list: shown } = filter.get();
    colours = coloursOf(lists.coloured, plain);
    drawing.setLists(lists.coloured.filter(({ _id }) => !plain.includes(_id)));
    if (shown !== null && lists.rows.every(({ _id }) => _id !== shown.id)) deps.dropList();
    draw();
  }
  const watching = new QueryObserver(deps.queries, shipListsQuery(api));
  function takeLists(data: ShipLists | undefined): void {
    if (data === undefined || data === lists) return;
    lists = data;
    colour();
  }

  function areaOf(): MapArea {
    const bounds = map.getBounds();
    const [west, east] = [bounds.getWest(), bounds.getEast()];
    const [south, north] = [bounds.getSouth(), bounds.getNorth()];
    const wide = (east - west) * MARGIN;
    const high = (north - south) * MARGIN;
    const whole = east - west + 2 * wide >= 360;
    const round = (degrees: number) => Math.round(degrees * 1000) / 1000;
    return {
      west: whole ? -180 : round(inWorld(west - wide)),
      east: whole ? 180 : round(inWorld(east + wide)),
      south: round(Math.max(-90, south - high)),
      north: round(Math.min(90, north + high)),
    };
  }

  function take(frame: AisFrame): void {
    const isFirst = last === null;
    last = frame;
    if (isFirst && (frame.total === 0 || services.shipsOf !== undefined)) void findShips();
    draw();
  }

  function draw(): void {
    if (last === null) return;
    const { timeUs, ships } = last;
    deps.showing?.(timeUs);
    drawing.set(
      ships.map((ship) =>
        targetOf(
          ship,
          { vessel: vessels.get(ship.mmsi)?.vessel, colour: colours.get(ship.mmsi)?.colour ?? null },
          timeUs,
        ),
      ),
    );
  }

  /** A map that was left elsewhere goes once to where ships are, unless it follows a platform. */
  async function findShips(): Promise<void> {
    const { shipsOf } = services;
    if (mode !== 'live' && !deps.finds && shipsOf === undefined) return;
    if (services.frames.all().length > 0 || chosen.get() !== null) return;
    try {
      const end = rangeEnd();
      const untilUs = mode === 'live' ? (end ?? Date.now() * 1000) : services.clock.timeUs();
      const start = String(Math.round(untilUs - minutesBack() * 60e6));
      const isNow = mode === 'live' && end === null;
      const past = isNow ? {} : ({ mode: 'all', end: String(Math.round(untilUs)) } as const);
      const requested = shipsOf === undefined ? { start, ...past } : ({ mode: 'all', mission: shipsOf } as const);
      const found = await api.call(
        listAisTargets,
        { query: { limit: '100', info: '0', ...requested, ...(list() !== null && { list: list()! }) } },
        { signal: ended.signal },
      );
      const bounds = boundsOf(found);
      const inView = shipsOf === undefined ? last?.total !== 0 : found.some((ship) => isIn(areaOf(), ship));
      if (bounds !== null && !inView) map.fitBounds(bounds, FIT);
    } catch {
      // The map stays where it is.
    }
  }

  function moved(): void {
    if (mode === 'clock') {
      shownUs = Number.NaN;
      void askPast();
      return;
    }
    const end = rangeEnd();
    deps.viewShips(end === null ? { area: areaOf(), minutes: minutesBack(), mission: mission(), list: list() } : null);
    if (end !== null) void ask(end);
  }

  async function ask(time: number | null): Promise<void> {
    if (asking) isOutdated = rangeEnd() !== null;
    if (asking || document.visibilityState === 'hidden') return;
    asking = true;
    try {
      const minutes = Math.min(MINUTES_MAX, minutesBack());
      const query = { ...areaOf(), minutes, time, mission: mission(), list: list() };
      const frame = readAisFrame(await fetchBytes(addressOf('/aistargets/frame', { query }), ended.signal));
      if (frame !== null && !ended.signal.aborted && (mode === 'clock' || time === rangeEnd())) take(frame);
    } catch {
      // The server is away, which the page says elsewhere: what was shown stays, and it is asked again.
    } finally {
      asking = false;
    }
    if (!isOutdated || ended.signal.aborted) return;
    isOutdated = false;
    moved();
  }

  async function askPast(): Promise<void> {
    const requestedUs = Math.floor(services.clock.timeUs() / STEP_US) * STEP_US;
    if (asking || requestedUs === shownUs) return;
    shownUs = requestedUs;
    await ask(requestedUs);
    // The clock may have gone on meanwhile.
    if (!ended.signal.aborted && Math.floor(services.clock.timeUs() / STEP_US) * STEP_US !== shownUs) void askPast();
  }

  async function askNames(): Promise<void> {
    const now = performance.now();
    const isKnown = (mmsi: number) => now - (vessels.get(mmsi)?.atMs ?? Number.NEGATIVE_INFINITY) < NAMES_GOOD_MS;
    const requested = (last?.ships ?? []).map(({ mmsi }) => mmsi).filter((mmsi) => !isKnown(mmsi));
    if (requested.length === 0) return;
    try {
      const query = { mmsi: requested.slice(0, AIS_VESSELS_MAX).map(String) };
      const found = await api.call(listAisVessels, { query }, { signal: ended.signal });
      for (const vessel of found) vessels.set(vessel.mmsi, { vessel, atMs: performance.now() });
      draw();
    } catch {
      // Ships whose names are not cached stay without one until the next poll.
    }
  }

  async function askTrail(): Promise<void> {
    const ship = chosen.get();
    if (ship === null) return;
    const pastUs = mode === 'clock' ? services.clock.timeUs() : rangeEnd();
    const start = String(Math.round((pastUs ?? Date.now() * 1000) - filter.get().trail * 60e6));
    const query = { start, ...(pastUs !== null && { end: String(Math.round(pastUs)) }) };
    try {
      const { points } = await api.call(
        getAisTrail,
        { params: { mmsi: String(ship.mmsi) }, query },
        { signal: ended.signal },
      );
      if (chosen.get()?.mmsi !== ship.mmsi) return;
      drawing.setTrail(
        points.map((point) => point && { latitude: point.lat, longitude: point.lon, timeUs: point.timestamp }),
      );
    } catch {
      // The trail that is drawn stays.
    }
  }

  function choose(ship: ChosenShip | null): void {
    drawing.select(ship === null ? null : String(ship.mmsi));
    drawing.setTrail([]);
    if (ship === null) return;
    void askTrail();
    if (ship.place === null) return;
    // As after a move of the map by hand: it follows nothing else now.
    map.fire('dragstart', { originalEvent: new Event('choose') });
    map.easeTo({ center: [ship.place.lon, ship.place.lat], zoom: Math.max(map.getZoom(), CHOSEN_ZOOM) });
  }

  map.on('moveend', moved);
  const leaves = [
    watching.subscribe(({ data }) => takeLists(data)),
    filter.subscribe(() => {
      if (lists.rows.length > 0) colour();
      moved();
      void askTrail();
    }),
    chosen.subscribe(choose),
    mode === 'clock'
      ? services.clock.onTime(() => void askPast())
      : bus.subscribe(aisFrameEvent.name, (payload) => {
          const frame = payload instanceof ArrayBuffer || payload instanceof Uint8Array ? readAisFrame(payload) : null;
          if (frame === null || rangeEnd() !== null) return;
          receivedMs = performance.now();
          take(frame);
        }),
  ];
  const timers = [
    setInterval(() => {
      if (mode === 'live' && rangeEnd() === null && performance.now() - receivedMs > SILENT_MS) void ask(null);
    }, POLL_MS),
    setInterval(() => void askNames(), NAMES_MS),
    setInterval(() => void askTrail(), TRAIL_MS),
  ];
  // The table may have read them before.
  takeLists(watching.getCurrentResult().data);
  moved();
  if (mode === 'live' && rangeEnd() === null) void ask(null);
  choose(chosen.get());
  const shown = { services, mode };
  shipsMap.set(shown);

  return () => {
    ended.abort();
    if (shipsMap.get() === shown) shipsMap.set(null);
    map.off('moveend', moved);
    for (const leave of leaves) leave();
    for (const timer of timers) clearInterval(timer);
    if (mode === 'live') deps.viewShips(null);
  };
}

/** `west` above `east` reaches across the antimeridian. */
function isIn({ west, east, south, north }: MapArea, { lat, lon }: { lat: number; lon: number }): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** A longitude of this world: -180 to 180. */
const inWorld = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
