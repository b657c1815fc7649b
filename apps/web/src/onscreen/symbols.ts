import {
  mdiAirballoon,
  mdiAirplane,
  mdiCar,
  mdiCctv,
  mdiCircleSmall,
  mdiDivingScubaMask,
  mdiFerry,
  mdiHelicopter,
  mdiQuadcopter,
  mdiRadioTower,
  mdiSatelliteVariant,
  mdiSubmarine,
} from '@mdi/js';

/**
 * Symbol in the platform's disc, on a 24 by 24 grid. If `turns`, it is rotated with the heading, and upwards is ahead.
 */
type PlatformSymbol = { path: string; turns: boolean };

const symbols: Record<string, PlatformSymbol> = {
  Plane: { path: mdiAirplane, turns: true },
  Helicopter: { path: mdiHelicopter, turns: false },
  Quadcopter: { path: mdiQuadcopter, turns: false },
  ROV: { path: mdiSubmarine, turns: false },
  Camera: { path: mdiCctv, turns: false },
  Diver: { path: mdiDivingScubaMask, turns: false },
  Ship: { path: mdiFerry, turns: false },
  Vehicle: { path: mdiCar, turns: false },
  Balloon: { path: mdiAirballoon, turns: false },
  Satellite: { path: mdiSatelliteVariant, turns: false },
  Mast: { path: mdiRadioTower, turns: false },
};

const other: PlatformSymbol = { path: mdiCircleSmall, turns: false };

export const symbolOf = (platformType: string): PlatformSymbol => symbols[platformType] ?? other;
