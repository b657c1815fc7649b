import type { PointedPlace } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import type { FrameBus } from '../../onscreen/frames.ts';
import { createSignal } from '../../onscreen/signal.ts';

// State shared by the mission view and the bar for watching together: the view is drawn by its page, the bar is above
// every page.

/** The live page that is open. */
export type OpenLive = {
  /** Sensors on screen. */
  live: readonly string[];
  clock: MissionClock;
};

/** The mission view that is open. */
export type OpenMission = {
  missionId: string;
  sensorIds: readonly string[];
  clock: MissionClock;
  frames: Pick<FrameBus, 'latest' | 'subscribe'>;
  /** Chosen sensors on screen; null: the default ones. */
  shownIds: readonly string[] | null;
  choose: (shownIds: readonly string[] | null) => void;
};

export type OpenView = OpenMission | OpenLive;

/** Key by which two pages show the same: the id of a mission, or `live` for the live page. */
export const LIVE = 'live';
export const subjectOf = (open: OpenView | null): string | null =>
  open === null ? null : 'live' in open ? LIVE : open.missionId;

export type Pointer = { by: string; at: PointedPlace };

export const openView = createSignal<OpenView | null>(null);
export const openMap = createSignal<MapLibreMap | null>(null);

/** Whether this page leads or follows, so that pointers are to be drawn. */
export const isTogether = createSignal(false);

/** Listener of the own pointer; null while it is not shared. */
export const ownPointer = createSignal<((at: PointedPlace | null) => void) | null>(null);

/** Pointers of the others. */
export const pointers = createSignal<readonly Pointer[]>([]);
