import { st0601Tags } from '@osprey/klv/tags';
import { digitsOf } from '../../../base/formats/numbers.ts';

/**
 * A column of a table: the ST 0601 item that it contains, and the factor that converts its numbers to the unit of the
 * standard.
 */
export type Column = { tag: number; factor: number };

/** Returns the letters and digits of a name, in lower case. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const byName = new Map([...st0601Tags.values()].map(({ tag, name }) => [plain(name), tag]));

/**
 * Names of ST 0601 items in flight logs. Airdata and Litchi use `latitude` to `yaw(deg)` and `altitude_above_seaLevel`;
 * CSV exports of DJI flight records, which QGIS FMV reads too, use names with `OSD.`; DatCon uses names with `GPS:`.
 */
const logNames = new Map(
  Object.entries({
    5: ['heading', 'compass_heading', 'yaw', 'OSD.yaw'],
    13: ['latitude', 'lat', 'OSD.latitude', 'GPS:Lat', 'GPS.latitude'],
    14: ['longitude', 'lon', 'long', 'lng', 'OSD.longitude', 'GPS:Long', 'GPS.longitude'],
    15: ['altitude', 'alt', 'altitude_above_seaLevel', 'altitude_msl', 'OSD.altitude', 'GPS:heightMSL'],
    56: ['speed', 'ground_speed', 'OSD.hSpeed', 'CUSTOM.hSpeed'],
    90: ['pitch', 'OSD.pitch'],
    91: ['roll', 'OSD.roll'],
  }).flatMap(([tag, names]) => names.map((name) => [plain(name), digitsOf(tag)] as const)),
);
/** Item that requires a unit in the column name, since logs give the speed in one of several units. */
const UNIT_NEEDED = 56;

/** Spellings of units in tables, in lower case, and their factors to the unit of ST 0601. */
const UNITS: Record<string, Record<string, number>> = {
  '°': { deg: 1, degree: 1, degrees: 1, dd: 1, '360': 1, rad: 180 / Math.PI, radians: 180 / Math.PI },
  '°/s': { 'deg/s': 1, dps: 1 },
  '%': { percent: 1, pct: 1 },
  m: { metre: 1, metres: 1, meter: 1, meters: 1, ft: 0.3048, feet: 0.3048, foot: 0.3048, km: 1000 },
  'm/s': {
    ...{ mps: 1, mph: 0.44704, 'km/h': 1 / 3.6, kmh: 1 / 3.6, kph: 1 / 3.6 },
    ...{ kn: 1852 / 3600, kt: 1852 / 3600, kts: 1852 / 3600, knots: 1852 / 3600 },
  },
  mbar: { hpa: 1, mb: 1 },
  px: { pixel: 1, pixels: 1 },
};

/**
 * Returns the item that a column header names: `13`, `tag 13`, `Sensor Latitude`, `sensor_latitude`, or its name in
 * flight logs, optionally followed by its unit in brackets; null for any other text. Known units are converted to those
 * of ST 0601. A column with an unknown unit is ignored, since feet mistaken for metres would yield a wrong position.
 */
export function columnOf(head: string): Column | null {
  const { name, unit } = withoutUnit(head);
  // Some names contain brackets themselves, for example `Platform Pitch Angle (Full)`.
  const whole = tagOfName(head.trim());
  if (whole !== null) return { tag: whole, factor: 1 };
  const tag = tagOfName(name) ?? logNames.get(plain(name)) ?? null;
  if (tag === null) return null;
  const factor = unit === null ? (isBareSpeed(tag, name) ? null : 1) : factorOf(tag, unit);
  return factor === null ? null : { tag, factor };
}

const isBareSpeed = (tag: number, name: string): boolean => tag === UNIT_NEEDED && tagOfName(name) === null;

/**
 * Splits a header into its name and the unit in brackets at its end, in lower case; the unit is null if there is none.
 */
export function withoutUnit(head: string): { name: string; unit: string | null } {
  const text = head.trim();
  const bracket = Math.max(text.lastIndexOf('('), text.lastIndexOf('['));
  if (bracket < 0 || !/[)\]]$/.test(text)) return { name: text, unit: null };
  return {
    name: text.slice(0, bracket).trim(),
    unit: text
      .slice(bracket + 1, -1)
      .trim()
      .toLowerCase(),
  };
}

function tagOfName(name: string): number | null {
  const number = /^(?:tag[ _]?)?(\d{1,3})$/i.exec(name)?.[1];
  if (number !== undefined) return st0601Tags.has(digitsOf(number)) ? digitsOf(number) : null;
  return byName.get(plain(name)) ?? null;
}

function factorOf(tag: number, written: string): number | null {
  const unit = st0601Tags.get(tag)?.unit ?? '';
  return written === unit.toLowerCase() ? 1 : (UNITS[unit]?.[written] ?? null);
}
