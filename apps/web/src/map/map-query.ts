import type { AoiMode } from '@osprey/contract';
import { createContext } from 'react';
import type { DrawMode } from './draw/drawing.ts';

/** Purpose of an area drawn on the map (specification 2, section 4). */
export const CONTROL_MODES = { none: 0, query: 1, filter: 2 } as const;
export type ControlMode = (typeof CONTROL_MODES)[keyof typeof CONTROL_MODES];

export type MapQueryControl = {
  mode: ControlMode;
  aoiMode: AoiMode;
  /** Shape in which the area is drawn. */
  drawMode: DrawMode;
  onMode: (mode: ControlMode) => void;
  onAoiMode: (aoiMode: AoiMode) => void;
  onDrawMode: (drawMode: DrawMode) => void;
};

/** Context with which a page handles areas drawn on the map of its view; null: areas cannot be drawn there. */
export const MapQueryContext = createContext<MapQueryControl | null>(null);
