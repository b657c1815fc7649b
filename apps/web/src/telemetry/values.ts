import type { Point } from '@osprey/geo';
import { st0601Tags } from '@osprey/klv/tags';
import { inBearings } from '../base/bearings.ts';
import { fill, formatClockMs, formatNumber, NONE, plainText } from '../base/format.ts';
import { formatCoordinate, inUnits } from '../base/units.ts';
import { texts } from './texts.ts';

/** Tags of ST 0601 that are a latitude; the next tag is the longitude. Offsets (26 to 33) are not included. */
const LATITUDE_TAGS: ReadonlySet<number> = new Set([13, 23, 40, 67, 82, 84, 86, 88]);

/** Angles from true north: heading, wind direction, alternate heading and course. Other angles are relative, or magnetic. */
const BEARING_TAGS: ReadonlySet<number> = new Set([5, 35, 71, 112]);

/** Time of a value, and access to other values in its record, or the last ones before it, which some formats need. */
export type Near = { timeUs: number; numberOf: (tag: string) => number | null };

/** Returns the tag of the other coordinate of a place; null for items that are not a coordinate. */
function partnerOf(tag: string): string | null {
  const number = Number(tag);
  if (LATITUDE_TAGS.has(number)) return String(number + 1);
  return LATITUDE_TAGS.has(number - 1) ? String(number - 1) : null;
}

export type Shown = { text: string; unit: string };

/** Formats a value for display, with its unit separate. */
export function showValue(tag: string, value: number | string | null, near: Near | null = null): Shown {
  if (value === null) return { text: NONE, unit: '' };
  const info = st0601Tags.get(Number(tag));
  if (typeof value === 'string') return { text: plainText(value), unit: '' };
  const partner = partnerOf(tag);
  if (partner !== null) {
    const axis = LATITUDE_TAGS.has(Number(tag)) ? 'lat' : 'lon';
    return { text: formatCoordinate(value, axis, near?.numberOf(partner)), unit: '' };
  }
  if (info?.format === 'time') return { text: formatClockMs(value), unit: 'Z' };
  if (info?.format === 'enum') return { text: info.labels?.[value] ?? String(value), unit: '' };
  if (info?.format === 'flags') return { text: flagText(info.labels, value), unit: '' };
  const shown =
    near !== null && BEARING_TAGS.has(Number(tag))
      ? inBearings(value, placeOf(near), near.timeUs)
      : inUnits({ value, unit: info?.unit ?? '' });
  return { text: formatNumber(shown.value, decimalsOf(value, info?.resolution ?? null)), unit: shown.unit };
}

/** Returns the position of the platform. */
function placeOf({ numberOf }: Near): Point | null {
  const [lat, lon] = [numberOf('13'), numberOf('14')];
  return lat === null || lon === null ? null : { lat, lon };
}

/** Formats a value with its unit for the clipboard. */
export function copyText(tag: string, value: number | string | null, near: Near | null = null): string {
  const { text, unit } = showValue(tag, value, near);
  return unit === '' || unit.startsWith('°') ? `${text}${unit}` : `${text} ${unit}`;
}

export function nameOf(tag: string, wants: 'full' | 'short'): string {
  const short = wants === 'short' ? texts.short[tag] : undefined;
  return short ?? st0601Tags.get(Number(tag))?.name ?? fill(texts.unknown, { tag });
}

function flagText(labels: readonly string[] | null, value: number): string {
  const set = (labels ?? []).filter((_, bit) => ((value >> bit) & 1) === 1);
  return set.length === 0 ? NONE : set.join(', ');
}

/**
 * Returns the number of decimals that fits a value's size. Values below 0.1, such as offsets in degrees, get the most.
 */
function readableDecimals(size: number): number {
  if (size >= 1000) return 0;
  if (size >= 100) return 1;
  return size > 0 && size < 0.1 ? 5 : 2;
}

/**
 * Returns the number of decimals: one less than the standard's resolution, limited to a number of digits that is easy
 * to read.
 */
function decimalsOf(value: number, resolution: number | null): number {
  if (Number.isInteger(resolution ?? 0) && Number.isInteger(value)) return 0;
  const resolved = resolution === null || resolution <= 0 ? 3 : Math.ceil(-Math.log10(resolution)) - 1;
  return Math.max(0, Math.min(resolved, readableDecimals(Math.abs(value))));
}
