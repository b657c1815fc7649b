import { setNumber } from './csv.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';

// ST 0601 tags that these logs can fill.
const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;
const PLATFORM_HEADING = 5;
const PLATFORM_GROUND_SPEED = 56;
const PLATFORM_PITCH_FULL = 90;
const PLATFORM_ROLL_FULL = 91;

const CUE = /^(\d{2}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->/;
const DATED = /^(\d{4})[.-](\d{1,2})[.-](\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:[,.](\d{1,3}))?/;
/** A cue has some five lines. */
const CUE_LINES_MAX = 40;

/**
 * Rows of a DJI subtitle log. Times are microseconds from the beginning of the video: the clock in these logs is the
 * pilot's local one, of no known zone. Heights above the take-off point are left out: ST 0601 counts from the sea.
 */
export async function* readSrt(lines: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  let cue: string[] = [];
  let firstUs: number | null = null;

  function* flush(): Generator<SidecarRow> {
    const row = toRow(cue, firstUs);
    cue = [];
    if (row === null) return;
    firstUs ??= row.clockUs;
    if (Object.keys(row.values).length > 0) yield { timeUs: row.timeUs, values: row.values };
  }

  for await (const line of lines) {
    if (line.trim() === '') yield* flush();
    else if (cue.length < CUE_LINES_MAX) cue.push(line);
  }
  yield* flush();
}

function toRow(cue: readonly string[], firstUs: number | null) {
  const at = cue.findIndex((line) => CUE.test(line));
  const dated = cue.map(clockOf).find((clock) => clock !== null) ?? null;
  if (at < 0 && dated === null) return null;
  const timeUs = at >= 0 ? cueTime(cue[at]!) : (dated ?? 0) - (firstUs ?? dated ?? 0);
  return { timeUs, clockUs: dated, values: valuesOf(cue.slice(at + 1).join(' ')) };
}

function cueTime(line: string): number {
  const [, hours, minutes, seconds, fraction = ''] = CUE.exec(line) ?? [];
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * 1_000_000 + Number(fraction.padEnd(3, '0')) * 1000;
}

/** A local date as if it were UTC: only differences of it are used. */
function clockOf(line: string): number | null {
  const [found, year, month, day, hours, minutes, seconds, ms = '0'] = DATED.exec(line.trim()) ?? [];
  if (found === undefined) return null;
  const whole = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
  return (whole + Number(ms.padEnd(3, '0'))) * 1000;
}

function valuesOf(text: string): SidecarRow['values'] {
  const values: SidecarRow['values'] = {};
  const place = placeOf(text);
  // 0, 0 is what these logs say before the receiver knows its place.
  if (place !== null && !(place.lat === 0 && place.lon === 0)) {
    setNumber(values, SENSOR_LATITUDE, place.lat);
    setNumber(values, SENSOR_LONGITUDE, place.lon);
  }
  setNumber(values, SENSOR_ALTITUDE, numberOf(/\b(?:abs_alt|altitude) ?: ?(-?[\d.]+)/.exec(text)?.[1]));
  setNumber(values, PLATFORM_GROUND_SPEED, numberOf(/\bH\.S (-?[\d.]+) ?m\/s/.exec(text)?.[1]));
  const [, pitch, roll, yaw] = /\bF\.PRY \((-?[\d.]+)°, (-?[\d.]+)°, (-?[\d.]+)°\)/.exec(text) ?? [];
  setNumber(values, PLATFORM_PITCH_FULL, numberOf(pitch));
  setNumber(values, PLATFORM_ROLL_FULL, numberOf(roll));
  const heading = numberOf(yaw);
  setNumber(values, PLATFORM_HEADING, heading !== null && heading < 0 ? heading + 360 : heading);
  return values;
}

function placeOf(text: string): { lat: number; lon: number } | null {
  const [, first, second] = /\bGPS ?\((-?[\d.]+), ?(-?[\d.]+)/.exec(text) ?? [];
  // "longtitude" is how several models write it.
  const lat = numberOf(second ?? /\blatitude ?: ?(-?[\d.]+)/.exec(text)?.[1]);
  const lon = numberOf(first ?? /\blongt?itude ?: ?(-?[\d.]+)/.exec(text)?.[1]);
  return lat === null || lon === null ? null : { lat, lon };
}
