import { COARSE, FINE } from './fields.ts';
import type { Area, Common, Dimensions, Eta, PositionMode } from './messages.ts';
import type { PayloadWriter } from './payload-writer.ts';

type Coordinates = { latitude: number | null; longitude: number | null };

export function writeHead(writer: PayloadWriter, { type, repeat, mmsi }: Common) {
  writer.uint('type', 6, type);
  writer.uint('repeat', 2, repeat);
  writer.uint('mmsi', 30, mmsi);
}

/** Writes a number in units of `1 / scale`, or the value for "not available" if it is null. */
export function writeScaled(
  writer: PayloadWriter,
  name: string,
  count: number,
  value: number | null,
  { scale = 1, none }: { scale?: number; none: number },
) {
  writer.uint(name, count, value === null ? none : Math.round(value * scale));
}

/** Writes longitude, then latitude, in fractions of a degree; 181 and 91 if there is no position. */
export function writePlace(writer: PayloadWriter, { latitude, longitude }: Coordinates, scale = FINE) {
  const fine = scale === FINE;
  writer.int('longitude', fine ? 28 : 18, Math.round((longitude ?? 181) * scale));
  writer.int('latitude', fine ? 27 : 17, Math.round((latitude ?? 91) * scale));
}

export function writeArea(writer: PayloadWriter, { north, east, south, west }: Area) {
  writePlace(writer, { latitude: north, longitude: east }, COARSE);
  writePlace(writer, { latitude: south, longitude: west }, COARSE);
}

const STAMPS: Readonly<Record<PositionMode, number>> = {
  sensor: 60,
  none: 60,
  manual: 61,
  deadReckoning: 62,
  inoperative: 63,
};

export function writeStamp(writer: PayloadWriter, second: number | null, mode: PositionMode) {
  writer.uint('second', 6, mode === 'sensor' && second !== null ? second : STAMPS[mode]);
}

/**
 * Writes the distances to the sides of the ship. If only length and beam are known, they are written as B and D
 * (M.1371-5, Annex 8, figure 41).
 */
export function writeDimensions(writer: PayloadWriter, dimensions: Dimensions | null) {
  const { toBow, toStern, toPort, toStarboard } = dimensions ?? { toBow: 0, toStern: 0, toPort: 0, toStarboard: 0 };
  writer.uint('toBow', 9, toBow);
  writer.uint('toStern', 9, toStern);
  writer.uint('toPort', 6, toPort);
  writer.uint('toStarboard', 6, toStarboard);
}

export function writeEta(writer: PayloadWriter, eta: Eta | null) {
  writer.uint('eta.month', 4, eta?.month ?? 0);
  writer.uint('eta.day', 5, eta?.day ?? 0);
  writer.uint('eta.hour', 5, eta?.hour ?? 24);
  writer.uint('eta.minute', 6, eta?.minute ?? 60);
}

/** Returns the field value for a rate of turn: 4.733 times the square root of the degrees per minute. */
export function turnField(turn: number | null, atLeast: boolean): number {
  if (turn === null) return -128;
  if (atLeast && Math.abs(turn) === 10) return turn > 0 ? 127 : -127;
  return Math.sign(turn) * Math.min(126, Math.round(Math.sqrt(Math.abs(turn)) * 4.733));
}
