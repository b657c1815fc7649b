import { formatDms, formatLat, formatLon, type Point } from '@osprey/geo';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { formatNumber } from './format.ts';
import { readStored, readStoredJson, storageKeys, writeStored } from './keys.ts';

const choices = z.object({
  coordinates: z.enum(['dms', 'decimal', 'mgrs']).catch('dms'),
  /** Unit of altitudes and of lengths in telemetry. Distances on maps have a separate unit. */
  lengths: z.enum(['m', 'ft']).catch('m'),
  /** Unit of speeds. `given`: as in each standard, that is, metres per second for platforms and knots for ships. */
  speeds: z.enum(['given', 'kn', 'kmh', 'ms']).catch('given'),
  /** Reference of bearings: true or magnetic north. */
  bearings: z.enum(['true', 'magnetic']).catch('true'),
  /** Whether the centre of videos and maps is marked with a cross-hair. */
  crossHair: z.boolean().catch(false),
});
/** Units that a user has chosen for the screen. Stored and exported values keep the units of their standard. */
export type Units = z.output<typeof choices>;

export const unitChoices = {
  coordinates: choices.shape.coordinates.unwrap().options,
  lengths: choices.shape.lengths.unwrap().options,
  speeds: choices.shape.speeds.unwrap().options,
  bearings: choices.shape.bearings.unwrap().options,
} as const;

const FOOT_M = 0.3048;
const KNOT_MS = 1852 / 3600;

const all = () => z.record(z.string(), choices.partial()).safeParse(readStoredJson(storageKeys.units)).data ?? {};
const account = () => readStored(storageKeys.username) ?? '';

let known: { account: string; units: Units } | null = null;
const listeners = new Set<() => void>();

/** Returns the units of the logged-in account; they are stored in the browser under its name. */
export function unitsNow(): Units {
  if (known?.account !== account()) {
    known = { account: account(), units: choices.parse(all()[account()] ?? {}) };
    if (known.units.coordinates === 'mgrs') void loadMgrs();
  }
  return known.units;
}

let spacedMgrs: ((point: Point) => string) | null = null;

/**
 * Loads the code for MGRS, which only users who have chosen it need. Until it is loaded, positions are shown in
 * degrees.
 */
export async function loadMgrs(): Promise<void> {
  if (spacedMgrs !== null) return;
  ({ spacedMgrs } = await import('./mgrs.ts'));
  drawAgain();
}

let drawings = 0;

/** Renders everything that uses units again, after code that the chosen units need has been loaded. */
export function drawAgain(): void {
  drawings += 1;
  if (known !== null) known = { ...known, units: { ...known.units } };
  for (const listener of listeners) listener();
}

export function chooseUnits(chosen: Partial<Units>): void {
  const units = { ...unitsNow(), ...chosen };
  known = { account: account(), units };
  writeStored(storageKeys.units, JSON.stringify({ ...all(), [account()]: units }));
  for (const listener of listeners) listener();
  if (units.coordinates === 'mgrs') void loadMgrs();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const useUnits = (): Units => useSyncExternalStore(subscribe, unitsNow);

/**
 * Returns a key of the chosen units, for texts that are written without React: when the key changes, they must be drawn
 * again.
 */
export const useUnitsKey = (): string => [...Object.values(useUnits()), drawings].join();

/** Formats a position in the coordinate format that the user has chosen. */
export function formatPlace(point: Point): string {
  const { coordinates } = unitsNow();
  if (coordinates === 'mgrs' && spacedMgrs !== null) return spacedMgrs(point);
  return coordinates === 'decimal' ? `${point.lat.toFixed(6)}, ${point.lon.toFixed(6)}` : formatDms(point);
}

/**
 * Formats one coordinate of a position. In MGRS, returns its part of the reference ("35S KB E 56128"), which requires
 * the other coordinate; without it, degrees, minutes and seconds are used.
 */
export function formatCoordinate(degrees: number, axis: 'lat' | 'lon', other: number | null = null): string {
  const { coordinates } = unitsNow();
  if (coordinates === 'decimal') return `${degrees.toFixed(6)}°`;
  if (coordinates === 'mgrs' && spacedMgrs !== null && other !== null) {
    const point = axis === 'lat' ? { lat: degrees, lon: other } : { lat: other, lon: degrees };
    const parts = spacedMgrs(point).split(' ');
    const [east, north] = parts.slice(-2);
    return [...parts.slice(0, -2), ...(axis === 'lat' ? ['N', north] : ['E', east])].join(' ');
  }
  return axis === 'lat' ? formatLat(degrees) : formatLon(degrees);
}

export type Measured = { value: number; unit: string };

/**
 * Converts a length in metres or a speed to the unit that the user has chosen; any other value is returned unchanged.
 */
export function inUnits({ value, unit }: Measured): Measured {
  const { lengths, speeds } = unitsNow();
  if (unit === 'm') return lengths === 'ft' ? { value: value / FOOT_M, unit: 'ft' } : { value, unit };
  if (unit !== 'm/s' && unit !== 'kn') return { value, unit };
  const metresPerSecond = unit === 'kn' ? value * KNOT_MS : value;
  if (speeds === 'ms') return { value: metresPerSecond, unit: 'm/s' };
  if (speeds === 'kmh') return { value: metresPerSecond * 3.6, unit: 'km/h' };
  return speeds === 'kn' ? { value: metresPerSecond / KNOT_MS, unit: 'kn' } : { value, unit };
}

/**
 * Formats a length in metres, or a speed in metres per second or knots, in the chosen unit. `decimals`: as many as the
 * source of the value has.
 */
export function formatMeasured(value: number, unit: 'm' | 'm/s' | 'kn', decimals = 0): string {
  const shown = inUnits({ value, unit });
  return `${formatNumber(shown.value, decimals)} ${shown.unit}`;
}
