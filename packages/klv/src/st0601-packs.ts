import type { Cursor } from './cursor.ts';
import type { CompositeReader } from './local-set.ts';
import { readMiisId, readUuid } from './miis.ts';
import { readOids, series } from './series.ts';
import type { Value } from './value.ts';

/** Number of bytes of the four coordinates that may follow the points in tag 81. */
const HORIZON_COORDINATES = 16;
const LOCATION_BYTES = 11;
const LATITUDE_STEP = 180 / (2 ** 32 - 2);
const LONGITUDE_STEP = 360 / (2 ** 32 - 2);
const NO_ANGLE = -(2 ** 31);
/** Upper end of the IMAPB range of both wavelengths in ST 0601.17 tag 128, in nanometres. */
const WAVELENGTH_MAX_NM = 1e9;

/** Readers of the packs of ST 0601.17, by tag. Each value is an object with named fields, or a list. */
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

/** Reads tag 81: the ends of the horizon line in percent of the picture, and their places on earth. */
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

/**
 * Reads tag 115: a command sent to the aircraft. The time is present while the command is waiting for acknowledgement.
 */
function readCommand(cursor: Cursor): Value {
  const id = cursor.berOid();
  const command = cursor.utf8(cursor.berLength());
  return { id, command, timeUs: cursor.left >= 8 ? cursor.uint(8) : null };
}

/**
 * Reads tag 122: the coding method as in ST 0102 tag 12, then up to three country codes, which may be empty or absent.
 */
function readCountries(cursor: Cursor): Value {
  const codingMethod = cursor.uint(cursor.berLength());
  const next = () => (cursor.left > 0 ? cursor.utf8(cursor.berLength()) : '') || null;
  return { codingMethod, overflight: next(), operator: next(), manufacture: next() };
}

/** Reads tag 127: the number of frames per second as a fraction; a denominator of 1 may be omitted. */
function readFrameRate(cursor: Cursor): Value {
  const numerator = cursor.berOid();
  return { numerator, denominator: cursor.left > 0 ? cursor.berOid() : 1 };
}

/** Reads tag 128: one wavelength band with its limits in nanometres. */
function readWavelength(cursor: Cursor): Value {
  const id = cursor.berOid();
  const min = cursor.imapb(4, 0, WAVELENGTH_MAX_NM);
  const max = cursor.imapb(4, 0, WAVELENGTH_MAX_NM);
  return { id, min, max, name: cursor.utf8(cursor.left) };
}

/** Reads tag 130: the places of take-off and recovery. If recovery is omitted, it is the same as take-off. */
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

/** Reads tag 138: the number of payloads, then each payload. */
function readPayloads(cursor: Cursor, ...[reading]: [Parameters<CompositeReader>[1]]): Value {
  cursor.berOid();
  return series((part) => ({ id: part.berOid(), type: part.berOid(), name: part.utf8(part.berLength()) }))(
    cursor,
    reading,
  );
}

/** Reads tag 139: the ids of the active payloads; bit n of the number stands for payload n. */
function readActivePayloads(cursor: Cursor): Value {
  const ids: number[] = [];
  const start = cursor.take(cursor.left);
  for (let at = cursor.end - 1; at >= start; at--) {
    const byte = cursor.bytes[at]!;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) ids.push((cursor.end - 1 - at) * 8 + bit);
  }
  return ids;
}

/**
 * Reads tag 140: one weapon or other store. `status` is its general status; the bits of `engagement` are fuze, laser,
 * target, armed.
 */
function readWeapon(cursor: Cursor): Value {
  const place = {
    station: cursor.berOid(),
    hardpoint: cursor.berOid(),
    carriage: cursor.berOid(),
    store: cursor.berOid(),
  };
  const status = cursor.berOid();
  const type = cursor.utf8(cursor.berLength());
  // The low byte is the general status; the bits above it are the engagement status.
  return { ...place, status: status & 0xff, engagement: status >> 8, type };
}

/**
 * Reads tag 141: one waypoint. Negative orders denote past waypoints. Bits of `info`: 0 manual mode, 1 ad hoc source.
 */
function readWaypoint(cursor: Cursor): Value {
  const id = cursor.berOid();
  const order = cursor.int(2);
  const info = cursor.left > 0 ? cursor.berOid() : 0;
  return { id, order, info, location: cursor.left >= LOCATION_BYTES ? readLocation(cursor) : null };
}

/** Reads tag 142: the range in which the sensor can turn, with start and range of each axis in degrees. */
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
