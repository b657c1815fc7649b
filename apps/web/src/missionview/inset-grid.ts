import { ASPECT_RATIO } from './layout.ts';
import { DOCKED_PX, GAP_PX, type Grid } from './stage-grid.ts';

/** The parts in the column to the right of the picture, from top to bottom. */
type Requested = { map: boolean; tiles: number; docked: boolean };

/** Minimum width of the column, in px. */
const SIDE_PX = DOCKED_PX;

/** Minimum heights of the map, of one of several further pictures, and of docked telemetry, in px. */
const LEAST = { map: 120, tile: 80, docked: 200 } as const;

/** Minimum height of the picture; in a lower window the view scrolls. In px. */
const PICTURE_LEAST_PX = 240;

/** Area of a further picture, by its index. */
export const tileArea = (index: number): string => `tile${index}`;

/**
 * Returns the grid of the picture and the column next to it. The picture takes the height of its container, up to the
 * width that leaves the column its minimum; the column takes the rest.
 */
export function insetGrid({ map, tiles, docked }: Requested): Grid {
  const areas = [
    ...(map ? ['map'] : []),
    ...Array.from({ length: tiles }, (_none, index) => tileArea(index)),
    ...(docked ? ['docked'] : []),
  ];
  if (areas.length === 0)
    return { gridTemplateAreas: '"main"', gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'minmax(0, 1fr)' };
  const rows = [
    ...(map ? [row(LEAST.map, 1)] : []),
    // A single further picture has its own height; several share what is left.
    ...Array.from({ length: tiles }, () => (tiles === 1 ? 'auto' : row(LEAST.tile, 0.7))),
    ...(docked ? [row(LEAST.docked, tiles === 0 ? 1 : 1.5)] : []),
  ];
  return {
    gridTemplateAreas: areas.map((area) => `"main ${area}"`).join(' '),
    gridTemplateColumns: `min(100cqw - ${SIDE_PX + GAP_PX}px, 100cqh * ${ASPECT_RATIO}) minmax(0, 1fr)`,
    gridTemplateRows: rows.join(' '),
  };
}

const row = (leastPx: number, share: number) => `minmax(${leastPx}px, ${share}fr)`;

/** Returns the grid around it: the picture with its column, and the timeline below. */
export function insetFrame({ map, tiles, docked }: Requested): Grid {
  const parts = [
    ...(map ? [LEAST.map] : []),
    // The column is seldom wider than the minimum of a low window.
    ...Array.from({ length: tiles }, () => (tiles === 1 ? SIDE_PX / ASPECT_RATIO : LEAST.tile)),
    ...(docked ? [LEAST.docked] : []),
  ];
  const column = parts.reduce((sum, px) => sum + px + GAP_PX, -GAP_PX);
  return {
    gridTemplateAreas: '"top" "timeline"',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gridTemplateRows: `minmax(${Math.max(PICTURE_LEAST_PX, Math.ceil(column))}px, 1fr) auto`,
  };
}
