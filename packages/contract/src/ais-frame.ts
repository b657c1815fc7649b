import { z } from 'zod';
import { id } from './core/call.ts';

/**
 * Binary format for the ships in a part of the map at one moment, which a page receives each second. Little endian.
 *
 * Head, 16 bytes: version (u8), flags (u8, 1: there are more ships than fit), two bytes of 0, number of ships in the
 * area (u32), UTC microseconds (f64). Then for each ship 19 bytes: MMSI (u32), latitude and longitude in 1/600,000 of a
 * degree (i32), course over ground in tenths of a degree (12 bits, 4095: none), speed over ground in tenths of a knot
 * (11 bits, 2047: none), heading (9 bits, 511: none), age of the position (u8: seconds up to 120, then minutes), type
 * of ship (u8, 255: none), message type (5 bits) and flags (3 bits).
 */
export const AIS_FRAME_HEAD = 16;
export const AIS_FRAME_ROW = 19;
/** Maximum number of ships in one frame; with that many, a map shows dots. */
export const AIS_FRAME_SHIPS_MAX = 10_000;
const VERSION = 1;
const PARTS = 600_000;
const NO_COG = 4095;
const NO_SOG = 2047;
const NO_HEADING = 511;
const NO_TYPE = 255;
const SECONDS_MAX = 120;

/** A ship in stored units: position in 1/600,000 of a degree, speed and course in tenths; null is "not available". */
export type FrameShip = {
  mmsi: number;
  /** Time of the position, in UTC microseconds. */
  time: number;
  lat: number;
  lon: number;
  cog: number | null;
  sog: number | null;
  heading: number | null;
  shipType: number | null;
  messageType: number;
  /** Bits: 1: far from the previous position; 2: stated time in the future; 4: off position (aid to navigation). */
  flags: number;
};

/** A ship of a decoded frame, in degrees, knots and UTC microseconds. */
export type SeenShip = {
  mmsi: number;
  timeUs: number;
  latitude: number;
  longitude: number;
  cog: number | null;
  sog: number | null;
  heading: number | null;
  shipType: number | null;
  messageType: number;
  suspect: boolean;
  offPosition: boolean;
};

export type AisFrame = { timeUs: number; total: number; cut: boolean; ships: SeenShip[] };

const seconds = (us: number): number => Math.max(0, Math.round(us / 1e6));

function ageOf(us: number): number {
  const passed = seconds(us);
  return passed <= SECONDS_MAX ? passed : Math.min(255, SECONDS_MAX + Math.round((passed - SECONDS_MAX) / 60));
}

const secondsOf = (age: number): number => (age <= SECONDS_MAX ? age : SECONDS_MAX + (age - SECONDS_MAX) * 60);

export function writeAisFrame(
  ships: readonly FrameShip[],
  { timeUs, total }: { timeUs: number; total: number },
): Uint8Array {
  const count = Math.min(ships.length, AIS_FRAME_SHIPS_MAX);
  const bytes = new Uint8Array(AIS_FRAME_HEAD + count * AIS_FRAME_ROW);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, total > count ? 1 : 0);
  view.setUint32(4, total, true);
  view.setFloat64(8, timeUs, true);
  for (let index = 0, at = AIS_FRAME_HEAD; index < count; index += 1, at += AIS_FRAME_ROW) {
    const ship = ships[index]!;
    const cog = ship.cog === null ? NO_COG : ship.cog & 0xfff;
    const sog = ship.sog === null ? NO_SOG : Math.min(NO_SOG - 1, ship.sog);
    const heading = ship.heading === null ? NO_HEADING : ship.heading & 0x1ff;
    view.setUint32(at, ship.mmsi, true);
    view.setInt32(at + 4, ship.lat, true);
    view.setInt32(at + 8, ship.lon, true);
    view.setUint32(at + 12, cog * 0x10_0000 + sog * 0x200 + heading, true);
    view.setUint8(at + 16, ageOf(timeUs - ship.time));
    view.setUint8(at + 17, ship.shipType ?? NO_TYPE);
    view.setUint8(at + 18, (ship.messageType & 31) * 8 + (ship.flags & 7));
  }
  return bytes;
}

/** Decodes a frame; null for invalid bytes. */
export function readAisFrame(bytes: ArrayBuffer | Uint8Array): AisFrame | null {
  const array = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  if (array.length < AIS_FRAME_HEAD || view.getUint8(0) !== VERSION) return null;
  if ((array.length - AIS_FRAME_HEAD) % AIS_FRAME_ROW !== 0) return null;
  const timeUs = view.getFloat64(8, true);
  const ships: SeenShip[] = [];
  for (let at = AIS_FRAME_HEAD; at < array.length; at += AIS_FRAME_ROW) {
    const packed = view.getUint32(at + 12, true);
    const cog = Math.floor(packed / 0x10_0000);
    const sog = Math.floor(packed / 0x200) % 0x800;
    const heading = packed % 0x200;
    const shipType = view.getUint8(at + 17);
    const kind = view.getUint8(at + 18);
    ships.push({
      mmsi: view.getUint32(at, true),
      timeUs: timeUs - secondsOf(view.getUint8(at + 16)) * 1e6,
      latitude: view.getInt32(at + 4, true) / PARTS,
      longitude: view.getInt32(at + 8, true) / PARTS,
      cog: cog === NO_COG ? null : cog / 10,
      sog: sog === NO_SOG ? null : sog / 10,
      heading: heading === NO_HEADING ? null : heading,
      shipType: shipType === NO_TYPE ? null : shipType,
      messageType: kind >> 3,
      suspect: (kind & 3) !== 0,
      offPosition: (kind & 4) !== 0,
    });
  }
  return { timeUs, total: view.getUint32(4, true), cut: view.getUint8(1) === 1, ships };
}

const degrees = (most: number) => z.number().min(-most).max(most);

/** West, south, east and north in degrees; west is greater than east if the area crosses the antimeridian. */
export const mapArea = z.object({ west: degrees(180), south: degrees(90), east: degrees(180), north: degrees(90) });
export type MapArea = z.output<typeof mapArea>;

/** Payload of `AisView`: the area of the map in which the page shows ships; null stops it. */
export const aisView = z
  .object({
    area: mapArea,
    /** Minutes without a report after which a ship is no longer shown. */
    minutes: z.int().min(1).max(1_000_000),
    /** Limits the ships to those recorded with this mission. */
    mission: id.nullable(),
    /** Shows only ships of this ship list. */
    list: id.nullable().default(null),
  })
  .nullable();
export type AisView = z.output<typeof aisView>;
