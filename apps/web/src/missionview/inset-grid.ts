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

/** Width of the picture. */
const PICTURE = `min(100cqw - ${SIDE_PX + GAP_PX}px, 100cqh * ${ASPECT_RATIO})`;

const ONE_TILE = `minmax(${LEAST.tile}px, calc((100cqw - ${GAP_PX}px - ${PICTURE}) / ${ASPECT_RATIO}))`;

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
    // A single further picture fills the width if there is room; several share what is left.
    ...Array.from({ length: tiles }, () => (tiles === 1 ? ONE_TILE : row(LEAST.tile, 0.7))),
    ...(docked ? [row(LEAST.docked, tiles === 0 ? 1 : 1.5)] : []),
  ];
  return {
    gridTemplateAreas: areas.map((area) => `"main ${area}"`).join(' '),
    gridTemplateColumns: `${PICTURE} minmax(0, 1fr)`,
    gridTemplateRows: rows.join(' '),
  };
}

const row = (leastPx: number, share: number) => `minmax(${leastPx}px, ${share}fr)`;

/** Returns the grid around it: the picture with its column, and the timeline below. */
export function insetFrame({ map, tiles, docked }: Requested): Grid {
  const parts = [
    ...(map ? [LEAST.map] : []),
    ...Array.from({ length: tiles }, () => LEAST.tile),
    ...(docked ? [LEAST.docked] : []),
  ];
  const column = parts.reduce((sum, px) => sum + px + GAP_PX, -GAP_PX);
  return {
    gridTemplateAreas: '"top" "timeline"',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gridTemplateRows: `minmax(${Math.max(PICTURE_LEAST_PX, column)}px, 1fr) auto`,
  };
}
