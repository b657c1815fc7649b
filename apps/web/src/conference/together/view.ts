import type { SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { OpenView } from './shared.ts';

const inWorld = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
const round = (value: number, places: number): number => Number(value.toFixed(places));

export function mapViewOf(map: MapLibreMap): NonNullable<SharedView['map']> {
  const { lng, lat } = map.getCenter();
  return {
    center: [round(inWorld(lng), 6), round(lat, 6)],
    zoom: round(map.getZoom(), 3),
    bearing: round(map.getBearing(), 2),
    pitch: round(map.getPitch(), 2),
  };
}

/** Greatest distance of a paused clock's picture from its moment, microseconds. */
const PICTURE_US = 200_000;

/**
 * Time of the picture on screen for a paused clock: for the clock's own time another machine may show the picture next
 * to it.
 */
function momentOf({ clock, frames }: Pick<OpenView, 'clock' | 'frames'>): number {
  const { leader, playing } = clock.get();
  const timeUs = clock.timeUs();
  const frame = playing || leader === null ? null : frames.latest(leader);
  const isOfNow = frame !== null && Math.abs(timeUs - frame.timeUs) < PICTURE_US;
  return Math.round(isOfNow ? frame.timeUs : timeUs);
}

/** The view of a page now; null: no mission. */
export function viewOf(open: OpenView | null, map: MapLibreMap | null): SharedView | null {
  if (open === null) return null;
  const { leader, chosen, playing, settling, speed } = open.clock.get();
  return {
    mission: open.missionId,
    sensor: chosen ? leader : null,
    shown: open.shownIds === null ? null : open.shownIds.slice(0, 4),
    timeUs: momentOf(open),
    playing,
    waiting: settling,
    speed,
    map: map && mapViewOf(map),
  };
}

/** The address of another member's view; `t` as links have it. */
export function addressOf({ mission, sensor, shown, timeUs }: SharedView): string {
  const query = new URLSearchParams({ mission });
  if (sensor !== null) query.set('sensor', sensor);
  if (shown !== null) query.set('sensors', shown.join(','));
  query.set('t', new Date(timeUs / 1000).toISOString());
  return `/missions?${query}`;
}
