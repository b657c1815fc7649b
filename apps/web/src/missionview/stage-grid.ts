import { size } from '../base/sizes.ts';
import type { Arrangement } from './layout.ts';

type Requested = {
  arrangement: Arrangement;
  map: boolean;
  timeline: boolean;
  below: boolean;
  docked: boolean;
  /** Share of the left column. */
  left: number;
};

type Grid = { gridTemplateAreas: string; gridTemplateColumns: string; gridTemplateRows?: string };

/** Between the areas. */
export const GAP_PX = 8;

/** Panels float this far from the edges of all pictures, px; above them stays the head of the first. */
export const FLOATS_INSET = { top: 34, rest: 8 } as const;

/**
 * End of a panel that is at the top, so that it covers no picture below the first one; of the room of all panels, px.
 */
export function firstPictureRoom(roomPx: number, rows: number): number {
  const allPx = FLOATS_INSET.top + roomPx + FLOATS_INSET.rest;
  return (allPx - (rows - 1) * GAP_PX) / rows - FLOATS_INSET.top - FLOATS_INSET.rest;
}

/** Telemetry that is docked has this width. */
export const DOCKED_PX = 264;

/** The table below keeps a head and some rows; beyond that the view scrolls. */
const TABLE_LEAST_PX = 220;

/** Least height of the tabs below the player of a phone. */
const TABS_LEAST_PX = 280;
/** In a low window the view scrolls to see more of them. */
const LOW_TABS_LEAST_PX = 220;

/** Width of the splitter; it has a gap of the grid on both sides. */
const SPLITTER_PX = 4;

/** Next to the picture of a phone in landscape: as narrow as the transport of a phone may be, px. */
const SIDE_PX = 392;

/** Parts of a window as low as a phone in landscape, px: label bar, top bar, bar of the view and footer. */
const LOW_BARS_PX = size.labelBar + size.topBar + size.touch + size.footer;

/** The picture has the height that the bars leave, and all that is used with it is next to it. */
const landscape: Grid = {
  gridTemplateAreas: '"players timeline" "players switch" "players tabs" "below below"',
  gridTemplateColumns: `min(100% - ${SIDE_PX}px, (100dvh - ${LOW_BARS_PX}px) * 16 / 9) minmax(0, 1fr)`,
  gridTemplateRows: `auto auto minmax(${LOW_TABS_LEAST_PX}px, 1fr) auto`,
};

/** The areas of the stage as CSS grid. */
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

/** Two pictures take the whole width, with the map below at the right; else the map is next to the picture. */
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

/** Over every part of the page but dialogs, menus and the label bar, which all have 1300 and more. */
const FULL_LAYER = 1210;

/** The page is hidden while a picture fills the screen: its parts are seen because they say so themselves. */
const full = { position: 'fixed', visibility: 'visible', zIndex: FULL_LAYER } as const;

/** The picture that fills the screen, and the panels over it: below the label bar. */
export const fullPicture = {
  ...full,
  inset: `${size.labelBar}px 0 0`,
  '& > section': { borderRadius: 0 },
} as const;

/** The map over it: at the right, above the transport. */
export const fullMap = {
  ...full,
  right: 8,
  bottom: 200,
  width: 'min(44vw, 720px)',
  height: 'min(52vh, 520px)',
} as const;

/** Transport and timeline at its lower edge; faded while the pointer rests, unless a key has reached them. */
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
