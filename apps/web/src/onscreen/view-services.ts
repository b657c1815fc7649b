import type { Point } from '@osprey/geo';
import { createContext, useContext } from 'react';
import type { MissionClock } from './clock/mission-clock.ts';
import type { FrameBus } from './frames.ts';
import type { Signal } from './signal.ts';
import type { TelemetryStore } from './telemetry-store.ts';

export type ChosenTarget = { sensorId: string; id: number };

/** Objects that all panes of one mission view share. */
export type ViewServices = {
  clock: MissionClock;
  frames: FrameBus;
  /** Telemetry stores by sensor id. */
  stores: Map<string, TelemetryStore>;
  /** The ground point under the pointer on a picture. */
  pointed: Signal<Point | null>;
  /** Number of the target that the user picked, with its sensor; null for none. */
  chosenTarget: Signal<ChosenTarget | null>;
  /** Becomes true with the first frame on screen, or when none is expected; the map waits for it. */
  firstFrame: Signal<boolean>;
  /**
   * Set for a mission whose sensors have neither pictures nor telemetry: its map has no frames to go to, only ships.
   */
  shipsOf?: string;
};

export const ViewServicesContext = createContext<ViewServices | null>(null);

export function useViewServices(): ViewServices {
  const services = useContext(ViewServicesContext);
  if (!services) throw new Error('useViewServices needs a ViewServicesContext above it');
  return services;
}
