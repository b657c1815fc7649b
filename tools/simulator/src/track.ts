/** A place on a plane, in metres. */
export type PlanePoint = readonly [east: number, north: number];

/** A closed smooth course that is followed endlessly at constant speed. */
export type Track = {
  lengthM: number;
  /**
   * Returns the position after `metres`, with the course in degrees and the curvature in 1/m; right turns are positive.
   */
  at(metres: number): { east: number; north: number; courseDeg: number; curvature: number };
};

const STEPS_PER_PIECE = 64;

/** Returns the closed Catmull-Rom curve through at least three points, parametrised by its length. */
export function closedTrack(points: readonly PlanePoint[]): Track {
  const samples = points.flatMap((_, piece) =>
    Array.from({ length: STEPS_PER_PIECE }, (__, step) => onPiece(points, piece, step / STEPS_PER_PIECE)),
  );
  const lengths = [0];
  samples.forEach(([east, north], index) => {
    const [nextEast, nextNorth] = samples[(index + 1) % samples.length]!;
    lengths.push(lengths[index]! + Math.hypot(nextEast - east, nextNorth - north));
  });
  const lengthM = lengths[lengths.length - 1]!;

  const placeAt = (metres: number): PlanePoint => {
    const wrapped = ((metres % lengthM) + lengthM) % lengthM;
    let low = 0;
    let high = samples.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lengths[middle]! <= wrapped) low = middle;
      else high = middle;
    }
    const share = (wrapped - lengths[low]!) / (lengths[low + 1]! - lengths[low]!);
    return onPiece(points, Math.floor(low / STEPS_PER_PIECE), ((low % STEPS_PER_PIECE) + share) / STEPS_PER_PIECE);
  };

  return {
    lengthM,
    at(metres) {
      const [east, north] = placeAt(metres);
      // Measure the curvature over some metres, since the spline's own second derivative jumps at its points.
      const reach = Math.min(60, lengthM / 40);
      const before = courseBetween(placeAt(metres - reach), [east, north]);
      const after = courseBetween([east, north], placeAt(metres + reach));
      const turn = Math.atan2(Math.sin(after - before), Math.cos(after - before));
      const course = before + turn / 2;
      return { east, north, courseDeg: ((course * 180) / Math.PI + 720) % 360, curvature: turn / reach };
    },
  };
}

/** Returns the course in radians, clockwise from north. */
const courseBetween = ([e0, n0]: PlanePoint, [e1, n1]: PlanePoint): number => Math.atan2(e1 - e0, n1 - n0);

function onPiece(points: readonly PlanePoint[], piece: number, share: number): PlanePoint {
  const count = points.length;
  const [a, b, c, d] = [-1, 0, 1, 2].map((step) => points[(piece + step + count) % count]!);
  const coordinate = (axis: 0 | 1) => {
    const [p0, p1, p2, p3] = [a![axis], b![axis], c![axis], d![axis]];
    const cubic = 3 * (p1 - p2) + p3 - p0;
    const square = 2 * p0 - 5 * p1 + 4 * p2 - p3;
    return p1 + 0.5 * share * (p2 - p0 + share * (square + share * cubic));
  };
  return [coordinate(0), coordinate(1)];
}

/** Returns a circle or ellipse that runs clockwise from its northernmost point. */
export function circle(east: number, north: number, radiusEast: number, radiusNorth = radiusEast): PlanePoint[] {
  return Array.from({ length: 24 }, (_, index): PlanePoint => {
    const angle = (index / 24) * 2 * Math.PI;
    return [east + radiusEast * Math.sin(angle), north + radiusNorth * Math.cos(angle)];
  });
}
