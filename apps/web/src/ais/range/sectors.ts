import { AIS_RANGE_SECTORS, type FarthestShip } from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { milesOf } from '../miles.ts';
import { rangeTexts as texts } from './texts.ts';

export const SECTOR_DEG = 360 / AIS_RANGE_SECTORS;

export type Sectors = readonly (FarthestShip | null)[];

/** Formats a sector as "000°–010°", clockwise from true north. */
export function sectorText(sector: number): string {
  const threeDigits = (degrees: number) => String(degrees).padStart(3, '0');
  return fill(texts.sector, { from: threeDigits(sector * SECTOR_DEG), to: threeDigits((sector + 1) * SECTOR_DEG) });
}

/** Returns the sector with the farthest ship; null if there are no ships. */
export function farthestSector(sectors: Sectors): { sector: number; ship: FarthestShip } | null {
  return sectors.reduce<{ sector: number; ship: FarthestShip } | null>(
    (best, ship, sector) => (ship !== null && ship.metres > (best?.ship.metres ?? 0) ? { sector, ship } : best),
    null,
  );
}

/**
 * Returns the radii of the rings of a plot in nautical miles: at most five, of which the last is at or beyond the
 * farthest ship.
 */
export function ringsOf(sectors: Sectors): number[] {
  const maximum = Math.max(1, milesOf(farthestSector(sectors)?.ship.metres ?? 0));
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((miles) => maximum / miles <= 5) ?? 200;
  return Array.from({ length: Math.ceil(maximum / step) }, (_, n) => (n + 1) * step);
}
