import { getCoverageState, missionsEvent, revokedEvent } from '@osprey/contract';
import type { FeatureCollection } from 'geojson';
import type { GeoJSONSource } from 'maplibre-gl';
import type { Api } from '../api/api.ts';
import type { EventBus } from '../events/events.ts';
import { hatchFor } from '../map/hatch.ts';
import type { OverlayDeps, OverlayPaint } from '../map/overlay.ts';
import { lastSeenColours } from './last-seen-colours.ts';
import { createLastSeenLegend } from './last-seen-legend.ts';
import { OLD, shapesOf } from './last-seen-shapes.ts';
import { minuteOf, tileStore, tilesOver } from './last-seen-tiles.ts';

const SOURCE = 'last-seen';
const FILL = 'last-seen-fill';
const HATCH = 'last-seen-hatch';
const BORDER = 'last-seen-border';
const EMPTY: FeatureCollection = { type: 'FeatureCollection', features: [] };
/** Time in milliseconds for which the map must be at rest before tiles are requested. */
const REST_MS = 150;
/** Time in milliseconds over which events are collected, since the steps of a job follow each other closely. */
const COLLECT_MS = 1000;
/** Interval in milliseconds at which it is checked whether a new minute has begun. */
const CHECK_MS = 5000;

/** The time that a map shows: UTC microseconds, null for the present. `onChange` adds a listener for changes. */
export type ShownMoment = { timeUs: () => number | null; onChange: (listener: () => void) => () => void };

type Deps = { api: Api; bus: EventBus; moment: ShownMoment };

/** Draws when the ground was last seen, from tiles that are read for each minute and each visible part of the map. */
export function startLastSeen({ map, below }: Pick<OverlayDeps, 'map' | 'below'>, { api, bus, moment }: Deps) {
  const tiles = tileStore(api);
  const legend = createLastSeenLegend();
  const ended = new AbortController();
  let isShown = false;
  let hours = 6;
  let notIndexed = 0;
  let reading: AbortController | null = null;
  /** Key of the minute and the part of the map that are drawn, or are being read. */
  let requested = '';
  let drawn: { found: Parameters<typeof shapesOf>[0]; atUs: number } | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  map.addSource(SOURCE, { type: 'geojson', data: EMPTY });
  map.addLayer(
    {
      id: FILL,
      type: 'fill',
      source: SOURCE,
      filter: ['<', ['coalesce', ['get', 'age'], OLD], OLD],
      paint: { 'fill-opacity': 0.55, 'fill-antialias': false },
    },
    below,
  );
  map.addLayer(
    {
      id: HATCH,
      type: 'fill',
      source: SOURCE,
      filter: ['has', 'approximate'],
      paint: { 'fill-opacity': 0.7, 'fill-antialias': false },
    },
    below,
  );
  map.addLayer(
    {
      id: BORDER,
      type: 'line',
      source: SOURCE,
      filter: ['has', 'border'],
      layout: { 'line-cap': 'square' },
      paint: { 'line-width': 1.5 },
    },
    below,
  );
  map.getContainer().append(legend.element);

  const momentUs = () => minuteOf(moment.timeUs() ?? Date.now() * 1000);
  const setData = (data: FeatureCollection) => void map.getSource<GeoJSONSource>(SOURCE)?.setData(data);

  function draw(): void {
    if (drawn === null) return;
    setData(shapesOf(drawn.found, { atUs: drawn.atUs, hours }));
    const isEmpty = drawn.found.every(({ cells }) => cells.length === 0);
    const isApproximate = drawn.found.some(({ approximate = [] }) => approximate.length > 0);
    const atUs = moment.timeUs() === null ? null : drawn.atUs;
    legend.report({ hours, atUs, isEmpty, isApproximate, notIndexed });
  }

  /** Reads what the map must show now, unless it is shown already. */
  async function read(): Promise<void> {
    if (!isShown) return;
    const bounds = map.getBounds();
    const box = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
    const asked = tilesOver(box, map.getZoom());
    const atUs = momentUs();
    const key = JSON.stringify([atUs, asked]);
    if (key === requested) return;
    requested = key;
    reading?.abort();
    const own = new AbortController();
    reading = own;
    const signal = AbortSignal.any([own.signal, ended.signal]);
    try {
      const [found, state] = await Promise.all([
        tiles.readAll(asked, atUs, signal),
        api.call(getCoverageState, {}, { signal }),
      ]);
      if (signal.aborted || !isShown) return;
      notIndexed = state.notIndexed;
      drawn = { found, atUs };
      draw();
    } catch (error) {
      if (signal.aborted) return;
      // Cleared, so that the next minute or the next move of the map requests the tiles again.
      requested = '';
      throw error;
    }
  }

  /** The tiles on the map stay if the server cannot be reached, which the page reports elsewhere. */
  const readQuietly = () => void read().catch(() => undefined);

  function clear(): void {
    reading?.abort();
    tiles.forget();
    requested = '';
    drawn = null;
    setData(EMPTY);
  }

  function moved(): void {
    clearTimeout(resting);
    resting = setTimeout(readQuietly, REST_MS);
  }

  const fit = () => legend.fit(map.getContainer());
  map.on('moveend', moved);
  map.on('resize', fit);
  fit();
  const unsubscribes = [
    bus.subscribe(revokedEvent.name, () => {
      clear();
      readQuietly();
    }),
    bus.subscribe(missionsEvent.name, () => {
      clearTimeout(gathering);
      gathering = setTimeout(() => {
        tiles.forget();
        requested = '';
        readQuietly();
      }, COLLECT_MS);
    }),
    moment.onChange(readQuietly),
  ];
  const timer = setInterval(readQuietly, CHECK_MS);

  return {
    show(shown: boolean): void | Promise<void> {
      isShown = shown;
      legend.show(shown);
      if (shown) return read();
      clear();
    },
    set(value: number): void {
      hours = value;
      draw();
    },
    paint({ scheme }: Pick<OverlayPaint, 'scheme'>): void {
      const { ages, old, hatch } = lastSeenColours[scheme];
      const [first, second, third, fourth] = ages;
      map.setPaintProperty(FILL, 'fill-color', ['step', ['get', 'age'], first, 1, second, 2, third, 3, fourth]);
      map.setPaintProperty(HATCH, 'fill-pattern', hatchFor(map, hatch));
      map.setPaintProperty(BORDER, 'line-color', old);
      legend.paint(scheme);
    },
    stop(): void {
      ended.abort();
      isShown = false;
      clearTimeout(resting);
      clearTimeout(gathering);
      clearInterval(timer);
      for (const unsubscribe of unsubscribes) unsubscribe();
      map.off('moveend', moved);
      map.off('resize', fit);
      legend.element.remove();
      map.removeLayer(BORDER);
      map.removeLayer(HATCH);
      map.removeLayer(FILL);
      map.removeSource(SOURCE);
    },
  };
}
