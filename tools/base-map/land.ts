import { splitAtAntimeridian } from '@osprey/geo';
import type { FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type LandTopology = Topology<{ land: GeometryCollection }>;
export type Land = FeatureCollection<Polygon, Record<string, never>>;

/** Maximum step in degrees between adjacent points; a longer one goes around the back of the map. */
const JUMP_DEG = 180;

/** Returns the land of a world-atlas file as polygons, none of which crosses the antimeridian. */
export function landOf(topology: LandTopology): Land {
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? polygonsOf(geometry) : [],
  );
  return {
    type: 'FeatureCollection',
    features: polygons.flatMap(cutPolygon).map((coordinates) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates },
    })),
  };
}

const polygonsOf = (geometry: Polygon | MultiPolygon): Position[][][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;

function cutPolygon(rings: Position[][]): Position[][][] {
  const [outer, ...holes] = rings;
  if (!outer) return [];
  if (!jumps(outer)) return [rings];
  const pieces = splitAtAntimeridian(outer.map(([lon = 0, lat = 0]) => [lon, lat])).map((ring): Position[][] => [ring]);
  for (const hole of holes) pieces.find(([ring]) => ring && holds(ring, hole[0]))?.push(hole);
  return pieces;
}

const jumps = (ring: Position[]): boolean =>
  ring.some(([lon = 0], index) => index > 0 && Math.abs(lon - (ring[index - 1]![0] ?? 0)) > JUMP_DEG);

/** Whether a ring contains a point, determined by counting the edges east of the point. */
function holds(ring: Position[], point: Position | undefined): boolean {
  const [lon = 0, lat = 0] = point ?? [];
  let inside = false;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index - 1]!;
    const [bx = 0, by = 0] = ring[index]!;
    if (ay > lat !== by > lat && lon < ax + ((lat - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
