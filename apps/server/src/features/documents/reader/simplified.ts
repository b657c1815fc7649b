import { areApart, distanceM, outlineFault, type Position, simplifyLine } from '@osprey/geo';

/** Maximum error of a simplified outline, in metres, or as a share of its width if that is more. */
const ERROR_MAX_M = 10;
const ERROR_MAX_SHARE = 0.001;
const FIRST_TOLERANCE_M = 1.25;

type Simplified<Part> = { parts: Part[]; toleranceM: number };

/**
 * Simplifies areas just enough to get below the limit of vertices. Rings stay closed and do not touch each other; an
 * area that cannot be simplified in this way is kept unchanged. Returns null if there are still too many vertices.
 */
export const simplifiedPolygons = (areas: readonly Position[][][], limit: number): Simplified<Position[][]> | null =>
  simplified(areas, limit, { outline: ([outer = []]) => outer, vertices: (area) => area.flat().length, simplify });

/** Simplifies lines just enough to get below the limit of vertices; their end points are kept. */
export const simplifiedLines = (lines: readonly Position[][], limit: number): Simplified<Position[]> | null =>
  simplified(lines, limit, {
    outline: (line) => line,
    vertices: (line) => line.length,
    simplify: (line, toleranceM) => simplifyLine(line, toleranceM),
  });

type Kind<Part> = {
  outline: (part: Part) => readonly Position[];
  vertices: (part: Part) => number;
  simplify: (part: Part, toleranceM: number) => Part;
};

function simplified<Part>(parts: readonly Part[], limit: number, kind: Kind<Part>): Simplified<Part> | null {
  const maximum = parts.map((part) => Math.max(ERROR_MAX_M, ERROR_MAX_SHARE * widthOf(kind.outline(part))));
  const highest = maximum.reduce((all, one) => Math.max(all, one), 0);
  for (let toleranceM = FIRST_TOLERANCE_M; ; toleranceM = Math.min(highest, 2 * toleranceM)) {
    const made = parts.map((part, index) => kind.simplify(part, Math.min(toleranceM, maximum[index]!)));
    if (made.reduce((sum, part) => sum + kind.vertices(part), 0) <= limit) return { parts: made, toleranceM };
    if (toleranceM >= highest) return null;
  }
}

function simplify(area: Position[][], toleranceM: number): Position[][] {
  const rings = area.map((ring) => {
    const made = simplifyLine(ring, toleranceM);
    return made.length < 4 ? ring : made;
  });
  const isComplete = outlineFault({ type: 'Polygon', coordinates: rings }) === null && areApart(rings);
  return isComplete ? rings : area;
}

/** Distance from the western to the eastern end of a line along its middle latitude, in metres. */
function widthOf(line: readonly Position[]): number {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [lon, lat] of line) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  const lat = (south + north) / 2;
  return east > west ? distanceM({ lon: west, lat }, { lon: Math.min(east, west + 180), lat }) : 0;
}
