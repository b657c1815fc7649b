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

/** Interval at which the map requests a frame if none arrives through the socket (specification 2, section 9). */
const POLL_MS = 2000;
const SILENT_MS = 3000;
/** Interval at which missing names are requested, all of them together. */
const NAMES_MS = 1000;
/** Time for which the cached details of a ship are used; after it, the ship may have another name or destination. */
const NAMES_CACHE_MS = 5 * 60_000;
const TRAIL_MS = 10_000;
/** Step of the mission clock, in microseconds, in which past positions of ships are updated. */
const STEP_US = 1e6;
/** Maximum number of minutes that one frame may cover. */
const MINUTES_MAX = AIS_LAST_HOURS * 60;
/** Margin around the map on each side, as a share of its size, so that moving the map a little shows no gap. */
const MARGIN = 0.15;
const CHOSEN_ZOOM = 10;
/** Options for fitting the map to the ships: padding in pixels and maximum zoom. */
const FIT_OPTIONS = { padding: 60, maxZoom: CHOSEN_ZOOM, animate: false } as const;

export type FeedDeps = {
  api: Api;
  bus: EventBus;
  viewShips: (view: AisView) => void;
  /** Store that draws the ships. */
  drawing: Pick<MapTargets, 'set' | 'setLists' | 'select' | 'setTrail'>;
  /** Query client that holds the user's ship lists, for their colours. */
  queries: QueryClient;
  /** Called when the ship list in the filter no longer exists. */
  dropList: () => void;
  /** Called with the time that is shown now, in UTC microseconds. */
  showing?: (timeUs: number) => void;
  filter: Signal<AisFilter>;
  chosen: Signal<ChosenShip | null>;
  /** `live`: ships as they are now, or at the end of the filter's time range; `clock`: as they were at the time of the mission clock. */
  mode: 'live' | 'clock';
  /**
   * In `clock` mode: whether the map moves once to the ships at the time of the clock. In `live` mode it always does.
   */
  finds?: boolean;
  /** Fetches bytes; replaced in tests. */
  fetchBytes?: (address: string, signal: AbortSignal) => Promise<ArrayBuffer>;
};

async function fetchFrame(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(address, { credentials: 'same-origin', signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.arrayBuffer();
}

/**
 * Supplies one map with ships: those in its area, with names, and the trail of the chosen one. Returns a function that
 * stops the feed.
 */
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
  /** True if the map was moved or the time range changed while a request was in progress. */
  let isOutdated = false;
  /** In `clock` mode: the time of the mission clock that is shown, or is being requested. */
  let shownUs = Number.NaN;

  const mission = () => filter.get().mission?.id ?? null;
  const list = () => filter.get().list?.id ?? null;

  /**
   * Returns the end of the filter's time range; null if ships are shown at the present time or at that of the mission
   * clock.
   */
  const rangeEnd = () => (mode === 'live' ? filter.get().end : null);
  /** Returns the number of minutes to go back; a ship that was silent for longer is not shown. */
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

  function applyFrame(frame: AisFrame): void {
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

  /**
   * Moves the map once to where the ships are, if its stored position shows none. Not done if the map follows a
   * platform.
   */
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
      if (bounds !== null && !inView) map.fitBounds(bounds, FIT_OPTIONS);
    } catch {
      // If the request fails, the map stays where it is.
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
      if (frame !== null && !ended.signal.aborted && (mode === 'clock' || time === rangeEnd())) applyFrame(frame);
    } catch {
      // The server cannot be reached, which the page reports elsewhere. The ships that are shown remain, and the
      // request is repeated later.
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
    // The mission clock may have advanced during the request.
    if (!ended.signal.aborted && Math.floor(services.clock.timeUs() / STEP_US) * STEP_US !== shownUs) void askPast();
  }

  async function askNames(): Promise<void> {
    const now = performance.now();
    const isKnown = (mmsi: number) => now - (vessels.get(mmsi)?.atMs ?? Number.NEGATIVE_INFINITY) < NAMES_CACHE_MS;
    const requested = (last?.ships ?? []).map(({ mmsi }) => mmsi).filter((mmsi) => !isKnown(mmsi));
    if (requested.length === 0) return;
    try {
      const query = { mmsi: requested.slice(0, AIS_VESSELS_MAX).map(String) };
      const found = await api.call(listAisVessels, { query }, { signal: ended.signal });
      for (const vessel of found) vessels.set(vessel.mmsi, { vessel, atMs: performance.now() });
      draw();
    } catch {
      // If the request fails, ships without a cached name stay without one until the next attempt.
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
      // If the request fails, the trail that is drawn remains.
    }
  }

  function choose(ship: ChosenShip | null): void {
    drawing.select(ship === null ? null : String(ship.mmsi));
    drawing.setTrail([]);
    if (ship === null) return;
    void askTrail();
    if (ship.place === null) return;
    // Fire the event of a manual move, so that the map stops following anything else.
    map.fire('dragstart', { originalEvent: new Event('choose') });
    map.easeTo({ center: [ship.place.lon, ship.place.lat], zoom: Math.max(map.getZoom(), CHOSEN_ZOOM) });
  }

  map.on('moveend', moved);
  const unsubscribes = [
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
          applyFrame(frame);
        }),
  ];
  const timers = [
    setInterval(() => {
      if (mode === 'live' && rangeEnd() === null && performance.now() - receivedMs > SILENT_MS) void ask(null);
    }, POLL_MS),
    setInterval(() => void askNames(), NAMES_MS),
    setInterval(() => void askTrail(), TRAIL_MS),
  ];
  // The table may already have read the lists.
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
    for (const unsubscribe of unsubscribes) unsubscribe();
    for (const timer of timers) clearInterval(timer);
    if (mode === 'live') deps.viewShips(null);
  };
}

/** Whether a position is in an area. If `west` is greater than `east`, the area crosses the antimeridian. */
function isIn({ west, east, south, north }: MapArea, { lat, lon }: { lat: number; lon: number }): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** Normalizes a longitude to the range -180 to 180. */
const inWorld = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
