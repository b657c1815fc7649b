import type { DocumentGeometry } from '@osprey/contract';
import type { LngLatBoundsLike, Map as MapView } from 'maplibre-gl';
import { platformInk, type Scheme } from '../../base/colours.ts';
import { drawnGeometry } from '../draw/drawn.ts';

const SOURCE = 'place';
/** Margin around a place in degrees, so that the map shows where a single point is. */
const POINT_DEG = 0.05;
const ZOOM_MAX = 11;

type LayerKind = { id: string; type: 'fill' | 'line' | 'circle'; of: readonly string[]; paint: object };

/**
 * Returns the layers of a place. Areas, lines and points have separate layers, since a fill would close a line to an
 * area.
 */
export const placeLayers = (colour: string): LayerKind[] => [
  { id: 'place-fill', type: 'fill', of: ['Polygon'], paint: { 'fill-color': colour, 'fill-opacity': 0.15 } },
  { id: 'place-line', type: 'line', of: ['Polygon', 'LineString'], paint: { 'line-color': colour, 'line-width': 2 } },
  {
    id: 'place-point',
    type: 'circle',
    of: ['Point'],
    paint: {
      'circle-color': colour,
      'circle-radius': 6,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 2,
    },
  },
];

/** Draws the place of a document on a map that has loaded, and moves the map there. */
export function drawPlace(map: MapView, geometry: DocumentGeometry, scheme: Scheme): void {
  map.addSource(SOURCE, { type: 'geojson', data: drawnGeometry(geometry) as never });
  // The colour of the product, adjusted to have sufficient contrast on the chart.
  for (const { of, ...layer } of placeLayers(platformInk('#5865e0', scheme))) {
    map.addLayer({ ...layer, source: SOURCE, filter: kindsOf(of) } as never);
  }
  map.fitBounds(placeBounds(geometry), { padding: 24, animate: false, maxZoom: ZOOM_MAX });
}

/**
 * Filters for both names: whether MapLibre calls a part of a multi-geometry by the name of the single geometry depends
 * on its version.
 */
const kindsOf = (of: readonly string[]) => [
  'in',
  ['geometry-type'],
  ['literal', of.flatMap((kind) => [kind, `Multi${kind}`])],
];

/**
 * Returns the bounding box of all positions as south-west and north-east corners [lon, lat]. It is extended by
 * POINT_DEG on each side, so that a single point has an extent.
 */
export function placeBounds({ coordinates }: DocumentGeometry): LngLatBoundsLike {
  const positions = positionsIn(coordinates);
  const lons = positions.map(([lon = 0]) => lon);
  const lats = positions.map(([, lat = 0]) => lat);
  return [
    [Math.min(...lons) - POINT_DEG, Math.min(...lats) - POINT_DEG],
    [Math.max(...lons) + POINT_DEG, Math.max(...lats) + POINT_DEG],
  ];
}

function positionsIn(value: unknown): number[][] {
  if (!Array.isArray(value)) return [];
  return typeof value[0] === 'number' ? [value as number[]] : value.flatMap(positionsIn);
}
