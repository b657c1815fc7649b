import type { PointedPlace } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';
import type { FrameBus } from '../../onscreen/frames.ts';
import { createSignal } from '../../onscreen/signal.ts';

// What the mission view and those who look at it together know of each other: the view is drawn by its page, and who
// leads stands above every page.

/** The mission view that is open. */
export type OpenView = {
  missionId: string;
  sensorIds: readonly string[];
  clock: MissionClock;
  frames: Pick<FrameBus, 'latest' | 'subscribe'>;
  /** Sensors on screen that somebody chose; null: those that are shown at first. */
  shownIds: readonly string[] | null;
  choose: (shownIds: readonly string[] | null) => void;
};

export type Pointer = { by: string; mission: string; at: PointedPlace };

export const openView = createSignal<OpenView | null>(null);
export const openMap = createSignal<MapLibreMap | null>(null);

/** Whether this page leads or follows, so that pointers are to be drawn. */
export const isTogether = createSignal(false);

/** Where the own pointer goes; null while nobody is to see it. */
export const ownPointer = createSignal<((at: PointedPlace | null) => void) | null>(null);

/** Of the others. */
export const pointers = createSignal<readonly Pointer[]>([]);
