/** A GeoJSON polygon with a single ring, in degrees. */
export type AreaPolygon = { type: 'Polygon'; coordinates: number[][][] };
