import type { Cursor } from './cursor.ts';
import type { CompositeReader } from './local-set.ts';
import { readMiisId, readUuid } from './miis.ts';
import { readOids, series } from './series.ts';
import type { Value } from './value.ts';

/** Bytes of the four coordinates that may follow the points of tag 81. */
const HORIZON_COORDINATES = 16;
const LOCATION_BYTES = 11;
const LATITUDE_STEP = 180 / (2 ** 32 - 2);
const LONGITUDE_STEP = 360 / (2 ** 32 - 2);
const NO_ANGLE = -(2 ** 31);
/** Upper end of the IMAPB range of both wavelengths in tag 128 of ST 0601.17, nanometres. */
const LONGEST_WAVE_NM = 1e9;

/** Readers of the packs of ST 0601.17 by tag; each value is an object or a list with names of its own. */
export const st0601Packs: Readonly<Record<number, CompositeReader>> = {
  81: readHorizon,
  94: readMiisId,
  115: readCommand,
  116: readOids,
  121: readOids,
  122: readCountries,
  127: readFrameRate,
  128: series(readWavelength),
  130: readAirbases,
  138: readPayloads,
  139: readActivePayloads,
  140: series(readWeapon),
  141: series(readWaypoint),
  142: readViewDomain,
  143: (cursor) => ({ localId: cursor.berOid(), universalId: readUuid(cursor) }),
};

/** Tag 81: the horizon's ends in percent of the picture, and their places on earth. */
function readHorizon(cursor: Cursor): Value {
  const points = { x0: cursor.uint(1), y0: cursor.uint(1), x1: cursor.uint(1), y1: cursor.uint(1) };
  if (cursor.left < HORIZON_COORDINATES) return points;
  return {
    ...points,
    latitude0: readAngle(cursor, LATITUDE_STEP),
    longitude0: readAngle(cursor, LONGITUDE_STEP),
    latitude1: readAngle(cursor, LATITUDE_STEP),
    longitude1: readAngle(cursor, LONGITUDE_STEP),
  };
}

function readAngle(cursor: Cursor, step: number): number | null {
  const raw = cursor.int(4);
  return raw === NO_ANGLE ? null : raw * step;
}

/** Tag 115: a command sent to the aircraft; its time is given while it waits to be acknowledged. */
function readCommand(cursor: Cursor): Value {
  const id = cursor.berOid();
  const command = cursor.utf8(cursor.berLength());
  return { id, command, timeUs: cursor.left >= 8 ? cursor.uint(8) : null };
}

/** Tag 122: coding method as in ST 0102 tag 12, then up to three codes that may be empty or left out. */
function readCountries(cursor: Cursor): Value {
  const codingMethod = cursor.uint(cursor.berLength());
  const next = () => (cursor.left > 0 ? cursor.utf8(cursor.berLength()) : '') || null;
  return { codingMethod, overflight: next(), operator: next(), manufacture: next() };
}

/** Tag 127: frames a second as a fraction; a denominator of 1 is left out. */
function readFrameRate(cursor: Cursor): Value {
  const numerator = cursor.berOid();
  return { numerator, denominator: cursor.left > 0 ? cursor.berOid() : 1 };
}

/** Tag 128: one band with its limits in nanometres. */
function readWavelength(cursor: Cursor): Value {
  const id = cursor.berOid();
  const min = cursor.imapb(4, 0, LONGEST_WAVE_NM);
  const max = cursor.imapb(4, 0, LONGEST_WAVE_NM);
  return { id, min, max, name: cursor.utf8(cursor.left) };
}

/** Tag 130: where the flight began and where it is to end; a recovery left out is the take-off's place. */
function readAirbases(cursor: Cursor): Value {
  const takeOff = readOptionalLocation(cursor);
  return { takeOff, recovery: cursor.left > 0 ? readOptionalLocation(cursor) : takeOff };
}

function readOptionalLocation(cursor: Cursor): Value {
  const part = cursor.sub(cursor.berLength());
  return part.left === 0 ? null : readLocation(part);
}

function readLocation(cursor: Cursor): Value {
  const latitude = cursor.imapb(4, -90, 90);
  const longitude = cursor.imapb(4, -180, 180);
  return { latitude, longitude, height: cursor.left >= 3 ? cursor.imapb(3, -900, 9000) : null };
}

/** Tag 138: how many payloads there are, then each. */
function readPayloads(cursor: Cursor, ...[reading]: [Parameters<CompositeReader>[1]]): Value {
  cursor.berOid();
  return series((part) => ({ id: part.berOid(), type: part.berOid(), name: part.utf8(part.berLength()) }))(
    cursor,
    reading,
  );
}

/** Tag 139: ids of the payloads in use; bit n of the number is payload n. */
function readActivePayloads(cursor: Cursor): Value {
  const ids: number[] = [];
  const start = cursor.take(cursor.left);
  for (let at = cursor.end - 1; at >= start; at--) {
    const byte = cursor.bytes[at]!;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) ids.push((cursor.end - 1 - at) * 8 + bit);
  }
  return ids;
}

/** Tag 140: one store. `status` is the general status; `engagement` its bits: fuze, laser, target, armed. */
function readWeapon(cursor: Cursor): Value {
  const place = {
    station: cursor.berOid(),
    hardpoint: cursor.berOid(),
    carriage: cursor.berOid(),
    store: cursor.berOid(),
  };
  const status = cursor.berOid();
  const type = cursor.utf8(cursor.berLength());
  // The low byte is the general status, the bits above it the engagement.
  return { ...place, status: status & 0xff, engagement: status >> 8, type };
}

/** Tag 141: one waypoint; negative orders are past ones. `info` bits: 0 manual mode, 1 ad hoc source. */
function readWaypoint(cursor: Cursor): Value {
  const id = cursor.berOid();
  const order = cursor.int(2);
  const info = cursor.left > 0 ? cursor.berOid() : 0;
  return { id, order, info, location: cursor.left >= LOCATION_BYTES ? readLocation(cursor) : null };
}

/** Tag 142: the sector the sensor can turn in, each axis as start and range in degrees. */
function readViewDomain(cursor: Cursor): Value {
  const axis = (min: number, max: number): Value => {
    if (cursor.left === 0) return null;
    const length = cursor.berLength();
    if (length === 0) return null;
    const half = length >> 1;
    return { start: cursor.imapb(half, min, max), range: cursor.imapb(length - half, 0, 360) };
  };
  return { azimuth: axis(0, 360), elevation: axis(-180, 180), roll: axis(0, 360) };
}
