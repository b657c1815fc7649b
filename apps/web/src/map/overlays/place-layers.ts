import type { DocumentGeometry } from '@osprey/contract';
import type { LngLatBoundsLike, Map as MapView } from 'maplibre-gl';
import { platformInk, type Scheme } from '../../base/colours.ts';

const SOURCE = 'place';
/** Round a single point, so that the map shows where it is. */
const POINT_DEG = 0.05;
const LONGEST_ZOOM = 11;

type LayerKind = { id: string; type: 'fill' | 'line' | 'circle'; of: readonly string[]; paint: object };

/** Areas, lines and points each have a look of their own; a fill would close a line to an area. */
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

/** Draws where a document belongs on a map that has loaded, and goes there. */
export function drawPlace(map: MapView, geometry: DocumentGeometry, scheme: Scheme): void {
  map.addSource(SOURCE, { type: 'geojson', data: geometry as never });
  // The product's own colour, in its shade with contrast on the chart.
  for (const { of, ...layer } of placeLayers(platformInk('#5865e0', scheme))) {
    map.addLayer({ ...layer, source: SOURCE, filter: kindsOf(of) } as never);
  }
  map.fitBounds(placeBounds(geometry), { padding: 24, animate: false, maxZoom: LONGEST_ZOOM });
}

/** Whether the map calls a part of many by the name of the part differs by version: both are asked for. */
const kindsOf = (of: readonly string[]) => [
  'in',
  ['geometry-type'],
  ['literal', of.flatMap((kind) => [kind, `Multi${kind}`])],
];

/**
 * Returns the box around all positions, as south-west and north-east corners [lon, lat], wider by POINT_DEG on each
 * side so that a single point has an extent.
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
