import type { SensorTimeline } from '@osprey/contract';
import {
  approximateGroundOf,
  type Corners,
  createCoverage,
  isHeldAt,
  type MultiPolygon,
  type Point,
  type Position,
  simplifyLine,
  splitLineAtAntimeridian,
  visibleGroundOf,
} from '@osprey/geo';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { walk } from '../../telemetry/walk.ts';
import type { IndexedFile } from '../index/sensor-index.ts';
import { createPauseFinder } from './pauses.ts';

/** Tags of platform position, attitude, sensor angles, frame centre, and both forms of corners. */
export const GROUND_TAGS = new Set([
  5, 6, 7, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
]);
for (let tag = 82; tag <= 91; tag += 1) GROUND_TAGS.add(tag);
GROUND_TAGS.add(96);
const VMTI_TAG = 74;

export const STEP_US = 500_000;
/** Maximum time between positions that are joined by a line; after a longer one, the path between them is unknown. */
export const GAP_US = 10_000_000;
const LINE_TOLERANCE_M = 10;
/**
 * Maximum number of vertices of one stored shape, since the time to compare two polygons grows with the product of
 * their vertices.
 */
const SHAPE_VERTICES = 100;
/** Maximum number of vertices of the outline stored for the geographic filter; the area itself keeps all its points. */
const OUTLINE_VERTICES = 400;

/**
 * Shapes that the geographic filter compares, one list for each of its modes: polygons, or line segments. Positions are
 * lon, lat.
 */
export type GroundShapes = { sensorArea: Position[][]; frameCenter: Position[][]; platformPath: Position[][] };

/** The ground that a sensor saw, and its own path. */
export type Ground = {
  areaSqKm: number;
  geometry: MultiPolygon;
  shapes: GroundShapes;
  /** A point in the middle of the ground, for overview maps. */
  place: Position | null;
  /** Pauses in a file's telemetry that are long enough to count as gaps, in UTC microseconds. */
  pauses: SensorTimeline['gaps'];
};

export type Covered = Pick<ReturnType<typeof createCoverage>, 'add' | 'area'>;

/**
 * Reads the telemetry of a sensor at two records a second. Its footprints are also added to `mission`, which joins
 * those of all sensors.
 */
export async function surveyGround(
  reader: TelemetryReader,
  files: readonly IndexedFile[],
  mission: Covered,
): Promise<Ground> {
  const own = groundJoiner();
  const places: Position[] = [];
  const pauses: SensorTimeline['gaps'] = [];
  for (const file of files) {
    const finder = createPauseFinder();
    for await (const record of groundRecords(reader, file)) {
      finder.add(record.timeUs);
      const { outline, place } = own.add(record);
      if (outline) mission.add({ corners: outline }, record.timeUs / 1e6);
      if (place) places.push(place);
    }
    pauses.push(...finder.pauses());
  }
  return { ...own.ground(), place: places[places.length >> 1] ?? null, pauses };
}

/** A UTC time in microseconds, and the values of the tags that a set contains. */
export type GroundRecord = { timeUs: number; values: Record<string, number> };

/** Joins the ground that a sensor saw and its own path, from records in time order. */
export function groundJoiner() {
  const covered = createCoverage();
  // Only found by the geographic filter, as by the index: it is no ground that was measured.
  const approximate = createCoverage();
  let exactUs = Number.NEGATIVE_INFINITY;
  const paths = { platform: lineMaker(), centre: lineMaker() };
  return {
    /** Adds a record. Returns where it looked, and a representative point; null if the record does not contain them. */
    add({ timeUs, values }: GroundRecord): { outline: Point[] | null; place: Position | null } {
      const seen = visibleGroundOf(values);
      if (seen) {
        covered.add({ corners: seen.outline }, timeUs / 1e6);
        exactUs = timeUs;
      } else {
        const square = isHeldAt(exactUs, timeUs) ? null : approximateGroundOf(values);
        if (square) approximate.add({ corners: withSize(square) }, timeUs / 1e6);
      }
      const platform = positionAt(values, 13);
      const centre = positionAt(values, 23) ?? (seen?.centre ? toPair(seen.centre) : null);
      if (platform) paths.platform.add(platform, timeUs);
      if (centre) paths.centre.add(centre, timeUs);
      return { outline: seen?.outline ?? null, place: centre ?? platform };
    },
    /** Returns the ground seen so far. */
    ground(): Pick<Ground, 'areaSqKm' | 'geometry' | 'shapes'> {
      const { areaSqKm, geometry } = covered.area();
      const [frameCenter, platformPath] = [paths.centre.pieces(), paths.platform.pieces()];
      const sensorArea = [...outlinesOf(geometry), ...outlinesOf(approximate.area().geometry)];
      return { areaSqKm, geometry, shapes: { sensorArea, frameCenter, platformPath } };
    },
  };
}

/** Half the side, in degrees, of the square for a frame centre without a width: a metre. */
const POINT_DEG = 0.000_01;

/** Gives a point a size, since the joined ground has rows of a metre. */
function withSize(square: Corners): Point[] {
  const [a, , c] = square;
  if (a.lon !== c.lon || a.lat !== c.lat) return square;
  const at = (east: number, north: number): Point => ({
    lon: a.lon + east * POINT_DEG,
    lat: a.lat + north * POINT_DEG,
  });
  return [at(-1, 1), at(1, 1), at(1, -1), at(-1, -1)];
}

/** Yields one record for each half second of a file that is shown. */
async function* groundRecords(reader: TelemetryReader, file: IndexedFile): AsyncGenerator<GroundRecord> {
  let slot = Number.NaN;
  for await (const { timeUs, block, row } of walk(reader, [file], { tags: GROUND_TAGS })) {
    const next = Math.floor(timeUs / STEP_US);
    if (next === slot) continue;
    slot = next;
    const values: Record<string, number> = {};
    for (const [tag, column] of block.columns) {
      if (column.kind === 'numbers' && !Number.isNaN(column.values[row])) values[tag] = column.values[row]!;
    }
    yield { timeUs, values };
  }
}

const toPair = ({ lon, lat }: { lon: number; lat: number }): Position => [lon, lat];

function positionAt(values: Record<string, number>, latTag: number): Position | null {
  const [lat, lon] = [values[latTag], values[latTag + 1]];
  return Number.isFinite(lat) && Number.isFinite(lon) ? [lon!, lat!] : null;
}

/** Collects positions into lines, which are cut at gaps and simplified when they grow long. */
function lineMaker() {
  const lines: Position[][] = [];
  let line: Position[] = [];
  let lastUs = Number.NaN;
  const close = () => {
    if (line.length > 0) lines.push(simplifyLine(line, LINE_TOLERANCE_M));
    line = [];
  };
  return {
    add(position: Position, timeUs: number): void {
      if (Math.abs(timeUs - lastUs) > GAP_US) close();
      line.push(position);
      lastUs = timeUs;
      // Simplify and continue with another line, so that some thousand points are in memory for a flight of any length.
      if (line.length >= 4096) {
        const last = line[line.length - 1]!;
        close();
        line = [last];
      }
    },
    /** Returns the lines in pieces of at most SHAPE_VERTICES points. */
    pieces(): Position[][] {
      const open = line.length > 0 ? [simplifyLine(line, LINE_TOLERANCE_M)] : [];
      return [...lines, ...open]
        .flatMap((points) => (points.length === 1 ? [points] : splitLineAtAntimeridian(points)))
        .flatMap(chunked);
    },
  };
}

function chunked(line: Position[]): Position[][] {
  if (line.length <= SHAPE_VERTICES) return [line];
  const pieces: Position[][] = [];
  for (let at = 0; at < line.length - 1; at += SHAPE_VERTICES - 1) pieces.push(line.slice(at, at + SHAPE_VERTICES));
  return pieces;
}

/** Returns the outer borders of seen ground, as the geographic filter compares them. */
export const outlinesOf = ({ coordinates }: MultiPolygon): Position[][] =>
  coordinates.flatMap(([outer]) => (outer ? [simplified(outer as Position[])] : []));

function simplified(ring: Position[]): Position[] {
  let retained = ring;
  for (let toleranceM = 5; retained.length > OUTLINE_VERTICES; toleranceM *= 2)
    retained = simplifyLine(ring, toleranceM);
  return retained;
}

/** Counts the targets in the picture for each bin: the maximum reported by one set. */
export async function countTargets(
  reader: TelemetryReader,
  files: readonly IndexedFile[],
  options: { startUs: number; binSeconds: number; bins: number; targetsIn: (set: Uint8Array) => number },
): Promise<number[]> {
  const { startUs, binSeconds, bins, targetsIn } = options;
  const counts = new Array<number>(bins).fill(0);
  let any = false;
  for await (const { timeUs, block, row } of walk(reader, files, { tags: new Set([VMTI_TAG]) })) {
    const sets = block.columns.get(VMTI_TAG);
    const index = sets?.kind === 'parts' ? sets.indexOf(row) : -1;
    if (sets?.kind !== 'parts' || index < 0) continue;
    const bin = Math.min(bins - 1, Math.floor((timeUs - startUs) / 1e6 / binSeconds));
    counts[bin] = Math.max(counts[bin] ?? 0, targetsIn(sets.part(index)));
    any = true;
  }
  return any ? counts : [];
}
