import type { SharedLive, SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import { LIVE, type OpenMission, type OpenView } from './shared.ts';

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

/** Maximum distance between the picture of a paused clock and the clock's time, in microseconds. */
const PICTURE_US = 200_000;

/**
 * Returns the time to share. For a paused clock this is the time of the picture on screen: at the time of the clock
 * itself, another machine might show an adjacent picture.
 */
function momentOf({ clock, frames }: Pick<OpenMission, 'clock' | 'frames'>): number {
  const { leader, playing } = clock.get();
  const timeUs = clock.timeUs();
  const frame = playing || leader === null ? null : frames.latest(leader);
  const isOfNow = frame !== null && Math.abs(timeUs - frame.timeUs) < PICTURE_US;
  return Math.round(isOfNow ? frame.timeUs : timeUs);
}

/**
 * Maximum delay in seconds that still counts as live, since a live stream shows its newest picture a few seconds after
 * it was taken.
 */
const AT_LIVE_S = 5;

/**
 * Returns by how many seconds a live clock is behind live; 0 if it is live, or if nothing of the stream is buffered.
 */
export function behindOf(clock: MissionClock): number {
  const { startUs, endUs } = clock.get();
  const behindS = endUs > startUs ? Math.round((endUs - clock.timeUs()) / 1e6) : 0;
  return behindS < AT_LIVE_S ? 0 : behindS;
}

/** Returns the view that this page shows now; null for a page that is neither a mission nor the live page. */
export function viewOf(open: OpenView | null, map: MapLibreMap | null): SharedView | null {
  if (open === null) return null;
  if ('live' in open) {
    const { leader, playing } = open.clock.get();
    const sensor = leader !== null && open.live.includes(leader) ? leader : null;
    return { live: [...open.live], sensor, playing, behindS: behindOf(open.clock), map: map && mapViewOf(map) };
  }
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

/** Returns the key of another page's view, which can be compared with the `subjectOf` of this page. */
export const sharedSubject = (view: SharedView): string => ('live' in view ? LIVE : view.mission);

const liveAddress = ({ live }: SharedLive): string => `/live?${new URLSearchParams({ sensors: live.join(',') })}`;

/** Returns the address of a view that another user shows, with `t` in the format of links. */
export function addressOf(view: SharedView): string {
  if ('live' in view) return liveAddress(view);
  const { mission, sensor, shown, timeUs } = view;
  const query = new URLSearchParams({ mission });
  if (sensor !== null) query.set('sensor', sensor);
  if (shown !== null) query.set('sensors', shown.join(','));
  query.set('t', new Date(timeUs / 1000).toISOString());
  return `/missions?${query}`;
}
