import type { Place } from '../../../base/formats/numbers.ts';
import type { SidecarRow } from './row.ts';
import { setNumber } from './values.ts';

const SENSOR_LATITUDE = 13;
const SENSOR_LONGITUDE = 14;

/** Limits of XML in telemetry files, whose texts are short: names, times and numbers. */
export const XML_LIMITS = { textMax: 128, wholeMax: 1024 * 1024 };

/** Number of points with a time but an invalid position. */
export type LostPlaces = { count: number };

/** Returns the position of a row; null if it is no valid latitude and longitude, which is counted. */
export function placeValues(place: Place | null, lost: LostPlaces): SidecarRow['values'] | null {
  const values: SidecarRow['values'] = {};
  if (place !== null) {
    setNumber(values, SENSOR_LATITUDE, place[1]);
    setNumber(values, SENSOR_LONGITUDE, place[0]);
  }
  if (Object.keys(values).length === 2) return values;
  lost.count += 1;
  return null;
}

/** Describes lost positions as an unfinished sentence; null if there are none. */
export function lostText({ count }: LostPlaces): string | null {
  if (count === 0) return null;
  return count === 1
    ? '1 of its points has no latitude and longitude in degrees and is left out'
    : `${count.toLocaleString('en')} of its points have no latitude and longitude in degrees and are left out`;
}
