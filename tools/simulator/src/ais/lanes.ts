import type { PlanePoint } from '../track.ts';

/** A closed route of ships around the built-in scene, in metres east and north of its origin, clear of land. */
export type Lane = {
  course: readonly PlanePoint[];
  /** Kinds of ships on the lane, with their shares of the lane's ships. */
  ships: readonly LaneShip[];
  /** Width across which the ships of the lane are spread, in metres. */
  breadthM: number;
};

export type LaneShip = {
  kind: 'cargo' | 'tanker' | 'passenger' | 'highSpeed' | 'fishing' | 'sailing' | 'pleasure' | 'tug';
  knots: readonly [min: number, max: number];
  lengthM: readonly [min: number, max: number];
  /** True for AIS class B instead of class A. */
  classB?: boolean;
};

const CARGO: LaneShip = { kind: 'cargo', knots: [9, 17], lengthM: [90, 290] };
const TANKER: LaneShip = { kind: 'tanker', knots: [9, 14], lengthM: [110, 270] };
const FERRY: LaneShip = { kind: 'passenger', knots: [15, 22], lengthM: [80, 190] };
const FAST_FERRY: LaneShip = { kind: 'highSpeed', knots: [28, 35], lengthM: [40, 85] };
const TRAWLER: LaneShip = { kind: 'fishing', knots: [2.5, 8], lengthM: [14, 32] };
const FISHING_BOAT: LaneShip = { kind: 'fishing', knots: [3, 9], lengthM: [8, 15], classB: true };
const YACHT: LaneShip = { kind: 'sailing', knots: [3, 8], lengthM: [10, 18], classB: true };
const MOTOR_YACHT: LaneShip = { kind: 'pleasure', knots: [6, 24], lengthM: [12, 45], classB: true };
const TUG: LaneShip = { kind: 'tug', knots: [6, 10], lengthM: [22, 34] };

/** Returns a path along a line of places [longitude, latitude] and back, keeping to the right. */
function thereAndBack(places: readonly (readonly [lon: number, lat: number])[], apartM: number): PlanePoint[] {
  const line = places.map(([lon, lat]): PlanePoint => [(lon - 24.295) * 88_200, (lat - 37.672) * 111_000]);
  const side = (sign: 1 | -1) =>
    line.map(([east, north], index): PlanePoint => {
      const [e0, n0] = line[Math.max(0, index - 1)]!;
      const [e1, n1] = line[Math.min(line.length - 1, index + 1)]!;
      const length = Math.hypot(e1 - e0, n1 - n0);
      const offset = (sign * apartM) / 2 / length;
      return [east + (n1 - n0) * offset, north - (e1 - e0) * offset];
    });
  return [...side(1), ...side(-1).reverse()];
}

const round = (lon: number, lat: number, radiusM: number): PlanePoint[] =>
  Array.from({ length: 12 }, (_, index): PlanePoint => {
    const angle = (index / 12) * 2 * Math.PI;
    return [(lon - 24.295) * 88_200 + radiusM * Math.sin(angle), (lat - 37.672) * 111_000 + radiusM * Math.cos(angle)];
  });

export const LANES: readonly Lane[] = [
  {
    // Through the channel between Kea and Makronisos to the Kafireas strait.
    course: thereAndBack(
      [
        ...([
          [24.02, 37.38],
          [24.13, 37.52],
          [24.2, 37.64],
          [24.21, 37.75],
        ] as const),
        ...([
          [24.34, 37.83],
          [24.58, 37.88],
          [24.67, 38.04],
          [24.85, 38.22],
        ] as const),
      ],
      2200,
    ),
    ships: [CARGO, TANKER, CARGO, TUG],
    breadthM: 700,
  },
  {
    // Between Kea and Kythnos to the middle of the Cyclades.
    course: thereAndBack(
      [
        ...([
          [23.9, 37.6],
          [24.1, 37.585],
          [24.23, 37.51],
        ] as const),
        ...([
          [24.4, 37.502],
          [24.6, 37.49],
          [24.8, 37.465],
        ] as const),
      ],
      900,
    ),
    ships: [FERRY, FAST_FERRY, FERRY, MOTOR_YACHT],
    breadthM: 250,
  },
  {
    // From the coast of Attica to Andros.
    course: thereAndBack(
      [
        [24.09, 37.93],
        [24.22, 37.86],
        [24.4, 37.83],
        [24.62, 37.85],
      ],
      1400,
    ),
    ships: [FERRY, FAST_FERRY, MOTOR_YACHT],
    breadthM: 400,
  },
  {
    // South of Kythnos.
    course: thereAndBack(
      [
        [23.95, 37.2],
        [24.2, 37.27],
        [24.45, 37.245],
        [24.68, 37.29],
        [24.9, 37.3],
      ],
      1500,
    ),
    ships: [TANKER, CARGO],
    breadthM: 500,
  },
  { course: round(24.5, 37.73, 3800), ships: [TRAWLER, FISHING_BOAT, TRAWLER], breadthM: 2400 },
  { course: round(24.12, 37.45, 3000), ships: [TRAWLER, FISHING_BOAT], breadthM: 2000 },
  { course: round(24.23, 37.72, 1900), ships: [YACHT, MOTOR_YACHT, YACHT, FISHING_BOAT], breadthM: 900 },
];
