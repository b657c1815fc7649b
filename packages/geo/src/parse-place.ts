import { parseMgrs, parseUtm } from './mgrs.ts';
import type { Point } from './point.ts';

/**
 * Parses a place as people write it: decimal degrees with latitude first (`37.575 24.262`, `37.575, 24.262`, `37.575N
 * 24.262E`), degrees, minutes and seconds (`37°34'32.58"N 24°15'44.10"E`, `37 34 32 N 24 15 44 E`, `37-34-32N
 * 024-15-44E`, or in the ICAO form `373432N 0241544E`), MGRS, or UTM (`32V 297508 6700645`). Surrounding brackets are
 * ignored.
 *
 * @returns null if the text is not a place, or is outside the earth's coordinates
 */
export function parsePlace(text: string): Point | null {
  const written = text
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/^[([](.*)[)\]]$/, '$1')
    .trim();
  if (written === '' || written.length > 100) return null;
  return degrees(written) ?? parseMgrs(written) ?? parseUtm(written);
}

function degrees(text: string): Point | null {
  const parts = halvesOf(text);
  if (parts === null) return null;
  const [first, second] = parts.map(angleOf);
  if (!first || !second) return null;
  // Longitude may come first if letters mark it.
  const [lat, lon] = first.axis === 'lon' || second.axis === 'lat' ? [second, first] : [first, second];
  if (lat.axis === 'lon' || lon.axis === 'lat') return null;
  return Math.abs(lat.degrees) <= 90 && Math.abs(lon.degrees) <= 180 ? { lat: lat.degrees, lon: lon.degrees } : null;
}

/** Splits latitude from longitude at a compass letter, at a comma, or in the middle of the numbers. */
function halvesOf(text: string): [string, string] | null {
  const byLetter = /^[NSEW]/i.test(text)
    ? /^([NSEW][^NSEW]+)([NSEW][^NSEW]+)$/i
    : /^([^NSEW]+[NSEW])([^NSEW]+[NSEW])$/i;
  const lettered = byLetter.exec(text);
  if (lettered) return [lettered[1]!.replace(/[\s,;]+$/, ''), lettered[2]!.replace(/^[\s,;]+/, '')];
  const byComma = text.split(/[,;]/);
  if (byComma.length === 2) return [byComma[0]!, byComma[1]!];
  const numbers = text.split(/\s+/);
  if (numbers.length < 2 || numbers.length % 2 !== 0) return null;
  return [numbers.slice(0, numbers.length / 2).join(' '), numbers.slice(numbers.length / 2).join(' ')];
}

/** Matches digits without separators: DDMM or DDMMSS of a latitude, DDDMM or DDDMMSS of a longitude (ICAO Doc 8126). */
const withoutMarks =
  /^(?:(?<lat>\d{2})(?=[\d.]+[NS])|(?<lon>\d{3})(?=[\d.]+[EW]))(?<min>\d{2})(?<sec>\d{2})?(?<part>\.\d+)?(?<letter>[NSEW])$/i;

/** Returns the same text with degree, minute and second marks added. */
function marked(text: string): string {
  const found = withoutMarks.exec(text)?.groups;
  if (!found) return text;
  const { lat, lon, min, sec, part = '', letter } = found;
  return `${lat ?? lon}°${min}${sec === undefined ? `${part}'` : `'${sec}${part}"`}${letter}`;
}

function angleOf(text: string): { degrees: number; axis: 'lat' | 'lon' | null } | null {
  const match =
    /^([NSEW])?\s*(-)?(\d{1,3}(?:\.\d+)?)(?:\s*[°º\s:-]\s*(?:(\d{1,2}(?:\.\d+)?)(?:\s*['′’\s:-]\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:["″”]|''|′′|’’)?)?)?)?)?\s*([NSEW])?$/i.exec(
      marked(text.trim()),
    );
  if (!match) return null;
  const [, before, minus, whole = '', minutes = '0', seconds = '0', after] = match;
  if (before && after) return null;
  const letter = (before ?? after)?.toUpperCase();
  const [m, s] = [Number(minutes), Number(seconds)];
  if (m >= 60 || s >= 60 || (minus && letter)) return null;
  const sign = minus || letter === 'S' || letter === 'W' ? -1 : 1;
  const axis = letter === undefined ? null : letter === 'N' || letter === 'S' ? 'lat' : 'lon';
  return { degrees: sign * (Number(whole) + m / 60 + s / 3600), axis };
}
