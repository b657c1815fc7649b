/** A GeoJSON polygon of one ring, degrees. */
export type AreaPolygon = { type: 'Polygon'; coordinates: number[][][] };
