const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Parses a decimal number as people write it. Null for an empty text, words, other notations, and values that are not
 * finite.
 */
export function numberOf(text: string | null | undefined): number | null {
  const trimmed = (text ?? '').trim();
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Parses the digits that a pattern matched. @throws RangeError for other characters, which is a fault of the pattern */
export function digitsOf(text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text)) throw new RangeError('These are not digits');
  return Number(text);
}

/** Longitude and latitude in degrees, and the height in metres where there is one. */
export type Place = [lon: number, lat: number, height?: number];

/** Longitude, latitude and height from three texts; null unless the first two are numbers. The caller checks their range. */
export function placeOf(lon: string | undefined, lat: string | undefined, height?: string): Place | null {
  const [east, north, up] = [numberOf(lon), numberOf(lat), numberOf(height)];
  if (east === null || north === null) return null;
  return up === null ? [east, north] : [east, north, up];
}
