import { course, dimensions, FINE, heading, nullOfNan, orNull, place, positionMode, speed } from './fields.ts';
import type {
  AidToNavigation,
  BaseStation,
  Eta,
  PositionBExtended,
  StaticA24,
  StaticB24,
  StaticVoyage,
} from './messages.ts';
import type { Payload } from './payload.ts';

/** Reads messages 4 and 11 (M.1371-5, Annex 8, § 3.2). */
export function readBaseStation(payload: Payload, type: 4 | 11): BaseStation {
  const { latitude, longitude } = place(payload.int(79, 28), payload.int(107, 27), FINE);
  return {
    type,
    repeat: payload.uint(6, 2),
    mmsi: payload.uint(8, 30),
    latitude,
    longitude,
    accurate: payload.flag(78),
    raim: payload.flag(148),
    timeUs: readTime(payload),
    fixType: payload.uint(134, 4),
    longRange: payload.flag(138),
    radio: payload.uint(149, 19),
  };
}

function readTime(payload: Payload): number | null {
  const year = payload.uint(38, 14);
  const month = payload.uint(52, 4);
  const day = payload.uint(56, 5);
  const hour = payload.uint(61, 5);
  const minute = payload.uint(66, 6);
  const second = payload.uint(72, 6);
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const daysOfMonth = month === 2 ? (isLeapYear(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
  return day > daysOfMonth ? null : Date.UTC(year, month - 1, day, hour, minute, second) * 1000;
}

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Reads message 5 (M.1371-5, Annex 8, § 3.3). */
export function readStaticVoyage(payload: Payload): StaticVoyage {
  return {
    type: 5,
    repeat: payload.uint(6, 2),
    mmsi: payload.uint(8, 30),
    aisVersion: payload.uint(38, 2),
    imo: orNull(payload.uint(40, 30), 0),
    callSign: payload.text(70, 7),
    name: payload.text(112, 20),
    shipType: orNull(payload.uint(232, 8), 0),
    dimensions: dimensions(payload, 240),
    fixType: payload.uint(270, 4),
    eta: readEta(payload, 274),
    draught: payload.uint(294, 8) === 0 ? null : payload.uint(294, 8) / 10,
    destination: payload.text(302, 20),
    // The flag is inverted: 0 means "available".
    dataTerminal: payload.bits > 422 && !payload.flag(422),
  };
}

/** Reads the estimated time of arrival: month (4 bits), day (5), hour (5), minute (6). */
function readEta(payload: Payload, at: number): Eta | null {
  const month = payload.uint(at, 4);
  const day = payload.uint(at + 4, 5);
  const hour = payload.uint(at + 9, 5);
  const minute = payload.uint(at + 14, 6);
  const eta: Eta = {
    month: month >= 1 && month <= 12 ? month : null,
    day: day >= 1 ? day : null,
    hour: hour < 24 ? hour : null,
    minute: minute < 60 ? minute : null,
  };
  // Units whose arrival time was never set send zeros in all fields, which would be midnight without a date.
  return eta.month === null && eta.day === null && (eta.hour ?? 0) === 0 && (eta.minute ?? 0) === 0 ? null : eta;
}

/** Reads message 19 (M.1371-5, Annex 8, § 3.17). */
export function readPositionBExtended(payload: Payload): PositionBExtended {
  const { latitude, longitude } = place(payload.int(57, 28), payload.int(85, 27), FINE);
  const stamp = payload.uint(133, 6);
  return {
    type: 19,
    repeat: payload.uint(6, 2),
    mmsi: payload.uint(8, 30),
    latitude,
    longitude,
    accurate: payload.flag(56),
    raim: payload.flag(305),
    sog: nullOfNan(speed(payload.uint(46, 10))),
    cog: nullOfNan(course(payload.uint(112, 12))),
    heading: nullOfNan(heading(payload.uint(124, 9))),
    second: stamp < 60 ? stamp : null,
    positionMode: positionMode(stamp),
    name: payload.text(143, 20),
    shipType: orNull(payload.uint(263, 8), 0),
    dimensions: dimensions(payload, 271),
    fixType: payload.uint(301, 4),
    dataTerminal: !payload.flag(306),
    assigned: payload.flag(307),
  };
}

/** Reads message 21 (M.1371-5, Annex 8, § 3.19). */
export function readAidToNavigation(payload: Payload): AidToNavigation {
  const { latitude, longitude } = place(payload.int(164, 28), payload.int(192, 27), FINE);
  const stamp = payload.uint(253, 6);
  return {
    type: 21,
    repeat: payload.uint(6, 2),
    mmsi: payload.uint(8, 30),
    latitude,
    longitude,
    accurate: payload.flag(163),
    raim: payload.flag(268),
    aidType: orNull(payload.uint(38, 5), 0),
    name: readAidName(payload),
    dimensions: dimensions(payload, 219),
    fixType: payload.uint(249, 4),
    second: stamp < 60 ? stamp : null,
    positionMode: positionMode(stamp),
    // The flag is "only valid if the UTC second is 59 or below". Buoys without a time for their own position send 60 to
    // 63 instead.
    offPosition: stamp < 60 ? payload.flag(259) : null,
    status: payload.uint(260, 8),
    virtual: payload.flag(269),
    assigned: payload.flag(270),
  };
}

/**
 * Reads the name of an aid. The name continues in the extension only if all of its 20 characters are used, including
 * spaces.
 */
function readAidName(payload: Payload): string | null {
  const name = payload.text(43, 20);
  const isFull = payload.uint(43 + 19 * 6, 6) !== 0;
  const extension = isFull ? payload.text(272, Math.min(14, Math.floor((payload.bits - 272) / 6))) : null;
  return extension === null ? name : (name ?? '').padEnd(20) + extension;
}

/** Reads message 24, part A (M.1371-5, Annex 8, § 3.22). */
export const readStaticA24 = (payload: Payload): StaticA24 => ({
  type: 24,
  part: 'A',
  repeat: payload.uint(6, 2),
  mmsi: payload.uint(8, 30),
  name: payload.text(40, 20),
});

/**
 * Reads message 24, part B (M.1371-5, Annex 8, § 3.22). An auxiliary craft (98…) sends the MMSI of its mother ship
 * instead of dimensions.
 */
export function readStaticB24(payload: Payload): StaticB24 {
  const mmsi = payload.uint(8, 30);
  const auxiliary = Math.floor(mmsi / 10_000_000) === 98;
  return {
    type: 24,
    part: 'B',
    repeat: payload.uint(6, 2),
    mmsi,
    shipType: orNull(payload.uint(40, 8), 0),
    vendor: payload.text(48, 3),
    model: payload.uint(66, 4),
    serial: payload.uint(70, 20),
    callSign: payload.text(90, 7),
    dimensions: auxiliary ? null : dimensions(payload, 132),
    mothership: auxiliary ? orNull(payload.uint(132, 30), 0) : null,
    fixType: payload.uint(162, 4),
  };
}
