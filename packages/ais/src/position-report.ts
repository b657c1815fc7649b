import { COARSE, course, degrees, FINE, heading, nullOfNan, positionMode, speed } from './fields.ts';
import type { AisMessage, LongRange, PositionA, PositionB, PositionMode, SarPosition } from './messages.ts';
import type { Payload } from './payload.ts';

/**
 * Position report of message 1, 2, 3, 9, 18 or 27. It is a single record that the next report overwrites, so that
 * nothing is allocated; copy values that you keep. Units are those of the message types; NaN means "not available", or
 * that the message lacks the field.
 */
export class PositionReport {
  type = 0;
  repeat = 0;
  mmsi = 0;
  latitude = Number.NaN;
  longitude = Number.NaN;
  sog = Number.NaN;
  cog = Number.NaN;
  heading = Number.NaN;
  status = Number.NaN;
  turn = Number.NaN;
  turnAtLeast = false;
  second = Number.NaN;
  positionMode: PositionMode = 'none';
  manoeuvre = Number.NaN;
  altitude = Number.NaN;
  accurate = false;
  raim = false;
  barometric = false;
  dataTerminal = false;
  assigned = false;
  carrierSense = false;
  display = false;
  dsc = false;
  wholeBand = false;
  message22 = false;
  late = false;
  radio = Number.NaN;
}

/** Rate of turn in degrees per minute for each field value of message 1: (value / 4.733)². */
const TURNS = new Float64Array(256);
for (let field = -128; field < 128; field++) {
  const rate = (Math.sign(field) * Math.round((field / 4.733) ** 2 * 100)) / 100;
  TURNS[field + 128] = field === -128 ? Number.NaN : rate;
}
/** The values ±127 mean "more than 5 degrees in 30 s", sent by ships without a turn indicator. */
TURNS[127 + 128] = 10;
TURNS[-127 + 128] = -10;

/**
 * Number of bits up to the last required field. Some receivers cut off the communication state at the end of class A
 * reports.
 */
const MINIMUM_BITS: Readonly<Record<number, number>> = { 1: 149, 2: 149, 3: 149, 9: 168, 18: 168, 27: 96 };
export const isPositionType = (type: number): boolean => type <= 3 || type === 9 || type === 18 || type === 27;

/** Decodes messages 1 to 3, 9, 18 and 27 into `report`. @returns false if the payload is too short */
export function readPosition(payload: Payload, report: PositionReport): boolean {
  const type = payload.uint(0, 6);
  if (payload.bits < MINIMUM_BITS[type]!) return false;
  const head = payload.words[0]!;
  report.type = type;
  report.repeat = (head >> 22) & 3;
  report.mmsi = ((head & 0x3fffff) << 8) | (payload.words[1]! >> 22);
  clearFlags(report);
  if (type <= 3) readClassA(payload, report);
  else if (type === 18) readClassB(payload, report);
  else if (type === 9) readAircraft(payload, report);
  else readLongRange(payload, report);
  return true;
}

/** Reads a class A report (M.1371-5, Annex 8, § 3.1). Bits 30 to 59 are word 1, and so on: see `Payload.words`. */
function readClassA({ words, bits }: Payload, report: PositionReport) {
  const [w1, w2, w3, w4] = [words[1]!, words[2]!, words[3]!, words[4]!];
  const status = (w1 >> 18) & 15;
  const turn = (w1 << 14) >> 24;
  const stamp = (w4 >> 7) & 63;
  const manoeuvre = (w4 >> 5) & 3;
  report.status = status === 15 ? Number.NaN : status;
  report.turn = TURNS[turn + 128]!;
  report.turnAtLeast = turn >= 126 || (turn <= -126 && turn !== -128);
  report.sog = speed(w1 & 1023);
  report.accurate = w2 >> 29 === 1;
  setPlace(report, (w2 << 3) >> 4, ((((w2 & 1) << 26) | (w3 >> 4)) << 5) >> 5, FINE);
  report.cog = course(((w3 & 15) << 8) | (w4 >> 22));
  report.heading = heading((w4 >> 13) & 511);
  report.second = stamp < 60 ? stamp : Number.NaN;
  report.positionMode = positionMode(stamp);
  report.manoeuvre = manoeuvre === 0 ? Number.NaN : manoeuvre;
  report.raim = (w4 & 2) !== 0;
  report.radio = bits < 168 ? Number.NaN : ((w4 & 1) << 18) | (words[5]! >> 12);
  report.altitude = Number.NaN;
}

/** Reads a class B report (M.1371-5, Annex 8, § 3.16). */
function readClassB({ words }: Payload, report: PositionReport) {
  const [w1, w2, w3, w4] = [words[1]!, words[2]!, words[3]!, words[4]!];
  const stamp = (w4 >> 11) & 63;
  report.sog = speed((w1 >> 4) & 1023);
  report.accurate = (w1 & 8) !== 0;
  setPlace(report, ((((w1 & 7) << 25) | (w2 >> 5)) << 4) >> 4, ((((w2 & 31) << 22) | (w3 >> 8)) << 5) >> 5, FINE);
  report.cog = course(((w3 & 255) << 4) | (w4 >> 26));
  report.heading = heading((w4 >> 17) & 511);
  report.second = stamp < 60 ? stamp : Number.NaN;
  report.positionMode = positionMode(stamp);
  report.carrierSense = (w4 & 256) !== 0;
  report.display = (w4 & 128) !== 0;
  report.dsc = (w4 & 64) !== 0;
  report.wholeBand = (w4 & 32) !== 0;
  report.message22 = (w4 & 16) !== 0;
  report.assigned = (w4 & 8) !== 0;
  report.raim = (w4 & 4) !== 0;
  report.radio = ((w4 & 3) << 18) | (words[5]! >> 12);
  clearClassA(report);
  report.altitude = Number.NaN;
}

/** Reads the report of a search and rescue aircraft (M.1371-5, Annex 8, § 3.7). */
function readAircraft(payload: Payload, report: PositionReport) {
  const altitude = payload.uint(38, 12);
  const sog = payload.uint(50, 10);
  const stamp = payload.uint(128, 6);
  report.altitude = altitude === 4095 ? Number.NaN : altitude;
  report.sog = sog === 1023 ? Number.NaN : sog;
  report.accurate = payload.uint(60, 1) === 1;
  setPlace(report, payload.int(61, 28), payload.int(89, 27), FINE);
  report.cog = course(payload.uint(116, 12));
  report.heading = Number.NaN;
  report.second = stamp < 60 ? stamp : Number.NaN;
  report.positionMode = positionMode(stamp);
  report.barometric = payload.uint(134, 1) === 1;
  // The flag is inverted: 0 means "available".
  report.dataTerminal = payload.uint(142, 1) === 0;
  report.assigned = payload.uint(146, 1) === 1;
  report.raim = payload.uint(147, 1) === 1;
  report.radio = payload.uint(148, 20);
  clearClassA(report);
}

/** Reads a long-range report (M.1371-5, Annex 8, § 3.25). */
function readLongRange(payload: Payload, report: PositionReport) {
  const status = payload.uint(40, 4);
  const sog = payload.uint(79, 6);
  const cog = payload.uint(85, 9);
  clearClassA(report);
  report.accurate = payload.uint(38, 1) === 1;
  report.raim = payload.uint(39, 1) === 1;
  report.status = status === 15 ? Number.NaN : status;
  setPlace(report, payload.int(44, 18), payload.int(62, 17), COARSE);
  report.sog = sog === 63 ? Number.NaN : sog;
  report.cog = cog < 360 ? cog : Number.NaN;
  report.late = payload.uint(94, 1) === 1;
  report.heading = Number.NaN;
  report.second = Number.NaN;
  report.positionMode = 'none';
  report.altitude = Number.NaN;
  report.radio = Number.NaN;
}

function clearClassA(report: PositionReport) {
  report.status = Number.NaN;
  report.turn = Number.NaN;
  report.turnAtLeast = false;
  report.manoeuvre = Number.NaN;
}

/** Resets flags that only some of the messages have. */
function clearFlags(report: PositionReport) {
  report.barometric = false;
  report.dataTerminal = false;
  report.assigned = false;
  report.carrierSense = false;
  report.display = false;
  report.dsc = false;
  report.wholeBand = false;
  report.message22 = false;
  report.late = false;
}

function setPlace(report: PositionReport, longitude: number, latitude: number, scale: number) {
  const lon = degrees(longitude, scale, 180);
  const lat = degrees(latitude, scale, 90);
  const known = !Number.isNaN(lon) && !Number.isNaN(lat);
  report.longitude = known ? lon : Number.NaN;
  report.latitude = known ? lat : Number.NaN;
}

/** Creates the message object of a report. */
export function positionMessage(report: PositionReport): AisMessage {
  if (report.type <= 3) return messageA(report);
  if (report.type === 18) return messageB(report);
  return report.type === 9 ? messageSar(report) : messageLongRange(report);
}

const messageA = (report: PositionReport): PositionA => ({
  type: report.type as 1 | 2 | 3,
  repeat: report.repeat,
  mmsi: report.mmsi,
  latitude: nullOfNan(report.latitude),
  longitude: nullOfNan(report.longitude),
  accurate: report.accurate,
  raim: report.raim,
  sog: nullOfNan(report.sog),
  cog: nullOfNan(report.cog),
  heading: nullOfNan(report.heading),
  status: nullOfNan(report.status),
  turn: nullOfNan(report.turn),
  turnAtLeast: report.turnAtLeast,
  second: nullOfNan(report.second),
  positionMode: report.positionMode,
  manoeuvre: nullOfNan(report.manoeuvre),
  radio: nullOfNan(report.radio),
});

const messageB = (report: PositionReport): PositionB => ({
  type: 18,
  repeat: report.repeat,
  mmsi: report.mmsi,
  latitude: nullOfNan(report.latitude),
  longitude: nullOfNan(report.longitude),
  accurate: report.accurate,
  raim: report.raim,
  sog: nullOfNan(report.sog),
  cog: nullOfNan(report.cog),
  heading: nullOfNan(report.heading),
  second: nullOfNan(report.second),
  positionMode: report.positionMode,
  carrierSense: report.carrierSense,
  display: report.display,
  dsc: report.dsc,
  wholeBand: report.wholeBand,
  message22: report.message22,
  assigned: report.assigned,
  radio: report.radio,
});

const messageSar = (report: PositionReport): SarPosition => ({
  type: 9,
  repeat: report.repeat,
  mmsi: report.mmsi,
  latitude: nullOfNan(report.latitude),
  longitude: nullOfNan(report.longitude),
  accurate: report.accurate,
  raim: report.raim,
  altitude: nullOfNan(report.altitude),
  barometric: report.barometric,
  sog: nullOfNan(report.sog),
  cog: nullOfNan(report.cog),
  second: nullOfNan(report.second),
  positionMode: report.positionMode,
  dataTerminal: report.dataTerminal,
  assigned: report.assigned,
  radio: report.radio,
});

const messageLongRange = (report: PositionReport): LongRange => ({
  type: 27,
  repeat: report.repeat,
  mmsi: report.mmsi,
  latitude: nullOfNan(report.latitude),
  longitude: nullOfNan(report.longitude),
  accurate: report.accurate,
  raim: report.raim,
  status: nullOfNan(report.status),
  sog: nullOfNan(report.sog),
  cog: nullOfNan(report.cog),
  late: report.late,
});
