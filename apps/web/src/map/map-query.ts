import type { AoiMode } from '@osprey/contract';
import { createContext } from 'react';
import type { DrawMode } from './draw/drawing.ts';

/** Purpose of an area that is drawn on the map. Specification 2, section 4. */
export const CONTROL_MODES = { none: 0, query: 1, filter: 2 } as const;
export type ControlMode = (typeof CONTROL_MODES)[keyof typeof CONTROL_MODES];

export type MapQueryControl = {
  mode: ControlMode;
  aoiMode: AoiMode;
  /** How the area is drawn. */
  drawMode: DrawMode;
  onMode: (mode: ControlMode) => void;
  onAoiMode: (aoiMode: AoiMode) => void;
  onDrawMode: (drawMode: DrawMode) => void;
};

/** A page that answers areas puts its value around the map of its view; null: nothing is asked there. */
export const MapQueryContext = createContext<MapQueryControl | null>(null);
