import { numberOf } from '../../../base/formats/numbers.ts';
import type { Clues, Order, Pair } from './coordinates.ts';
import { createOrderFinder, placeOf } from './coordinates.ts';
import type { SidecarRow } from './row.ts';
import { type Cue, readCues } from './srt-cues.ts';
import { setNumber } from './values.ts';

// ST 0601 tags that these logs can provide.
const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;
const SENSOR_ALTITUDE = 15;
const PLATFORM_HEADING = 5;
const PLATFORM_GROUND_SPEED = 56;
const PLATFORM_PITCH_FULL = 90;
const PLATFORM_ROLL_FULL = 91;

/**
 * Order of the coordinates in a log, and the evidence for it; null if the log labels its coordinates or contains none.
 */
export type FoundOrder = ReturnType<ReturnType<typeof createOrderFinder>['finish']>;

/** Reads a log only to determine the order of its coordinates. */
export async function findOrder(lines: AsyncIterable<string>): Promise<FoundOrder> {
  const finder = createOrderFinder();
  for await (const cue of readCues(lines)) {
    const clues = cluesOf(cue);
    if (clues !== null) finder.add(clues);
  }
  return finder.finish();
}

/**
 * Reads the rows of a subtitle log of DJI or Autel. Times are microseconds from the beginning of the video, since the
 * clock in these logs is local time in an unknown zone. Heights above the take-off point, and those that no
 * manufacturer explains, are left out, since ST 0601 requires heights above sea level.
 */
export async function* readSrt(lines: AsyncIterable<string>, order: Order): AsyncGenerator<SidecarRow> {
  for await (const { timeUs, text } of readCues(lines)) {
    const values = valuesOf(text, order);
    if (Object.keys(values).length > 0) yield { timeUs, values };
  }
}

function valuesOf(text: string, order: Order): SidecarRow['values'] {
  const values: SidecarRow['values'] = {};
  const place = placeIn(text, order);
  // These logs contain 0, 0 until the receiver knows its position.
  if (place !== null && !(place.lat === 0 && place.lon === 0)) {
    setNumber(values, SENSOR_LATITUDE, place.lat);
    setNumber(values, SENSOR_LONGITUDE, place.lon);
  }
  setNumber(values, SENSOR_ALTITUDE, numberOf(/\b(?:abs_alt|altitude) ?: ?(-?[\d.]+)/.exec(text)?.[1]));
  setNumber(values, PLATFORM_GROUND_SPEED, speedIn(text));
  const [, pitch, roll, yaw] = /\bF\.PRY \((-?[\d.]+)°, ?(-?[\d.]+)°, ?(-?[\d.]+)°\)/.exec(text) ?? [];
  setNumber(values, PLATFORM_PITCH_FULL, numberOf(pitch));
  setNumber(values, PLATFORM_ROLL_FULL, numberOf(roll));
  const heading = numberOf(yaw);
  setNumber(values, PLATFORM_HEADING, heading !== null && heading < 0 ? heading + 360 : heading);
  return values;
}

const speedIn = (text: string): number | null => numberOf(/\bH\.S (-?[\d.]+) ?m\/s/.exec(text)?.[1]);

function placeIn(text: string, order: Order): { lat: number; lon: number } | null {
  // Several models write "longtitude".
  const lat = labelled(/\blat(?:itude)? ?[:=] ?(-?[\d.]+) ?°? ?([NS]\b)?/i.exec(text));
  const lon = labelled(/\b(?:longt?itude|long|lon|lng) ?[:=] ?(-?[\d.]+) ?°? ?([EW]\b)?/i.exec(text));
  if (lat !== null && lon !== null) return { lat, lon };
  const numbers = coordinatesIn(text, 'GPS');
  if (numbers === null) return null;
  return lettered(numbers) ?? placeOf(pairOf(numbers), order);
}

function labelled(match: RegExpExecArray | null): number | null {
  const value = numberOf(match?.[1]);
  return value !== null && /[SW]/i.test(match?.[2] ?? '') ? -Math.abs(value) : value;
}

/** A coordinate with its letter N, S, E or W, before or after it. */
type Coordinate = { value: number; letter: string | null };
type Coordinates = { first: Coordinate; second: Coordinate; third: string };

/** Parses `GPS(...)` or `HOME(...)` with two coordinates and an optional third value. */
function coordinatesIn(text: string, name: 'GPS' | 'HOME'): Coordinates | null {
  const inside = new RegExp(`\\b${name} ?\\(([^()]{3,120})\\)`).exec(text)?.[1];
  const [one, two, third = ''] = inside?.split(',') ?? [];
  const [first, second] = [coordinateOf(one), coordinateOf(two)];
  return first === null || second === null ? null : { first, second, third: third.trim() };
}

/** Some Autel firmware repeats the minus sign of a longitude after its decimal point: `-117.-9605`. */
const COORDINATE = /^\s*([NSEW])?\s*:?\s*(-?\d{1,3}(?:\.-?\d+)?)\s*°?\s*([NSEW])?\s*$/i;

function coordinateOf(text: string | undefined): Coordinate | null {
  const [, before, number = '', after] = COORDINATE.exec(text ?? '') ?? [];
  const value = numberOf(number.replace('.-', '.'));
  if (value === null) return null;
  const letter = (before ?? after)?.toUpperCase() ?? null;
  // With a letter, the sign may be repeated or omitted: `W: -117` is as far west as `W: 117`.
  return { letter, value: letter === 'S' || letter === 'W' ? -Math.abs(value) : value };
}

/** Reads coordinates whose letters identify the latitude. */
function lettered({ first, second }: Coordinates): { lat: number; lon: number } | null {
  const isLatitude = ({ letter }: Coordinate) => letter === 'N' || letter === 'S';
  const isLongitude = ({ letter }: Coordinate) => letter === 'E' || letter === 'W';
  if (isLatitude(first) || isLongitude(second)) return { lat: first.value, lon: second.value };
  if (isLongitude(first) || isLatitude(second)) return { lat: second.value, lon: first.value };
  return null;
}

const pairOf = ({ first, second }: Coordinates): Pair => [first.value, second.value];

/**
 * Returns the values that may show the order of coordinates; null if a cue labels its coordinates, contains none, or
 * says 0, 0.
 */
function cluesOf({ timeUs, text }: Cue): Clues | null {
  const numbers = coordinatesIn(text, 'GPS');
  if (numbers === null || lettered(numbers) !== null) return null;
  const position = pairOf(numbers);
  if (position.every((value) => value === 0)) return null;
  const home = coordinatesIn(text, 'HOME');
  return {
    timeUs,
    position,
    home: home && pairOf(home),
    homeDistanceM: numberOf(/\bD ?[= ] ?([\d.]+) ?m\b/.exec(text)?.[1]),
    speedMps: speedIn(text),
    hasUnit: /^-?[\d.]+ ?M$/.test(numbers.third),
    published: publishedOrder(text),
  };
}

/** Drones that write `BAROMETER(91.2)` put the latitude first; all others without a unit put the longitude first. */
const publishedOrder = (text: string): Order => (/\bBAROMETER ?\(/.test(text) ? 'latitudeFirst' : 'longitudeFirst');
