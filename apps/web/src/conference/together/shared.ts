import type { PointedPlace } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import type { FrameBus } from '../../onscreen/frames.ts';
import { createSignal } from '../../onscreen/signal.ts';

// State shared by the mission view and the bar for watching together. It is outside of both, since the view belongs to
// its page, while the bar is above every page.

/** The live page that is open. */
export type OpenLive = {
  /** Ids of the sensors on screen. */
  live: readonly string[];
  clock: MissionClock;
};

/** The mission view that is open. */
export type OpenMission = {
  missionId: string;
  sensorIds: readonly string[];
  clock: MissionClock;
  frames: Pick<FrameBus, 'latest' | 'subscribe'>;
  /** Ids of the sensors that the user has chosen to show; null: the default ones. */
  shownIds: readonly string[] | null;
  choose: (shownIds: readonly string[] | null) => void;
};

export type OpenView = OpenMission | OpenLive;

/** Key that is equal for two pages that show the same subject: the id of a mission, or `live` for the live page. */
export const LIVE = 'live';
export const subjectOf = (open: OpenView | null): string | null =>
  open === null ? null : 'live' in open ? LIVE : open.missionId;

export type Pointer = { by: string; at: PointedPlace };

export const openView = createSignal<OpenView | null>(null);
export const openMap = createSignal<MapLibreMap | null>(null);

/** Whether this page leads or follows, so that pointers must be drawn. */
export const isTogether = createSignal(false);

/** Receives the user's own pointer; null while it is not shared. */
export const ownPointer = createSignal<((at: PointedPlace | null) => void) | null>(null);

/** Pointers of the other users. */
export const pointers = createSignal<readonly Pointer[]>([]);
