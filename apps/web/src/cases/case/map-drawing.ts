import type { ExpressionSpecification, GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import { createBaseMap } from '../../map/create-map.ts';
import { haloOf, MAP_FONT } from '../../map/lettering.ts';
import { boundsOf, featuresOf } from './map-parts.ts';

type Placed = Parameters<typeof featuresOf>[0];

export type PartsDrawing = {
  setParts: (parts: Placed) => void;
  /** Marks a part, and moves the map to it if it is out of view. */
  setChosen: (id: string | null, parts: Placed) => void;
  end: () => void;
};

const SOURCE = 'case-parts';
const CLOSEST = 13;
const CLICKED = ['case-dot', 'case-area'];

/** Creates a map with the numbered parts of a case; a click selects a part. */
export async function startParts(
  container: HTMLElement,
  scheme: Scheme,
  onChoose: (id: string) => void,
): Promise<PartsDrawing> {
  const map = createBaseMap({ container, scheme, view: { center: [0, 20], zoom: 1 } });
  await new Promise<void>((resolve) => void map.once('load', () => resolve()));
  map.addSource(SOURCE, { type: 'geojson', data: featuresOf([]) });
  for (const layer of layersOf(scheme)) map.addLayer(layer);
  map.on('click', (event) => {
    const [found] = map.queryRenderedFeatures(event.point, { layers: CLICKED });
    const id = found?.properties.id;
    if (typeof id === 'string') onChoose(id);
  });
  for (const layer of CLICKED) {
    map.on('mouseenter', layer, () => setCursor(map, 'pointer'));
    map.on('mouseleave', layer, () => setCursor(map, ''));
  }
  let fitted = '';

  return {
    setParts(parts) {
      map.getSource<GeoJSONSource>(SOURCE)?.setData(featuresOf(parts));
      const bounds = boundsOf(parts);
      // The map is fitted again only if the parts change, but not if only their order does.
      const requested = JSON.stringify(bounds);
      if (bounds === null || requested === fitted) return;
      fitted = requested;
      map.fitBounds(bounds, { padding: 40, maxZoom: CLOSEST, animate: false });
    },
    setChosen(id, parts) {
      const chosen: ExpressionSpecification = ['==', ['get', 'id'], id ?? ''];
      map.setPaintProperty('case-area', 'fill-opacity', ['case', chosen, 0.28, 0.1]);
      map.setPaintProperty('case-line', 'line-width', ['case', chosen, 3, 1.5]);
      map.setPaintProperty('case-dot', 'circle-radius', ['case', chosen, 8, 5]);
      map.setLayoutProperty('case-number', 'symbol-sort-key', ['case', chosen, 0, ['to-number', ['get', 'place']]]);
      const bounds = boundsOf(parts.filter(({ _id }) => _id === id));
      if (bounds === null) return;
      const shown = map.getBounds();
      if (!shown.contains(bounds[0]) || !shown.contains(bounds[1]))
        map.fitBounds(bounds, { padding: 60, maxZoom: CLOSEST, animate: false });
    },
    end: () => map.remove(),
  };
}

const paletteOf = (scheme: Scheme) => (scheme === 'dark' ? darkPalette : lightPalette);

function setCursor(map: MapLibreMap, cursor: string) {
  map.getCanvas().style.cursor = cursor;
}

function layersOf(scheme: Scheme): LayerSpecification[] {
  const palette = paletteOf(scheme);
  const { sea } = chartColours[scheme];
  const common = { source: SOURCE } as const;
  return [
    {
      ...common,
      id: 'case-area',
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': palette.primary.main, 'fill-opacity': 0.1 },
    },
    {
      ...common,
      id: 'case-line',
      type: 'line',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': palette.primary.main, 'line-width': 1.5 },
    },
    {
      ...common,
      id: 'case-dot',
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': palette.primary.main,
        'circle-radius': 5,
        'circle-stroke-color': sea,
        'circle-stroke-width': 1.5,
      },
    },
    {
      ...common,
      id: 'case-number',
      type: 'symbol',
      filter: ['==', ['geometry-type'], 'Point'],
      // Numbers are shown only where they do not overlap; the selected part has priority, then the order of the parts.
      layout: {
        ...MAP_FONT,
        'text-size': 13,
        'text-field': ['get', 'place'],
        'text-anchor': 'left',
        'text-offset': [0.7, 0],
        'symbol-sort-key': ['to-number', ['get', 'place']],
      },
      paint: { 'text-color': palette.text.primary, ...haloOf(scheme) },
    },
  ];
}
