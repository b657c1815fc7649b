import { size } from '../base/sizes.ts';
import type { Arrangement } from './layout.ts';

type Requested = {
  arrangement: Arrangement;
  map: boolean;
  timeline: boolean;
  below: boolean;
  docked: boolean;
  /** Share of the width for the left column. */
  left: number;
};

export type Grid = { gridTemplateAreas: string; gridTemplateColumns: string; gridTemplateRows?: string };

/** Gap between the areas, in px. */
export const GAP_PX = 8;

/**
 * Distance of floating panels from the edges of the pictures, in px; the head of the first picture remains visible
 * above them.
 */
export const FLOATS_INSET = { top: 34, rest: 8 } as const;

/**
 * Returns the maximum extent of a panel at the top that covers no picture below the first one, in px, measured within
 * the area for all panels.
 */
export function firstPictureRoom(roomPx: number, rows: number): number {
  const allPx = FLOATS_INSET.top + roomPx + FLOATS_INSET.rest;
  return (allPx - (rows - 1) * GAP_PX) / rows - FLOATS_INSET.top - FLOATS_INSET.rest;
}

/** Width of docked telemetry, in px. */
export const DOCKED_PX = 264;

/** Minimum height of the table below, enough for a head and some rows, in px; with less room the view scrolls. */
const TABLE_LEAST_PX = 220;

/** Minimum height of the tabs below the player on a phone, in px. */
const TABS_LEAST_PX = 280;
/** Minimum height of the tabs in a low window, where the view scrolls to show more of them, in px. */
const LOW_TABS_LEAST_PX = 220;

/** Width of the splitter, in px; the grid adds a gap on both sides. */
const SPLITTER_PX = 4;

/** Width of the column next to the picture on a phone in landscape, the least that the transport needs, in px. */
const SIDE_PX = 392;

/**
 * Height of the bars in a window as low as a phone in landscape, in px: label bar, top bar, bar of the view and footer.
 */
const LOW_BARS_PX = size.labelBar + size.topBar + size.touch + size.footer;

/** Grid for a phone in landscape: the picture takes the height between the bars, and all controls are next to it. */
const landscape: Grid = {
  gridTemplateAreas: '"players timeline" "players switch" "players tabs" "below below"',
  gridTemplateColumns: `min(100% - ${SIDE_PX}px, (100dvh - ${LOW_BARS_PX}px) * 16 / 9) minmax(0, 1fr)`,
  gridTemplateRows: `auto auto minmax(${LOW_TABS_LEAST_PX}px, 1fr) auto`,
};

/** Returns the areas of the stage as a CSS grid. */
export function gridOf(requested: Requested): Grid {
  if (requested.arrangement === 'phone') {
    const rows = `auto auto auto minmax(${TABS_LEAST_PX}px, 1fr) auto`;
    return { ...column(['players', 'switch', 'timeline', 'tabs', 'below']), gridTemplateRows: rows };
  }
  if (requested.arrangement === 'landscape') return landscape;
  if (requested.arrangement === 'column')
    return column(['players', 'timeline', ...(requested.map ? ['map'] : []), 'below']);
  return wide(requested);
}

const column = (areas: string[]): Grid => ({
  gridTemplateAreas: areas.map((area) => `"${area}"`).join(' '),
  gridTemplateColumns: 'minmax(0, 1fr)',
});

function wide({ arrangement, map, below, docked, left }: Requested): Grid {
  const sides = map ? `minmax(0, ${left}fr) ${SPLITTER_PX}px minmax(0, ${1 - left}fr)` : 'minmax(0, 1fr)';
  const rows = rowsOf(arrangement, map, below).map((row) => (docked ? [...row, 'docked'] : row));
  return {
    gridTemplateAreas: rows.map((row) => `"${row.join(' ')}"`).join(' '),
    gridTemplateColumns: docked ? `${sides} ${DOCKED_PX}px` : sides,
    gridTemplateRows: below ? `${'auto '.repeat(rows.length - 1)}minmax(${TABLE_LEAST_PX}px, 1fr)` : 'auto',
  };
}

/**
 * Returns the grid rows. Two pictures take the whole width, with the map below them at the right; otherwise the map is
 * next to the picture.
 */
function rowsOf(arrangement: Arrangement, map: boolean, below: boolean): string[][] {
  if (!map) return [['players'], ['timeline'], ...(below ? [['below']] : [])];
  if (arrangement === 'pair') {
    const rows = [
      ['players', 'players', 'players'],
      ['timeline', 'split', 'map'],
    ];
    return below ? [...rows, ['below', 'split', 'map']] : rows;
  }
  const rows = [
    ['players', 'split', 'map'],
    ['timeline', 'timeline', 'timeline'],
  ];
  return below ? [...rows, ['below', 'below', 'below']] : rows;
}

/** z-index above every part of the page except dialogs, menus and the label bar, which all have 1300 or more. */
const FULL_LAYER = 1210;

/** Style of elements in full screen. The rest of the page is hidden, so these elements set their own visibility. */
const full = { position: 'fixed', visibility: 'visible', zIndex: FULL_LAYER } as const;

/** Style of the picture in full screen, and of the panels over it; the label bar remains visible above. */
export const fullPicture = {
  ...full,
  inset: `${size.labelBar}px 0 0`,
  '& > section': { borderRadius: 0 },
} as const;

/** Style of the map over the full-screen picture: at the right, above the transport. */
export const fullMap = {
  ...full,
  right: 8,
  bottom: 200,
  width: 'min(44vw, 720px)',
  height: 'min(52vh, 520px)',
} as const;

/**
 * Style of transport and timeline at the lower edge of the full-screen picture. They fade while the pointer rests,
 * unless they have the keyboard focus.
 */
export const fullTransport = (rests: boolean) =>
  ({
    ...full,
    inset: 'auto 0 0',
    border: 0,
    borderRadius: 0,
    opacity: rests ? 0 : 1,
    transition: 'opacity 200ms',
    '&:focus-within': { opacity: 1 },
  }) as const;

/** Style of a wrapper that is no box: its children belong to the grid around it. */
export const NO_BOX = { display: 'contents' } as const;
