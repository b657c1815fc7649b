import { z } from 'zod';
import { readStoredJson, writeStored } from '../base/keys.ts';

/** Aspect ratio of the pictures (specification 2, section 9). */
export const ASPECT_RATIO = 16 / 9;
const NARROW_PX = 600;
const SHARES = { narrow: 0.98, usual: 0.48, singleLive: 0.6, secondVod: 0.72 } as const;

/** Container width below which everything is in one column, in px. */
const ONE_COLUMN_PX = 960;

type Players = { containerPx: number; players: number; live: boolean };

/** Returns the initial share of the width to the left of the splitter. */
export function leftShare({ containerPx, players, live }: Players): number {
  if (containerPx < NARROW_PX) return SHARES.narrow;
  if (players === 1 && live) return SHARES.singleLive;
  // Both pictures are above the splitter; timeline and table are to its left, the map to its right.
  if (players === 2 && !live) return SHARES.secondVod;
  return players > 2 ? SHARES.singleLive : SHARES.usual;
}

export type Arrangement = 'phone' | 'landscape' | 'column' | 'single' | 'pair' | 'grid';

/**
 * Returns the arrangement for this width and number of players. `low`: the window is only as high as a phone in
 * landscape.
 */
export function arrangementOf(containerPx: number, players: number, low = false): Arrangement {
  if (low) return 'landscape';
  if (containerPx < NARROW_PX) return 'phone';
  if (containerPx < ONE_COLUMN_PX) return 'column';
  if (players <= 1) return 'single';
  return players === 2 ? 'pair' : 'grid';
}

/** Whether the arrangement is one of a phone: one picture at a time, and tabs in place of panels. */
export const isOfPhone = (arrangement: Arrangement) => arrangement === 'phone' || arrangement === 'landscape';

/** Whether the view has one large picture with the map as an inset, which needs two columns. */
export const hasInset = (arrangement: Arrangement, { sideBySide }: Pick<Panels, 'sideBySide'>): boolean =>
  !sideBySide && !isOfPhone(arrangement) && arrangement !== 'column';

/** Maximum number of players on screen; the other sensors are in the sensor menu. */
export const PLAYERS_MAX = 4;

/**
 * Returns the sensors to show: those that the user has chosen, else the first ones and the leading sensor that the link
 * names.
 */
export function shownOf(ids: readonly string[], chosen: readonly string[] | null, leader: string | null): string[] {
  const known = (chosen?.filter((id) => ids.includes(id)) ?? []).slice(0, PLAYERS_MAX);
  if (known.length > 0) return known;
  const first = ids.slice(0, PLAYERS_MAX);
  if (leader === null || !ids.includes(leader) || first.includes(leader)) return first;
  return [...first.slice(0, -1), leader];
}

const panels = z.object({
  timeline: z.boolean(),
  map: z.boolean(),
  floatingMap: z.boolean(),
  telemetry: z.boolean(),
  telemetryDocked: z.boolean(),
  /** Side by side, instead of one large picture with the map as an inset. */
  sideBySide: z.boolean().default(false),
});
export type Panels = z.output<typeof panels>;

const KEYS = {
  panels: 'missionViewPanels',
  share: 'missionViewShare',
  collapsed: 'missionViewCollapsed',
  table: 'missionViewTable',
} as const;

/** Minimum window width for docked telemetry, in px. */
const DOCKS_FROM_PX = 1280;

/**
 * Default panels. Telemetry floats over the picture, and thus over targets in it, only if there is no room next to it.
 * In one column, as on a phone in landscape, it is hidden, since it would cover half of the picture.
 */
const panelsAtFirst = (): Panels => ({
  timeline: true,
  map: true,
  floatingMap: false,
  telemetry: window.innerWidth >= ONE_COLUMN_PX,
  telemetryDocked: window.innerWidth >= DOCKS_FROM_PX,
  sideBySide: false,
});

export function readPanels(): Panels {
  return panels.safeParse(readStoredJson(KEYS.panels)).data ?? panelsAtFirst();
}

/** Returns the panels after a change. The map is either docked or floating, never both. */
export function panelsAfter(panels: Panels, fields: Partial<Panels>): Panels {
  const next = { ...panels, ...fields };
  if (fields.floatingMap !== undefined) return { ...next, map: !fields.floatingMap };
  return fields.map === undefined ? next : { ...next, floatingMap: false };
}

export function writePanels(next: Panels): void {
  writeStored(KEYS.panels, JSON.stringify(next));
}

const shares = z.record(z.string(), z.number().min(0.2).max(0.85));

type Place = { arrangement: Arrangement; live: boolean };
const nameOf = ({ arrangement, live }: Place) => (live ? `${arrangement}Live` : arrangement);

/** Returns the stored position of the splitter for this arrangement; null if it was never moved. */
export function readShare(place: Place): number | null {
  return shares.safeParse(readStoredJson(KEYS.share)).data?.[nameOf(place)] ?? null;
}

export function writeShare(place: Place, share: number): void {
  const retained = shares.safeParse(readStoredJson(KEYS.share)).data ?? {};
  writeStored(KEYS.share, JSON.stringify({ ...retained, [nameOf(place)]: share }));
}

export function readCollapsed(): boolean {
  return readStoredJson(KEYS.collapsed) === true;
}

export function writeCollapsed(collapsed: boolean): void {
  writeStored(KEYS.collapsed, JSON.stringify(collapsed));
}

/** Whether the table is open while a mission is. */
export function readTableOpen(): boolean {
  return readStoredJson(KEYS.table) === true;
}

export function writeTableOpen(open: boolean): void {
  writeStored(KEYS.table, JSON.stringify(open));
}
