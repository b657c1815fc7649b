import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { GeoJSON } from 'geojson';

/** Finest zoom level: 1/16384 of a tile is 75 m at the equator, whereas the points of the coast are 400 m apart. */
export const FINEST_ZOOM = 5;
const EXTENT = 16_384;
/**
 * Tolerance for simplifying lines in coarse tiles, in tile units: less than 3/8 of a pixel, for tiles of 512 pixels.
 */
const TOLERANCE = 12;
/** Margin drawn beyond the edges of a tile, so that no seam is visible: 10 of 512 pixels. */
const BUFFER = 320;

/** A layer of the tiles; it is omitted from tiles coarser than `fromZoom`. */
type Layer = { name: string; data: GeoJSON; fromZoom?: number; toZoom?: number };
/** One tile; `bytes` is a Mapbox Vector Tile 2.1. */
type Tile = { z: number; x: number; y: number; bytes: Uint8Array };

/** Yields the tiles of a world map (XYZ, Web Mercator) that are not empty. */
export function* tilesOf(layers: readonly Layer[]): Generator<Tile> {
  const indexed = layers.map(({ name, data, fromZoom = 0, toZoom = FINEST_ZOOM }) => ({
    name,
    fromZoom,
    toZoom,
    index: new GeoJSONVT(data, {
      maxZoom: FINEST_ZOOM,
      indexMaxZoom: FINEST_ZOOM,
      indexMaxPoints: 0,
      extent: EXTENT,
      buffer: BUFFER,
      tolerance: TOLERANCE,
    }),
  }));
  for (let z = 0; z <= FINEST_ZOOM; z += 1)
    for (let x = 0; x < 2 ** z; x += 1)
      for (let y = 0; y < 2 ** z; y += 1) {
        const found = indexed
          .filter(({ fromZoom, toZoom }) => fromZoom <= z && z <= toZoom)
          .map(({ name, index }) => [name, index.getTile(z, x, y)] as const)
          .flatMap(([name, tile]) => (tile && tile.features.length > 0 ? [[name, tile] as const] : []));
        if (found.length === 0) continue;
        yield { z, x, y, bytes: fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: EXTENT }) };
      }
}
