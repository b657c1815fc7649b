import { withNarrowEdges } from '@osprey/geo';
import { BadFile } from '../../../base/formats/bad-file.ts';
import { readPrj } from '../../../base/formats/reference-systems/read-prj.ts';
import { readTable } from './dbf.ts';
import type { Gathering } from './gather.ts';
import { areasOf } from './rings.ts';

type Place = number[];
type Transform = (place: Place) => Place;

/** Kinds of shapes, disregarding heights and measures (ESRI Shapefile Technical Description, July 1998). */
const KINDS: Readonly<Record<number, 'null' | 'point' | 'line' | 'area' | 'points'>> = {
  0: 'null',
  ...{ 1: 'point', 11: 'point', 21: 'point' },
  ...{ 3: 'line', 13: 'line', 23: 'line' },
  ...{ 5: 'area', 15: 'area', 25: 'area' },
  ...{ 8: 'points', 18: 'points', 28: 'points' },
};
const FILE_CODE = 9994;
const HEADER = 100;
/** Maximum number of records and of positions in a file; more would not make a usable annotation. */
const RECORDS_MAX = 100_000;
const POINTS_MAX = 2_000_000;

export type ShapefileParts = { shp: Buffer; dbf: Buffer | null; prj: string | null; cpg: string | null };

/** The shapes of a shapefile with their attributes, in WGS 84. @throws BadFile */
export function readShapefile({ shp, dbf, prj, cpg }: ShapefileParts, into: Gathering): void {
  if (shp.length < HEADER || shp.readInt32BE(0) !== FILE_CODE) throw new BadFile('its .shp is no shapefile');
  const system = prj === null || prj.trim() === '' ? null : readPrj(prj);
  const toDegrees: Transform = system === null ? (place) => place : ([x = 0, y = 0]) => system.toWgs84(x, y);
  if (system === null) into.note('.prj', 'There is none: the coordinates are taken as WGS 84 degrees.');
  const { rows, unknownPage } = dbf === null ? { rows: [], unknownPage: null } : readTable(dbf, cpg);
  if (unknownPage !== null) {
    into.note('.cpg', `Its code page ${unknownPage} is not known: texts are read as the table or their bytes show.`);
  }
  let offset = HEADER;
  let points = 0;
  for (let record = 0; offset + 12 <= shp.length; record += 1) {
    if (record >= RECORDS_MAX) throw new BadFile(`it has more than ${RECORDS_MAX} shapes`);
    const start = offset + 8;
    const end = start + 2 * shp.readInt32BE(offset + 4);
    if (end > shp.length || end < start + 4) {
      into.note('.shp', 'It is cut off: the shapes after this are missing.');
      break;
    }
    const read = shapeOf(shp.subarray(start, end), toDegrees);
    points += read.points;
    if (points > POINTS_MAX) throw new BadFile(`it has more than ${POINTS_MAX} positions`);
    into.add(read.geometry, rows[record] ?? {});
    offset = end;
  }
  const uncovered = system?.uncovered() ?? 0;
  if (system !== null && points > 0 && uncovered === points) {
    throw new BadFile(`its reference system ${system.name} is not known where its shapes lie`);
  }
  if (uncovered > 0) {
    into.note(
      '.prj',
      `${uncovered.toLocaleString('en')} positions lie outside of the area that its reference system is for: they may be off by tens of metres.`,
    );
  }
}

function shapeOf(bytes: Buffer, toDegrees: Transform): { geometry: unknown; points: number } {
  const kind = KINDS[bytes.readInt32LE(0)];
  if (kind === undefined || kind === 'null') return { geometry: null, points: 0 };
  if (kind === 'point') {
    if (bytes.length < 20) return { geometry: null, points: 0 };
    return { geometry: { type: 'Point', coordinates: toDegrees(placeAt(bytes, 4)) }, points: 1 };
  }
  if (bytes.length < 40) return { geometry: null, points: 0 };
  const hasParts = kind !== 'points';
  const partCount = hasParts ? bytes.readInt32LE(36) : 0;
  const count = bytes.length >= (hasParts ? 44 : 40) ? bytes.readInt32LE(hasParts ? 40 : 36) : -1;
  const from = (hasParts ? 44 : 40) + 4 * partCount;
  if (partCount < 0 || count < 0 || from + 16 * count > bytes.length) return { geometry: null, points: 0 };
  const all = Array.from({ length: count }, (_, at) => toDegrees(placeAt(bytes, from + 16 * at)));
  if (kind === 'points') return { geometry: { type: 'MultiPoint', coordinates: all }, points: count };
  const starts = Array.from({ length: partCount }, (_, at) => bytes.readInt32LE(44 + 4 * at));
  const lines = starts.map((start, at) => all.slice(Math.max(0, start), starts[at + 1] ?? count));
  if (kind === 'line') {
    const one = lines.length === 1;
    return {
      geometry: { type: one ? 'LineString' : 'MultiLineString', coordinates: one ? lines[0] : lines },
      points: count,
    };
  }
  return { geometry: areaOf(lines), points: count };
}

const placeAt = (bytes: Buffer, at: number): Place => [bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)];

function areaOf(rings: Place[][]): unknown {
  // In these files longitudes are a plane, and outlines turn with the clock.
  const areas = areasOf(rings.map((ring) => withNarrowEdges(ring)));
  return areas.length === 1 ? { type: 'Polygon', coordinates: areas[0] } : { type: 'MultiPolygon', coordinates: areas };
}
