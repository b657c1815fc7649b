import type { AnnotationFeature, FeatureGeometry, FeatureSymbol } from '@osprey/contract';
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../base/colours.ts';
import { drawnGeometry } from '../map/draw/drawn.ts';
import { firstStyle } from '../map/draw/editor.ts';
import { isArea, linesOf } from '../map/draw/geometry.ts';
import { haloOf, MAP_FONT, TITLES_FROM } from '../map/lettering.ts';
import { SYMBOL_PX, symbolPaths } from './symbols.ts';

/** Properties that a layer reads from a feature, in addition to those of the caller. */
type DrawnProperties = Record<string, string | number | boolean>;

type GeoFeature = { type: 'Feature'; geometry: FeatureGeometry; properties: DrawnProperties };

/**
 * Number of positions above which the corners of a shape are not rounded, since they are too close together for
 * rounding to be visible.
 */
const DENSE = 30;

/**
 * Converts a feature to the form that the layers draw: with all style values, a label, and sides as a map shows them.
 */
export function displayed(feature: AnnotationFeature, more: DrawnProperties): GeoFeature[] {
  const { properties } = feature;
  const geometry = drawnGeometry(feature.geometry);
  const style = {
    stroke: properties.stroke ?? firstStyle.stroke!,
    width: properties['stroke-width'] ?? firstStyle['stroke-width']!,
    opacity: properties['stroke-opacity'] ?? 1,
    fill: properties['fill-color'] ?? properties.stroke ?? firstStyle.stroke!,
    fillOpacity: isArea(geometry) ? (properties['fill-opacity'] ?? firstStyle['fill-opacity']!) : 0,
    symbol: properties.symbol ?? '',
    label: properties.featureTitle || properties.title || '',
  };
  const dense = linesOf(feature.geometry).reduce((sum, { places }) => sum + places.length, 0) > DENSE;
  const drawn: GeoFeature = {
    type: 'Feature',
    geometry,
    properties: { ...style, ...more, dense, part: partOf(geometry) },
  };
  const at = labelPlace(geometry);
  if (drawn.properties.label === '' || drawn.properties.part === 'point' || at === null) return [drawn];
  const label: GeoFeature = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: at },
    properties: { ...drawn.properties, part: 'label', anchor: isArea(geometry) ? 'center' : 'left' },
  };
  return [drawn, label];
}

const partOf = (geometry: FeatureGeometry) =>
  isArea(geometry) ? 'area' : geometry.type === 'Point' || geometry.type === 'MultiPoint' ? 'point' : 'line';

/** Returns the position of the label: the middle of an area, or the end of a line. */
function labelPlace(geometry: FeatureGeometry): number[] | null {
  const longest = linesOf(geometry).toSorted((a, b) => b.places.length - a.places.length)[0];
  if (longest === undefined) return null;
  if (!isArea(geometry)) return longest.places.at(-1) ?? null;
  const corners = longest.places.slice(0, -1);
  const lons = corners.map(([lon = 0]) => lon);
  const lats = corners.map(([, lat = 0]) => lat);
  const middle = (values: number[]) => (minimum(values) - minimum(values.map((value) => -value))) / 2;
  return [middle(lons), middle(lats)];
}

const minimum = (values: readonly number[]): number => values.reduce((low, one) => Math.min(low, one), Infinity);

/** Returns the layers that draw a source filled by `displayed`. */
export function shapeLayers(source: string, scheme: Scheme): LayerSpecification[] {
  const { sea } = chartColours[scheme];
  const ink = scheme === 'dark' ? '#FFFFFF' : '#171C23';
  const font = { ...MAP_FONT, 'text-size': 12 };
  const [none, full] = TITLES_FROM;
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['==', ['get', 'part'], 'area'],
      paint: { 'fill-color': ['get', 'fill'], 'fill-opacity': ['get', 'fillOpacity'] },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['in', ['get', 'part'], ['literal', ['area', 'line']]],
      layout: { 'line-join': ['case', ['get', 'dense'], 'bevel', 'round'], 'line-cap': 'round' },
      paint: { 'line-color': ['get', 'stroke'], 'line-width': ['get', 'width'], 'line-opacity': ['get', 'opacity'] },
    },
    {
      id: `${source}-dot`,
      type: 'circle',
      source,
      filter: ['all', ['==', ['get', 'part'], 'point'], ['==', ['get', 'symbol'], '']],
      paint: {
        'circle-color': ['get', 'stroke'],
        'circle-opacity': ['get', 'opacity'],
        'circle-radius': ['+', 3, ['get', 'width']],
        'circle-stroke-color': sea,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: `${source}-symbol`,
      type: 'symbol',
      source,
      filter: ['all', ['==', ['get', 'part'], 'point'], ['!=', ['get', 'symbol'], '']],
      layout: {
        'icon-image': ['concat', IMAGE, ['get', 'symbol'], ' ', ['get', 'stroke']],
        'icon-anchor': ['case', ['==', ['get', 'symbol'], 'pin'], 'bottom', 'center'],
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
      paint: { 'icon-opacity': ['get', 'opacity'] },
    },
    {
      id: `${source}-label`,
      type: 'symbol',
      source,
      minzoom: none,
      filter: ['all', ['in', ['get', 'part'], ['literal', ['label', 'point']]], ['!=', ['get', 'label'], '']],
      layout: {
        ...font,
        'text-field': ['get', 'label'],
        'text-anchor': ['case', ['==', ['get', 'anchor'], 'center'], 'center', 'left'],
        'text-offset': ['case', ['==', ['get', 'anchor'], 'center'], ['literal', [0, 0]], ['literal', [1.1, 0]]],
      },
      paint: {
        'text-color': ink,
        'text-opacity': ['interpolate', ['linear'], ['zoom'], none, 0, full, 1],
        ...haloOf(scheme),
      },
    },
  ];
}

const IMAGE = 'annotation ';

/** Creates the images of symbols when a map needs them for the first time. */
export function symbolsFor(map: MapLibreMap): { stop: () => void } {
  function onMissing({ id }: { id: string }) {
    if (!id.startsWith(IMAGE) || map.hasImage(id)) return;
    const [name = '', stroke = ''] = id.slice(IMAGE.length).split(' ');
    const picture = drawSymbol(name as FeatureSymbol, stroke);
    if (picture) map.addImage(id, picture, { pixelRatio: 2 });
  }
  map.on('styleimagemissing', onMissing);
  return { stop: () => void map.off('styleimagemissing', onMissing) };
}

function drawSymbol(name: FeatureSymbol, stroke: string): ImageData | null {
  const path = symbolPaths[name];
  const canvas = document.createElement('canvas');
  const size = SYMBOL_PX * 2;
  [canvas.width, canvas.height] = [size, size];
  const context = canvas.getContext('2d');
  if (path === undefined || context === null || !/^#[0-9a-f]{6}$/i.test(stroke)) return null;
  context.scale(size / 24, size / 24);
  const shape = new Path2D(path);
  context.lineJoin = 'round';
  context.lineWidth = 2.4;
  context.strokeStyle = '#0B0E13';
  context.stroke(shape);
  context.fillStyle = stroke;
  context.fill(shape);
  return context.getImageData(0, 0, size, size);
}
