import { type Position, simplifyLine, splitLineAtAntimeridian } from '@osprey/geo';
import type { TelemetryReader } from './reader.ts';
import { numberAt, type Step, type TelemetryFile, walk } from './walk.ts';

const PLATFORM_LAT = 13;
const CENTRE_LAT = 23;
/** Maximum time between two positions that are joined by a line. */
const GAP_US = 10_000_000;
const PATH_STEP_US = 500_000;
const PATH_TOLERANCE_M = 1;
/**
 * Initial cell size of a heat map, in degrees: 0.0001 is 11 m. The size is doubled until the number of cells is within
 * the limit.
 */
const FIRST_CELL_DEG = 0.0001;
const MAX_CELLS = 5000;

/** Returns the track of the platform as lines. A line ends where nothing was recorded, and at the antimeridian. */
export async function platformPath(reader: TelemetryReader, files: readonly TelemetryFile[]): Promise<Position[][]> {
  const lines: Position[][] = [];
  let line: Position[] = [];
  let lastUs = Number.NaN;
  for await (const step of walk(reader, files, { tags: new Set([PLATFORM_LAT, PLATFORM_LAT + 1]) })) {
    const position = positionOf(step, PLATFORM_LAT);
    if (position === null || Math.abs(step.timeUs - lastUs) < PATH_STEP_US) continue;
    if (Math.abs(step.timeUs - lastUs) > GAP_US && line.length > 0) {
      lines.push(line);
      line = [];
    }
    line.push(position);
    lastUs = step.timeUs;
  }
  lines.push(line);
  return lines.flatMap((points) => splitLineAtAntimeridian(simplifyLine(points, PATH_TOLERANCE_M)));
}

/** Returns a heat map of frame centres: cells, each with the number of seconds that the frame centre was within it. */
export async function frameCentres(
  reader: TelemetryReader,
  files: readonly TelemetryFile[],
): Promise<{ lat: number; lon: number; seconds: number }[]> {
  let cellDeg = FIRST_CELL_DEG;
  let cells = new Map<string, { lon: number; lat: number; us: number }>();
  const add = (lon: number, lat: number, us: number) => {
    const [x, y] = [Math.round(lon / cellDeg), Math.round(lat / cellDeg)];
    const cell = cells.get(`${x} ${y}`);
    if (cell) cell.us += us;
    else cells.set(`${x} ${y}`, { lon: x * cellDeg, lat: y * cellDeg, us });
  };
  let before: { position: Position; timeUs: number } | null = null;
  for await (const step of walk(reader, files, { tags: new Set([CENTRE_LAT, CENTRE_LAT + 1]) })) {
    const position = positionOf(step, CENTRE_LAT);
    if (before) {
      const us = step.timeUs - before.timeUs;
      if (us > 0 && us <= GAP_US) add(before.position[0], before.position[1], us);
    }
    before = position && { position, timeUs: step.timeUs };
    if (cells.size <= MAX_CELLS) continue;
    const finer = [...cells.values()];
    cells = new Map();
    cellDeg *= 2;
    for (const { lon, lat, us } of finer) add(lon, lat, us);
  }
  if (before && cells.size === 0) add(before.position[0], before.position[1], 0);
  return [...cells.values()].map(({ lon, lat, us }) => ({
    lon: Math.round(lon * 1e6) / 1e6,
    lat: Math.round(lat * 1e6) / 1e6,
    seconds: Math.round(us / 1e4) / 100,
  }));
}

function positionOf(step: Step, latTag: number): Position | null {
  const [lat, lon] = [numberAt(step, latTag), numberAt(step, latTag + 1)];
  return Number.isNaN(lat) || Number.isNaN(lon) ? null : [lon, lat];
}
